package tournament

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayumu/engine/enginetest"
)

// TestFormatsAreWhereTheDocumentSays: the functions outside of format.go that name a format are those that doc.go lists.
func TestFormatsAreWhereTheDocumentSays(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]bool)
	for _, line := range regexp.MustCompile(`(?m)^//   - (\w+\.go): (.*)$`).FindAllStringSubmatch(string(doc), -1) {
		for name := range strings.SplitSeq(line[2], ", ") {
			want[line[1]+": "+name] = true
		}
	}
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]bool)
	for _, path := range paths {
		if path == "format.go" || strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			name := "(a declaration)"
			if f, ok := d.(*ast.FuncDecl); ok {
				name = f.Name.Name
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && slices.Contains([]string{"FormatSwiss", "FormatRoundRobin", "FormatTables"}, id.Name) {
					got[path+": "+name] = true
				}
				return true
			})
		}
	}
	if len(got) == 0 || !maps.Equal(got, want) {
		t.Errorf("formats are named in\n%v, and doc.go lists\n%v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// TestUnknownFormatsAreRefused: a log of a server that knows more formats is not read as one of the Swiss system.
func TestUnknownFormatsAreRefused(t *testing.T) {
	terms := termsOf(t, FormatSwiss, Request{})
	for format, ok := range map[Format]bool{FormatSwiss: true, "arena": false, "": false} {
		terms.Format = format
		data, err := Encode(&Entry{Kind: EntryCreated, Terms: &terms})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(data, enginetest.Games); (err == nil) != ok {
			t.Errorf("%s: %v", data, err)
		}
	}
}
