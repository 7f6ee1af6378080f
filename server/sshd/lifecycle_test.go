package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

// report is a handler's view of its end.
type report struct {
	command string
	cause   error
	size    Size // of a resize that came with the end; there must be none
}

// reporting is a handler that runs until its context ends, and reports both its moments.
func reporting(begun chan<- struct{}, reports chan<- report) handlerFunc {
	return func(ctx context.Context, s *Session) int {
		begun <- struct{}{}
		<-ctx.Done()
		r := report{cause: context.Cause(ctx)}
		r.command, _ = s.Command()
		select {
		case r.size = <-s.Resized():
		default:
		}
		reports <- r
		return 0
	}
}

// TestClosedChannelEndsItsSession has two sessions over one connection, as OpenSSH's
// ControlMaster does, and closes one.
func TestClosedChannelEndsItsSession(t *testing.T) {
	begun, reports := make(chan struct{}, 2), make(chan report, 2)
	r := run(t, Limits{}, reporting(begun, reports))
	c := r.connect(servertest.Guest())
	for _, name := range []string{"first", "second"} {
		ch := open(t, c)
		ch.request("pty-req", ptyRequest{Term: "xterm", Columns: 80, Rows: 24})
		ch.request("exec", execRequest{name})
		servertest.Receive(t, begun)
		if name == "first" {
			defer ch.Close()
			continue
		}
		ch.Close()
	}
	if got := servertest.Receive(t, reports); got.command != "second" || !errors.Is(got.cause, context.Canceled) || got.size != (Size{}) {
		t.Errorf("%+v", got)
	}
	if ok, _, err := c.SendRequest("still-there", true, nil); ok || err != nil {
		t.Error("the connection has gone:", err)
	}
	select {
	case got := <-reports:
		t.Errorf("the other session has ended: %+v", got)
	default:
	}
	servertest.Until(t, "one session is left", func() bool { return r.Stats().Sessions == 1 })
	c.Close()
	if got := servertest.Receive(t, reports); got.command != "first" {
		t.Errorf("%+v", got)
	}
}

// TestDeafClientIsCutOff has a client that lets nothing through: one that takes no more data
// into its SSH window, and one that does not even read from its socket.
func TestDeafClientIsCutOff(t *testing.T) {
	ended := make(chan error, 1)
	flood := func(_ context.Context, s *Session) int {
		p := make([]byte, 64<<10)
		for {
			if _, err := s.Write(p); err != nil {
				ended <- err
				return 0
			}
		}
	}
	r := run(t, Limits{Stall: 200 * time.Millisecond}, func(ctx context.Context, s *Session) int {
		if line, _ := s.Command(); line == "who" {
			return whoami(ctx, s)
		}
		return flood(ctx, s)
	})

	c := r.connect(servertest.Guest())
	open(t, c).request("shell", nil)
	servertest.Receive(t, ended)
	waitClosed(t, c)

	nc, err := r.dial("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	stalled := &stalledConn{Conn: nc, closed: make(chan struct{})}
	sc, _, _, err := ssh.NewClientConn(stalled, "", clientConfig(servertest.Guest()))
	if err != nil {
		t.Fatal(err)
	}
	ch, _, err := sc.OpenChannel("session", nil)
	if err != nil {
		t.Fatal(err)
	}
	stalled.stop.Store(true)
	if _, err := ch.SendRequest("shell", false, nil); err != nil {
		t.Fatal(err)
	}
	servertest.Receive(t, ended)
	close(stalled.closed)

	ask(t, r.connect(servertest.Guest()), "who")
}

// brokenConn is a connection to which nothing can be written.
type brokenConn struct{ net.Conn }

func (brokenConn) Write([]byte) (int, error) { return 0, errors.New("no route") }

// TestFailedWriteClosesTheConnection checks that a connection to which a write has failed is closed, counted as such and
// forgotten.
func TestFailedWriteClosesTheConnection(t *testing.T) {
	srv, _ := listen(t, Limits{}, waitForEnd)
	defer srv.closeListeners()
	client, nc := net.Pipe()
	defer client.Close()
	c := srv.admit(brokenConn{nc})
	if _, err := c.Write([]byte("x")); err == nil {
		t.Error("a write that fails returns no error")
	}
	select {
	case <-c.closed:
	default:
		t.Error("the connection is open after a write that has failed")
	}
	if n := srv.Stats().LimitHits[errWriteFailed.id]; n != 1 || len(srv.tracker.openConns()) != 0 {
		t.Errorf("%d failed writes are counted, and %d connections are tracked; want 1 and 0", n, len(srv.tracker.openConns()))
	}
}

// TestAbortedConnectionLeavesNothing: what the client has not taken is discarded, and not kept by the kernel for as long as the
// client likes.
func TestAbortedConnectionLeavesNothing(t *testing.T) {
	srv, _ := listen(t, Limits{}, waitForEnd)
	defer srv.closeListeners()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	nc, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	c := srv.admit(nc)
	if _, err := c.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	c.abort(errStall)
	if _, err := io.Copy(io.Discard, client); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("an aborted connection ends with %v", err)
	}
}

