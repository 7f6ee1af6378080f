package main

import (
	"go/ast"
	"strings"
	"testing"
)

// maxMethods is the number of methods from which on a type of the front ends should be several.
const maxMethods = 26

// TestTypesHaveFewMethods counts the methods that each type of the front ends declares.
func TestTypesHaveFewMethods(t *testing.T) {
	count := make(map[string]int)
	for _, f := range goFiles(t, func(path string) bool { return !strings.HasSuffix(path, "_test.go") }) {
		if f.folder != "tui" && !strings.HasPrefix(f.folder, "tui/") {
			continue
		}
		for _, d := range f.Decls {
			method, ok := d.(*ast.FuncDecl)
			if !ok || method.Recv == nil {
				continue
			}
			of := method.Recv.List[0].Type
			if star, ok := of.(*ast.StarExpr); ok {
				of = star.X
			}
			if generic, ok := of.(*ast.IndexExpr); ok {
				of = generic.X
			}
			if id, ok := of.(*ast.Ident); ok {
				count[f.folder+"."+id.Name]++
			}
		}
	}
	if len(count) < 100 {
		t.Errorf("found only %d types", len(count))
	}
	for name, n := range count {
		if n > maxMethods {
			t.Errorf("%s has %d methods; make it several types of at most %d", name, n, maxMethods)
		}
	}
}
