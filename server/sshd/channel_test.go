package sshd

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

// describe is a handler that says what it knows of its client.
func describe(_ context.Context, s *Session) int {
	line, ok := s.Command()
	pty, hasPTY := s.PTY()
	fmt.Fprintf(s, "%q %v; %q %dx%d %v;", line, ok, pty.Term, pty.Width, pty.Height, hasPTY)
	for _, name := range []string{"LANG", "LC_ALL", "COLORTERM", "NO_COLOR", "TERM_PROGRAM", "PATH"} {
		if value, ok := s.Env(name); ok {
			fmt.Fprintf(s, " %s=%s", name, value)
		}
	}
	return 0
}

// channel is a session's channel as the protocol has it.
type channel struct {
	ssh.Channel
	t *testing.T
}

func open(t *testing.T, c *ssh.Client) channel {
	t.Helper()
	ch, requests, err := c.OpenChannel("session", nil)
	if err != nil {
		t.Fatal(err)
	}
	go ssh.DiscardRequests(requests)
	return channel{ch, t}
}

// request sends a request, with a payload or nil, and returns whether it was granted.
func (c channel) request(kind string, payload any) bool {
	c.t.Helper()
	var b []byte
	if payload != nil {
		b = ssh.Marshal(payload)
	}
	ok, err := c.SendRequest(kind, true, b)
	if err != nil {
		c.t.Fatal(kind, err)
	}
	return ok
}

// output starts a shell and returns what it writes until its end.
func (c channel) output() string {
	c.t.Helper()
	if !c.request("shell", nil) {
		c.t.Fatal("no shell")
	}
	out, err := io.ReadAll(c)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(out)
}

func TestWindowIsClamped(t *testing.T) {
	r := run(t, Limits{}, describe)
	c := r.connect(servertest.Guest())
	for _, tt := range []struct {
		columns, rows uint32
		want          string
	}{
		{80, 24, "80x24"},
		{500, 200, "500x200"},
		{5000, 5000, "500x200"},
		{60000, 1, "500x1"},
		{1, 60000, "1x200"},
		{1<<32 - 1, 1<<32 - 1, "500x200"},
		{0, 0, "80x24"},
		{0, 30, "80x30"},
	} {
		ch := open(t, c)
		if !ch.request("pty-req", ptyRequest{Term: "xterm", Columns: tt.columns, Rows: tt.rows}) {
			t.Error(tt, "refused")
		}
		if out := ch.output(); !strings.Contains(out, tt.want+" true") {
			t.Errorf("%d×%d by pty-req: %s, want %s", tt.columns, tt.rows, out, tt.want)
		}
		ch = open(t, c)
		ch.request("pty-req", ptyRequest{Term: "xterm"})
		if !ch.request("window-change", windowRequest{Columns: tt.columns, Rows: tt.rows}) {
			t.Error(tt, "refused")
		}
		if out := ch.output(); !strings.Contains(out, tt.want+" true") {
			t.Errorf("%d×%d by window-change: %s, want %s", tt.columns, tt.rows, out, tt.want)
		}
	}
	if n := r.Stats().LimitHits[hitTerminal]; n != 8 {
		t.Errorf("%d requests are counted as above the limit, want the 8 that were", n)
	}
}

