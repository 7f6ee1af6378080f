package widget_test

import (
	"strings"
	"testing"

	"ayumu/tui/paint"
	"ayumu/tui/theme"
	"ayumu/tui/widget"
)

// drawnPanes returns the rows of panes without trailing spaces.
func drawnPanes(w, h int, panes ...widget.Pane) string {
	return strings.TrimRight(paint.Draw(nil, w, h, func(c paint.Canvas) {
		widget.DrawPanes(c, theme.DefaultSet.For(paint.NoColor, false), panes...)
	}).String(), "\n")
}

// Panes that touch share a border, whose lines are joined.
func TestPanesShareBorders(t *testing.T) {
	got := drawnPanes(20, 7,
		widget.Pane{W: 10, H: 7, Title: "Left", Hint: "l"}, widget.Pane{X: 9, W: 11, H: 4, Title: "A long title"},
		widget.Pane{X: 9, Y: 3, W: 11, H: 4, Hint: "more"}, widget.Pane{})
	want := `╭ Left ──┬ A long… ╮
│        │         │
│        │         │
│        ├── more ─┤
│        │         │
│        │         │
╰────────┴─────────╯`
	if got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
}

// Without borders a pane is its title and what is below it.
func TestPanesWithoutBorders(t *testing.T) {
	p := widget.Pane{Y: 1, W: 12, H: 3, Title: "Chat", Hint: "t", NoBorder: true}
	if got, want := drawnPanes(12, 4, p), "\n Chat     t"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
	if x, y, w, h := p.Inside(); x != 0 || y != 2 || w != 12 || h != 2 {
		t.Errorf("its content is at %d, %d with %d×%d", x, y, w, h)
	}
	p.NoBorder = false
	if x, y, w, h := p.Inside(); x != 1 || y != 2 || w != 10 || h != 1 {
		t.Errorf("with borders its content is at %d, %d with %d×%d", x, y, w, h)
	}
}
