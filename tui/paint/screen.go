package paint

import (
	"errors"
	"io"
	"sync"
	"time"
)

// ErrStalled is the error of a terminal that takes nothing any more.
var ErrStalled = errors.New("the terminal does not read")

// Options are what a Screen is made with; the zero Options work.
type Options struct {
	Profile Profile
	Modes   Modes
	Title   string // of the window; empty leaves the window's own
	// QueryTerminal asks the terminal for its background colour (OSC 11) and whether it takes synchronized
	// output (DECRQM of mode 2026). The answers come in the session's input.
	QueryTerminal bool
	// Stall is how long the terminal may take no byte before OnFail is called; 0 is 30 s.
	Stall time.Duration
	// Linger is how long Close waits for the terminal; 0 is 1 s.
	Linger time.Duration
	// OnFail is called once, from a goroutine of its own, when nothing can be shown any more:
	// with ErrStalled, or with the error of a write. The writer may still be blocked then; to
	// end it, close what it writes to. It is not called after Close.
	OnFail func(error)
	// OnPanic is called, from a goroutine of its own, with a panic of the screen's goroutines outside of
	// the writing itself; nil: it is dropped.
	OnPanic func(error)
}

// Screen shows frames on one terminal. All methods may be called from any goroutine, and none but
// Close waits for the terminal. Nothing is written before the first frame.
type Screen struct {
	w   io.Writer
	opt Options

	mu      sync.Mutex
	target  screenState
	changed bool // something of want has not been written yet
	writing bool // a goroutine runs that writes
	closed  bool
	err     error
	done    chan struct{} // made by the first Close, closed once the terminal is restored

	timer *time.Timer // for stalls
	since time.Time   // when the write that is going on began; zero if there is none

	// Of the goroutine that writes.
	painter  painter
	terminal terminalState
}

// screenState is what the terminal should show.
type screenState struct {
	frame   *Frame
	w, h    int
	profile Profile
	modes   Modes
	title   string
	redraw  bool // it may show anything now
	bell    bool
}

// NewScreen returns a screen of w columns and h rows, which whoever knows the terminal's size has
// bounded. A frame is one write to out, or several if it is large; out is never written to by two
// goroutines at once, and nothing else may write to it from the first frame on until Close.
func NewScreen(out io.Writer, w, h int, o Options) *Screen {
	if o.Stall == 0 {
		o.Stall = 30 * time.Second
	}
	if o.Linger == 0 {
		o.Linger = time.Second
	}
	return &Screen{w: out, opt: o, target: screenState{
		w: max(w, 1), h: max(h, 1),
		profile: o.Profile, modes: o.Modes, title: cleanTitle(o.Title), redraw: true,
	}}
}

// change changes what the terminal should show and starts the writer if it is not at work.
func (s *Screen) change(f func(*screenState)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.err != nil {
		return
	}
	f(&s.target)
	s.changed = true
	s.startLocked()
}

func (s *Screen) startLocked() {
	if !s.writing && (s.target.frame != nil || s.closed) {
		s.writing = true
		go s.writeLoop()
	}
}

// panicked passes a panic of one of the screen's goroutines on.
func (s *Screen) panicked(err error) {
	if s.opt.OnPanic != nil {
		s.opt.OnPanic(err)
	}
}

// Size returns the size that the terminal is known to have.
func (s *Screen) Size() (w, h int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.target.w, s.target.h
}

// Profile returns what the terminal can do.
func (s *Screen) Profile() Profile {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.target.profile
}

// Draw draws a frame of the terminal's size and shows it.
func (s *Screen) Draw(draw func(Canvas)) {
	s.mu.Lock()
	prev, w, h := s.target.frame, s.target.w, s.target.h
	s.mu.Unlock()
	s.Show(Draw(prev, w, h, draw))
}

// Show shows a frame, which may have been drawn for several screens. It is clipped to the
// terminal's size. While the terminal is slow, frames that a later one overtakes are not shown.
func (s *Screen) Show(f *Frame) {
	s.mu.Lock()
	same := s.target.frame == f && !s.target.redraw
	s.mu.Unlock()
	if f != nil && !same {
		s.change(func(w *screenState) { w.frame = f })
	}
}

// Resize tells the size that the terminal has now. As what it shows is not known then, even if the
// size is the same, the next frame is drawn as a whole; Resize itself draws nothing.
func (s *Screen) Resize(w, h int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.target.w, s.target.h, s.target.redraw = max(w, 1), max(h, 1), true
}

// Redraw draws the last frame as a whole, for a user whose terminal shows rubbish.
func (s *Screen) Redraw() { s.change(func(w *screenState) { w.redraw = true }) }

// SetProfile changes what the terminal is taken for: by the user's settings, or by its answers.
func (s *Screen) SetProfile(p Profile) {
	s.change(func(w *screenState) {
		old := w.profile
		old.Sync = p.Sync // which changes nothing that is shown
		w.redraw = w.redraw || old != p
		w.profile = p
	})
}

// SetModes changes what the terminal reports.
func (s *Screen) SetModes(m Modes) { s.change(func(w *screenState) { w.modes = m }) }

// SetTitle changes the window's title, cleaned and cut to 64 columns.
func (s *Screen) SetTitle(title string) {
	title = cleanTitle(title)
	s.change(func(w *screenState) { w.title = title })
}

// Bell rings the terminal's bell.
func (s *Screen) Bell() { s.change(func(w *screenState) { w.bell = true }) }

// Err returns why nothing can be shown any more: nil, ErrStalled, or the error of a write.
func (s *Screen) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Close restores the terminal; later calls of all methods do nothing. It waits until that is
// written, but not longer than Linger, and not at all for a terminal that has stalled already; it
// then returns ErrStalled, and the terminal is restored if it ever reads again. After a broken
// write it still tries, and returns that write's error.
func (s *Screen) Close() error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		s.done = make(chan struct{})
		s.startLocked()
	}
	done, stalled := s.done, s.err == ErrStalled && s.writing
	s.mu.Unlock()
	if stalled {
		return ErrStalled
	}
	timer := time.NewTimer(s.opt.Linger)
	defer timer.Stop()
	select {
	case <-done:
		return s.Err()
	case <-timer.C:
		return ErrStalled
	}
}
