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

// sharedFrame returns the frame of a window with a screen whose frame is below; nil if it cannot be shared, because of a
// question, an input line, or too many keys.
func (w Window) sharedFrame(below *paint.Frame, v Screen) *paint.Frame {
	if w.question != nil || w.prompt != nil {
		return nil
	}
	k, _ := w.Shared.windowKeys.Get().(*windowKey)
	if k == nil {
		k = new(windowKey)
	}
	defer w.Shared.windowKeys.Put(k)
	keys := w.statusKeys(v)
	*k = windowKey{below: below, bottom: bottom{theme: w.Style.Theme, count: len(keys)}}
	if copy(k.keys[:], keys) < len(keys) {
		return nil
	}
	k.text, k.style = w.statusText(v)
	return w.Shared.windows.Lookup(k, func() *paint.Frame { return below.DrawOver(nil, k.draw) })
}

func (b *bottom) draw(c paint.Canvas) {
	w, h := c.Size()
	if b.text != "" {
		widget.DrawStatus(c.Sub(0, 0, w, h-1), b.style, b.text)
	}
	drawKeys(c.Sub(0, h-1, w, 1), b.theme, b.keys[:b.count])
}
