package paint

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"ayumu/lobby/guard"
)

// Synchronized output makes a terminal show a frame at once. Small ones arrive in one piece anyway.
const (
	syncBegin = "\x1b[?2026h"
	syncEnd   = "\x1b[?2026l"
	syncFrom  = 256 // bytes
)

// bufferPool hold what is being written, maxBuffer bounds what is kept for the next frame.
var bufferPool = sync.Pool{New: func() any { return new([]byte) }}

const maxBuffer = 64 << 10

// writeLoop writes until the terminal shows what it should. It is the only goroutine of a screen, and
// there is at most one.
func (s *Screen) writeLoop() {
	defer guard.Recover(s.panicked)
	if s.painter.frame == nil {
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

// growStack makes the stack of its caller 8 KiB in one go: the first frame needs that, and to grow to it
// step by step costs more.
//
//go:noinline
func growStack() {
	var room [5 << 10]byte
	runtime.KeepAlive(&room)
}

// take returns what is to be written now, or false, which ends the goroutine.
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
	s.changed, s.target.redraw, s.target.bell = false, false, false
	return want, false, true
}

// finish notes how a write ended and reports whether the goroutine goes on.
func (s *Screen) finish(err error, closing bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.failLocked(err)
	}
	switch {
	case closing:
		close(s.done)
	case err == nil || s.closed:
		return true
	}
	s.writing = false
	return false
}

// failLocked gives the screen up.
func (s *Screen) failLocked(err error) {
	if s.err != nil {
		return
	}
	s.err = err
	if s.opt.OnFail != nil && !s.closed {
		guard.Go(s.panicked, func() { s.opt.OnFail(err) })
	}
}

// write makes the terminal show what it should. A panic, of the writer below too, is its error.
func (s *Screen) write(buffer *[]byte, want screenState, closing bool) (err error) {
	before := s.terminal
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("paint: %v\n%s", r, debug.Stack())
		}
		if err != nil {
			s.terminal.modes |= before.modes // what ends them may not have arrived
		}
	}()
	if closing {
		if !s.terminal.initialized {
			return nil
		}
		_, err := s.send(s.terminal.appendRestore((*buffer)[:0]), true)
		return err
	}
	b, cuts := s.encode((*buffer)[:0], want)
	*buffer = b
	start := 0
	if !want.profile.Sync || len(b)-len(syncBegin) < syncFrom {
		start = len(syncBegin)
	} else {
		s.terminal.synced = true
		b = append(b, syncEnd...)
	}
	for i, cut := range append(cuts, len(b)) {
		sent, err := s.send(b[start:cut], false)
		if err != nil {
			return err
		}
		if !sent && i == 0 {
			s.terminal = before
		}
		start = cut
	}
	return nil
}

// encode appends syncBegin and all that the terminal has to be sent.
func (s *Screen) encode(b []byte, want screenState) (out []byte, cuts []int) {
	b = append(b, syncBegin...)
	p := &s.painter
	p.profile = want.profile
	if !s.terminal.initialized {
		b = s.terminal.appendSetup(b, want.profile, s.opt.QueryTerminal)
	}
	b = s.terminal.appendState(b, want.profile, want.modes, want.title)
	if want.redraw {
		p.w, p.h = want.w, want.h
		b = p.clear(b)
	}
	if want.bell {
		b = append(b, '\a')
	}
	return p.paint(b, want.frame)
}

// send writes, and watches how long that takes. Once the screen is closed nothing more of a frame
// is sent.
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

func (s *Screen) begin(closing bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed && !closing {
		return false
	}
	s.since = time.Now()
	if s.timer == nil {
		s.timer = guard.AfterFunc(s.opt.Stall, s.panicked, s.stalled)
	} else {
		s.timer.Reset(s.opt.Stall)
	}
	return true
}

func (s *Screen) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.since = time.Time{}
	s.timer.Stop()
}

// stalled is called by the timer, which may fire just when the write has ended.
func (s *Screen) stalled() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.since.IsZero() && time.Since(s.since) >= s.opt.Stall {
		s.failLocked(ErrStalled)
	}
}
