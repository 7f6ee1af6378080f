package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestImportsGoOneWay checks the layers engine, lobby, tui, server, cmd: each may import itself and those
// before it; programs of .ci import none of them. Neither program imports what belongs to the other one. Only tests import
// the packages whose names end in "test".
func TestImportsGoOneWay(t *testing.T) {
	layer := map[string]int{"engine": 1, "lobby": 2, "tui": 3, "server": 4, "cmd": 5, ".ci": -1}
	// What a layer must not know even though somebody else wrote it.
	foreign := map[string][]string{
		"engine": {"time", "math/rand", "math/rand/v2", "os", "net", "charm.land/"},
		"lobby":  {"charm.land/", "golang.org/x/crypto/ssh"},
		"tui":    {"charm.land/wish", "charm.land/ssh", "golang.org/x/crypto/ssh"},
	}
	// Only the command chooses a store; all others know its interface. Tests, and what they share, need one.
	const stores = "ayumu/lobby/store/"
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		here, _, _ := strings.Cut(filepath.ToSlash(strings.TrimPrefix(path, "../../")), "/")
		if layer[here] == 0 {
			t.Errorf("%s stands in no layer", path)
		}
		for _, i := range f.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			if own, ok := strings.CutPrefix(name, "ayumu/"); ok {
				if there, _, _ := strings.Cut(own, "/"); layer[there] > layer[here] {
					t.Errorf("%s imports %s, against the direction", path, name)
				}
				for _, program := range []string{"cmd/ayumu/", "cmd/ayumu-lab/"} {
					if strings.HasPrefix(own, program) && !strings.HasPrefix(filepath.ToSlash(path), "../../"+program) {
						t.Errorf("%s imports %s of the other program", path, name)
					}
				}
				if strings.HasPrefix(name, stores) && here != "cmd" && !strings.HasSuffix(filepath.Dir(path), "test") {
					t.Errorf("%s imports %s; use the interface in ayumu/lobby/store", path, name)
				}
				if strings.HasSuffix(name, "test") && !strings.HasSuffix(filepath.ToSlash(filepath.Dir(path)), "test") {
					t.Errorf("%s imports %s, which is for tests", path, name)
				}
				continue
			}
			for _, bad := range foreign[here] {
				// A search is allowed chance and time; the rules are not.
				if (name == bad || strings.HasSuffix(bad, "/") && strings.HasPrefix(name, bad)) && !strings.Contains(path, "/search/") {
					t.Errorf("%s imports %s, which %s does not know", path, name, here)
				}
			}
		}
		return nil
	})
	if err != nil || files < 20 {
		t.Fatalf("looked at %d files: %v", files, err)
	}
}
