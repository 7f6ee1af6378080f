package server_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"charm.land/log/v2"
	"github.com/hinshun/vt10x"
	"golang.org/x/crypto/ssh"

	"ayumu/server"
	"ayumu/server/servertest"
	"ayumu/tui/game/gametest"
)

// terminal is a person at a screen: what was written to it is shown by a terminal emulator.
type terminal struct {
	t    *testing.T
	in   io.Writer
	conn *ssh.Client
	chn  *ssh.Session

	mu      sync.Mutex
	changed *sync.Cond
	vt      vt10x.Terminal
	unshown []byte // the beginning of a character
	ended   bool
}

// terminal connects with a terminal of 80×24, and a command line or none.
func (h harness) terminal(user string, key ssh.Signer, term, command string) *terminal {
	h.t.Helper()
	c := h.dial(user, key)
	s, err := c.NewSession()
	if err != nil {
		h.t.Fatal(err)
	}
	p := &terminal{t: h.t, conn: c, chn: s, vt: vt10x.New(vt10x.WithSize(80, 24))}
	p.changed = sync.NewCond(&p.mu)
	if p.in, err = s.StdinPipe(); err != nil {
		h.t.Fatal(err)
	}
	s.Stdout, s.Stderr = p, p
	if err := s.RequestPty(term, 24, 80, ssh.TerminalModes{}); err != nil {
		h.t.Fatal(err)
	}
	if command == "" {
		err = s.Shell()
	} else {
		err = s.Start(command)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	go func() {
		s.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.ended = true
		p.changed.Broadcast()
	}()
	return p
}

// Write shows what the server sends. It keeps an incomplete last character for the next call, because vt10x takes
// only complete ones, and io.Copy ends for good at a short write.
func (p *terminal) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.changed.Broadcast()
	p.unshown = append(p.unshown, b...)
	n := len(p.unshown)
	for i := n - 1; i >= max(0, n-utf8.UTFMax); i-- {
		if utf8.RuneStart(p.unshown[i]) {
			if !utf8.FullRune(p.unshown[i:]) {
				n = i
			}
			break
		}
	}
	_, err := p.vt.Write(p.unshown[:n])
	p.unshown = append(p.unshown[:0], p.unshown[n:]...)
	return len(b), err
}

func (p *terminal) text() string { return p.vt.String() }

// waitFor waits until the screen shows something.
func (p *terminal) waitFor(what string) {
	p.t.Helper()
	p.until(quote(what)+" is shown", func(screen string) bool { return strings.Contains(screen, what) })
}

// waitForEnd waits until the session has ended.
func (p *terminal) waitForEnd() {
	p.t.Helper()
	late := time.AfterFunc(servertest.WaitTimeout, func() {
		p.t.Errorf("the session does not end:\n%s", p.text())
		p.conn.Close()
	})
	defer late.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.ended {
		p.changed.Wait()
	}
}

// until waits until the screen is as wanted.
func (p *terminal) until(what string, ok func(screen string) bool) {
	p.t.Helper()
	late := time.AfterFunc(servertest.WaitTimeout, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.ended = true
		p.changed.Broadcast()
	})
	defer late.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for !ok(p.text()) {
		if p.ended {
			p.t.Fatalf("it never came that %s:\n%s", what, p.text())
		}
		p.changed.Wait()
	}
}

// waitForInput waits until keys are taken: a game that opens by itself takes none for a moment. Of the key
// that begins a line of talk it makes no difference how many are taken before the one that ends it.
func (p *terminal) waitForInput() {
	p.t.Helper()
	again := time.NewTicker(200 * time.Millisecond)
	defer again.Stop()
	const talking = "Enter send"
	begun := func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return strings.Contains(p.text(), talking)
	}
	for deadline := time.Now().Add(servertest.WaitTimeout); !begun(); <-again.C {
		if time.Now().After(deadline) {
			p.t.Fatalf("no line of talk opens:\n%s", p.text())
		}
		p.keys("t")
	}
	p.keys("\x1b")
	p.until("no line of talk is open", func(screen string) bool { return !strings.Contains(screen, talking) })
}

