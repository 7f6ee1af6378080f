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

// A notice that is too long for one row covers other rows while it is shown, but no cell of the board.
func TestLongNotices(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Default, screentest.Opening[:4]...)
		for _, w := range []int{60, 80} {
			d := h.Visit(screentest.Setting{Name: "ana", Width: w, Height: 20 + (w-60)/5})
			before := d.Text()
			board := boardText(d)
			d.Notify("%s", strings.Repeat("word ", 19)+"end")
			text := d.Text()
			if strings.Count(text, "word") != 19 || !strings.Contains(text, " end\n") || strings.Contains(text, "…") {
				t.Errorf("a notice of 20 words:\n%s", text)
			}
			d.NotifyError("%s", strings.Repeat("word ", 99))
			if !strings.Contains(d.Text(), "…\n") {
				t.Errorf("a notice of 99 words:\n%s", d.Text())
			}
			if got := boardText(d); got != board || board == "" {
				t.Errorf("the board beside a notice:\n%s\nand without one\n%s", got, board)
			}
			d.ClearNotice()
			if d.Text() != before {
				t.Errorf("after the notice:\n%s\nbefore\n%s", d.Text(), before)
			}
			d.OpenPrompt(&screen.Prompt{TextField: widget.TextField{Limit: 200}, Label: fmt.Sprintf("Report to the moderators: what did %016d do", 0), EnterHelp: "report"})
			d.TypeText("they shout")
			d.WantText(" Report to the moderators:", fmt.Sprintf("did %016d do:\n", 0), " they shout\n")
			if got := boardText(d); got != board {
				t.Errorf("the board beside an input line:\n%s\nand without one\n%s", got, board)
			}
			d.Press("esc")
			d.Close()
		}
		if m.Snapshot().IsOver() {
			t.Error("the game is over")
		}
	})
}

// boardText returns the cells of the board that a session shows.
func boardText(d *screentest.Session) string {
	at := d.Current().Traits().Board
	var all []string
	for _, row := range strings.Split(d.Text(), "\n")[at.Min.Y:at.Max.Y] {
		cells := append([]rune(row), []rune(strings.Repeat(" ", d.Width))...)
		all = append(all, string(cells[at.Min.X:at.Max.X]))
	}
	return strings.Join(all, "\n")
}