func TestHandlerCanCloseItsConnection(t *testing.T) {
	r := run(t, Limits{}, func(_ context.Context, s *Session) int { s.CloseConn(); return 0 })
	c := r.connect(servertest.Guest())
	open(t, c).request("shell", nil)
	waitClosed(t, c)
}

func TestPanicEndsOnlyItsSession(t *testing.T) {
	r := run(t, Limits{}, func(ctx context.Context, s *Session) int {
		if line, _ := s.Command(); line == "panic" {
			panic("a bug, and \x1b[31m" + s.User())
		}
		return waitForEnd(ctx, s)
	})
	r.logs.expectsPanic = true
	c := r.connect(servertest.Guest())
	other := open(t, c)
	other.request("shell", nil)
	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	var sent strings.Builder
	s.Stderr = &sent
	var exit *ssh.ExitError
	if err := s.Run("panic"); !errors.As(err, &exit) || exit.ExitStatus() != 1 {
		t.Error("exit:", err)
	}
	if sent.String() != "Internal error.\n" {
		t.Errorf("the client was told %q", sent.String())
	}
	if logs := r.logs.String(); !strings.Contains(logs, "a bug, and [31mana") || strings.Contains(logs, "\x1b") {
		t.Errorf("log: %.500q", logs)
	}
	if ok, _, err := c.SendRequest("still-there", true, nil); ok || err != nil {
		t.Error("the connection has gone:", err)
	}
}

func TestExitStatusIsTheHandlers(t *testing.T) {
	r := run(t, Limits{}, func(_ context.Context, s *Session) int {
		fmt.Fprint(s, "out")
		fmt.Fprint(s.Stderr(), "err")
		return 7
	})
	s, err := r.connect(servertest.Guest()).NewSession()
	if err != nil {
		t.Fatal(err)
	}
	var out, sent strings.Builder
	s.Stdout, s.Stderr = &out, &sent
	var exit *ssh.ExitError
	if err := s.Run("x"); !errors.As(err, &exit) || exit.ExitStatus() != 7 || out.String() != "out" || sent.String() != "err" {
		t.Error(err, out.String(), sent.String())
	}
}

func TestLargeOutputArrivesWhole(t *testing.T) {
	want := strings.Repeat("0123456789abcdef", 1<<16)
	r := run(t, Limits{}, func(_ context.Context, s *Session) int {
		if n, err := io.WriteString(s, want); n != len(want) || err != nil {
			return 1
		}
		return 0
	})
	if got := ask(t, r.connect(servertest.Guest()), "all"); got != want {
		t.Errorf("%d bytes of %d", len(got), len(want))
	}
}

// TestDataForNobodyClosesTheConnection has a client that sends on the stream for errors.
func TestDataForNobodyClosesTheConnection(t *testing.T) {
	r := run(t, Limits{}, waitForEnd)
	c := r.connect(servertest.Guest())
	ch := open(t, c)
	ch.request("shell", nil)
	if _, err := ch.Stderr().Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	waitClosed(t, c)
}

