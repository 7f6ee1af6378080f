package paint

import (
	"errors"
	"io"
	"sync"
	"time"
)

// ErrStalled is the error of a terminal that has accepted no bytes for Options.Stall.
var ErrStalled = errors.New("the terminal does not read")

// Options are the options of NewScreen. The zero Options are valid.
type Options struct {
	Profile Profile
	Modes   Modes
	Title   string // of the window; empty leaves the window's own
	// QueryTerminal asks the terminal for its background colour (OSC 11) and whether it supports synchronized
	// output (DECRQM of mode 2026). The answers arrive in the session's input.
	QueryTerminal bool
	// Stall is how long a write may block before OnFail is called; 0 means 30 s.
	Stall time.Duration
	// Linger is how long Close waits for the terminal; 0 means 1 s.
	Linger time.Duration
	// OnFail is called at most once, in a goroutine of its own, when the screen fails: with ErrStalled or with
	// the error of a write. The write may still be blocked then; closing its destination ends it. OnFail is
	// not called after Close.
	OnFail func(error)
	// OnPanic is called with a panic of one of the screen's goroutines outside of a write, in that goroutine.
	// A panic during a write is the error of that write. If OnPanic is nil, the panic is dropped.
	OnPanic func(error)
}

// Screen shows frames on one terminal. Any goroutine may call its methods, and only Close waits for the
// terminal. Nothing is written before the first frame.
type Screen struct {
	w   io.Writer
	opt Options

	mu      sync.Mutex
	target  screenState
	changed bool // a part of target has not been written yet
	writing bool // a goroutine writes: one of the screen's, or one that called WriteAfter
	held    bool // changes wait for the end of WriteAfter
	closed  bool
	err     error
	done    chan struct{} // made by the first Close, closed when the terminal is restored

	timer     *time.Timer // calls stalled; nil until the first write
	timerRuns bool        // also after a write, so that most writes need not set it
	since     time.Time   // when the current write began; zero if there is none
	lastSlow  time.Time   // the end of the last write that took slowWrite
	slow      time.Time   // until then the terminal counts as slow

	terminal terminal // used only by the goroutine that writes
}

// screenState is the state that the terminal should have.
type screenState struct {
	frame   *Frame
	w, h    int
	profile Profile
	modes   Modes
	title   string
	redraw  bool   // what the terminal shows is not known
	bell    bool   // ring the bell once
	copied  string // is put into the terminal's clipboard once; "": nothing
}

// NewScreen returns a screen of w columns and h rows; the caller limits the size. A frame is one write to out,
// or several if it is large. Only one goroutine writes to out at a time, and nothing else may write to it
// from the first frame on until Close has returned.
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

// change changes the target and starts the writing goroutine if it does not run.
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

// startLocked starts the writing goroutine if there is something to write. mu must be held.
func (s *Screen) startLocked() {
	if !s.writing && (s.target.frame != nil && !s.held || s.closed) {
		s.writing = true
		go s.writeLoop()
	}
}

// A terminal counts as slow for slowFor after two writes within slowFor that took slowWrite or longer. A single one
// can be the fault of a machine that has no processor free.
const (
	slowWrite = 5 * time.Millisecond
	slowFor   = time.Minute
)

// WriteAfter calls change and then writes what that has changed. It saves the goroutine that other changes are written
// by, and returns when everything is written; so it may block as a write does. If another goroutine writes already it
// returns at once, and if the terminal has been slow recently it has a goroutine write.
func (s *Screen) WriteAfter(change func()) {
	s.mu.Lock()
	s.held = true
	s.mu.Unlock()
	change()
	s.mu.Lock()
	s.held = false
	writes := s.changed && !s.writing && !s.closed && s.target.frame != nil
	if writes && s.isSlow() {
		s.startLocked()
		writes = false
	}
	s.writing = s.writing || writes
	s.mu.Unlock()
	if writes {
		s.writeLoop()
	}
}

// panicked reports a panic of one of the screen's goroutines.
func (o *Options) panicked(err error) {
	if o.OnPanic != nil {
		o.OnPanic(err)
	}
}

