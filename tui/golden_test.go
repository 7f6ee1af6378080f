package tui

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui/paint"
)

var update = flag.Bool("update", false, "update the golden screens; review the diff before committing it")

// golden compares the screen with testdata/NAME.golden.
func (d *testScreen) golden(name string) {
	d.t.Helper()
	d.same(name, d.text())
}

func (d *testScreen) same(name, got string) {
	d.t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			d.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	if got != string(want) {
		d.t.Errorf("%s: the screen is\n%s\nand was\n%s", name, got, want)
	}
}

// fillLobby adds users, tables, matches and chat lines to the lobby.
func (h *harness) fillLobby() {
	h.t.Helper()
	h.match("carol", "dave", `{"size":11}`, clock.Default, "b1-b2", "a2-a3", "d1-d2")
	advance(3 * time.Minute)
	m := h.match("erika-with-a-nam", "frederic-der-gro", `{"size":15,"pie":false}`, clock.Control{Initial: time.Hour, Increment: 30 * time.Second}, "b1-b2", "a2-a3")
	h.watch("gil", m)
	advance(time.Minute)
	h.match("bob", "ana", `{"size":9}`, clock.Control{Days: 3}, "b1-b2")
	h.open("gil", lobby.Proposal{Game: "ayu"})
	advance(time.Minute)
	h.open("dave", lobby.Proposal{Game: "ayu", To: "ana", Clock: &clock.Control{Days: 1}})
	h.open("ana", lobby.Proposal{Game: "ayu", Clock: &clock.Default})
	h.say("gil", "hello all, who is up for a game on 11×11?")
	h.say("carol", "after this one, gladly; watch us meanwhile, it is going to be close and rather long")
	advance(20 * time.Second)
}

func (h *harness) open(name string, p lobby.Proposal) {
	h.t.Helper()
	if _, err := h.member(name).Open(h.t.Context(), p); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) say(name, text string) {
	h.t.Helper()
	if err := h.member(name).Say(text); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) watch(name string, m *lobby.Match) *lobby.Spectator {
	h.t.Helper()
	w, err := h.member(name).Watch(m.Info.ID, "")
	if err != nil {
		h.t.Fatal(err)
	}
	return w
}

// opening is a beginning of Ayu with groups on both sides.
var opening = strings.Fields("b1-b2 a2-a3 d1-d2 c2-c3 f3-f4 e4-e5 h1-g1 g4-g3")

func TestGoldenLobby(t *testing.T) {
	for _, size := range []setting{{w: 80, h: 24}, {w: 60, h: 20}, {w: 120, h: 40}} {
		withHarness(t, func(h *harness) {
			h.fillLobby()
			size.name = "ana"
			d := h.visit(size)
			d.golden("lobby" + suffix(size))
			d.press("tab down")
			d.wantText("c challenge", "f follow")
		})
	}
	withHarness(t, func(h *harness) {
		h.account("ana")
		h.visit(setting{name: "ana"}).golden("lobby-empty")
	})
}

func suffix(s setting) string {
	if s.w == 80 {
		return ""
	}
	return map[int]string{60: "-60x20", 120: "-120x40"}[s.w]
}

func TestGoldenMatch(t *testing.T) {
	for _, size := range []setting{{w: 80, h: 24}, {w: 60, h: 20}, {w: 120, h: 40}} {
		withHarness(t, func(h *harness) {
			m := h.match("ana", "bob", `{"size":11,"pie":false}`, clock.Default, opening[:6]...)
			h.watch("carol", m)
			if err := h.player(m, 1).Say("good luck"); err != nil {
				h.t.Fatal(err)
			}
			advance(4 * time.Second)
			size.name = "ana"
			d := h.visit(size)
			d.golden("match" + suffix(size))
			if size.w != 80 {
				return
			}
			d.press("tab enter")
			d.golden("match-chosen")
			d.press("esc d")
			d.golden("match-distances")
			d.press("d [ [")
			d.golden("match-back")
			d.press("?")
			d.golden("match-help")
			d.press("tab")
			if rows := strings.Split(d.text(), "\n"); !strings.Contains(rows[2], "On the board") {
				h.t.Errorf("tab does not lead to the next part:\n%s", d.text())
			}
			d.press("tab")
			d.wantText("The rules of Ayu", "AYU: Attach", "more lines below")
			d.press("tab")
			d.wantText("invented")
			d.wantNoText("more line")
			d.press("tab")
			d.golden("match-help")
		})
	}
}

func TestGoldenLargeBoards(t *testing.T) {
	for _, size := range []setting{{w: 80, h: 24}, {w: 60, h: 20}, {w: 120, h: 40}} {
		withHarness(t, func(h *harness) {
			m := h.match("ana", "bob", `{"size":15,"pie":false}`, clock.Control{}, opening...)
			size.name, size.open = "carol", "watch "+m.Info.ID
			h.account("carol")
			h.visit(size).golden("match-15" + suffix(size))
		})
	}
}

func TestGoldenPieAndEnd(t *testing.T) {
	withHarness(t, func(h *harness) {
		m := h.match("ana", "bob", `{"size":5}`, clock.Default, "b1-b2")
		d := h.visit(setting{name: "bob"})
		d.golden("match-pie")
		if err := h.player(m, 1).Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		if err := h.player(m, 0).Offer(h.t.Context(), lobby.OfferRematch); err != nil {
			h.t.Fatal(err)
		}
		d.advance(time.Second)
		d.golden("match-over")
	})
}

func TestGoldenASCII(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.match("ana", "bob", `{"size":7,"pie":false}`, clock.Default, opening[:6]...)
		h.account("ana")
		d := h.visit(setting{name: "ana", profile: paint.Profile{ASCII: true}})
		d.golden("match-ascii")
	})
}

func TestGoldenForms(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		d := h.visit(setting{name: "ana"})
		d.press("n down down down right right right right right right")
		d.golden("newtable")
		d.press("esc o")
		d.golden("settings")
	})
	withHarness(t, func(h *harness) {
		h.account("ana")
		d := h.visit(setting{name: "new", hint: "an"})
		d.golden("name")
		d.press("a enter")
		d.golden("name-taken")
		g := h.visit(setting{})
		g.golden("guest")
		for _, s := range []*testScreen{d, g} {
			s.press("?")
			s.wantText("Help", "q back")
			s.press("q")
			s.wantNoText("q back")
		}
	})
}
