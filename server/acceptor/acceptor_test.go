package acceptor

import (
	"bytes"
	"errors"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"charm.land/log/v2"
)

// flaky is a listener that fails a number of times before each connection.
type flaky struct {
	fails  int
	closed chan struct{}
	conns  chan net.Conn
}

func newFlaky(fails int) *flaky {
	return &flaky{fails: fails, closed: make(chan struct{}), conns: make(chan net.Conn)}
}

func (f *flaky) Accept() (net.Conn, error) {
	if f.fails > 0 {
		f.fails--
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	select {
	case c := <-f.conns:
		return c, nil
	case <-f.closed:
		return nil, net.ErrClosed
	}
}
func (f *flaky) Close() error   { close(f.closed); return nil }
func (f *flaky) Addr() net.Addr { return &net.TCPAddr{} }

// TestFailedAcceptsAreRetried has accepts fail ten times: they are logged once, counted, and unhealthy
// until an accept works; the pauses grow to one second.
func TestFailedAcceptsAreRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var logs bytes.Buffer
		inner := newFlaky(10)
		l := New(inner, "test", log.New(&logs))
		begin := time.Now()
		accepted := make(chan error)
		accept := func() { _, err := l.Accept(); accepted <- err }
		go accept()
		synctest.Wait()
		if err := l.Health(); !errors.Is(err, syscall.EMFILE) {
			t.Errorf("the health while accepts fail: %v", err)
		}
		client, server := net.Pipe()
		defer client.Close()
		inner.conns <- server // taken once the accept works
		if err := <-accepted; err != nil {
			t.Fatal(err)
		}
		// 5 ms to 640 ms doubled seven times, then twice 1 s.
		if took := time.Since(begin); took != 1275*time.Millisecond+2*time.Second {
			t.Errorf("accepting took %s", took)
		}
		if err := l.Health(); err != nil || l.Failures() != 10 {
			t.Errorf("after it works: %v, %d failures", err, l.Failures())
		}
		if n := strings.Count(logs.String(), "cannot accept connections"); n != 1 {
			t.Errorf("logged %d times:\n%s", n, logs.String())
		}
		// More failures in the same episode are not logged again; those after a quiet time are.
		for _, gap := range []time.Duration{episodeTimeout / 2, episodeTimeout} {
			<-time.After(gap)
			inner.fails = 3
			go accept()
			inner.conns <- server
			<-accepted
		}
		if n := strings.Count(logs.String(), "cannot accept connections"); n != 2 || l.Failures() != 16 {
			t.Errorf("logged %d times, %d failures:\n%s", n, l.Failures(), logs.String())
		}
		<-time.After(episodeTimeout)
		go accept()
		inner.conns <- server
		<-accepted
		if !strings.Contains(logs.String(), "accepting connections again") {
			t.Errorf("the end of the episode is not logged:\n%s", logs.String())
		}
	})
}

// TestAcceptThatWaitsIsHealthy has accepts fail and then wait for a connection that does not come.
func TestAcceptThatWaitsIsHealthy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := newFlaky(2)
		l := New(inner, "test", log.New(new(bytes.Buffer)))
		ended := make(chan error)
		go func() { _, err := l.Accept(); ended <- err }()
		<-time.After(15 * time.Millisecond)
		synctest.Wait()
		if l.Health() == nil {
			t.Error("healthy at once after a failure")
		}
		<-time.After(maxRetryDelay)
		if err := l.Health(); err != nil {
			t.Error(err)
		}
		l.Close()
		if err := <-ended; !errors.Is(err, net.ErrClosed) {
			t.Errorf("after the close: %v", err)
		}
	})
}

// TestCloseEndsAPause closes a listener whose accepts fail without end.
func TestCloseEndsAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(newFlaky(1<<30), "test", log.New(new(bytes.Buffer)))
		ended := make(chan error)
		go func() { _, err := l.Accept(); ended <- err }()
		<-time.After(time.Minute)
		synctest.Wait()
		at := time.Now()
		l.Close()
		if err := <-ended; !errors.Is(err, net.ErrClosed) || time.Since(at) != 0 {
			t.Errorf("%v after %s", err, time.Since(at))
		}
		if n := l.Failures(); n < 55 || n > 75 {
			t.Errorf("%d tries in a minute, want one a second", n)
		}
	})
}
