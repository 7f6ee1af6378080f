package screen

import (
	"ayumu/tui/paint"
	"ayumu/tui/theme"
	"ayumu/tui/widget"
)

// Forms and lists have panes in screens of at least this size.
const (
	minPaned     = 100 // columns
	minPanedRows = 20
)

// besidePane is the maximum width of the pane beside that of a form or list.
const besidePane = 92

// Beside is what a screen shows beside its own content where the window has the columns for it: what the answers or the
// selected row mean, such as a board. The zero value is nothing.
type Beside struct {
	Title string
	Draw  func(c paint.Canvas)
}

// drawPanes draws, in the middle of a wide window below its header, the border of the pane of a screen's own content, of which
// the width and the height are given, and the pane beside it with its content. It returns the first with its place.
func (b Beside) drawPanes(c paint.Canvas, t *theme.Theme, own widget.Pane) widget.Pane {
	w, h := c.Size()
	own.Y = 1
	var beside widget.Pane
	if b.Draw != nil {
		beside = widget.Pane{X: own.W - 1, Y: 1, W: min(w-own.W+1, besidePane), H: h - 1, Title: b.Title}
	}
	left := (w - max(own.W, beside.X+beside.W)) / 2
	own.X, beside.X = left, beside.X+left
	widget.DrawPanes(c, t, own, beside)
	if beside.IsShown() {
		b.Draw(beside.Of(c))
	}
	return own
}
