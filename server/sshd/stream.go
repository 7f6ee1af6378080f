package sshd

import (
	"context"
	"io"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// stream is the input and output of a session. Its methods may be called from any goroutine, Read from one
// at a time.
type stream struct {
	conn    *conn
	channel gossh.Channel
	ctx     context.Context // the session's
	cancel  context.CancelCauseFunc

	inputEnded atomic.Bool
	deferring  atomic.Bool  // counted in conn.deferring; see DeferInput
	lastInput  atomic.Int64 // nanoseconds since the server's start

	writeMu sync.Mutex // held during a write
	stall   watchdog   // of the write of a piece
}

// Addr returns the client's address, IPv4 never mapped to IPv6.
func (s *stream) Addr() netip.AddrPort { return s.conn.addr }

// Read reads input. It returns io.EOF after the client has closed its input or its channel, and when the connection is
// lost; then the context has ended before. The end of the context does not interrupt it.
func (s *stream) Read(p []byte) (int, error) {
	s.resumeInput()
	if s.inputEnded.Load() {
		return 0, io.EOF
	}
	n, err := s.channel.Read(p)
	if n > 0 {
		s.lastInput.Store(int64(time.Since(s.conn.server.started)))
	}
	if err != nil {
		s.inputEnded.Store(true)
		if s.conn.lost.Load() { // x/crypto ends the input first, and the context later
			s.cancel(context.Canceled)
		}
	}
	return n, err
}

// DeferInput implements limit.InputDeferrer: until the next call of Read the connection is read only about
// four times a second, since many small packets cost much less together than one at a time. The input of the
// connection's other sessions is late by as much.
func (s *stream) DeferInput() {
	if !s.deferring.Swap(true) {
		s.conn.deferring.Add(1)
	}
	if s.ctx.Err() != nil { // close may have called resumeInput before
		s.resumeInput()
	}
}

// resumeInput ends the effect of DeferInput.
func (s *stream) resumeInput() {
	if s.deferring.Swap(false) {
		s.conn.deferring.Add(-1)
	}
}

// DiscardInput reads and discards input until Read returns an error. A handler that does not read runs it on
// its own goroutine, because input is buffered until it is read.
func (s *stream) DiscardInput() {
	defer s.conn.server.recoverPanic("discarding input")
	var p [512]byte
	for {
		if _, err := s.Read(p[:]); err != nil {
			return
		}
	}
}

// Write writes output and blocks until the client's window has taken it. The connection is closed if the
// client takes nothing for Limits.Stall, so Write always returns.
func (s *stream) Write(p []byte) (int, error) { return s.write(s.channel, p) }

// Stderr returns the stream for errors; writing to it is like Write.
func (s *stream) Stderr() io.Writer { return stderrWriter{s} }

type stderrWriter struct{ *stream }

func (e stderrWriter) Write(p []byte) (int, error) { return e.write(e.channel.Stderr(), p) }

// write writes in pieces of 4 KiB: each has its own Limits.Stall, and x/crypto keeps a buffer of the size of
// the largest until the session ends.
func (s *stream) write(w io.Writer, p []byte) (n int, err error) {
	const piece = 4 << 10
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	defer s.stall.writeEnds()
	for len(p) > 0 && err == nil {
		s.stall.writeBegins()
		var m int
		m, err = w.Write(p[:min(len(p), piece)])
		n, p = n+m, p[m:]
	}
	return n, err
}

// Lag returns the smoothed round-trip time; 0 until it is known. A client can make it longer, but never
// shorter than the network's.
func (s *stream) Lag() time.Duration { return time.Duration(s.conn.rtt.nanos.Load()) }

// LastInput returns when Read last returned input, or when the handler started.
func (s *stream) LastInput() time.Time {
	return s.conn.server.started.Add(time.Duration(s.lastInput.Load()))
}
