package screen

import (
	"image"
	"sync/atomic"
	"time"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
	"ayumu/tui/widget"
)

// maxSharedKeys is the maximum number of keys of a bottom.
const maxSharedKeys = 17

// bottom is what a window shows below a screen without a question or an input line. Nothing else is drawn there, so
// that sessions with equal bottoms below the same frame share the window.
type bottom struct {
	theme *theme.Theme
	text  string // above the status bar; "": none
	style paint.Style
	area  image.Rectangle // of the text
	keys  [maxSharedKeys]game.Key
	count int // of keys
	badge string
}

// windowKey identifies a window that sessions share.
type windowKey struct {
	below *paint.Frame // nil: those of timed
	timed TimedFrames
	bottom
}

// sharedWindow is a window that sessions share, with its frames. Any goroutine may use it.
type sharedWindow struct {
	windowKey
	newest atomic.Pointer[windowFrame]
}

// windowFrame is a frame of a window, and the frame below its bottom.
type windowFrame struct{ below, frame *paint.Frame }

// Bytes returns about how much memory the newest frame takes.
func (w *sharedWindow) Bytes() int {
	if newest := w.newest.Load(); newest != nil {
		return newest.frame.Bytes()
	}
	return 0
}

// at returns the window's frame at a time, as TimedFrames.At does.
func (w *sharedWindow) at(now time.Time) (frame *paint.Frame, until time.Time, ok bool) {
	below := w.below
	if w.timed != nil {
		if below, until, ok = w.timed.At(now); !ok {
			return nil, until, false
		}
	}
	for {
		old := w.newest.Load()
		if old != nil && old.below == below {
			return old.frame, until, true
		}
		next := &windowFrame{below, below.DrawOver(nil, w.draw)}
		if w.newest.CompareAndSwap(old, next) {
			return next.frame, until, true
		}
	}
}

// timing is the part of a Shell that shows frames that follow each other by time alone.
type timing struct {
	window *sharedWindow // that is shown; nil: there are no such frames
	until  time.Time     // when its frame changes; zero: never
}

// IsTimed reports whether the frames of Layers.Timed are shown.
func (t *timing) IsTimed() bool { return t.window != nil }

// Until returns when the frame that is shown is followed by another by time alone; zero: never.
func (t *timing) Until() time.Time { return t.until }

// Advance returns the frame that follows by time alone; ok is false if the session has to draw its screen.
func (t *timing) Advance(now time.Time) (frame *paint.Frame, ok bool) {
	if t.window == nil {
		return nil, false
	}
	frame, t.until, ok = t.window.at(now)
	return frame, ok
}

// sharedFrame returns the frame of a window with a screen that is drawn as below; nil if it cannot be shared, because of
// a question, an input line, a panel, or too many keys.
func (w Window) sharedFrame(below Layers, v Screen, now time.Time) *paint.Frame {
	if w.IsAsking() {
		return nil
	}
	k, _ := w.Shared.windowKeys.Get().(*windowKey)
	if k == nil {
		k = new(windowKey)
	}
	defer w.Shared.windowKeys.Put(k)
	keys := w.statusKeys(v)
	*k = windowKey{below: below.Frame, bottom: bottom{theme: w.Style.Theme, count: len(keys), badge: w.badge()}}
	if copy(k.keys[:], keys) < len(keys) {
		return nil
	}
	if below.Timed != nil {
		k.below, k.timed = nil, below.Timed
	}
	if k.text, k.style = w.statusText(v); k.text != "" {
		width, height := below.Frame.Size()
		k.area = statusArea(v.Traits().Board, width, height-1, k.text)
	}
	shared := w.Shared.windows.Lookup(k, func() *sharedWindow {
		first := &sharedWindow{windowKey: *k}
		first.at(now)
		return first
	})
	frame, until, ok := shared.at(now)
	if !ok {
		return nil
	}
	if below.Timed != nil {
		w.timing = timing{shared, until}
	}
	return frame
}

func (b *bottom) draw(c paint.Canvas) {
	w, h := c.Size()
	if b.text != "" {
		widget.DrawStatus(sub(c, b.area), b.style, b.text)
	}
	drawKeys(c.Sub(0, h-1, w, 1), b.theme, b.keys[:b.count], b.badge)
}
