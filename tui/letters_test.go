package tui_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// meanings has what each letter means on all screens, in upper and in lower case: what declares the letter mentions it.
// Other letters are bound nowhere.
var meanings = map[string]*regexp.Regexp{
	"a": regexp.MustCompile(`(?i)archive`),
	"b": regexp.MustCompile(`(?i)\bbot`),
	"c": regexp.MustCompile(`(?i)challenge`),
	"e": regexp.MustCompile(`(?i)end (the|your) turn|end turn`),
	"f": regexp.MustCompile(`(?i)follow`),
	"g": regexp.MustCompile(`(?i)several games`),
	"h": regexp.MustCompile(`(?i)hint`),
	"i": regexp.MustCompile(`(?i)profile`),
	"j": regexp.MustCompile(`down|move\(1\)|CursorNames`),
	"k": regexp.MustCompile(`up|move\(-1\)|CursorNames`),
	"l": regexp.MustCompile(`(?i)learn|lessons`),
	"m": regexp.MustCompile(`(?i)rematch|play again`),
	"n": regexp.MustCompile(`(?i)\bnew\b|LocalGame|create an invitation|write an announcement`),
	"o": regexp.MustCompile(`(?i)settings`),
	"p": regexp.MustCompile(`(?i)quick match`),
	"q": regexp.MustCompile(`(?i)back|leave|quit|lobby|read later|all members|endVariation|"q esc`),
	"r": regexp.MustCompile(`(?i)leaderboard`),
	"s": regexp.MustCompile(`(?i)swap|territory`),
	"t": regexp.MustCompile(`(?i)chat`),
	"u": regexp.MustCompile(`(?i)take ?back|undo`),
	"w": regexp.MustCompile(`(?i)watch`),
	"x": regexp.MustCompile(`(?i)withdraw|decline|close|revoke|resolve|lift|remove|unblock|delete`),
	"y": regexp.MustCompile(`(?i)ready|check in|enter the (selected )?tournament|YesNo`),
	"z": regexp.MustCompile(`(?i)puzzles`),
}

// boundLetter is a letter that a file binds or shows as a key, and the source of what declares it.
type boundLetter struct {
	file, letter, source string
	isUnknown            bool // the letters are no constant, and source is their expression
}

// exceptions are declarations of a letter that do not follow meanings, by file and letter, each with the reason.
var exceptions = map[string]string{
	"screen/dialog.go y":              "an answer to a question, which has all keys while it is asked and is dismissed by any other",
	"screen/tournaments/actions.go p": "an answer to a question, as above",
}

// notRead are the declarations of keys that are no constants here, by file and expression, each with the reason.
var notRead = map[string]string{
	"screen/form.go a.Key":                   "of the actions of forms, which are read where they are declared",
	"screen/match/offers.go offerKeys[kind]": "=, u and m, which are read where the offers are made",
	"screen/help/help.go key":                "of scrollsLike, which Enter alone has",
}

// TestLettersHaveOneMeaning holds each letter that a screen or a board declares as a key against the one meaning that it
// has everywhere, in lower case: the upper case is the same key.
func TestLettersHaveOneMeaning(t *testing.T) {
	constants := stringConstants(t, "screen")
	var all []boundLetter
	for _, dir := range []string{"screen", "game", "widget"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "screentest") {
				return err
			}
			found, err := lettersOf(path, constants)
			all = append(all, found...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	seen := make(map[string]bool)
	used := make(map[string]bool)
	for _, b := range all {
		if b.isUnknown {
			if at := b.file + " " + b.source; notRead[at] == "" {
				t.Errorf("%s: the keys %s cannot be read here", b.file, b.source)
			}
			continue
		}
		seen[b.letter] = true
		if at := b.file + " " + b.letter; exceptions[at] != "" {
			used[at] = true
			continue
		}
		if strings.ToLower(b.letter) != b.letter {
			t.Errorf("%s declares %s: the upper case is the same key as the lower case, which is declared alone:\n%s", b.file, b.letter, b.source)
			continue
		}
		if m := meanings[b.letter]; m == nil || !m.MatchString(b.source) {
			t.Errorf("%s: %s means something else here than elsewhere; what is rarer has no letter:\n%s", b.file, b.letter, b.source)
		}
	}
	for letter := range meanings {
		if !seen[letter] {
			t.Errorf("nothing is declared for %s", letter)
		}
	}
	for at := range exceptions {
		if !used[at] {
			t.Errorf("the exception %q is not needed", at)
		}
	}
}

// lettersOf returns the letters that a file declares: the names of Keys, and the Key of what is shown with one.
func lettersOf(path string, constants map[string]string) (all []boundLetter, err error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, source, 0)
	if err != nil {
		return nil, err
	}
	text := func(n ast.Node) string {
		return string(source[files.Position(n.Pos()).Offset:files.Position(n.End()).Offset])
	}
	name := filepath.ToSlash(path)
	add := func(names string, of ast.Node) {
		for _, key := range strings.FieldsFunc(names, func(r rune) bool { return r == ' ' || r == '/' }) {
			if len(key) == 1 && (key[0]|0x20 >= 'a' && key[0]|0x20 <= 'z') {
				all = append(all, boundLetter{file: name, letter: key, source: text(of)})
			}
		}
	}
	value := func(e ast.Expr) (string, bool) {
		switch e := e.(type) {
		case *ast.BasicLit:
			s, _ := strconv.Unquote(e.Value)
			return s, true
		case *ast.Ident:
			s, ok := constants[e.Name]
			return s, ok
		case *ast.SelectorExpr:
			s, ok := constants[e.Sel.Name]
			return s, ok
		case *ast.BinaryExpr: // "q esc " and the key that opens a form
			if l, ok := e.X.(*ast.BasicLit); ok {
				s, _ := strconv.Unquote(l.Value)
				return s, true
			}
		}
		return "", false
	}
	var around []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		around = append(around, n)
		switch n := n.(type) {
		case *ast.CallExpr:
			called := text(n.Fun)
			if (called == "Keys" || called == "screen.Keys") && len(n.Args) == 3 {
				of := ast.Node(n)
				for i := len(around) - 1; i >= 0; i-- {
					if lit, ok := around[i].(*ast.CompositeLit); ok {
						of = lit
						break
					}
				}
				names, ok := value(n.Args[0])
				if !ok {
					all = append(all, boundLetter{file: name, source: text(n.Args[0]), isUnknown: true})
				}
				add(names, of)
			}
		case *ast.CompositeLit: // what is shown, such as that of a board, a form or a row of the home
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok && text(kv.Key) == "Key" {
					if _, isCall := kv.Value.(*ast.CallExpr); !isCall {
						names, _ := value(kv.Value)
						add(names, n)
					}
				}
			}
		}
		return true
	})
	return all, nil
}

// stringConstants returns the values of the string constants below a directory, by their names.
func stringConstants(t *testing.T, dir string) map[string]string {
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, spec := range g.Specs {
				spec := spec.(*ast.ValueSpec)
				for i, v := range spec.Values {
					if lit, isLit := v.(*ast.BasicLit); isLit && lit.Kind == token.STRING {
						all[spec.Names[i].Name], _ = strconv.Unquote(lit.Value)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