func (p *terminal) keys(keys string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, keys); err != nil {
		p.t.Fatal(err)
	}
}

func TestTwoPeopleAtScreensPlayAWholeGameAndAThirdWatches(t *testing.T) {
	h := open(t)
	ana := h.terminal("ana", servertest.NewKey(t), "xterm-256color", "")
	ana.waitFor("Choose your name.")
	ana.keys("\r")
	ana.waitFor("Open tables")
	guest := h.terminal("x", nil, "xterm-256color", "")
	guest.waitFor("guest")
	guest.keys("\r")
	guest.waitFor("Open tables")
	// A table of 5×5 with the pie rule and no clock.
	robot := h.program("maker", servertest.NewKey(t))
	robot.must("open", object{"game": "ayu", "options": object{"size": 5}, "to": "ana"})
	ana.waitFor("maker")
	guest.keys("n")
	guest.waitFor("New table")
	guest.keys("\x1b[B\x1b[D\x1b[D\x1b[D\r") // below the game is the size; 5×5 stands three to the left of 11×11
	guest.waitFor("Your table is open")
	name := ""
	for p := range h.l.View().Users.All() {
		if p.ID < 0 {
			name = p.Name
		}
	}
	var table string
	for _, row := range h.l.TableList().Tables {
		if row.Owner == name {
			table = row.ID
		}
	}
	s := h.terminal("ana2", servertest.NewKey(t), "xterm-256color", "join "+table)
	s.waitFor("Choose your name.")
	s.keys("\r")
	s.waitFor("Goal: join all of your stones")
	guest.waitFor("Goal: join all of your stones")
	for _, who := range []*terminal{s, guest} {
		who.waitForInput()
		who.keys(":legend\r") // hides the legend, which newcomers see in place of the turns
		who.waitFor("0 turns")
	}
	m := h.l.View().Matches[0]
	spectator := h.terminal("w", nil, "xterm-256color", "watch "+m.ID)
	spectator.waitFor("as a guest")
	spectator.keys("\r")
	spectator.waitFor("Ayu 5×5")

	seats := map[string]*terminal{"ana2": s, name: guest}
	p := position(t, `{"size":5}`)
	for turns := 0; ; turns++ {
		if _, over := p.Result(); over {
			break
		}
		action := p.Legal()[0]
		seats[m.Info.Seats[p.Turn()].Name].keys(strings.ReplaceAll(action, "-", "") + "\r")
		var err error
		if p, err = p.Play(action); err != nil {
			t.Fatal(err)
		}
		for _, who := range []*terminal{s, guest, spectator} {
			who.until(fmt.Sprintf("turn %d is shown", turns+1), func(screen string) bool {
				return strings.Contains(screen, fmt.Sprintf("─ %d turn", turns+1)) && strings.Contains(screen, action)
			})
		}
	}
	for _, who := range []*terminal{s, guest, spectator} {
		who.waitFor("win") // "You win", "ana wins"
	}
	s.keys("q")
	s.waitFor("Open tables")
}

// playOn opens a match between two programs and returns what makes its next turn.
func (h harness) playOn() (match string, next func()) {
	h.t.Helper()
	ana, bob := h.program("ana", servertest.NewKey(h.t)), h.program("bob", servertest.NewKey(h.t))
	table := ana.must("open", object{"game": "ayu", "options": object{"size": 15, "pie": false}})
	bob.must("join", object{"table": table["table"]})
	m := ana.event("match")
	movers := map[int]*apiClient{m.number("you"): ana, 1 - m.number("you"): bob}
	p, version := position(h.t, `{"size":15,"pie":false}`), 0
	return m.text("match"), func() {
		h.t.Helper()
		action := p.Legal()[0]
		movers[p.Turn()].must("act", object{"match": m["match"], "version": version, "actions": []string{action}})
		version++
		p, _ = p.Play(action)
	}
}

