package sshd

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

// waitForEnd is a handler that runs until its context ends.
func waitForEnd(ctx context.Context, _ *Session) int {
	<-ctx.Done()
	return 0
}

func TestSilentConnectionIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := timed(t, Limits{}, waitForEnd)
		if took := waitEnd(connectPipe(t, srv, 0)); took != 15*time.Second {
			t.Errorf("a silent connection was closed after %v", took)
		}
		srv.SetLimits(Limits{Handshake: 4 * time.Second})
		if took := waitEnd(connectPipe(t, srv, 0)); took != 4*time.Second {
			t.Errorf("with another limit a silent connection was closed after %v", took)
		}
		synctest.Wait()
		if n := srv.Stats().LimitHits[hitHandshake]; n != 2 {
			t.Errorf("%d handshakes that took too long were counted, want 2", n)
		}
		// Whoever is in time is not measured any more.
		c := clientOver(t, connectPipe(t, srv, 0))
		s, err := c.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Shell(); err != nil {
			t.Fatal(err)
		}
		<-time.After(10 * time.Second) // of the bubble
		if _, _, err := c.SendRequest("are you there", true, nil); err != nil {
			t.Errorf("after the time for a handshake: %v", err)
		}
	})
}

// TestSlowHandshakeIsClosed has a client that says something every second and never finishes.
func TestSlowHandshakeIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nc := connectPipe(t, timed(t, Limits{}, waitForEnd), time.Second)
		for _, b := range []byte("SSH-2.0-an-endless-name-of-a-client") {
			if _, err := nc.Write([]byte{b}); err != nil {
				t.Fatal(err)
			}
		}
		if took := waitEnd(nc); took != 15*time.Second {
			t.Errorf("a slow handshake was closed after %v", took)
		}
	})
}

func TestConnectionWithoutSessionIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := timed(t, Limits{}, waitForEnd)
		start, c := time.Now(), clientOver(t, connectPipe(t, srv, 0))
		_ = c.Wait()
		if took := time.Since(start); took != time.Minute {
			t.Errorf("a connection without a session was closed after %v", took)
		}

		start, c = time.Now(), clientOver(t, connectPipe(t, srv, 0))
		open(t, c) // nothing is started in it
		_ = c.Wait()
		if took := time.Since(start); took != time.Minute {
			t.Errorf("a connection with an empty channel was closed after %v", took)
		}

		c = clientOver(t, connectPipe(t, srv, 0))
		ch := open(t, c)
		ch.request("shell", nil)
		<-time.After(29 * time.Minute)
		if err := ch.Close(); err != nil {
			t.Fatal("the connection of a session was closed:", err)
		}
		start = time.Now()
		_ = c.Wait()
		if took := time.Since(start); took != time.Minute {
			t.Errorf("the connection was closed %v after its last session", took)
		}

		c = clientOver(t, connectPipe(t, srv, 0))
		first, second := open(t, c), open(t, c)
		first.request("shell", nil)
		second.request("shell", nil)
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		<-time.After(10 * time.Minute)
		if _, _, err := c.SendRequest("are you there", true, nil); err != nil {
			t.Errorf("a connection with a session was closed after another one had ended: %v", err)
		}
	})
}

// TestIdleTimeCountsInputOnly has a handler whose clock ticks on the client's screen.
func TestIdleTimeCountsInputOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := make(chan error, 1)
		srv := timed(t, Limits{}, func(ctx context.Context, s *Session) int {
			go s.DiscardInput()
			tick := time.NewTicker(time.Second)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
					s.Write([]byte("tick"))
				case <-ctx.Done():
					cause <- context.Cause(ctx)
					return 3
				}
			}
		})
		s := timedSession(t, srv, 0)
		input, _ := s.StdinPipe()
		sent, _ := s.StderrPipe()
		if err := s.Shell(); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		<-time.After(20 * time.Minute)
		if _, err := input.Write([]byte("k")); err != nil {
			t.Fatal(err)
		}
		why, _ := io.ReadAll(sent)
		if took := time.Since(start); took != 50*time.Minute {
			t.Errorf("a session with input after 20 min ended after %v", took)
		}
		if err := <-cause; !errors.Is(err, ErrIdle) {
			t.Error("cause:", err)
		}
		if string(why) != "Closed: no input for a long time.\n" {
			t.Errorf("the client was told %q", why)
		}
		if n := srv.Stats().LimitHits[hitIdle]; n != 1 {
			t.Errorf("%d were counted", n)
		}
		var exit *ssh.ExitError
		if err := s.Wait(); !errors.As(err, &exit) || exit.ExitStatus() != 3 {
			t.Error("exit:", err)
		}
	})
}

func TestIdleLimitIsTheHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := make(chan time.Duration)
		srv := timed(t, Limits{}, func(ctx context.Context, s *Session) int {
			for {
				select {
				case d := <-limits:
					s.SetIdleLimit(d)
				case <-ctx.Done():
					return 0
				}
			}
		})
		s := timedSession(t, srv, 0)
		if err := s.Shell(); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		limits <- 0 // seated
		<-time.After(12 * time.Hour)
		limits <- 14 * time.Hour // watching
		<-time.After(time.Hour)
		limits <- 13*time.Hour + 30*time.Minute
		_ = s.Wait()
		if took := time.Since(start); took != 13*time.Hour+30*time.Minute {
			t.Errorf("the session ended after %v", took)
		}
	})
}

// TestKeepaliveMeasuresLag has a client that is 40 ms away for twenty minutes.
func TestKeepaliveMeasuresLag(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sessions := make(chan *Session, 1)
		srv := timed(t, Limits{}, func(ctx context.Context, s *Session) int {
			sessions <- s
			return waitForEnd(ctx, s)
		})
		s := timedSession(t, srv, 40*time.Millisecond)
		if err := s.Shell(); err != nil {
			t.Fatal(err)
		}
		<-time.After(20 * time.Minute)
		if got := (<-sessions).Lag().Round(time.Millisecond); got != 40*time.Millisecond {
			t.Errorf("lag is %v", got)
		}
	})
}

func TestLagIsSmoothed(t *testing.T) {
	var r rtt
	for _, ms := range []time.Duration{80, 160, 80} {
		r.add(ms * time.Millisecond)
	}
	if got := time.Duration(r.nanos.Load()); got != 88750*time.Microsecond {
		t.Errorf("80, 160 and 80 ms make %v", got)
	}
}

// TestClientThatDoesNotAnswerIsDead has a client that answers four keepalives and no more.
func TestClientThatDoesNotAnswerIsDead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := timed(t, Limits{}, waitForEnd)
		sc, _, requests, err := ssh.NewClientConn(connectPipe(t, srv, 0), "", clientConfig(servertest.Guest()))
		if err != nil {
			t.Fatal(err)
		}
		start, asked := time.Now(), 0
		ch, _, err := sc.OpenChannel("session", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ch.SendRequest("shell", false, nil); err != nil {
			t.Fatal(err)
		}
		for request := range requests {
			if request.Type != "keepalive@openssh.com" || !request.WantReply {
				t.Errorf("request %s, %v", request.Type, request.WantReply)
			}
			if asked++; asked <= 4 {
				_ = request.Reply(false, nil)
			}
		}
		// asked at 1, 16, 31, 46 and 61 s
		if took := time.Since(start); asked != 5 || took != 91*time.Second {
			t.Errorf("dead after %v and %d questions", took, asked)
		}
	})
}

// TestInputIsLimited has a client that pastes 2 MiB into a terminal, and one that gives as much
// to a command.
func TestInputIsLimited(t *testing.T) {
	const size = 2 << 20
	synctest.Test(t, func(t *testing.T) {
		got := make(chan int, 1)
		srv := timed(t, Limits{}, func(_ context.Context, s *Session) int {
			n, _ := io.ReadFull(s, make([]byte, size))
			got <- n
			return 0
		})
		for _, tt := range []struct {
			start    func(*ssh.Session) error
			min, max time.Duration
		}{
			// the size by the rate, less the burst of two seconds, and some per cent for SSH
			{func(s *ssh.Session) error { return s.Shell() }, 62 * time.Second, 66 * time.Second},
			{func(s *ssh.Session) error { return s.Start("api") }, 0, 2 * time.Second},
		} {
			s := timedSession(t, srv, 0)
			input, _ := s.StdinPipe()
			if err := tt.start(s); err != nil {
				t.Fatal(err)
			}
			start, before := time.Now(), srv.Stats().LimitHits[hitInput]
			if _, err := input.Write(make([]byte, size)); err != nil {
				t.Fatal(err)
			}
			n := <-got
			if took := time.Since(start); n != size || took < tt.min || took > tt.max {
				t.Errorf("%d bytes in %v, want %v to %v", n, took, tt.min, tt.max)
			}
			if hits := srv.Stats().LimitHits[hitInput]; tt.min > 0 && (before != 0 || hits == 0) {
				t.Errorf("%d limits were hit before anything was pasted, and %d after it", before, hits)
			}
		}
		// On one connection the rate is that of the sessions that it has now.
		c := clientOver(t, connectPipe(t, srv, 0))
		for _, isTerminal := range []bool{true, false, true} {
			s, err := c.NewSession()
			if err != nil {
				t.Fatal(err)
			}
			input, _ := s.StdinPipe()
			if isTerminal {
				err = s.Shell()
			} else {
				err = s.Start("api")
			}
			if err != nil {
				t.Fatal(err)
			}
			<-time.After(5 * time.Minute)
			start := time.Now()
			if _, err := input.Write(make([]byte, size)); err != nil {
				t.Fatal(err)
			}
			<-got
			if took := time.Since(start); (took > time.Minute) != isTerminal {
				t.Errorf("a terminal: %t, %d bytes in %v", isTerminal, size, took)
			}
			_ = s.Wait()
			synctest.Wait()
		}
	})
}

