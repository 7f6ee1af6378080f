package tui_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/tui/screen"
	"ayumu/tui/screen/screentest"
	"ayumu/tui/widget"
)

var verb = regexp.MustCompile(`%[a-z]`)

// sample returns the text of an expression, with the longest name for every part that is not a literal,
// and with a number for %d.
func sample(e ast.Expr) string {
	name := strings.Repeat("x", account.MaxName)
	switch e := e.(type) {
	case *ast.ParenExpr:
		return sample(e.X)
	case *ast.BinaryExpr:
		return sample(e.X) + sample(e.Y)
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err != nil {
			return e.Value
		}
		return verb.ReplaceAllStringFunc(text, func(v string) string {
			if v == "%d" {
				return "123"
			}
			return name
		})
	}
	return name
}

// Every notice, question, label and help text fits above the status bar in the smallest window.
func TestNoticesFitTheSmallestWindow(t *testing.T) {
	var files []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".go") && (!strings.Contains(path, "/") || strings.HasPrefix(path, "screen/")) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	seen := 0
	check := func(e ast.Expr, rows, width int) {
		seen++
		text := sample(e)
		if n := len(widget.Wrap(text, width)); n > rows {
			t.Errorf("%s: %d rows of %d columns, not %d: %s", fset.Position(e.Pos()), n, width, rows, text)
		}
	}
	const row = screen.MinWidth - 2
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				of := n.Type
				if list, ok := of.(*ast.ArrayType); ok {
					of = list.Elt
				}
				if name, ok := of.(*ast.SelectorExpr); ok && (name.Sel.Name == "Help" || name.Sel.Name == "Key") {
					return false // a help page, which can be scrolled, or keys
				}
			case *ast.CallExpr:
				name := ""
				switch f := n.Fun.(type) {
				case *ast.SelectorExpr:
					name = f.Sel.Name
				case *ast.Ident:
					name = f.Name
				}
				switch name {
				case "Notify", "NotifyError", "YesNo":
					check(n.Args[0], widget.MaxStatusRows, row)
				case "Toggle": // a row of a form; the last argument is its help
					check(n.Args[4], widget.MaxStatusRows, row)
				}
			case *ast.KeyValueExpr:
				switch key, _ := n.Key.(*ast.Ident); {
				case key == nil:
				case key.Name == "Help" || key.Name == "Label" || key.Name == "Text":
					check(n.Value, widget.MaxStatusRows, row)
				case key.Name == "empty": // a row of the lobby
					check(n.Value, 1, row-2)
				}
			}
			return true
		})
	}
	if seen < 100 {
		t.Errorf("only %d texts were found", seen)
	}
}

// A notice that is too long for one row covers the rows above it while it is shown.
func TestLongNotices(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Default, screentest.Opening[:4]...)
		for _, w := range []int{60, 80} {
			d := h.Visit(screentest.Setting{Name: "ana", Width: w, Height: 20 + (w-60)/5})
			before := d.Text()
			d.Notify("%s", strings.Repeat("word ", 25)+"end")
			rows := strings.Split(d.Text(), "\n")
			text := strings.Join(rows[len(rows)-5:], "\n")
			if strings.Count(text, "word") != 25 || !strings.Contains(text, "end\n") || strings.Contains(text, "…") {
				t.Errorf("a notice of 25 words:\n%s", d.Text())
			}
			d.NotifyError("%s", strings.Repeat("word ", 99))
			if rows := strings.Split(d.Text(), "\n"); strings.Contains(rows[d.Height-6], "word") || !strings.Contains(rows[d.Height-2], "…") {
				t.Errorf("a notice of 99 words:\n%s", d.Text())
			}
			d.ClearNotice()
			if d.Text() != before {
				t.Errorf("after the notice:\n%s\nbefore\n%s", d.Text(), before)
			}
			d.OpenPrompt(&screen.Prompt{TextField: widget.TextField{Limit: 200}, Label: fmt.Sprintf("Report to the moderators: what did %016d do", 0), EnterHelp: "report"})
			d.TypeText("they shout")
			d.WantText(fmt.Sprintf("\n Report to the moderators: what did %016d do:\n they shout\n", 0))
			d.Press("esc")
			d.Close()
		}
		if m.Snapshot().IsOver() {
			t.Error("the game is over")
		}
	})
}
