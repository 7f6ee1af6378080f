package main

import (
	"go/ast"
	"os"
	"regexp"
	"strings"
	"testing"
)

// codeNames are the names that the Go files of the repository declare.
type codeNames struct {
	declared map[string]bool     // "package.Name", and "Type.Member" for methods, fields and the methods of interfaces
	from     map[string][]string // by a type's name, those of the types that it embeds or is another name of
}

func readCodeNames(t *testing.T) codeNames {
	t.Helper()
	c := codeNames{make(map[string]bool), make(map[string][]string)}
	for _, f := range goFiles(t, func(path string) bool { return !strings.HasSuffix(path, "_test.go") }) {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				owner := f.Name.Name
				if d.Recv != nil {
					owner = typeName(d.Recv.List[0].Type)
				}
				c.declared[owner+"."+d.Name.Name] = true
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							c.declared[f.Name.Name+"."+id.Name] = true
						}
					case *ast.TypeSpec:
						c.declared[f.Name.Name+"."+spec.Name.Name] = true
						c.addMembers(spec.Name.Name, spec.Type)
					}
				}
			}
		}
	}
	return c
}

// addMembers adds what a type has: its fields or methods and the types that it embeds, or the type that it is
// another name of.
func (c codeNames) addMembers(name string, e ast.Expr) {
	var list *ast.FieldList
	switch e := e.(type) {
	case *ast.StructType:
		list = e.Fields
	case *ast.InterfaceType:
		list = e.Methods
	default:
		c.from[name] = append(c.from[name], withoutPackage(e))
		return
	}
	for _, field := range list.List {
		for _, id := range field.Names {
			c.declared[name+"."+id.Name] = true
		}
		if len(field.Names) == 0 {
			c.from[name] = append(c.from[name], withoutPackage(field.Type))
		}
	}
}

// has reports whether owner, a package or a type, has that name, directly or by embedding. seen has the types that
// need not be looked at again.
func (c codeNames) has(owner, name string, seen map[string]bool) bool {
	if c.declared[owner+"."+name] {
		return true
	}
	for _, from := range c.from[owner] {
		if !seen[from] {
			seen[from] = true
			if c.has(from, name, seen) {
				return true
			}
		}
	}
	return false
}

// withoutPackage returns the name of a type as its own package writes it.
func withoutPackage(e ast.Expr) string {
	name := typeName(e)
	return name[strings.LastIndex(name, ".")+1:]
}

// TestGlossaryNamesCode checks that the names of code in docs/glossary.md exist: `package.Name`, `Type.Member` and
// `package.Type.Member`.
func TestGlossaryNamesCode(t *testing.T) {
	page, err := os.ReadFile("../../docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	names, checked := readCodeNames(t), 0
	terms, _, _ := strings.Cut(string(page), "\n## 9. Retired words\n")
	for _, row := range regexp.MustCompile(`(?m)^\| .+ \| .+ \| (.+) \|$`).FindAllStringSubmatch(terms, -1) {
		for _, m := range regexp.MustCompile("`([a-zA-Z]+(?:\\.[a-zA-Z]+){1,2})`").FindAllStringSubmatch(row[1], -1) {
			parts := strings.Split(m[1], ".")
			if last := parts[len(parts)-1]; last == "go" || last == "txt" || parts[0] == "limits" {
				continue // a file or a setting
			}
			checked++
			for i := range len(parts) - 1 {
				if !names.has(parts[i], parts[i+1], make(map[string]bool)) {
					t.Errorf("the glossary names %s, and %s has no %s", m[1], parts[i], parts[i+1])
				}
			}
		}
	}
	if checked < 150 {
		t.Errorf("found only %d names", checked)
	}
}
