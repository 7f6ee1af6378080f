package tui

import (
	"encoding/json"
	"net/netip"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
)

// delayed starts a match with a spectator delay of that many turns.
func (h *harness) delayed(black, white string, delay int, turns ...string) *lobby.Match {
	h.t.Helper()
	casual := false
	for {
		table, err := h.member(black).Open(h.t.Context(), lobby.Proposal{
			Game: "ayu", Options: json.RawMessage(`{"size":7,"pie":false}`), Clock: &clock.Default, Rated: &casual, Delay: delay})
		if err != nil {
			h.t.Fatal(err)
		}
		id, err := h.member(white).Join(h.t.Context(), table.ID, "")
		if err != nil {
			h.t.Fatal(err)
		}
		m, err := h.Match(id)
		if err != nil {
			h.t.Fatal(err)
		}
		if m.Info.Seats[0].Name != black {
			if err := h.player(m, 0).Resign(h.t.Context()); err != nil {
				h.t.Fatal(err)
			}
			continue
		}
		for _, turn := range turns {
			s := h.player(m, 0).Snapshot()
			if _, err := h.player(m, s.Position.Turn()).Act(h.t.Context(), s.Version, []string{turn}); err != nil {
				h.t.Fatal(err)
			}
		}
		return m
	}
}

// Players see all turns at once; spectators see the last turns on no screen.
func TestDelayedMatchIsShownLate(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.delayed("ana", "bob", 2, "b1-b2", "a2-a3", "d1-d2")
		ana := h.visit(setting{name: "ana"})
		ana.wantText("3 turns", "bob's turn (White)", "d1-d2", "Spectators see this game 2 turns late.")
		ana.press("q y")
		ana.wantText("with bob", "waiting")
		bob := h.visit(setting{name: "bob"})
		bob.wantText("Your move", "d1-d2")
		h.account("carol")
		carol := h.visit(setting{name: "carol"})
		carol.wantText("turn 2") // a spectator sees one turn of three
		carol.press("enter")
		carol.wantText("shown 2 turns late", "1 turn", "b1-b2", "bob's turn (White).")
		carol.wantNoText("d1-d2", "a2-a3")
		carol.press("home end V esc")
		carol.wantNoText("d1-d2", "a2-a3")
		carol.press("q g")
		carol.wantText("turn 2 · White", "shown 2 turns late")
		bob.press("c 2 c 3 enter")
		carol.drainMessages()
		carol.wantText("turn 3 · Black")
		bob.press("r y")
		carol.drainMessages()
		carol.wantText("ana wins: bob resigned.")
	})
}

func TestDelayIsChosenAtTheTable(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		h.account("bob")
		d, bob := h.visit(setting{name: "ana"}), h.visit(setting{name: "bob"})
		d.press("n")
		d.fillField("Spectator delay", "3")
		d.press("enter")
		bob.advance(time.Second)
		bob.wantText("3 turns late")
		bob.press("enter")
		d.advance(time.Second)
		d.wantText("Spectators see this game 3 turns late.", "shown 3 turns late")
	})
}

func TestGridShowsAsManyGamesAsFit(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		games int
	}{{80, 24, 3}, {60, 20, 2}, {120, 40, 6}} {
		withHarness(t, func(h *harness) {
			names := strings.Fields("anton berta cecil doris emil frida")
			for i := range 7 {
				h.match(names[i%6], names[(i+1)%6], `{"size":11,"pie":false}`, clock.Control{}, opening[:i]...)
				advance(time.Minute)
			}
			h.account("ana")
			d := h.visit(setting{name: "ana", w: c.w, h: c.h})
			d.press("g")
			v := d.Current().(*gridScreen)
			if len(v.cells) != c.games || v.hiddenCount != 7-c.games {
				h.t.Errorf("%d×%d: %d games and %d more:\n%s", c.w, c.h, len(v.cells), v.hiddenCount, d.text())
			}
			if c.w != 60 {
				d.golden("grid" + suffix(setting{w: c.w}))
			}
			for _, cell := range v.cells {
				if n := cell.match.SpectatorCount(); n != 1 {
					h.t.Errorf("a game that is shown has %d spectators", n)
				}
			}
			before := v.cells[0].match
			d.press("pgdown")
			if before.SpectatorCount() != 0 || d.Current().(*gridScreen).cells[0].match == before {
				h.t.Errorf("the same games are shown:\n%s", d.text())
			}
		})
	}
}