// TestDrainWithoutANotice says nothing.
func TestDrainWithoutANotice(t *testing.T) {
	begun := make(chan struct{}, 1)
	r := run(t, Limits{}, func(ctx context.Context, s *Session) int {
		begun <- struct{}{}
		<-ctx.Done()
		return 0
	})
	s, err := r.connect(servertest.Guest()).NewSession()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	s.Stdout, s.Stderr = &out, &out
	if err := s.Start("watch"); err != nil {
		t.Fatal(err)
	}
	servertest.Receive(t, begun)
	ended := make(chan error, 1)
	go func() { ended <- s.Wait() }()
	if err := r.Shutdown(t.Context(), ""); err != nil {
		t.Error(err)
	}
	if err := servertest.Receive(t, ended); err != nil || out.String() != "" {
		t.Errorf("%v, the client reads %q", err, out.String())
	}
}

func TestDrainTellsEverybody(t *testing.T) {
	begun, causes := make(chan struct{}, 2), make(chan error, 2)
	r := run(t, Limits{}, func(ctx context.Context, s *Session) int {
		begun <- struct{}{}
		<-ctx.Done()
		fmt.Fprint(s, "goodbye")
		causes <- context.Cause(ctx)
		return 5
	})
	check := make(chan func(), 2)
	for _, pty := range []bool{true, false} {
		s, err := r.connect(servertest.Guest()).NewSession()
		if err != nil {
			t.Fatal(err)
		}
		wantOut, wantErr := "goodbye", "Back in a minute.\n"
		if pty {
			wantOut, wantErr = "goodbyeBack in a minute.\r\n", ""
			if err := s.RequestPty("xterm", 24, 80, nil); err != nil {
				t.Fatal(err)
			}
		}
		var out, sent strings.Builder
		s.Stdout, s.Stderr = &out, &sent
		if err := s.Start("watch"); err != nil {
			t.Fatal(err)
		}
		servertest.Receive(t, begun)
		go func() {
			err := s.Wait()
			check <- func() {
				var exit *ssh.ExitError
				if !errors.As(err, &exit) || exit.ExitStatus() != 5 || out.String() != wantOut || sent.String() != wantErr {
					t.Errorf("the last words: %v, %q, %q", err, out.String(), sent.String())
				}
			}
		}()
	}
	bare := r.connect(servertest.Guest()) // without a session

	if err := r.Shutdown(t.Context(), "Back in a minute."); err != nil {
		t.Error("Shutdown:", err)
	}
	for range 2 {
		var drain *DrainError
		if err := servertest.Receive(t, causes); !errors.As(err, &drain) || drain.Notice != "Back in a minute." {
			t.Error("cause:", err)
		}
		servertest.Receive(t, check)()
	}
	waitClosed(t, bare)
	if nc, err := r.dial("127.0.0.1"); err == nil {
		nc.Close()
		t.Error("the server still listens")
	}
	if s := r.Stats(); s.Connections+s.Sessions != 0 {
		t.Errorf("%+v", s)
	}
}

// TestEndedSessionsLeaveTheServerRunning: all sessions end with the notice, and new ones begin.
func TestEndedSessionsLeaveTheServerRunning(t *testing.T) {
	begun := make(chan struct{}, 3)
	r := run(t, Limits{}, func(ctx context.Context, s *Session) int {
		begun <- struct{}{}
		return waitForEnd(ctx, s)
	})
	start := func() (s *ssh.Session, sent *strings.Builder) {
		t.Helper()
		s, err := r.connect(servertest.Guest()).NewSession()
		if err != nil {
			t.Fatal(err)
		}
		sent = new(strings.Builder)
		s.Stderr = sent
		if err := s.Start("watch"); err != nil {
			t.Fatal(err)
		}
		servertest.Receive(t, begun)
		return s, sent
	}
	a, toA := start()
	b, toB := start()
	if n := r.EndSessions("Connect again."); n != 2 {
		t.Errorf("%d sessions were ended", n)
	}
	_, _ = a.Wait(), b.Wait()
	if toA.String() != "Connect again.\n" || toB.String() != "Connect again.\n" {
		t.Errorf("the last words: %q, %q", toA, toB)
	}
	start()
	if err := r.Health(); err != nil {
		t.Error(err)
	}
}

