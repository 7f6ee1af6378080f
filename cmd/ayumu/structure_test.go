package main

import (
	"go/ast"
	"path/filepath"
	"strings"
	"testing"
)

// sharedVariables are the package variables that may hold state of all sessions, with the reason.
var sharedVariables = map[string]string{
	"engine/ayu/search.neighbourhoodClasses": "a table that never changes, computed when it is first used",
	"engine/ayu/search.book":                 "the opening book, which never changes, read when it is first used",
	"engine/ayu/search.defaultValueNetwork":  "weights that never change, decoded when they are first used",
	"engine/ayu/search.defaultPolicyNetwork": "weights that never change, decoded when they are first used",
	"engine/mu/search.defaultWeights":        "weights that never change, decoded when they are first used",

	"tui/paint.lineCache":   "found by content: equal lines of any session and server are equal",
	"tui/paint.rowCache":    "found by content, as lineCache",
	"tui/paint.rowsSeen":    "hashes for rowCache",
	"tui/paint.diffCache":   "found by content, as lineCache",
	"tui/paint.diffsSeen":   "hashes for diffCache",
	"tui/paint.gridPool":    "a pool of memory",
	"tui/paint.scratchPool": "a pool of memory",
	"tui/paint.bufferPool":  "a pool of memory",
}

// TestNoPackageVariableHoldsState finds package variables of types that are made to be shared: those of sync
// and sync/atomic, and caches. Such state belongs to the server, which hands it down. Packages for tests and
// programs of .ci are in no server.
func TestNoPackageVariableHoldsState(t *testing.T) {
	found := 0
	inServer := func(path string) bool {
		return !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(filepath.Dir(path), "test") && !strings.HasPrefix(filepath.ToSlash(path), "../../.ci/")
	}
	for _, f := range goFiles(t, inServer) {
		for _, d := range f.Decls {
			general, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range general.Specs {
				v, ok := spec.(*ast.ValueSpec)
				if !ok || !isShared(v) {
					continue
				}
				name := f.folder + "." + v.Names[0].Name
				if found++; sharedVariables[name] == "" {
					t.Errorf("%s holds state of all sessions; make it a value of the server", name)
				}
			}
		}
	}
	if found != len(sharedVariables) {
		t.Errorf("found %d such variables, %d are allowed", found, len(sharedVariables))
	}
}

// isShared reports whether a declaration mentions a type of sync or sync/atomic, or a cache, outside of
// functions.
func isShared(v *ast.ValueSpec) (shared bool) {
	ast.Inspect(v, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok && (pkg.Name == "sync" || pkg.Name == "atomic" || n.Sel.Name == "Cache") {
				shared = true
			}
		}
		return true
	})
	return shared
}
