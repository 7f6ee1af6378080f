package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// functionalCores are the packages that only compute: a state and an input lead to a state and effects.
var functionalCores = []string{
	"lobby/clock", "lobby/match", "lobby/table", "lobby/tournament", "lobby/tournament/pairing", "lobby/vacation",
}

// TestCoresAreFunctional checks that the functional cores start no goroutine, use no channel, lock or context,
// read no time, do no I/O and have no chance.
func TestCoresAreFunctional(t *testing.T) {
	for _, folder := range functionalCores {
		files, err := filepath.Glob("../../" + folder + "/*.go")
		if err != nil || len(files) < 3 {
			t.Fatalf("%s: %d files, %v", folder, len(files), err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, effect := range sideEffects(f) {
				t.Errorf("%s: %s", path, effect)
			}
		}
	}
}

// sideEffects lists what a file of a functional core must not have.
func sideEffects(f *ast.File) (all []string) {
	for _, i := range f.Imports {
		name, _ := strconv.Unquote(i.Path.Value)
		switch first, _, _ := strings.Cut(name, "/"); {
		case name == "net/netip", first == "encoding":
		case slices.Contains([]string{"context", "io", "log", "net", "os", "runtime", "sync", "syscall", "unsafe"}, first),
			strings.Contains(name, "rand"), strings.HasPrefix(name, "ayumu/lobby/store"), name == "ayumu/lobby":
			all = append(all, "imports "+name)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			all = append(all, "starts a goroutine")
		case *ast.ChanType:
			all = append(all, "has a channel")
		case *ast.SelectorExpr:
			clocks := []string{"Now", "Since", "Until", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick", "Sleep"}
			if p, ok := n.X.(*ast.Ident); ok && p.Name == "time" && slices.Contains(clocks, n.Sel.Name) {
				all = append(all, "uses time."+n.Sel.Name)
			}
		}
		return true
	})
	return all
}

// TestSideEffectsAreFound has one of each.
func TestSideEffectsAreFound(t *testing.T) {
	const source = `package p
import ("context"; "crypto/rand"; "encoding/json"; "net"; "net/netip"; "sync/atomic"; "time"; "ayumu/lobby")
func f(c chan int) { go f(c); _ = time.Now(); _ = time.Second }`
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"imports context", "imports crypto/rand", "imports net", "imports sync/atomic", "imports ayumu/lobby",
		"has a channel", "starts a goroutine", "uses time.Now"}
	if got := sideEffects(f); !slices.Equal(got, want) {
		t.Errorf("found %q", got)
	}
}
