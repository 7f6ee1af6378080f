// Texts prints the texts for users in the source: the string literals of packages without tests that have a space and a
// word, one a line with its place. Texts that a reader should see in their places are in the transcripts of
// server/testdata/evening and the golden screens of tui/screen/*/testdata.
//
//	go run ./.ci/texts [PATH]...
//
// Paths are folders, by default those with texts. Arguments of calls that write for operators and developers (log lines,
// panics) are left out.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// isText matches what is written to be read: two words or more.
var isText = regexp.MustCompile(`\pL{2,}[^ ]* +[^ ]*\pL{2,}|\pL{2,} %|% \pL{2,}`)

// isCode matches SQL and tags of fields, which are not read by users.
var isCode = regexp.MustCompile("^(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|BEGIN|PRAGMA|FROM|WHERE)\\b|^[a-z]+:\"")

func main() {
	paths := os.Args[1:]
	if len(paths) == 0 {
		paths = []string{"cmd", "engine", "lobby", "server", "tui"}
	}
	for _, path := range paths {
		if err := filepath.WalkDir(path, printTexts); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// printTexts prints the texts of a file, if it is one of a package and not of a test.
func printTexts(path string, entry fs.DirEntry, err error) error {
	switch name := entry.Name(); {
	case err != nil:
		return err
	case entry.IsDir() && (name == "testdata" || strings.HasSuffix(name, "test")):
		return fs.SkipDir
	case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
		return nil
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, 0)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.CallExpr:
			return !isForDevelopers(n)
		case *ast.BasicLit:
			if n.Kind != token.STRING {
				return true
			}
			if text, err := strconv.Unquote(n.Value); err == nil && isText.MatchString(text) && !isCode.MatchString(text) {
				fmt.Printf("%s\t%q\n", files.Position(n.Pos()), text)
			}
		}
		return true
	})
	return nil
}

// isForDevelopers reports whether what a call is given is no text for users.
func isForDevelopers(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "panic"
	case *ast.SelectorExpr:
		x, _ := f.X.(*ast.Ident)
		return x != nil && x.Name == "regexp" || f.Sel.Name == "InternalError" || f.Sel.Name == "internalError" || f.Sel.Name == "report"
	}
	return false
}
