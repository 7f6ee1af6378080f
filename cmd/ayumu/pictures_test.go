package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hinshun/vt10x"
	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

// picturesEnv is the environment variable with which TestPictures draws the pictures of the documents again, as
// .ci/pictures does.
const picturesEnv = "AYUMU_PICTURES"

// ayuMoves is the first part of a game between two built-in players of level 4.
const ayuMoves = `d5-c5 c8-d8 b11-b10 k10-j10 j1-j2 a2-b2 d11-d10 k8-j8 h1-h2 j10-h10 f1-f2 b2-d2 b1-b2 i10-g9 j2-j4 h10-g7
	f11-f10 g10-g5 h11-h10 a4-b4 b2-c3 c2-e3 b3-d4 j8-i7 f10-e9 i8-j6 j5-i3 g9-g3 c3-d5 i4-h4 h5-h6 h4-f8 h10-h8 a6-b6
	d3-d6 d2-e5 d4-c7 e2-e7 j4-h4 e3-d4 j3-h5 b4-c8 b10-c9 c4-b8 d1-d2 e10-e11 i3-g9 e11-d11 b5-c4 d11-c11 f7-f6 c11-b10`

// TestPictures plays games on a server, as spectators see them, and compares their screens with the pictures of the
// documents. What it compares is everything but the digits of clocks.
func TestPictures(t *testing.T) {
	for _, picture := range []struct {
		file, title   string
		game, options string
		moves         []string
		talk          [][2]string // who says what in the end
		keys          string      // typed by the spectator whose screen it is
		shown         []string    // on that screen
	}{
		{
			"docs/match.svg", "A spectator's screen of a game of Ayu", "ayu", `{"size":11,"pie":false}`, strings.Fields(ayuMoves),
			[][2]string{{"carol", "White is ahead"}, {"dora", "7 all after f6-f4"}},
			"\x1b[A", []string{"52 turns", "f6: a black group of 2,"},
		},
	} {
		t.Run(picture.game, func(t *testing.T) {
			if readme, err := os.ReadFile("../../README.md"); err != nil || !strings.Contains(string(readme), "("+picture.file+")") {
				t.Errorf("README.md does not show %s: %v", picture.file, err)
			}
			p := start(t, t.TempDir())
			players := [2]*apiClient{p.api(t, "ana", servertest.NewKey(t)), p.api(t, "bob", servertest.NewKey(t))}
			table := players[0].ask("open", fmt.Sprintf(`,"game":%q,"options":%s,"clock":{"initial":900,"increment":10},"first":"owner","to":"bob"`, picture.game, picture.options))
			match := players[1].ask("join", fmt.Sprintf(`,"table":%q`, table.Table)).Match
			version := players[0].ask("watch", fmt.Sprintf(`,"match":%q`, match)).Version
			for i, move := range picture.moves {
				version = players[i%2].ask("act", fmt.Sprintf(`,"match":%q,"version":%d,"actions":[%q]`, match, version, move)).Version
			}
			screen := p.emulator("erin", "watch "+match)
			screen.waitFor("Choose your name")
			screen.keys("\r")
			screen.waitFor("Spectator chat")
			screen.waitForInput()
			screen.keys(picture.keys)
			screen.waitFor(picture.shown[0])
			spectators := make(map[string]*apiClient)
			for _, line := range picture.talk {
				if spectators[line[0]] == nil {
					spectators[line[0]] = p.api(t, line[0], servertest.NewKey(t))
					spectators[line[0]].ask("watch", fmt.Sprintf(`,"match":%q`, match))
				}
				spectators[line[0]].ask("say", fmt.Sprintf(`,"match":%q,"text":%q`, match, line[1]))
				screen.waitFor(line[1])
			}
			for _, text := range picture.shown {
				screen.waitFor(text)
			}
			if os.Getenv(picturesEnv) != "" {
				screen.waitUntilStill(10 * time.Second)
				if err := os.WriteFile("../../"+picture.file, screen.picture(picture.title), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			stored, err := os.ReadFile("../../" + picture.file)
			if err != nil {
				t.Fatal(err)
			}
			if !screen.until(func() bool { return bytes.Equal(withoutClocks(screen.picture(picture.title)), withoutClocks(stored)) }) {
				t.Errorf("%s is not what the program shows; look at this screen and draw it again with .ci/pictures:\n%s", picture.file, screen.text())
			}
		})
	}
}

// clockDigits matches a clock's time, or the time of day of a line of chat.
var clockDigits = regexp.MustCompile(`[0-9]+:[0-9][0-9]`)

func withoutClocks(text []byte) []byte { return clockDigits.ReplaceAll(text, []byte("0:00")) }

// emulator is a terminal of 80×24 with true colours.
type emulator struct {
	t  *testing.T
	in interface{ Write([]byte) (int, error) }

	mu      sync.Mutex
	vt      vt10x.Terminal
	changed chan struct{} // has a value after a change
	unshown []byte        // the beginning of a character
}

// emulator opens the screen of a command for a new account.
func (p *process) emulator(user, command string) *emulator {
	p.t.Helper()
	s, err := p.dial(user).NewSession()
	if err != nil {
		p.t.Fatal(err)
	}
	e := &emulator{t: p.t.(*testing.T), vt: vt10x.New(vt10x.WithSize(80, 24)), changed: make(chan struct{}, 1)}
	if e.in, err = s.StdinPipe(); err != nil {
		p.t.Fatal(err)
	}
	s.Stdout, s.Stderr = e, e
	if err := s.Setenv("COLORTERM", "truecolor"); err != nil {
		p.t.Fatal(err)
	}
	if err := s.RequestPty("xterm-256color", 24, 80, ssh.TerminalModes{}); err != nil {
		p.t.Fatal(err)
	}
	if err := s.Start(command); err != nil {
		p.t.Fatal(err)
	}
	return e
}

// Write shows what the server sends, without the beginning of a character, which comes with the next call.
func (e *emulator) Write(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.unshown = append(e.unshown, b...)
	n := len(e.unshown)
	for i := n - 1; i >= max(0, n-utf8.UTFMax); i-- {
		if utf8.RuneStart(e.unshown[i]) {
			if !utf8.FullRune(e.unshown[i:]) {
				n = i
			}
			break
		}
	}
	_, err := e.vt.Write(e.unshown[:n])
	e.unshown = append(e.unshown[:0], e.unshown[n:]...)
	select {
	case e.changed <- struct{}{}:
	default:
	}
	return len(b), err
}

func (e *emulator) text() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.vt.String()
}

func (e *emulator) picture(title string) []byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	return drawSVG(title, e.vt)
}