// TestNobodyBeginsDuringADrain has a handler that takes its time to end, and its client, who
// wants one more session meanwhile.
func TestNobodyBeginsDuringADrain(t *testing.T) {
	ending, end := make(chan struct{}), make(chan struct{})
	r := run(t, Limits{}, func(ctx context.Context, s *Session) int {
		if line, _ := s.Command(); line == "late" {
			t.Error("a session began")
		}
		ending <- struct{}{}
		<-ctx.Done()
		ending <- struct{}{}
		<-end
		return 0
	})
	c := r.connect(servertest.Guest())
	open(t, c).request("shell", nil)
	servertest.Receive(t, ending)
	closed := make(chan error, 1)
	go func() { closed <- r.Shutdown(t.Context(), "Closing.") }()
	servertest.Receive(t, ending)
	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	var sent strings.Builder
	s.Stderr = &sent
	var exit *ssh.ExitError
	if err := s.Run("late"); !errors.As(err, &exit) || exit.ExitStatus() != 1 || sent.String() != "Closing.\n" {
		t.Errorf("%v, %q", err, sent.String())
	}
	close(end)
	if err := servertest.Receive(t, closed); err != nil {
		t.Error("Shutdown:", err)
	}
}

// TestDrainEndsAtItsDeadline has a handler that ends when the test does, a client that reads
// nothing, and one in its handshake.
func TestDrainEndsAtItsDeadline(t *testing.T) {
	begun, stuck := make(chan struct{}, 2), make(chan struct{})
	r := run(t, Limits{Grace: 50 * time.Millisecond}, func(_ context.Context, s *Session) int {
		begun <- struct{}{}
		if line, _ := s.Command(); line == "stuck" {
			<-stuck
			return 0
		}
		_, _ = s.Write(make([]byte, 64<<20))
		return 0
	})
	silent, err := r.dial("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	clients := []*ssh.Client{r.connect(servertest.Guest()), r.connect(servertest.Guest())}
	open(t, clients[0]).request("shell", nil)
	open(t, clients[1]).request("exec", execRequest{"stuck"})
	servertest.Receive(t, begun)
	servertest.Receive(t, begun)

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := r.Shutdown(ctx, "Bye."); !errors.Is(err, context.DeadlineExceeded) {
		t.Error("Shutdown:", err)
	}
	for _, c := range clients {
		waitClosed(t, c)
	}
	_, _ = io.Copy(io.Discard, silent)
	servertest.Until(t, "only the stuck handler runs", func() bool {
		s := r.Stats()
		return s.Connections == 0 && s.Sessions == 1
	})
	if logs := r.logs.String(); !strings.Contains(logs, "handlers still run") {
		t.Error("the log does not say so")
	}
	close(stuck)
	if err := r.Shutdown(t.Context(), ""); err != nil {
		t.Error("the second Shutdown:", err)
	}
}

// endedChannel is a channel whose input has ended.
type endedChannel struct{ ssh.Channel }

func (endedChannel) Read([]byte) (int, error) { return 0, io.EOF }

// TestLostConnectionIsNoEndOfInput: when the input ends because the connection is lost, the context has ended too, so that a
// handler can tell it from a client that has closed its input.
func TestLostConnectionIsNoEndOfInput(t *testing.T) {
	for _, lost := range []bool{false, true} {
		s := stream{conn: new(conn), channel: endedChannel{}}
		s.ctx, s.cancel = context.WithCancelCause(t.Context())
		s.conn.lost.Store(lost)
		if _, err := s.Read(nil); err != io.EOF || (s.ctx.Err() != nil) != lost {
			t.Errorf("lost %v: read %v, the context has %v", lost, err, s.ctx.Err())
		}
	}
	type end struct {
		lost bool
		err  error
	}
	ended := make(chan end, 1)
	r := run(t, Limits{}, func(ctx context.Context, s *Session) int {
		io.Copy(io.Discard, s)
		ended <- end{s.conn.lost.Load(), ctx.Err()}
		return 0
	})
	for _, lost := range []bool{true, false} {
		c := r.connect(servertest.Guest())
		s, err := c.NewSession()
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
		if lost {
			c.Close()
		} else {
			in.Close()
		}
		if e := servertest.Receive(t, ended); e.lost != lost || (e.err != nil) != lost {
			t.Errorf("lost %v: the input has ended with %+v", lost, e)
		}
	}
}
