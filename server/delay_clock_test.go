package server_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayumu/server/servertest"
)

// TestADelayedMatchHidesClocksAndOffersOnEveryPath has a match with a clock that grows by a minute for
// each turn, so that the time left tells how many turns a seat has made, and an open draw offer. On no
// path may a spectator read the clocks of later turns or the offer.
func TestADelayedMatchHidesClocksAndOffersOnEveryPath(t *testing.T) {
	const delay, made = 3, 7
	h := open(t)
	ana, bob, eve := h.program("ana", servertest.NewKey(t)), h.program("bob", servertest.NewKey(t)), h.program("eve", servertest.NewKey(t))
	table := ana.must("open", object{"game": "ayu", "options": object{"size": 7, "pie": false}, "delay": delay,
		"clock": object{"initial": 600, "increment": 60}})
	bob.must("join", object{"table": table["table"]})
	m := ana.event("match")
	id := m.text("match")
	seats := map[int]*apiClient{m.number("you"): ana, 1 - m.number("you"): bob}
	eve.must("watch", object{"match": id, "from": 0})
	screen := h.terminal("w", nil, "xterm-256color", "watch "+id)
	screen.waitFor("as a guest")
	screen.keys("\r")
	screen.waitFor("delayed by 3 turns")
	lines := h.terminal("w", nil, "dumb", "watch "+id)
	lines.waitFor("Spectator delay")
	follows := h.command2(t, "watch "+id)
	p := position(t, `{"size":7,"pie":false}`)
	for version := range made {
		action := p.Legal()[0]
		seats[p.Turn()].must("act", object{"match": id, "version": version, "actions": []string{action}})
		var err error
		if p, err = p.Play(action); err != nil {
			t.Fatal(err)
		}
	}
	mover := seats[p.Turn()]
	mover.must("draw", object{"match": id})
	seats[1-p.Turn()].event("offer")
	// After four turns each seat has twelve minutes, less what it has used. After seven they have 13 and 14.
	times := regexp.MustCompile(`[0-9][0-9:]*`) // clocks, and the times of day with their seconds
	later := regexp.MustCompile(`^(12:[3-5]|1[34]:\d)\d$`)
	early := func(path, text string) {
		t.Helper()
		for _, s := range []string{"raw offered", "draw offer", "ffers a draw", `"draw"`} {
			if strings.Contains(text, s) {
				t.Errorf("%s shows %q in\n%s", path, s, text)
			}
		}
		if i := slices.IndexFunc(times.FindAllString(text, -1), later.MatchString); i >= 0 {
			t.Errorf("%s shows a later clock in\n%s", path, text)
		}
	}
	millis := func(path string, o object) {
		t.Helper()
		all, _ := o["clocks"].([]any)
		for _, c := range all {
			one, _ := c.(map[string]any)
			if left := object(one).number("left_ms"); left > 720_000 || left == 0 {
				t.Errorf("%s has a clock with %d ms", path, left)
			}
		}
		text, _ := json.Marshal(o)
		early(path, string(text))
	}
	// The answer to a request comes after every event before it.
	again := eve.must("watch", object{"match": id, "from": made - delay})
	millis("watch", again)
	if clocks, _ := again["clocks"].([]any); len(clocks) != 2 {
		t.Errorf("watch has no clocks: %v", again)
	}
	if offers, _ := again["offers"].([]any); len(offers) != 0 {
		t.Errorf("watch has the offers %v", offers)
	}
	turns := 0
	for _, e := range eve.waiting {
		if millis("the event "+e.text("event"), e); e.text("event") == "turn" {
			turns++
		}
	}
	if turns != made-delay {
		t.Errorf("a spectator was sent %d turns", turns)
	}
	millis("record", eve.must("record", object{"match": id}))
	millis("matches", eve.must("matches", nil))
	for _, line := range []string{"record " + id, "matches --json", "matches"} {
		out, _, status := h.command(servertest.NewKey(t), line)
		if early("the command "+line, out); status != 0 || !strings.Contains(out, "ana") {
			t.Errorf("%s: exit %d\n%s", line, status, out)
		}
	}
	follows.waitFor("ana")
	early("the command watch", follows.shown())
	// A screen that has shown the last turn a spectator may see, and a line that was asked for after it.
	stood := regexp.MustCompile(`12:00|11:5\d`)
	shows := func(path string, s *terminal, clocks bool, what string) {
		t.Helper()
		s.until(path+" shows "+what+" and the clocks as they stood", func(screen string) bool {
			return strings.Contains(screen, what) && (!clocks || stood.MatchString(screen))
		})
		s.mu.Lock()
		defer s.mu.Unlock()
		early(path, s.text())
	}
	turn := fmt.Sprintf("%d turns", made-delay)
	shows("the screen", screen, true, turn)
	lines.keys("status\r")
	shows("line mode", lines, true, " left.")
	list := h.terminal("w", nil, "xterm-256color", "")
	list.waitFor("as a guest")
	list.keys("\r")
	shows("the lobby", list, false, "Ayu 7×7")
	list.keys("g")
	shows("the grid", list, true, "ana")
	replay := h.terminal("w", nil, "xterm-256color", "replay "+id)
	replay.waitFor("as a guest")
	replay.keys("\r")
	shows("the replay", replay, true, turn)
}