func (e *emulator) keys(keys string) {
	e.t.Helper()
	if _, err := e.in.Write([]byte(keys)); err != nil {
		e.t.Fatal(err)
	}
}

// until waits until something is true of the screen, and reports whether it was in time.
func (e *emulator) until(holds func() bool) bool {
	for end := time.After(waitTimeout); ; {
		if holds() {
			return true
		}
		select {
		case <-e.changed:
		case <-end:
			return holds()
		}
	}
}

func (e *emulator) waitFor(text string) {
	e.t.Helper()
	if !e.until(func() bool { return strings.Contains(e.text(), text) }) {
		e.t.Fatalf("the screen does not show %q:\n%s", text, e.text())
	}
}

// waitForInput waits until keys are taken: a game that opens by itself takes none for a moment.
func (e *emulator) waitForInput() {
	e.t.Helper()
	again := time.NewTicker(200 * time.Millisecond)
	defer again.Stop()
	const talking = "Enter send"
	for end := time.Now().Add(waitTimeout); !strings.Contains(e.text(), talking); <-again.C {
		if time.Now().After(end) {
			e.t.Fatalf("no line of chat opens:\n%s", e.text())
		}
		e.keys("t")
	}
	e.keys("\x1b")
	if !e.until(func() bool { return !strings.Contains(e.text(), talking) }) {
		e.t.Fatalf("the line of chat stays:\n%s", e.text())
	}
}

// waitUntilStill waits until nothing but clocks has changed for a while.
func (e *emulator) waitUntilStill(while time.Duration) {
	for still := false; !still; {
		before := withoutClocks([]byte(e.text()))
		end := time.After(while)
		for still = true; still; {
			select {
			case <-e.changed:
				still = bytes.Equal(before, withoutClocks([]byte(e.text())))
				continue
			case <-end:
			}
			break
		}
	}
}
