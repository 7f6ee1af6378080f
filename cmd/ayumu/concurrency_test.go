package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestConcurrencyIsDocumented compares docs/concurrency.md with the code: its tables name each mutex that
// is a field or a package variable, and each function that starts a goroutine in the server process.
func TestConcurrencyIsDocumented(t *testing.T) {
	document, err := os.ReadFile("../../docs/concurrency.md")
	if err != nil {
		t.Fatal(err)
	}
	code := parseAll(t)
	var mutexes, starters []string
	for folder, files := range code.folders {
		mutexes = append(mutexes, mutexNames(folder, files)...)
		if separate[folder] == "" {
			starters = append(starters, starterNames(folder, files)...)
		}
	}
	if len(mutexes) < 20 || len(starters) < 15 {
		t.Fatalf("found only %d mutexes and %d functions that start goroutines", len(mutexes), len(starters))
	}
	compareNames(t, "mutex", mutexes, tableNames(string(document), "Locks"))
	compareNames(t, "function that starts a goroutine", starters, tableNames(string(document), "Goroutines"))
}

// compareNames reports names of the code that are not documented, and documented ones that do not exist.
func compareNames(t *testing.T, kind string, code, documented []string) {
	t.Helper()
	for _, name := range code {
		if !slices.Contains(documented, name) {
			t.Errorf("the %s %s is not in docs/concurrency.md", kind, name)
		}
	}
	for _, name := range documented {
		if !slices.Contains(code, name) {
			t.Errorf("docs/concurrency.md names the %s %s, which does not exist", kind, name)
		}
	}
}

// tableNames returns the names in the first columns of the tables in the sections of level 2 whose titles
// begin with title.
func tableNames(document, title string) (names []string) {
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")
	for _, section := range strings.Split(document, "\n## ")[1:] {
		if strings.HasPrefix(section, title) {
			for _, m := range row.FindAllStringSubmatch(section, -1) {
				names = append(names, m[1])
			}
		}
	}
	return names
}

// mutexNames returns the mutexes of a package that are fields of declared types or package variables, as
// package.Type.field and package.variable, where package is the path in the module.
func mutexNames(folder string, files []*ast.File) (names []string) {
	for _, file := range files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, mutexesIn(folder+"."+spec.Name.Name, spec.Type)...)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						for _, e := range append([]ast.Expr{spec.Type}, spec.Values...) {
							names = append(names, mutexesIn(folder+"."+name.Name, e)...)
						}
					}
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// mutexesIn returns the names of the mutexes in a type or in the types of a composite literal, below name.
func mutexesIn(name string, e ast.Expr) (names []string) {
	if e == nil {
		return nil
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			for _, field := range n.Fields.List {
				if len(field.Names) == 0 {
					embedded := types.ExprString(field.Type)
					names = append(names, mutexesIn(name+"."+embedded[strings.LastIndex(embedded, ".")+1:], field.Type)...)
				}
				for _, f := range field.Names {
					names = append(names, mutexesIn(name+"."+f.Name, field.Type)...)
				}
			}
			return false
		case *ast.SelectorExpr:
			if s := types.ExprString(n); s == "sync.Mutex" || s == "sync.RWMutex" {
				names = append(names, name)
			}
		case *ast.FuncType, *ast.FuncLit:
			return false
		}
		return true
	})
	return names
}

// starterNames returns the functions of a package that start goroutines by a go statement or a method or
// function Go, as package.Function and package.Type.Method. Timers are not counted.
func starterNames(folder string, files []*ast.File) (names []string) {
	for _, file := range files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			name := folder + "." + f.Name.Name
			if f.Recv != nil {
				name = folder + "." + typeName(f.Recv.List[0].Type) + "." + f.Name.Name
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					names = append(names, name)
				case *ast.CallExpr:
					if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Go" {
						names = append(names, name)
					}
				}
				return true
			})
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// typeName returns the name of a receiver's type without a pointer and type parameters.
func typeName(e ast.Expr) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(types.ExprString(e), "*"), "[")
	return name
}

// TestConcurrencyIsFound checks the search with code that has mutexes and goroutines of every kind.
func TestConcurrencyIsFound(t *testing.T) {
	const text = `package p
		type a struct { mu, other sync.Mutex; f func(sync.Mutex) }
		type b[T any] struct { *sync.RWMutex; in struct { mu sync.Mutex }; list [4]sync.Mutex }
		type c struct { x int; once sync.Once }
		var d sync.Mutex
		var e struct { mu sync.RWMutex }
		var f = struct { mu sync.Mutex }{}
		func g() { var mu sync.Mutex; mu.Lock() }
		func (x *b[T]) h() { go g(); wg.Go(g) }
		func i() { time.AfterFunc(0, func() { guard.Go(nil, g) }) }`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	files := []*ast.File{file}
	want := []string{"p.a.mu", "p.a.other", "p.b.RWMutex", "p.b.in.mu", "p.b.list", "p.d", "p.e.mu", "p.f.mu"}
	if got := mutexNames("p", files); !slices.Equal(got, want) {
		t.Errorf("mutexes %v, want %v", got, want)
	}
	if got, want := starterNames("p", files), []string{"p.b.h", "p.i"}; !slices.Equal(got, want) {
		t.Errorf("functions that start goroutines %v, want %v", got, want)
	}
	const document = "# T\n\n## Locks\n\n| `p.d` | x |\n\n### More\n\n| `p.e.mu` | y |\n\n## Other\n\n| `no` | z |\n"
	if got := tableNames(document, "Locks"); !slices.Equal(got, []string{"p.d", "p.e.mu"}) {
		t.Errorf("documented names %v", got)
	}
}