// Size returns the size of NewScreen or of the last Resize.
func (s *Screen) Size() (w, h int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.target.w, s.target.h
}

// Profile returns the current profile.
func (s *Screen) Profile() Profile {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.target.profile
}

// Draw draws a frame of the terminal's size and shows it.
func (s *Screen) Draw(draw func(Canvas)) {
	prev, w, h := s.Frame()
	s.Show(Draw(prev, w, h, draw))
}

// Frame returns the frame that was shown last, nil if there was none, and the size for the next one.
func (s *Screen) Frame() (last *Frame, w, h int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.target.frame, s.target.w, s.target.h
}

// Show shows a frame, cut to the terminal's size. The frame may be shown by several screens. If the terminal is
// slow, a later frame replaces frames that have not been written yet.
func (s *Screen) Show(f *Frame) {
	s.mu.Lock()
	same := s.target.frame == f && !s.target.redraw
	s.mu.Unlock()
	if f != nil && !same {
		s.change(func(w *screenState) { w.frame = f })
	}
}

// Resize sets the size of the terminal. Since its content is not known after a resize, even to the same size,
// the next frame is drawn completely. Resize itself writes nothing.
func (s *Screen) Resize(w, h int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.target.w, s.target.h, s.target.redraw = max(w, 1), max(h, 1), true
}

// Redraw draws the last frame completely, for a user whose terminal has been overwritten by something else.
func (s *Screen) Redraw() { s.change(func(w *screenState) { w.redraw = true }) }

// SetProfile replaces the profile. If more than Sync changes, the last frame is drawn completely.
func (s *Screen) SetProfile(p Profile) {
	s.change(func(w *screenState) {
		old := w.profile
		old.Sync = p.Sync // has no effect on what is shown
		w.redraw = w.redraw || old != p
		w.profile = p
	})
}

// SetModes sets what the terminal reports.
func (s *Screen) SetModes(m Modes) { s.change(func(w *screenState) { w.modes = m }) }

// SetTitle sets the window's title, without control characters and cut to 64 columns.
func (s *Screen) SetTitle(title string) {
	title = cleanTitle(title)
	s.mu.Lock()
	same := s.target.title == title
	s.mu.Unlock()
	if same {
		return
	}
	s.change(func(w *screenState) { w.title = title })
}

// Bell rings the terminal's bell.
func (s *Screen) Bell() { s.change(func(w *screenState) { w.bell = true }) }

// maxClipboard is the maximum number of bytes of a text for the clipboard.
const maxClipboard = 4096

// SetClipboard puts a text into the clipboard of a terminal that allows it (OSC 52), at most maxClipboard bytes of it.
func (s *Screen) SetClipboard(text string) {
	s.change(func(w *screenState) { w.copied = text[:min(len(text), maxClipboard)] })
}

// IsBehind reports whether the write of a frame has lasted for slowWrite and goes on, or the terminal counts as slow.
func (s *Screen) IsBehind() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isSlow() || !s.since.IsZero() && time.Since(s.since) >= slowWrite
}

// isSlow reports whether the terminal counts as slow. mu must be held.
func (s *Screen) isSlow() bool { return !s.slow.IsZero() && time.Now().Before(s.slow) }

// Err returns why the screen has failed: ErrStalled or the error of a write. It is nil while the screen works.
func (s *Screen) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Abandon ends the screen without restoring the terminal, which cannot be reached any more. After it, methods that
// change the screen do nothing. A write that is blocked is left to whatever closes the terminal's connection.
func (s *Screen) Abandon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed, s.done = true, make(chan struct{})
	if s.writing {
		return // whoever writes ends with an attempt to restore the terminal
	}
	if s.timer != nil {
		s.timer.Stop()
	}
	close(s.done)
}

// Close restores the terminal. After it, methods that change the screen do nothing. It waits until the terminal
// is restored, at most for Options.Linger, and not at all if the terminal has stalled; then it returns
// ErrStalled, and the terminal is restored if it reads again. After a failed write it still tries to restore
// the terminal, and returns the error of that write.
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
