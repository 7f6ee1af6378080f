package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/clock"
)

// playing opens the screens of ana, who has Black and the first move on a 7×7 board.
func playing(h *house, turns ...string) (*screen, *lobby.Match) {
	m := h.match("ana", "bob", `{"size":7,"pie":false}`, clock.Default, turns...)
	return h.visit(setting{name: "ana"}), m
}

func TestFirstMoveHasATimeOfItsOwn(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h)
		d.pass(20 * time.Second)
		d.has("9:40", "The first move has to come within 0:40.")
		d.press("z") // a note would stand until the next key
		d.pass(41 * time.Second)
		d.has("Aborted: you made no first move in time.")
		if !m.Snapshot().Over() {
			h.t.Error("the match goes on")
		}
	})
}

func TestLiveGameOpensByItself(t *testing.T) {
	inHouse(t, func(h *house) {
		d, _ := playing(h)
		d.has("Your turn", "● ana", "○ bob")
	})
}

func TestMovesAreTyped(t *testing.T) {
	for _, keys := range []string{"b 1 b 2 enter", "b 1 - b 2 enter", "B 1 b 2 enter", "c 1 backspace backspace b 1 b 2 enter"} {
		inHouse(t, func(h *house) {
			d, m := playing(h)
			d.press(keys)
			if s := m.Snapshot(); s.Turns != 1 || s.Log[0].Actions[0] != "b1-b2" {
				h.t.Errorf("%s: the log is %+v\n%s", keys, s.Log, d.text())
			}
			d.has("bob's turn (White)")
		})
	}
}

// A letter that is also a command becomes a column when a digit follows, and the command is undone.
func TestCommandLettersAreColumnsToo(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h)
		before := d.text()
		d.press("d")
		if d.text() == before {
			h.t.Error("d shows no distances")
		}
		d.press("1")
		d.has("Your move: d1")
		d.press("d 2 enter")
		if s := m.Snapshot(); s.Turns != 1 || s.Log[0].Actions[0] != "d1-d2" {
			h.t.Errorf("the log is %+v", s.Log)
		}
		if strings.Contains(d.text(), "●1") {
			h.t.Errorf("the distances are still shown:\n%s", d.text())
		}
	})
}

func TestIllegalWishesAreExplained(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h, "b1-b2", "a2-a3")
		for keys, says := range map[string]string{
			"a 3 a 4 enter": "White's",
			"b 3 b 1 enter": "comes no closer: its distance stays 1",
			"b 2 b 1 enter": "split its group",
			"d 1 d 3 enter": "occupied",
			"d 1 g 1 enter": "not next to",
			"d 1 g 9 enter": "no point g9",
			"b 9 enter":     "is not a move",
		} {
			d.press(keys)
			if !strings.Contains(strings.Join(strings.Fields(d.text()), " "), says) {
				h.t.Errorf("%s lacks %q:\n%s", keys, says, d.text())
			}
		}
		if m.Snapshot().Turns != 2 {
			h.t.Error("an illegal wish was played")
		}
	})
}

func TestMoveByCursor(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h)
		d.press("tab enter tab enter")
		if m.Snapshot().Turns != 1 {
			h.t.Errorf("no move was made:\n%s", d.text())
		}
	})
}

func TestMoveByMouse(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h)
		d.click("██", 0)
		d.has("goes where?")
		d.click("▗▖", 0)
		if m.Snapshot().Turns != 1 {
			h.t.Errorf("no move was made:\n%s", d.text())
		}
	})
}

// click clicks on the n-th place that shows a text inside the board.
func (d *screen) click(text string, n int) {
	area := d.at.(*matchView).area
	for y, l := range strings.Split(d.text(), "\n") {
		runes := []rune(l)
		for x := range runes {
			if x >= area.x && x < area.x+area.w && y >= area.y && y < area.y+area.h && strings.HasPrefix(string(runes[x:]), text) {
				if n--; n < 0 {
					d.give(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
					d.settle()
					return
				}
			}
		}
	}
}

func TestResigningAsksOnce(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h)
		d.press("r")
		d.has("Resign this game?", "y resign")
		d.press("n")
		d.lacks("Resign this game?")
		if m.Snapshot().Over() {
			h.t.Fatal("resigned without a yes")
		}
		d.press("r y")
		if s := m.Snapshot(); !s.Over() || s.Result.Reason != engine.Resign {
			h.t.Fatal("not resigned")
		}
		d.has("bob wins: ana resigned.")
	})
}

