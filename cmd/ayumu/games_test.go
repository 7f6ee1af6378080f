package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayumu/cmd/games"
)

// TestGamesAreNamedInTheirOwnPackagesOnly looks for the games of the list in the identifiers, imports, texts
// and comments of all other packages, except for programs of .ci. What belongs to one game is a method of its rules, options, positions,
// engine or board (docs/architecture.md), so that a game is added or removed with one entry of the list.
func TestGamesAreNamedInTheirOwnPackagesOnly(t *testing.T) {
	var own []string // folders and files that may name a game
	for _, g := range games.Rules() {
		own = append(own, "engine/"+g.Name()+"/", "tui/game/"+g.Name()+"/")
	}
	own = append(own, "cmd/games/", ".ci/")
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, "../../"))
		isOwn := slices.ContainsFunc(own, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
		if isOwn || strings.HasSuffix(filepath.Dir(path), "test") { // a package for tests, such as enginetest
			return nil
		}
		files++
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, line := range linesThatNameAGame(set, f) {
			t.Errorf("%s:%s", name, line)
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("looked at %d files: %v", files, err)
	}
}

// linesThatNameAGame returns the places of a file where a game is named, as "LINE: WHAT".
func linesThatNameAGame(set *token.FileSet, f *ast.File) (found []string) {
	report := func(at token.Pos, what string) {
		found = append(found, fmt.Sprintf("%d: %s", set.Position(at).Line, what))
	}
	var names, titles []string
	for _, g := range games.Rules() {
		names, titles = append(names, g.Name()), append(titles, g.Title())
	}
	// As words; "mu" is also how a mutex is called in code, so that in comments and identifiers only the title counts.
	text := regexp.MustCompile(`(?i)(^|[^\pL])(` + strings.Join(names, "|") + `)($|[^\pL])`)
	comment := regexp.MustCompile(`(^|[^\pL])(` + strings.Join(titles, "|") + `)($|[^\pL])`)
	identifier := regexp.MustCompile(`(^|[a-z0-9])(` + strings.Join(titles, "|") + `)[A-Z]|^(` + strings.Join(names, "|") + `)[A-Z]\w{3}`)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if n.Kind == token.STRING && text.MatchString(n.Value) {
				report(n.Pos(), n.Value)
			}
		case *ast.Ident:
			if identifier.MatchString(n.Name) {
				report(n.Pos(), n.Name)
			}
		}
		return true
	})
	for _, group := range f.Comments {
		for _, c := range group.List {
			if comment.MatchString(c.Text) {
				report(c.Pos(), c.Text)
			}
		}
	}
	return found
}

// TestLinesThatNameAGame checks the search of the test above.
func TestLinesThatNameAGame(t *testing.T) {
	const source = `package p

import "ayumu/engine/ayu"

// Ayu is named here. Ayumu is the program.
const maxMuRounds = "ayumu match --game mu"

// lock holds mu, a mutex.
func lock() { mu.Lock(); spectatorMu.Lock() }

func ayuSize() {}
`
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, line := range linesThatNameAGame(set, f) {
		number, _, _ := strings.Cut(line, ":")
		lines = append(lines, number)
	}
	slices.Sort(lines)
	if want := []string{"11", "3", "5", "6", "6"}; !slices.Equal(lines, want) {
		t.Errorf("lines %v, want %v", lines, want)
	}
}