func TestResizesAreCoalesced(t *testing.T) {
	look, sizes := make(chan struct{}), make(chan Size)
	r := run(t, Limits{}, func(ctx context.Context, s *Session) int {
		for range look {
			select {
			case size := <-s.Resized():
				sizes <- size
			default:
				sizes <- Size{}
			}
		}
		return 0
	})
	defer close(look)
	taken := func(want Size) {
		t.Helper()
		look <- struct{}{}
		if got := servertest.Receive(t, sizes); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
	ch := open(t, r.connect(servertest.Guest()))
	ch.request("pty-req", ptyRequest{Term: "xterm", Columns: 80, Rows: 24})
	ch.request("shell", nil)
	for i := range uint32(1000) {
		if _, err := ch.SendRequest("window-change", false, ssh.Marshal(windowRequest{Columns: 81 + i, Rows: 50000})); err != nil {
			t.Fatal(err)
		}
	}
	ch.request("window-change", windowRequest{Columns: 99, Rows: 33})
	taken(Size{99, 33})
	taken(Size{})
	ch.request("window-change", windowRequest{Columns: 99, Rows: 33})
	taken(Size{}) // it is no news
	ch.request("window-change", windowRequest{Columns: 98, Rows: 33})
	taken(Size{98, 33})
}

func TestTermIsATerminalsName(t *testing.T) {
	r := run(t, Limits{}, describe)
	c := r.connect(servertest.Guest())
	for term, want := range map[string]string{
		"xterm-256color":         "xterm-256color",
		"screen.xterm+a_b":       "screen.xterm+a_b",
		"dumb":                   "dumb",
		"AZ.az-09":               "AZ.az-09",
		strings.Repeat("x", 64):  strings.Repeat("x", 64),
		strings.Repeat("x", 65):  "",
		strings.Repeat("x", 4e4): "",
		"x\x1b]0;y\a":            "",
		"../../etc/terminfo":     "",
		"xterm\xff":              "",
		"":                       "",
	} {
		ch := open(t, c)
		ch.request("pty-req", ptyRequest{Term: term, Columns: 80, Rows: 24})
		if out := ch.output(); !strings.Contains(out, fmt.Sprintf("; %q 80x24 true", want)) {
			t.Errorf("TERM=%q: %s", term, out)
		}
	}
}

func TestTerminalIsSaidOnceAndBefore(t *testing.T) {
	end := make(chan struct{})
	r := run(t, Limits{}, func(context.Context, *Session) int { <-end; return 0 })
	defer close(end)
	c := r.connect(servertest.Guest())
	ch := open(t, c)
	if ch.request("window-change", windowRequest{Columns: 80, Rows: 24}) {
		t.Error("window-change without a terminal")
	}
	if ch.request("pty-req", struct{ Term string }{"xterm"}) {
		t.Error("pty-req cut short")
	}
	if !ch.request("pty-req", ptyRequest{Term: "xterm"}) || ch.request("pty-req", ptyRequest{Term: "xterm"}) {
		t.Error("pty-req: want the first only")
	}
	if !ch.request("shell", nil) || ch.request("shell", nil) || ch.request("exec", execRequest{"who"}) {
		t.Error("shell: want the first only")
	}
	if ch.request("env", envRequest{"LANG", "C"}) {
		t.Error("env after the start")
	}
	plain := open(t, c)
	if !plain.request("shell", nil) || plain.request("pty-req", ptyRequest{Term: "xterm"}) {
		t.Error("pty-req after the start")
	}
}

func TestEnvIsBounded(t *testing.T) {
	r := run(t, Limits{}, describe)
	c := r.connect(servertest.Guest())
	ch := open(t, c)
	for _, tt := range []struct {
		name, value string
		want        bool
	}{
		{"LANG", "de_DE.UTF-8", true},
		{"LC_ALL", "C", true},
		{"LC_ALL", "C.UTF-8", true},
		{"COLORTERM", "truecolor", true},
		{"NO_COLOR", "1", true},
		{"TERM_PROGRAM", strings.Repeat("x", 1024-len("TERM_PROGRAM")), true},
		{"TERM_PROGRAM", strings.Repeat("x", 1025-len("TERM_PROGRAM")), false},
		{"PATH", "/bin", false},
		{"LD_PRELOAD", "x", false},
		{"LC_", "x", false},
		{"LC_ü", "x", false},
		{"LC_all", "x", false},
		{"LANG", "C\x1b[2J", false},
		{"LANG", "C\u202e", false},
		{"LANG", "C\xff", false},
		{"LANG\n", "C", false},
		{"", "", false},
	} {
		if got := ch.request("env", envRequest{tt.name, tt.value}); got != tt.want {
			t.Errorf("%q=%.20q: %v", tt.name, tt.value, got)
		}
	}
	want := " LANG=de_DE.UTF-8 LC_ALL=C.UTF-8 COLORTERM=truecolor NO_COLOR=1 TERM_PROGRAM=xxx"
	if out := ch.output(); !strings.Contains(out, want) || strings.Contains(out, "PATH") {
		t.Error(out)
	}

	ch, granted := open(t, c), 0
	for i := range 500 {
		if ch.request("env", envRequest{fmt.Sprintf("LC_%c%c", 'A'+i/26, 'A'+i%26), "x"}) {
			granted++
		}
	}
	if granted != 16 {
		t.Errorf("%d variables were granted", granted)
	}
	if n := r.Stats().LimitHits[hitEnv]; n != 1+500-16 {
		t.Errorf("%d variables that were too long or too many were counted", n)
	}
	if !ch.request("env", envRequest{"LC_AA", "y"}) {
		t.Error("one of 16 variables cannot be changed")
	}
}

// TestResizeIsNotMissed: who asks to be called learns of a size that is there already, too.
func TestResizeIsNotMissed(t *testing.T) {
	s := &setup{resized: make(chan Size, 1)}
	calls := 0
	s.OnResize(func() { calls++ })
	if calls != 0 || s.onResize == nil {
		t.Errorf("%d calls without a size; the function is kept: %t", calls, s.onResize != nil)
	}
	s.resized <- Size{Width: 80, Height: 24}
	if s.OnResize(func() { calls++ }); calls != 1 {
		t.Errorf("%d calls with a size", calls)
	}
}

func TestCommandIsBounded(t *testing.T) {
	r := run(t, Limits{}, describe)
	c := r.connect(servertest.Guest())
	for _, line := range []string{"", "who", "say 'a  b'\n\x00\xff", strings.Repeat("x", 4096)} {
		if got := ask(t, c, line); !strings.HasPrefix(got, fmt.Sprintf("%q true;", line)) {
			t.Errorf("%.20q: %.40s", line, got)
		}
	}
	ch := open(t, c)
	for _, length := range []int{4097, 30000} {
		if ch.request("exec", execRequest{strings.Repeat("x", length)}) {
			t.Errorf("a line of %d bytes was accepted", length)
		}
	}
	if ch.request("exec", nil) {
		t.Error("exec without a line was accepted")
	}
	if out := ch.output(); !strings.HasPrefix(out, `"" false;`) {
		t.Errorf("a shell after the refusals: %s", out)
	}
}

func TestAtMostThreeSessions(t *testing.T) {
	end := make(chan struct{})
	r := run(t, Limits{}, func(_ context.Context, s *Session) int {
		if _, command := s.Command(); !command {
			<-end
		}
		return 0
	})
	c := r.connect(servertest.Guest())
	first := open(t, c)
	if !first.request("shell", nil) {
		t.Fatal("no shell")
	}
	accepted := []channel{first}
	for range 499 {
		if ch, requests, err := c.OpenChannel("session", nil); err == nil {
			go ssh.DiscardRequests(requests)
			accepted = append(accepted, channel{ch, t})
		}
	}
	if len(accepted) != 3 {
		t.Fatalf("%d of 500 sessions were accepted", len(accepted))
	}
	ask(t, r.connect(servertest.Guest()), "who") // somebody else
	for _, ch := range accepted[1:] {
		if !ch.request("shell", nil) {
			t.Error("an accepted session does not start")
		}
	}
	// A handler that runs keeps its place, also when its client has closed the channel.
	first.Close()
	if ch, _, err := c.OpenChannel("session", nil); err == nil {
		ch.Close()
		t.Error("the place of a handler that runs was given away")
	}
	close(end)
	for deadline := time.Now().Add(servertest.WaitTimeout); ; {
		if _, _, err := c.OpenChannel("session", nil); err == nil {
			break
		} else if time.Now().After(deadline) {
			t.Fatal("the place of a session that has ended is not free:", err)
		}
	}
}

func TestForwardingIsRefused(t *testing.T) {
	target, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	r := run(t, Limits{}, describe)
	c := r.connect(servertest.Guest())
	if nc, err := c.Dial("tcp", target.Addr().String()); err == nil {
		nc.Close()
		t.Error("a port was forwarded")
	}
	if nc, err := c.Dial("unix", "/var/run/docker.sock"); err == nil {
		nc.Close()
		t.Error("a socket was forwarded")
	}
	if l, err := c.Listen("tcp", "127.0.0.1:0"); err == nil {
		l.Close()
		t.Error("a port was forwarded back")
	}
	for _, request := range []string{"tcpip-forward", "cancel-tcpip-forward", "streamlocal-forward@openssh.com", "no-such-thing"} {
		if ok, _, err := c.SendRequest(request, true, nil); ok || err != nil {
			t.Errorf("%s: %v, %v", request, ok, err)
		}
	}
	for _, kind := range []string{"direct-tcpip", "forwarded-tcpip", "tun@openssh.com", "no-such-thing"} {
		if _, _, err := c.OpenChannel(kind, nil); err == nil {
			t.Errorf("a channel %s was opened", kind)
		}
	}
	ask(t, c, "who")
}

func TestAgentIsRefused(t *testing.T) {
	r := run(t, Limits{}, describe)
	c := r.connect(servertest.Guest())
	if open(t, c).request("auth-agent-req@openssh.com", nil) {
		t.Error("an agent was accepted")
	}
	if _, _, err := c.OpenChannel("auth-agent@openssh.com", nil); err == nil {
		t.Error("a channel to an agent was opened")
	}
}

func TestX11IsRefused(t *testing.T) {
	r := run(t, Limits{}, describe)
	c := r.connect(servertest.Guest())
	x11 := struct {
		Single           bool
		Protocol, Cookie string
		Screen           uint32
	}{false, "MIT-MAGIC-COOKIE-1", "00", 0}
	if open(t, c).request("x11-req", x11) {
		t.Error("X11 was accepted")
	}
	if _, _, err := c.OpenChannel("x11", nil); err == nil {
		t.Error("an X11 channel was opened")
	}
}

func TestSubsystemsAreRefused(t *testing.T) {
	r := run(t, Limits{}, describe)
	ch := open(t, r.connect(servertest.Guest()))
	for _, name := range []string{"sftp", "netconf", ""} {
		if ch.request("subsystem", struct{ Name string }{name}) {
			t.Errorf("subsystem %q was accepted", name)
		}
	}
	for _, request := range []string{"signal", "break", "eow@openssh.com", "no-such-thing"} {
		if ch.request(request, nil) {
			t.Errorf("%s was granted", request)
		}
	}
}

func TestFileCopiesAreRefused(t *testing.T) {
	r := run(t, Limits{}, describe)
	ch := open(t, r.connect(servertest.Guest()))
	for _, line := range []string{"scp -t .", " scp -f /etc/passwd", "/usr/lib/openssh/sftp-server", "internal-sftp", "rsync --server . /"} {
		if ch.request("exec", execRequest{line}) {
			t.Errorf("%q was accepted", line)
		}
	}
	if !ch.request("exec", execRequest{"scpx"}) {
		t.Error("another command was refused")
	}
}