func TestFreshOfferCannotBeAccepted(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h)
		if err := h.player(m, 1).Offer(h.t.Context(), lobby.OfferDraw); err != nil {
			h.t.Fatal(err)
		}
		d.has("bob offers a draw.")
		d.lacks("= accepts")
		d.pass(offerRest - 10*time.Millisecond)
		d.press("=")
		if m.Snapshot().Over() {
			h.t.Fatal("a fresh offer was accepted")
		}
		d.pass(20 * time.Millisecond)
		d.has("= accepts, x refuses", "= accept draw")
		d.press("=")
		if s := m.Snapshot(); !s.Over() || s.Result.Reason != engine.Draw {
			h.t.Fatal("the offer was not accepted")
		}
		d.has("A draw, as agreed.")
	})
}

func TestAcceptKeysDiffer(t *testing.T) {
	seen := make(map[lobby.OfferKind]string)
	for key, kind := range offerKeys {
		if old := seen[kind]; old != "" {
			t.Errorf("%s has two keys, %s and %s", kind, old, key)
		}
		seen[kind] = key
		if _, ok := offerWords[kind]; !ok {
			t.Errorf("nothing is said of %s", kind)
		}
	}
	if len(seen) != 3 {
		t.Errorf("there are keys for %d kinds of offers, not 3", len(seen))
	}
}

func TestTakeBackAndRefusal(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h, "b1-b2")
		d.press("U")
		d.has("You ask to take your turn back")
		if err := h.player(m, 1).Refuse(h.t.Context(), lobby.OfferUndo); err != nil {
			h.t.Fatal(err)
		}
		d.lacks("You ask to take")
		h.play(m, "a2-a3", "d1-d2")
		if err := h.player(m, 1).Offer(h.t.Context(), lobby.OfferUndo); err != nil {
			h.t.Fatal(err)
		}
		d.pass(time.Second)
		d.press("U")
		if m.Snapshot().Turns != 1 {
			h.t.Errorf("%d turns stand after the take-back, not 1", m.Snapshot().Turns)
		}
		d.has("1 turn ")
	})
}

func TestRematchOpensByItself(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h)
		watcher := h.visit(setting{name: "carol", open: "watch " + m.Info.ID})
		watcher.write("carol")
		watcher.press("enter")
		watcher.has("you alone watch")
		if err := h.player(m, 1).Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		d.has("You win: bob resigned.")
		d.press("m")
		d.has("You offer a rematch")
		if err := h.player(m, 1).Offer(h.t.Context(), lobby.OfferRematch); err != nil {
			h.t.Fatal(err)
		}
		d.has("The rematch has begun", "▸● bob", "○ ana")
		watcher.has("The rematch has begun", "you alone watch")
	})
}

func TestLeavingALiveGameAsks(t *testing.T) {
	inHouse(t, func(h *house) {
		d, _ := playing(h)
		d.press("q")
		d.has("your clock runs")
		d.press("esc")
		d.has("Your turn")
		d.press("q y")
		d.has("Your games", "with bob")
		d.press("q")
		d.has("Leave Ayumu all the same?")
		d.press("y")
		if !d.quit || !d.left {
			h.t.Error("the session goes on")
		}
		if f := d.farewell(); !strings.Contains(f, "with bob goes on") {
			h.t.Errorf("the farewell is %q", f)
		}
	})
}

