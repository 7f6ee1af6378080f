package paint

import (
	"encoding/base64"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"ayumu/lobby/guard"
)

// With synchronized output a terminal shows a frame only when it is complete. It is used for frames of syncFrom
// bytes and more; smaller ones arrive in one packet anyway.
const (
	syncBegin = "\x1b[?2026h"
	syncEnd   = "\x1b[?2026l"
	syncFrom  = 256
)

// bufferPool has buffers for the bytes of a frame, of at most maxBuffer bytes each.
var bufferPool = sync.Pool{New: func() any { return new([]byte) }}

const maxBuffer = 64 << 10

// writeLoop writes until the terminal has the target state. At most one goroutine of a screen runs it.
func (s *Screen) writeLoop() {
	defer guard.Recover(s.opt.panicked)
	if s.terminal.painter.frame == nil {
		growStack()
	}
	buffer := bufferPool.Get().(*[]byte)
	for {
		want, closing, ok := s.take()
		if !ok {
			break
		}
		if !s.finish(s.write(buffer, want, closing), closing) {
			break
		}
	}
	if cap(*buffer) <= maxBuffer {
		bufferPool.Put(buffer)
	}
}

// growStack grows the stack of the goroutine to 8 KiB, which the first frame needs. Growing it in several steps
// costs more.
//
//go:noinline
func growStack() {
	var room [5 << 10]byte
	runtime.KeepAlive(&room)
}

// take returns the state to write; ok is false if there is nothing to write, so that the goroutine ends. closing
// means that the terminal is to be restored.
func (s *Screen) take() (want screenState, closing, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	want = s.target
	switch {
	case s.closed:
		return want, true, true
	case s.err != nil || !s.changed:
		s.writing = false
		return want, false, false
	}
	s.changed, s.target.redraw, s.target.bell, s.target.copied = false, false, false, ""
	return want, false, true
}

// finish records the result of a write and reports whether the goroutine continues.
func (s *Screen) finish(err error, closing bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.failLocked(err)
	}
	switch {
	case closing:
		if s.timer != nil {
			s.timer.Stop()
		}
		close(s.done)
	case err == nil || s.closed:
		return true
	}
	s.writing = false
	return false
}

// failLocked makes err the error of the screen, if it is the first one, and reports it. mu must be held.
func (s *Screen) failLocked(err error) {
	if s.err != nil {
		return
	}
	s.err = err
	if s.opt.OnFail != nil && !s.closed {
		guard.Go(s.opt.panicked, func() { s.opt.OnFail(err) })
	}
}

// write brings the terminal into the state want, or restores it if closing is set. A panic, including one of the
// destination's Write, becomes an error.
func (s *Screen) write(buffer *[]byte, want screenState, closing bool) (err error) {
	before := s.terminal.state
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("paint: %v\n%s", r, debug.Stack())
		}
		if err != nil {
			s.terminal.state.modes |= before.modes // the sequence that resets them may not have arrived
		}
	}()
	if closing {
		if !s.terminal.state.initialized {
			return nil
		}
		_, err := s.send(s.terminal.state.appendRestore((*buffer)[:0]), true)
		return err
	}
	b, cuts := s.terminal.encode((*buffer)[:0], want, s.opt.QueryTerminal)
	*buffer = b
	start := 0
	if !want.profile.Sync || len(b)-len(syncBegin) < syncFrom {
		start = len(syncBegin)
	} else {
		s.terminal.state.synced = true
		b = append(b, syncEnd...)
	}
	for i, cut := range append(cuts, len(b)) {
		sent, err := s.send(b[start:cut], false)
		if err != nil {
			return err
		}
		if !sent && i == 0 {
			s.terminal.state = before
		}
		start = cut
	}
	return nil
}

// terminal is a terminal in the state in which the bytes encoded so far leave it.
type terminal struct {
	painter painter
	state   terminalState
}

// encode appends syncBegin and the bytes that bring the terminal into the state want. ask is as of
// terminalState.appendSetup, cuts as of painter.paint.
func (t *terminal) encode(b []byte, want screenState, ask bool) (out []byte, cuts []int) {
	b = append(b, syncBegin...)
	p := &t.painter
	p.profile = want.profile
	if !t.state.initialized {
		b = t.state.appendSetup(b, want.profile, ask)
	}
	b = t.state.appendState(b, want.profile, want.modes, want.title)
	if want.redraw {
		p.w, p.h = want.w, want.h
		b = p.clear(b)
	}
	if want.bell {
		b = append(b, '\a')
	}
	if want.copied != "" {
		b = append(b, "\x1b]52;c;"...)
		b = base64.StdEncoding.AppendEncode(b, []byte(want.copied))
		b = append(b, '\a')
	}
	return p.paint(b, want.frame)
}

// send writes b and measures how long that takes. After Close it writes only if closing is set; sent reports
// whether it has.
func (s *Screen) send(b []byte, closing bool) (sent bool, err error) {
	if len(b) == 0 || !s.begin(closing) {
		return false, nil
	}
	defer s.end()
	n, err := s.w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return true, err
}

// begin begins the time of a write. It returns false if nothing may be written any more.
func (s *Screen) begin(closing bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed && !closing {
		return false
	}
	s.since = time.Now()
	switch {
	case s.timerRuns:
	case s.timer == nil:
		s.timer = guard.AfterFunc(s.opt.Stall, s.opt.panicked, s.stalled)
	default:
		s.timer.Reset(s.opt.Stall)
	}
	s.timerRuns = true
	return true
}

// end ends the time of a write.
func (s *Screen) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); now.Sub(s.since) >= slowWrite {
		if now.Sub(s.lastSlow) < slowFor {
			s.slow = now.Add(slowFor)
		}
		s.lastSlow = now
	}
	s.since = time.Time{}
}

// stalled fails the screen if the current write has lasted too long. The timer calls it.
func (s *Screen) stalled() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timerRuns = false
	if s.since.IsZero() {
		return
	}
	if rest := s.opt.Stall - time.Since(s.since); rest > 0 {
		s.timerRuns = true
		s.timer.Reset(rest)
		return
	}
	s.failLocked(ErrStalled)
}
