package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// goFile is a parsed file of the repository.
type goFile struct {
	*ast.File
	folder string // from the root, with slashes
	path   string
	fset   *token.FileSet
}

// goFiles parses all Go files of the repository whose path keep accepts.
func goFiles(t *testing.T, keep func(path string) bool) []goFile {
	t.Helper()
	var files []goFile
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || !keep(path) {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		path = strings.TrimPrefix(filepath.ToSlash(path), "../../")
		files = append(files, goFile{f, filepath.ToSlash(filepath.Dir(path)), path, fset})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// findings collects what is wrong by folder.
type findings map[string][]string

// report fails if there are any.
func (f findings) report(t *testing.T) {
	t.Helper()
	for _, folder := range slices.Sorted(maps.Keys(f)) {
		t.Errorf("%s:\n\t%s", folder, strings.Join(f[folder], "\n\t"))
	}
}

// declared calls visit for each name that a file declares.
func declared(f *ast.File, visit func(*ast.Ident)) {
	names := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok {
				visit(id)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			visit(n.Name)
		case *ast.TypeSpec:
			visit(n.Name)
		case *ast.ImportSpec:
			if n.Name != nil {
				visit(n.Name)
			}
		case *ast.LabeledStmt:
			visit(n.Label)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				visit(id)
			}
		case *ast.Field: // of a struct, an interface, parameters, results or a receiver
			for _, id := range n.Names {
				visit(id)
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				names(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				names(n.Key, n.Value)
			}
		}
		return true
	})
}

// wordOfName matches one word of a camel-case name.
var wordOfName = regexp.MustCompile(`[A-Z]+(?:[^a-z]|$)|[A-Z]?[a-z]+|[A-Z]+`)

// nameWords splits a camel-case name into its words, in lower case.
func nameWords(name string) []string {
	var words []string
	for len(name) > 0 {
		at := wordOfName.FindStringIndex(name)
		if at == nil {
			break
		}
		end := at[1]
		word := name[at[0]:end]
		if n := len(word); n > 1 && end < len(name) && word[n-1] >= 'A' && word[n-1] <= 'Z' { // the next word begins
			word, end = word[:n-1], end-1
		}
		words = append(words, strings.ToLower(strings.Trim(word, "0123456789_")))
		name = name[end:]
	}
	return words
}

func TestNameWords(t *testing.T) {
	for name, want := range map[string]string{
		"newTurn": "new turn", "HTTPServer": "http server", "SSHTarget": "ssh target", "playerID": "player id", "x": "x",
		"max2Turns": "max turns", "URL": "url", "ayuMaxGap": "ayu max gap", "isOver": "is over", "snake_case": "snake case",
	} {
		if got := strings.Join(nameWords(name), " "); got != want {
			t.Errorf("%s is split into %q, want %q", name, got, want)
		}
	}
}

// TestNamesUseTheGlossary looks for retired words in the names that non-test files declare.
func TestNamesUseTheGlossary(t *testing.T) {
	retired := retiredWords(t)
	files := goFiles(t, func(path string) bool { return !strings.HasSuffix(path, "_test.go") })
	found, names := make(findings), 0
	for _, f := range files {
		declared(f.File, func(id *ast.Ident) {
			names++
			for _, word := range nameWords(id.Name) {
				if stays, bad := retired[word]; bad && !slices.Contains(stays, id.Name) {
					found[f.folder] = append(found[f.folder], f.fset.Position(id.Pos()).String()+": "+id.Name+" has the retired word "+word)
				}
			}
		})
	}
	if names < 10000 {
		t.Errorf("found only %d names", names)
	}
	found.report(t)
}

// pronoun matches what a person must not be called.
var pronoun = regexp.MustCompile(`(?i)\b(?:he|him|his|himself|she|her|hers|herself)\b`)

// TestNobodyIsHeOrShe looks for gendered pronouns in the comments and strings of all Go files, and in
// the documents.
func TestNobodyIsHeOrShe(t *testing.T) {
	found := make(findings)
	check := func(folder, where, text string) {
		if word := pronoun.FindString(text); word != "" {
			found[folder] = append(found[folder], where+": "+word)
		}
	}
	files := goFiles(t, func(path string) bool {
		return !strings.HasSuffix(path, "cmd/ayumu/docs_test.go") && !strings.HasSuffix(path, "cmd/ayumu/words_test.go")
	})
	for _, f := range files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				check(f.folder, f.fset.Position(c.Pos()).String(), c.Text)
			}
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				check(f.folder, f.fset.Position(lit.Pos()).String(), lit.Value)
			}
			return true
		})
	}
	for _, path := range documents(t) {
		name := strings.TrimPrefix(path, "../../")
		if strings.HasPrefix(name, "docs/history/") || name == "docs/glossary.md" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			check(name, name, line)
		}
	}
	if len(files) < 300 {
		t.Errorf("read only %d files", len(files))
	}
	found.report(t)
}