// TestInputBeforeItsEndIsTheHandlers: what a client has sent before it ended its input stays for a handler that reads it later.
func TestInputBeforeItsEndIsTheHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := make(chan string, 1)
		srv := timed(t, Limits{}, func(_ context.Context, s *Session) int {
			<-time.After(time.Minute)
			text, err := io.ReadAll(s)
			if err != nil {
				t.Error(err)
			}
			got <- string(text)
			return 0
		})
		s := timedSession(t, srv, 0)
		s.Stdin = strings.NewReader("all of it")
		if err := s.Run("x"); err != nil {
			t.Error(err)
		}
		if text := <-got; text != "all of it" {
			t.Errorf("the handler has read %q", text)
		}
	})
}

// TestHandlerThatOnlyReadsIsEnded has a handler that does not look at its context.
func TestHandlerThatOnlyReadsIsEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := timed(t, Limits{}, func(_ context.Context, s *Session) int {
			s.DiscardInput()
			return 0
		})
		s := timedSession(t, srv, 0)
		if _, err := s.StdinPipe(); err != nil { // or there would be an EOF
			t.Fatal(err)
		}
		if err := s.Shell(); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_ = s.Wait()
		synctest.Wait()
		if took := time.Since(start); took != 30*time.Minute+2*time.Second || srv.Stats().Sessions != 0 || srv.Stats().LimitHits[hitGrace] != 1 {
			t.Errorf("after %v: %+v", took, srv.Stats())
		}
	})
}

// TestClientThatTakesNoAnswersIsCutOff has a client that stops reading while nobody writes to its
// session: it is the keepalive that notices.
func TestClientThatTakesNoAnswersIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := timed(t, Limits{Keepalive: 20 * time.Second}, waitForEnd)
		start := time.Now()
		nc := &stalledConn{Conn: connectPipe(t, srv, 0), closed: make(chan struct{})}
		defer close(nc.closed)
		open(t, clientOver(t, nc)).request("shell", nil)
		<-time.After(2 * time.Second) // it has answered the question of 1 s, and waits for more
		nc.stop.Store(true)
		for srv.Stats().Connections > 0 {
			<-time.After(time.Second)
		}
		// The question of 21 s is still taken, the one of 41 s is not.
		if took := time.Since(start); took < 71*time.Second || took > 72*time.Second {
			t.Errorf("cut off after %v", took)
		}
	})
}

// lateChannel has the end of input on both streams, and then data on one.
type lateChannel struct {
	ssh.Channel
	input, errors lateReader
}

func (c *lateChannel) Read(p []byte) (int, error) { return c.input.Read(p) }
func (c *lateChannel) Stderr() io.ReadWriter      { return &c.errors }

type lateReader struct {
	io.Writer
	at time.Time // when data comes; zero for never
}

func (l *lateReader) Read(p []byte) (int, error) {
	if l.at.IsZero() || time.Now().Before(l.at) {
		return 0, io.EOF
	}
	return len(p), nil
}

func TestDataAfterTheEndClosesTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := timed(t, Limits{}, waitForEnd)
		for _, input := range []bool{true, false} {
			at, ch := time.Now().Add(time.Minute), new(lateChannel)
			if input {
				ch.input.at = at
			} else {
				ch.errors.at = at
			}
			_, c := accept(t, srv)
			s := &Session{stream: stream{conn: c, channel: ch, ctx: t.Context()}}
			if n, err := s.Read(make([]byte, 1)); n != 0 || err != io.EOF {
				t.Error(n, err)
			}
			go s.refuseExtended()
			<-s.conn.closed
			if late := time.Since(at); late < 0 || late > 10*time.Second {
				t.Errorf("closed %v after the data", late)
			}
			if n, err := s.Read(make([]byte, 1)); n != 0 || err != io.EOF {
				t.Error("the handler got data after the end:", n, err)
			}
		}
	})
}

// unreadRefusal is a channel whose refusal the client does not take.
type unreadRefusal struct {
	ssh.NewChannel
	taken chan struct{}
}

func (c unreadRefusal) Reject(ssh.RejectionReason, string) error { <-c.taken; return nil }

func TestRefusalsThatNobodyTakesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := timed(t, Limits{}, waitForEnd)
		_, c := accept(t, srv)
		nc := unreadRefusal{taken: make(chan struct{})}
		defer close(nc.taken)
		closed := func() bool {
			synctest.Wait()
			select {
			case <-c.closed:
				return true
			default:
				return false
			}
		}
		for range 1000 {
			go c.rejectChannel(nc, ssh.Prohibited, "")
		}
		if closed() {
			t.Error("1000 refusals closed the connection")
		}
		go c.rejectChannel(nc, ssh.Prohibited, "")
		if !closed() {
			t.Error("1001 did not")
		}
	})
}
