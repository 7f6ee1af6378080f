// Package acceptor wraps network listeners so that a failed accept does not end the loop that accepts.
//
// The Accept of a net.Listener fails for reasons that pass, above all when the process or the system has
// no file descriptor left (EMFILE, ENFILE). A loop that returns then leaves a server that runs and
// accepts nobody. A [Listener] retries instead, logs the failure and counts it.
package acceptor

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"charm.land/log/v2"
)

const (
	minRetryDelay = 5 * time.Millisecond // after the first failure; it doubles with each further one
	maxRetryDelay = time.Second
	// episodeTimeout is how long no accept may fail until an episode of failures is over. Each episode is
	// logged once, however many connections are accepted in between.
	episodeTimeout = 10 * time.Second
)

// Listener is a net.Listener whose Accept returns an error only after Close. Make one with New.
// Accept may be called by one goroutine at a time; the other methods by any.
type Listener struct {
	net.Listener
	name   string
	logger *log.Logger
	closed chan struct{}
	once   sync.Once

	mu          sync.Mutex
	err         error     // of the last accept; nil if it succeeded
	failedAt    time.Time // of the last failure
	logged      bool      // the current episode has been logged
	episode     uint64    // failures in the current episode
	failures    uint64
	acceptSince time.Time // when the running accept began; zero while none runs
}

// New wraps a listener. The name says in log messages what is listened for.
func New(l net.Listener, name string, logger *log.Logger) *Listener {
	return &Listener{Listener: l, name: name, logger: logger, closed: make(chan struct{})}
}

// Accept returns the next connection. After a failure it pauses, for 5 ms at first and for 1 s at
// most, and tries again. It returns an error only if the listener is closed.
func (l *Listener) Accept() (net.Conn, error) {
	pause := minRetryDelay
	for {
		l.acceptStarted()
		c, err := l.Listener.Accept()
		l.acceptEnded(err)
		if err == nil {
			return c, nil
		}
		if errors.Is(err, net.ErrClosed) {
			return nil, err
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
			pause = min(2*pause, maxRetryDelay)
		case <-l.closed:
			timer.Stop()
			return nil, net.ErrClosed
		}
	}
}

// Close closes the listener and ends a pause of Accept.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// Failures returns how many accepts have failed.
func (l *Listener) Failures() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failures
}

// Health returns an error if the last accept failed and none has worked since. An accept that has
// been waiting for a connection for as long as the longest pause counts as working.
func (l *Listener) Health() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil || !l.acceptSince.IsZero() && time.Since(l.acceptSince) >= maxRetryDelay {
		return nil
	}
	return fmt.Errorf("%s: cannot accept connections: %w", l.name, l.err)
}

func (l *Listener) acceptStarted() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acceptSince = time.Now()
}

// acceptEnded notes how an accept ended and logs the first failure of an episode and its end.
func (l *Listener) acceptEnded(err error) {
	level, episode := l.recordResult(err)
	switch level {
	case log.ErrorLevel:
		l.logger.Error("cannot accept connections; retrying", "listener", l.name, "err", err)
	case log.InfoLevel:
		l.logger.Info("accepting connections again", "listener", l.name, "failures", episode)
	}
}

// recordResult records how an accept ended, and returns the level of the message to log, if there is one, and
// the number of failures in the episode.
func (l *Listener) recordResult(err error) (level log.Level, episode uint64) {
	const nothing = log.DebugLevel
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acceptSince = time.Time{}
	if errors.Is(err, net.ErrClosed) {
		return nothing, 0
	}
	l.err = err
	over := l.logged && time.Since(l.failedAt) >= episodeTimeout
	episode = l.episode
	if over {
		l.logged, l.episode = false, 0
	}
	if err == nil {
		if over {
			return log.InfoLevel, episode
		}
		return nothing, 0
	}
	l.failedAt = time.Now()
	l.failures++
	l.episode++
	if l.logged {
		return nothing, 0
	}
	l.logged = true
	return log.ErrorLevel, l.episode
}
