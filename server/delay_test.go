package server_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/server/servertest"
)

func TestADelayedMatchIsLateOnEveryPath(t *testing.T) {
	const delay, made = 3, 7
	h := open(t)
	ana, bob, eve := h.program("ana", servertest.NewKey(t)), h.program("bob", servertest.NewKey(t)), h.program("eve", servertest.NewKey(t))
	table := ana.must("open", object{"game": "ayu", "options": object{"size": 7, "pie": false}, "delay": delay})
	bob.must("join", object{"table": table["table"]})
	m := ana.event("match")
	id := m.text("match")
	seats := map[int]*apiClient{m.number("you"): ana, 1 - m.number("you"): bob}
	first := eve.must("watch", object{"match": id, "from": 0})
	if first.number("version") != 0 {
		t.Errorf("a watcher begins with %v", first)
	}
	live := h.terminal("w", nil, "xterm-256color", "watch "+id)
	live.waitFor("as a guest")
	live.keys("\r")
	live.waitFor("delayed by 3 turns")
	p := position(t, `{"size":7,"pie":false}`)
	var actions []string
	seen := []string{first.text("position")}
	for version := range made {
		// Each turn begins where none did before, so that its text is nobody else's.
		legal := p.Legal()
		i := slices.IndexFunc(legal, func(a string) bool {
			return !slices.ContainsFunc(actions, func(old string) bool { return strings.Contains(a, old) || strings.HasPrefix(old, a[:2]) })
		})
		if i < 0 {
			t.Fatal("no such turn")
		}
		action := legal[i]
		seats[p.Turn()].must("act", object{"match": id, "version": version, "actions": []string{action}})
		actions = append(actions, action)
		var err error
		if p, err = p.Play(action); err != nil {
			t.Fatal(err)
		}
		seen = append(seen, p.String())
	}
	shown := made - delay
	secret := append(slices.Clone(actions[shown:]), seen[shown+1:]...)
	late := func(path, text string) {
		t.Helper()
		for _, s := range secret {
			if strings.Contains(text, s) {
				t.Errorf("%s tells %q in\n%s", path, s, text)
			}
		}
	}
	for version := 1; version <= shown; version++ {
		if e := eve.event("turn"); e.number("version") != version || e.text("position") != seen[version] {
			t.Errorf("a watcher is told %v", e)
		}
	}
	again := eve.must("watch", object{"match": id, "from": shown})
	late("watch", fmt.Sprint(again))
	if again.number("version") != shown || again.text("position") != seen[shown] {
		t.Errorf("watch answers %v", again)
	}
	late("record", fmt.Sprint(eve.must("record", object{"match": id})))
	late("events", fmt.Sprint(eve.waiting))
	for _, e := range eve.waiting {
		if e.text("event") == "turn" && e.number("version") > shown {
			t.Errorf("a watcher is told %v", e)
		}
	}
	list, _ := eve.must("matches", nil)["matches"].([]any)
	if one, _ := list[0].(map[string]any); len(list) != 1 || object(one).number("version") != shown {
		t.Errorf("matches: %v", list)
	}
	out, _, _ := h.command(nil, "record "+id)
	late("the command record", out)
	if !strings.Contains(out, actions[shown-1]) {
		t.Errorf("the record lacks what may be seen\n%s", out)
	}
	out, _, _ = h.command(servertest.NewKey(t), "matches --json")
	if !strings.Contains(out, fmt.Sprintf(`"version":%d`, shown)) {
		t.Errorf("the command matches says %s", out)
	}
	// The running command watch writes each turn once spectators may see it.
	goesOn := h.command2(t, "watch "+id)
	goesOn.waitFor(actions[shown-1])
	late("the command watch", goesOn.shown())
	for _, one := range []struct{ term, command, wait string }{
		{"xterm-256color", "replay " + id, fmt.Sprintf("%d turns", shown)}, {"dumb", "watch " + id, "Spectator delay"},
	} {
		s := h.terminal("w", nil, one.term, one.command)
		s.until("a question or the lobby", func(screen string) bool {
			return strings.Contains(screen, "as a guest") || strings.Contains(screen, one.wait) || strings.Contains(screen, "Enter")
		})
		s.keys("\r")
		s.waitFor(one.wait)
		s.mu.Lock()
		late(one.term+" "+one.command, s.text())
		s.mu.Unlock()
	}
	live.waitFor(fmt.Sprintf("%d turns ", shown))
	live.mu.Lock()
	late("the screen", live.text())
	live.mu.Unlock()
	// Its players see all of it, and so does everybody at the end.
	if now := ana.must("watch", object{"match": id}); now.number("version") != made {
		t.Errorf("a player sees %v", now)
	}
	ana.must("resign", object{"match": id})
	for version := shown + 1; version <= made; version++ {
		if e := eve.event("turn"); e.number("version") != version {
			t.Errorf("at the end a watcher is told %v", e)
		}
	}
	eve.event("over")
	goesOn.waitFor(actions[made-1])
}

// commandOutput is what a command has written so far.
type commandOutput struct {
	t   *testing.T
	buf *servertest.Buffer
}

func (h commandOutput) shown() string { return h.buf.String() }

func (h commandOutput) waitFor(what string) {
	h.t.Helper()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(servertest.WaitTimeout); !strings.Contains(h.shown(), what); <-look.C {
		if time.Now().After(end) {
			h.t.Fatalf("%q never came in\n%s", what, h.shown())
		}
	}
}

// command2 begins a command that goes on.
func (h harness) command2(t *testing.T, line string) commandOutput {
	t.Helper()
	s, err := h.dial("x", nil).NewSession()
	if err != nil {
		t.Fatal(err)
	}
	out := commandOutput{t, new(servertest.Buffer)}
	s.Stdout = out.buf
	if _, err := s.StdinPipe(); err != nil { // its end would end the command
		t.Fatal(err)
	}
	if err := s.Start(line); err != nil {
		t.Fatal(err)
	}
	return out
}