func TestGridIsLive(t *testing.T) {
	withHarness(t, func(h *harness) {
		m := h.match("anton", "berta", `{"size":7,"pie":false}`, clock.Default)
		h.match("cecil", "doris", `{"size":7,"pie":false}`, clock.Default, "b1-b2")
		h.account("ana")
		d := h.visit(setting{name: "ana"})
		d.press("g")
		d.wantText("2 games at once", "turn 1 · Black", "turn 2 · White")
		h.play(m, "b1-b2", "a2-a3")
		d.drainMessages()
		d.wantText("turn 3 · Black")
		d.advance(2 * time.Second)
		d.wantText("10:08")
		if v := d.Current().(*gridScreen); v.cells[v.selected].match != m {
			d.press("right")
		}
		d.press("enter")
		d.wantText("anton", "2 turns", "1 spectator (you)")
		h.play(m, "d1-d2")
		d.drainMessages()
		d.wantText("d1-d2", "q back")
		d.press("q")
		d.wantText("2 games at once", "turn 4 · White")
		if err := h.player(m, 0).Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		d.advance(time.Second)
		d.wantText("berta wins")
		next := h.match("emil", "frida", `{"size":7,"pie":false}`, clock.Default)
		d.advance(resultDelay + 2*time.Second)
		d.wantNoText("berta wins")
		d.wantText("2 games at once", "emil")
		d.send(resizeMsg{60, 20})
		d.drainMessages()
		d.wantText("emil")
		d.press("q")
		if next.SpectatorCount() != 0 {
			h.t.Error("the grid still watches")
		}
	})
}

func TestGridWithoutGames(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.match("ana", "bob", `{"size":7,"pie":false}`, clock.Control{Days: 1})
		d := h.visit(setting{name: "ana"})
		d.press("g")
		d.wantText("There are no games to watch.") // the user's own game is not listed
	})
}

func TestNextGameThatWaits(t *testing.T) {
	withHarness(t, func(h *harness) {
		days := clock.Control{Days: 3}
		h.match("ana", "bob", `{"size":7,"pie":false}`, days)
		h.match("ana", "carol", `{"size":9,"pie":false}`, days)
		h.match("ana", "dave", `{"size":11,"pie":false}`, days, "b1-b2")
		advance(time.Hour)
		d := h.visit(setting{name: "ana"})
		d.wantText("It is your turn in 2 games. Press N for the next one.")
		if first := strings.Index(d.text(), "your turn"); first > strings.Index(d.text(), "waiting") {
			h.t.Errorf("the game with the user's turn is not the first:\n%s", d.text())
		}
		d.press("N")
		d.wantText("bob", "Ayu 7×7", "Your move")
		d.press("N")
		d.wantText("carol", "Ayu 9×9")
		d.press("N")
		d.wantText("Ayu 7×7")
		d.press("b 1 b 2 enter")
		d.wantText("N next game (1)")
		d.press("N")
		d.wantText("Ayu 9×9")
		d.press("N")
		d.wantText("It is not your turn in any other game.")
		d.press("b 1 b 2 enter q N")
		d.wantText("It is not your turn in any other game.", "Your games")
	})
}

func TestAccountPage(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		d := h.visit(setting{name: "ana"})
		d.press("o a")
		d.golden("account")
		d.wantText("1 key. The last key cannot be removed.", "in use")
		d.press("x y")
		d.wantText("add another before you remove it")
		d.press("l")
		_, shown, _ := strings.Cut(d.text(), "ssh play.example.org link ")
		code, _, _ := strings.Cut(shown, "\n")
		if _, err := h.Link(h.t.Context(), strings.TrimSpace(code), keyOfName("ana's other machine"), netip.Addr{}); err != nil {
			h.t.Fatalf("%q: %v\n%s", code, err, d.text())
		}
		d.press("r")
		d.wantText("2 keys")
		d.press("down x")
		d.wantText("Remove the key SHA256:")
		d.press("n")
		d.wantText("2 keys") // any other key keeps it
		d.press("x y")
		d.wantText("Key removed.")
		d.press("n")
		d.typeText("anna")
		d.press("enter")
		d.wantText("You are now anna.")
		d.press("n")
		d.typeText("annika")
		d.press("enter")
		d.wantText("You can change your name once a day; try again in 24 hours.")
		d.press("D")
		d.typeText("ana")
		d.press("enter")
		d.wantText("nothing was deleted")
		d.press("D")
		d.typeText("anna")
		d.press("enter")
		if !d.quit {
			h.t.Error("the session continues without its account")
		}
		if _, known, err := h.AccountByKey(h.t.Context(), keyOfName("ana")); known || err != nil {
			h.t.Errorf("the account is there: %v, %v", known, err)
		}
	})
}

func TestAccountStaysWhileAGameGoesOn(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.match("ana", "bob", `{"size":7}`, clock.Control{Days: 3})
		d := h.visit(setting{name: "ana"})
		d.press("o a D")
		d.typeText("ana")
		d.press("enter")
		d.wantText("is still running; finish or resign it first")
		d.press("q")
		d.wantText("Settings")
		d = h.visit(setting{})
		d.press("enter o a")
		d.wantText("without an SSH key you have no account")
		d.press("D x l n")
		d.wantText("without an SSH key you have no account")
	})
}