func TestAwayOpponentCanBeClaimed(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h, "b1-b2")
		h.member("bob").Close(false)
		d.pass(7 * time.Second)
		d.has("away 7 s")
		d.press("w")
		d.lacks("Claim the win?")
		d.pass(5 * time.Second)
		d.has("w claims the win")
		d.press("w")
		d.has("Claim the win?")
		d.press("y")
		if s := m.Snapshot(); !s.Over() || s.Result.Reason != engine.Left {
			h.t.Fatal("the win was not claimed")
		}
		d.has("You win: bob went away.")
	})
}

func TestLookingBackDetaches(t *testing.T) {
	inHouse(t, func(h *house) {
		m := h.match("ana", "bob", `{"size":7,"pie":false}`, clock.Default, "b1-b2", "a2-a3", "d1-d2")
		h.account("carol")
		d := h.visit(setting{name: "carol", open: "watch " + m.Info.ID})
		d.press("left left")
		d.has("2 behind, End to follow")
		h.play(m, "c2-c3")
		d.has("3 behind, End to follow", "›b1-b2")
		d.press("right")
		d.has("2 behind")
		d.press("home")
		d.has("4 behind")
		d.press("end")
		d.lacks("behind")
		// A player who looks back cannot move from there.
		p := h.visit(setting{name: "ana"})
		p.press("[ tab enter")
		p.has("End leads back to the game")
	})
}

func TestTalkIsApartUntilTheEnd(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h)
		h.account("carol")
		w := h.visit(setting{name: "carol", open: "watch " + m.Info.ID})
		d.press("t")
		d.write("good luck")
		d.press("enter esc")
		w.press("t")
		w.write("what a start")
		w.press("enter esc")
		d.has("ana: good luck")
		d.lacks("what a start")
		w.has("carol: what a start")
		w.lacks("good luck")
		d.press("r y")
		for _, s := range []*screen{d, w} {
			s.has("ana: good luck", "carol: what a start")
		}
	})
}

func TestBellRingsForTheTurn(t *testing.T) {
	inHouse(t, func(h *house) {
		m := h.match("ana", "bob", `{"size":7}`, clock.Default)
		e := h.terminal(setting{name: "ana"})
		h.play(m, "b1-b2")
		if e.got("\a") {
			h.t.Error("the bell rang for one's own turn")
		}
		h.play(m, "a2-a3")
		e.must("Your turn")
		if !e.got("\a") {
			h.t.Error("the bell did not ring")
		}
	})
}

// TestAClickClearsAnOldNote plays by mouse after a click that was refused.
func TestAClickClearsAnOldNote(t *testing.T) {
	inHouse(t, func(h *house) {
		d, _ := playing(h)
		d.complain("b2 is empty")
		d.has("b2 is empty")
		d.click("██", 0)
		d.lacks("b2 is empty")
		d.has("goes where?")
	})
}

// TestNoKeyIsOfferedTwice looks at the keys while an offer is open and while the opponent is away.
func TestNoKeyIsOfferedTwice(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h, "b1-b2")
		once := func() {
			h.t.Helper()
			seen := map[string]bool{}
			for _, k := range d.at.keys() {
				if seen[k.Key] {
					h.t.Errorf("%s is offered twice: %v", k.Key, d.at.keys())
				}
				seen[k.Key] = true
			}
			if !seen["="] {
				h.t.Errorf("= is not offered: %v", d.at.keys())
			}
		}
		once()
		if err := h.player(m, 1).Offer(h.t.Context(), lobby.OfferDraw); err != nil {
			h.t.Fatal(err)
		}
		d.pass(time.Second)
		once()
		h.member("bob").Close(false)
		d.pass(20 * time.Second)
		once()
	})
}

func TestHelpOfSettingsAndAccount(t *testing.T) {
	inHouse(t, func(h *house) {
		d, _ := playing(h)
		d.press("q y o ?")
		d.has("Help", "Settings", "Rings when it is your turn")
		d.press("q")
		d.has("as the terminal says")
		d.press("a ?")
		d.has("Your SSH key is your account", "take another name")
		d.press("?")
		d.has("Each of these opens the account.")
	})
}
