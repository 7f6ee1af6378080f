package server_test

import (
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

func TestWithoutATerminalTheDoorstepSaysHowToComeIn(t *testing.T) {
	h := open(t)
	p := h.program("ana", servertest.NewKey(t))
	table := p.must("open", object{"game": "ayu"}).text("table")
	s, err := h.dial("guest", nil).NewSession()
	if err != nil {
		t.Fatal(err)
	}
	var out servertest.Buffer
	s.Stdout = &out
	if err := s.Shell(); err != nil {
		t.Fatal(err)
	}
	exit, ok := s.Wait().(*ssh.ExitError)
	if !ok || exit.ExitStatus() != 1 {
		t.Errorf("ended with %v", exit)
	}
	for _, want := range []string{"ssh -t -p 2222 localhost", table, "ana", "11×11"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is missing in\n%s", quote(want), out.String())
		}
	}
}

func TestCommands(t *testing.T) {
	h := open(t)
	h.program("ana", servertest.NewKey(t)).must("open", object{"game": "ayu"})
	for _, c := range []struct {
		line, out, errs string
		status          int
	}{
		{"help", "matches", "", 0},
		{"who", "ana", "", 0},
		{"who --json", `"name":"ana"`, "", 0},
		{"tables", "11×11, pie", "", 0},
		{"tables --json", `"owner":"ana"`, "", 0},
		{"matches", "No games in progress.", "", 0},
		{"matches --json", `{"matches":[]}`, "", 0},
		{"version", "ayumu test", "", 0},
		{"watch", "", "usage: watch MATCH", 1},
		{"watch nosuch", "", "no game", 1},
		{"who is there", "", "unexpected \"is\"; usage: who\n", 1},
		{"rm -rf /", "", "unknown command", 1},
		{"who\x00", "", "not text", 1},
		{"\xff", "", "not text", 1},
		{strings.Repeat("a ", 101), "", "more than", 1},
		{"join tabl1", "", "you have no account here; connect once with ssh -t ", 1},
		{"join", "", "usage: join TABLE [CODE]\n", 1},
		{"line", "", "line needs a terminal: ssh -t ", 1},
		{"replay m", "", "replay needs a terminal: ssh -t ", 1},
		{"replay m", "", " replay m\n", 1},
		{"replay", "", " replay MATCH\n", 1},
		{"api extra", "", "usage: api\n", 1},
	} {
		out, errs, status := h.command(nil, c.line)
		if !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) || status != c.status || c.status == 0 && errs != "" {
			t.Errorf("%.30q: exit %d\nout %q\nerr %q", c.line, status, out, errs)
		}
		if strings.ContainsAny(out+errs, "\x1b") {
			t.Errorf("%.30q: escape sequences without a terminal", c.line)
		}
	}
}

func TestLinesStandBelowEachOtherOnATerminal(t *testing.T) {
	h := open(t)
	help := h.terminal("x", nil, "xterm", "help")
	help.until("help begins its lines on the left and fits the terminal", func(screen string) bool {
		return strings.Contains(screen, "opens the lobby") && strings.Contains(screen, "\nFinding a game      who, ") && strings.Contains(screen, "\n--json: ")
	})
	wrong := h.terminal("x", nil, "xterm", "nosuch")
	wrong.waitFor("unknown command")
	byHand := h.terminal("x", nil, "xterm", "api")
	byHand.keys(`{"id":1,"op":"ping"}` + "\r")
	byHand.waitFor("\n" + `{"re":1,"ok":true}`)
}

func TestWatchWithoutATerminalTellsTheTurns(t *testing.T) {
	h := open(t)
	ana, bob := h.program("ana", servertest.NewKey(t)), h.program("bob", servertest.NewKey(t))
	table := ana.must("open", object{"game": "ayu", "options": object{"size": 5}})
	bob.must("join", object{"table": table["table"]})
	m := ana.event("match")
	first := ana
	if m.number("you") != 0 {
		first = bob
	}
	first.must("act", object{"match": m["match"], "version": 0, "actions": []string{"b1-b2"}})
	first.must("resign", object{"match": m["match"]})
	out, _, status := h.command(nil, "watch "+m.text("match"))
	loser := "ana"
	if first == bob {
		loser = "bob"
	}
	if status != 0 || !strings.Contains(out, "b1-b2") || !strings.Contains(out, " wins: "+loser+" resigned.\n") {
		t.Errorf("exit %d\n%s", status, out)
	}
}