func TestATerminalThatDoesNotReadDelaysNobody(t *testing.T) {
	h := open(t)
	match, next := h.playOn()
	c := h.dial("deaf", nil)
	channel, requests, err := c.OpenChannel("session", nil)
	if err != nil {
		t.Fatal(err)
	}
	go ssh.DiscardRequests(requests)
	// A tiny window would do; this client simply never reads, and asks for a lot to be drawn.
	pty := ssh.Marshal(struct {
		Term                 string
		Cols, Rows, PxW, PxH uint32
		Modes                string
	}{"xterm", 60000, 60000, 0, 0, ""})
	for _, r := range []struct {
		name    string
		payload []byte
	}{{"pty-req", pty}, {"exec", ssh.Marshal(struct{ C string }{"watch " + match})}} {
		if ok, err := channel.SendRequest(r.name, true, r.payload); !ok || err != nil {
			t.Fatal(r.name, ok, err)
		}
	}
	spectator := h.terminal("w", nil, "xterm", "watch "+match)
	spectator.waitFor("as a guest")
	spectator.keys("\r")
	io.WriteString(channel, "\r")
	for turns := 1; turns <= 60; turns++ {
		next()
		spectator.waitFor(fmt.Sprintf("%d turn", turns))
	}
}

func TestAChannelThatClosesLeavesNothingBehind(t *testing.T) {
	h := open(t)
	match, next := h.playOn()
	c := h.dial("many", nil)
	before := runtime.NumGoroutine()
	for range 20 {
		s, err := c.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.RequestPty("xterm", 24, 80, ssh.TerminalModes{}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.StdinPipe(); err != nil { // without it the input ends at once
			t.Fatal(err)
		}
		out, err := s.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Start("watch " + match); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
		s.Close() // the connection stays
	}
	next()
	deadline := time.Now().Add(servertest.WaitTimeout)
	for runtime.NumGoroutine() > before+3 {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
		runtime.Gosched()
	}
	for p := range h.l.View().Users.All() {
		if p.ID < 0 {
			t.Errorf("%s is still here", p.Name)
		}
	}
}

// TestStockProgramsShowTheSameOverSSH: two sessions of one account, one in the shared runtime and one in a stock program
// of Bubble Tea, show the same text after each key, and end alike.
func TestStockProgramsShowTheSameOverSSH(t *testing.T) {
	h := open(t)
	stock := serve(t, &server.Handler{Games: gametest.Games, Lobby: h.l, SSHTarget: "-p 2222 localhost", Version: "test", Log: log.New(io.Discard), StockScreens: true})
	key := servertest.NewKey(t)
	h.enter("ana", key)
	both := []*terminal{h.terminal("ana", key, "xterm-256color", ""), stock.terminal("ana", key, "xterm-256color", "")}
	screen := func(p *terminal) string {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.text()
	}
	for _, step := range []struct{ keys, shows string }{
		{"", "p quick match"},
		{"o", "Colours"},
		{"\x1b[B\x1b[C", "[dark]"},
		{"\x1b[D", "[auto]"},
		{"q", "p quick match"},
		{"L", "Learn"},
		{"\r", "1 of"},
		{"q", "Learn"},
		{"q", "p quick match"},
		{":", "Commands"},
		{"\x1b", "p quick match"},
		{"?", "The lobby"},
		{"q", "p quick match"},
	} {
		for _, p := range both {
			p.keys(step.keys)
		}
		servertest.Until(t, fmt.Sprintf("after %q both show %q and the same:\n%s\n%s", step.keys, step.shows, screen(both[0]), screen(both[1])), func() bool {
			a, b := screen(both[0]), screen(both[1])
			return a == b && strings.Contains(a, step.shows)
		})
	}
	for _, p := range both {
		p.keys("qy")
		p.waitFor("Goodbye, ana.")
		p.waitForEnd()
	}
}
