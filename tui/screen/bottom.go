package screen

import (
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
	"ayumu/tui/widget"
)

// maxSharedKeys is the maximum number of keys of a bottom.
const maxSharedKeys = 16

// bottom is what a window shows below a screen without a question or an input line. Nothing else is drawn there, so
// that sessions with equal bottoms below the same frame share the window.
type bottom struct {
	theme *theme.Theme
	text  string // above the status bar; "": none
	style paint.Style
	keys  [maxSharedKeys]game.Key
	count int // of keys
}

// windowKey identifies a window that sessions share.
type windowKey struct {
	below *paint.Frame
	bottom
}

// bottom returns the bottom of the window; ok is false if there is a question, an input line, or too many keys.
func (w Window) bottom(v Screen) (b bottom, ok bool) {
	if w.question != nil || w.prompt != nil {
		return b, false
	}
	b.theme = w.Style.Theme
	b.text, b.style = w.statusText(v)
	keys := w.statusKeys(v)
	b.count = copy(b.keys[:], keys)
	return b, b.count == len(keys)
}

func (b bottom) draw(c paint.Canvas) {
	w, h := c.Size()
	if b.text != "" {
		widget.DrawStatus(c.Sub(0, 0, w, h-1), b.style, b.text)
	}
	drawKeys(c.Sub(0, h-1, w, 1), b.theme, b.keys[:b.count])
}
