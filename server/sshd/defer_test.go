package sshd

import (
	"context"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// countedReads is a connection that counts what is read from it.
type countedReads struct {
	net.Conn
	n *atomic.Int64
}

func (c countedReads) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.n.Add(1)
	return n, err
}

// TestDeferredInputIsReadAFewTimesASecond has a client send fifty packets a second to a handler that does not
// want them for ten seconds, and then close its channel while the handler waits again.
func TestDeferredInputIsReadAFewTimesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reads atomic.Int64
		const packets, waits = 500, 10 * time.Second
		deferred, resumed, ended := make(chan int64, 1), make(chan int64, 1), make(chan time.Time, 1)
		srv := timed(t, Limits{}, func(ctx context.Context, s *Session) int {
			var p [packets]byte
			if _, err := s.Read(p[:1]); err != nil {
				t.Error(err)
			}
			before := reads.Load()
			s.DeferInput()
			<-time.After(waits)
			deferred <- reads.Load() - before
			if _, err := io.ReadFull(s, p[:]); err != nil {
				t.Error(err)
			}
			resumed <- reads.Load() - before
			s.DeferInput()
			s.DeferInput() // counts once
			<-ctx.Done()
			ended <- time.Now()
			s.DeferInput() // as a reader may that has not yet seen the end
			return 0
		})
		ours, theirs := accept(t, srv)
		theirs.Conn = countedReads{theirs.Conn, &reads}
		nc := &delayedConn{Conn: ours, out: make(chan []byte, 1<<16), closed: make(chan struct{})}
		go srv.sshServer.HandleConn(theirs)
		go nc.pump()
		t.Cleanup(func() { nc.Close() })
		client := clientOver(t, nc)
		s, err := client.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		in, err := s.StdinPipe()
		if err == nil {
			err = s.Start("x")
		}
		if err != nil {
			t.Fatal(err)
		}
		for range packets + 1 {
			if _, err := in.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
			<-time.After(20 * time.Millisecond)
		}
		if n := <-deferred; n < int64(waits/(300*time.Millisecond)) || n > int64(waits/(180*time.Millisecond))+1 {
			t.Errorf("deferred input was read %d times in %v", n, waits)
		}
		began := time.Now()
		if n := <-resumed; n < packets || time.Since(began) > time.Second {
			t.Errorf("after the handler had read again, there were %d reads in %v", n, time.Since(began))
		}
		began = time.Now()
		s.Close()
		if late := (<-ended).Sub(began); late > 600*time.Millisecond { // a packet for the end of input, one for the channel's
			t.Errorf("the end of the channel was noticed after %v", late)
		}
		synctest.Wait()
		if n := theirs.deferring.Load(); n != 0 {
			t.Errorf("the input of %d sessions that have ended is deferred", n)
		}
		if _, _, err := client.SendRequest("x", true, nil); err != nil {
			t.Error(err)
		}
	})
}

// TestDeferredInputIsReadWhole: what has come is read at once, however many reads it takes, after one wait.
func TestDeferredInputIsReadWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, c := accept(t, timed(t, Limits{}, waitForEnd))
		defer client.Close()
		c.deferring.Add(1)
		defer c.deferring.Add(-1)
		const size, parts = 100, 20
		go client.Write(make([]byte, size*parts))
		began := time.Now()
		for range parts {
			if n, err := c.Read(make([]byte, size)); n != size || err != nil {
				t.Fatalf("%d bytes, %v", n, err)
			}
		}
		if took := time.Since(began); took < 180*time.Millisecond || took > 300*time.Millisecond {
			t.Errorf("%d reads took %v", parts, took)
		}
		c.Close()
	})
}
