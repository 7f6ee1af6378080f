package sshd

import (
	"sync/atomic"
	"time"
)

// watchdog calls a function if a write takes longer than Limits.Stall. Its timer is set for the first write, and then
// runs until it fires: a write costs no timer of its own. init prepares it; the zero value is not usable.
type watchdog struct {
	server  *Server
	began   atomic.Int64 // nanoseconds since the server's start when the current write began; 0: there is none
	timer   *time.Timer  // calls check
	isTimed atomic.Bool  // timer runs
	onStall func()
}

// init prepares the watchdog. onStall is called on the timer's goroutine, and may be called again.
func (w *watchdog) init(srv *Server, onStall func()) {
	w.server, w.onStall = srv, onStall
	w.timer = srv.afterFunc(time.Hour, w.check)
	w.timer.Stop()
}

// writeBegins begins the time of a write. One write at a time may be watched.
func (w *watchdog) writeBegins() {
	w.began.Store(int64(time.Since(w.server.started)))
	if !w.isTimed.Swap(true) {
		w.timer.Reset(w.server.limits().Stall)
	}
}

// writeEnds ends the time of the write.
func (w *watchdog) writeEnds() { w.began.Store(0) }

// check calls onStall if the current write has taken too long, else sets the timer for the rest of its time.
func (w *watchdog) check() {
	w.isTimed.Store(false)
	began := w.began.Load()
	if began == 0 {
		return
	}
	rest := w.server.limits().Stall - (time.Since(w.server.started) - time.Duration(began))
	if rest <= 0 {
		w.onStall()
	} else if !w.isTimed.Swap(true) {
		w.timer.Reset(rest)
	}
}

// stop stops the timer. A later write sets it again.
func (w *watchdog) stop() { w.timer.Stop() }
