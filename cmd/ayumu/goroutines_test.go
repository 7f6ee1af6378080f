package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// separate are folders of tools that serve no users: a panic there ends only the tool.
var separate = map[string]string{
	"cmd/ayumu-lab":      "tools of developers, each in a process of its own",
	"cmd/ayumu-lab/load": "a measurement, in a process of its own",
	"cmd/ayumu/match":    "a match of engines, in a process of its own",
	"engine/search/fit":  "the training of an engine, in a process of its own",
}

// unguarded are goroutines that need not recover, by folder and function.
var unguarded = map[string]string{
	"lobby/bots cancel":           "a cancel function of the context package",
	"tui/screen/match cancel":     "a cancel function of the context package",
	"lobby/store/sqlite s.writer": "guard.Call runs each change, and nothing else stands in the loop",
	"tui/jobqueue q.work":         "guard.Call runs each job, and nothing else stands in the loop",
	"tui/jobqueue q.findBlocked":  "it counts goroutines and starts some",
}

// TestEveryGoroutineRecovers checks the code of the server: a function started by a go statement, a method
// Go or AfterFunc must defer a function that recovers, or be run by package guard.
func TestEveryGoroutineRecovers(t *testing.T) {
	code := parseAll(t)
	found, excused := 0, make(map[string]bool)
	for folder, files := range code.folders {
		if separate[folder] != "" {
			continue
		}
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				f := started(n)
				if f == nil {
					return true
				}
				found++
				name := folder + " " + types.ExprString(f)
				if unguarded[name] != "" {
					excused[name] = true
				} else if !code.recovers(folder, f) {
					t.Errorf("%s: this goroutine does not recover; defer guard.Recover in it or start it with guard.Go", code.fset.Position(n.Pos()))
				}
				return true
			})
		}
	}
	if found < 20 {
		t.Errorf("only %d goroutines were found", found)
	}
	for name := range unguarded {
		if !excused[name] {
			t.Errorf("%s is excused and not there", name)
		}
	}
}

// TestUnguardedGoroutinesAreFound tests the check with valid and invalid code.
func TestUnguardedGoroutinesAreFound(t *testing.T) {
	const text = `package p
		func bad() { work() }
		func (s *server) good() { defer s.recovered("x"); work() }
		func (s *server) recovered(string) { recover() }
		func all() {
			go bad()
			go func() { work() }()
			go func() { func() { defer guard.Recover(f) }() }()
			w.Go(bad)
			time.AfterFunc(d, bad)
			go s.good()
			go func() { defer func() { recover() }(); work() }()
			w.Go(func() { defer guard.Recover(f); work() })
			guard.Go(f, work)
			guard.AfterFunc(d, f, work)
		}`
	code := parsed{token.NewFileSet(), make(map[string][]*ast.File)}
	file, err := parser.ParseFile(code.fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	code.folders["p"] = []*ast.File{file}
	good, bad := 0, 0
	ast.Inspect(file, func(n ast.Node) bool {
		if f := started(n); f != nil && code.recovers("p", f) {
			good++
		} else if f != nil {
			bad++
		}
		return true
	})
	if good != 3 || bad != 5 {
		t.Errorf("%d are found to recover and %d not, want 3 and 5", good, bad)
	}
}

// parsed has the code of all folders without tests.
type parsed struct {
	fset    *token.FileSet
	folders map[string][]*ast.File
}

func parseAll(t *testing.T) parsed {
	t.Helper()
	code := parsed{token.NewFileSet(), make(map[string][]*ast.File)}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		if strings.HasSuffix(filepath.Dir(path), "test") {
			return nil // what tests share, such as storetest
		}
		file, err := parser.ParseFile(code.fset, path, nil, parser.SkipObjectResolution)
		folder := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), "../../"))
		if strings.HasSuffix(folder, "test") || strings.HasPrefix(folder, ".ci/") {
			return err // in no server, as TestImportsGoOneWay checks
		}
		code.folders[folder] = append(code.folders[folder], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// started returns the function that a node starts in a goroutine, or nil. Functions started by package
// guard are not returned.
func started(n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.GoStmt:
		return n.Call.Fun
	case *ast.CallExpr:
		s, ok := n.Fun.(*ast.SelectorExpr)
		if !ok || types.ExprString(s.X) == "guard" {
			return nil
		}
		if s.Sel.Name == "Go" && len(n.Args) == 1 || s.Sel.Name == "AfterFunc" && len(n.Args) == 2 {
			return n.Args[len(n.Args)-1]
		}
	}
	return nil
}

// recovers reports whether a function defers one that recovers. A function known only by its name is
// looked up in its folder, or else in all folders; all functions of that name must recover.
func (c parsed) recovers(folder string, f ast.Expr) bool {
	if literal, ok := f.(*ast.FuncLit); ok {
		return c.defersRecovery(folder, literal.Body)
	}
	all := c.named(folder, f)
	for _, one := range all {
		if !c.defersRecovery(folder, one.Body) {
			return false
		}
	}
	return len(all) > 0
}

func (c parsed) defersRecovery(folder string, body *ast.BlockStmt) bool {
	for _, statement := range body.List {
		d, ok := statement.(*ast.DeferStmt)
		if !ok {
			continue
		}
		if literal, ok := d.Call.Fun.(*ast.FuncLit); ok && callsRecover(literal.Body) {
			return true
		}
		if types.ExprString(d.Call.Fun) == "guard.Recover" {
			return true
		}
		for _, one := range c.named(folder, d.Call.Fun) {
			if callsRecover(one.Body) {
				return true
			}
		}
		if folder == "lobby/guard" && types.ExprString(d.Call.Fun) == "Recover" {
			return true
		}
	}
	return false
}

// named returns the functions and methods of a name in the folder, or else in all folders.
func (c parsed) named(folder string, f ast.Expr) (all []*ast.FuncDecl) {
	name := types.ExprString(f)
	name = name[strings.LastIndex(name, ".")+1:]
	collect := func(files []*ast.File) {
		for _, file := range files {
			for _, d := range file.Decls {
				if one, ok := d.(*ast.FuncDecl); ok && one.Name.Name == name && one.Body != nil {
					all = append(all, one)
				}
			}
		}
	}
	if collect(c.folders[folder]); len(all) > 0 {
		return all
	}
	for _, files := range c.folders {
		collect(files)
	}
	return all
}

// callsRecover reports whether a function's own body calls recover.
func callsRecover(body *ast.BlockStmt) (calls bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if _, inner := n.(*ast.FuncLit); inner {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok && types.ExprString(call.Fun) == "recover" {
			calls = true
		}
		return true
	})
	return calls
}
