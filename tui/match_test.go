package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui/client"
)

// playingScreen opens the screens of ana, who plays Black on a 7×7 board.
func playingScreen(h *harness, turns ...string) (*testScreen, *lobby.Match) {
	m := h.match("ana", "bob", `{"size":7,"pie":false}`, clock.Default, turns...)
	return h.visit(setting{name: "ana"}), m
}

func TestFirstTurnHasATimeLimit(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := playingScreen(h)
		d.advance(20 * time.Second)
		d.wantText("9:40", "your first move within 0:40")
		d.press("z") // a notice would stay until the next key
		d.advance(41 * time.Second)
		d.wantText("Game aborted: you made no first move in time.")
		if !m.Snapshot().IsOver() {
			h.t.Error("the match is not over")
		}
	})
}

func TestLiveGameOpensByItself(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, _ := playingScreen(h)
		d.wantText("Your move", "● ana", "○ bob")
	})
}

func TestMovesAreTyped(t *testing.T) {
	for _, keys := range []string{"b 1 b 2 enter", "b 1 - b 2 enter", "B 1 b 2 enter", "c 1 backspace backspace b 1 b 2 enter"} {
		withHarness(t, func(h *harness) {
			d, m := playingScreen(h)
			d.press(keys)
			if s := m.Snapshot(); s.Turns != 1 || s.Log[0].Actions[0] != "b1-b2" {
				h.t.Errorf("%s: the log is %+v\n%s", keys, s.Log, d.text())
			}
			d.wantText("bob's turn (White)")
		})
	}
}

// A letter that is also a command becomes a column when a digit follows, and the command is undone.
func TestCommandLettersAreColumnsToo(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := playingScreen(h)
		before := d.text()
		d.press("d")
		if d.text() == before {
			h.t.Error("d shows no distances")
		}
		d.press("1")
		d.wantText("Your move: d1")
		d.press("d 2 enter")
		if s := m.Snapshot(); s.Turns != 1 || s.Log[0].Actions[0] != "d1-d2" {
			h.t.Errorf("the log is %+v", s.Log)
		}
		if strings.Contains(d.text(), "●1") {
			h.t.Errorf("the distances are still shown:\n%s", d.text())
		}
	})
}

func TestIllegalMovesAreExplained(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := playingScreen(h, "b1-b2", "a2-a3")
		for keys, want := range map[string]string{
			"a 3 a 4 enter": "White's",
			"b 3 b 1 enter": "must get closer (distance now 1, still 1)",
			"b 2 b 1 enter": "split its group",
			"d 1 d 3 enter": "occupied",
			"d 1 g 1 enter": "not next to",
			"d 1 g 9 enter": "no point g9",
			"b 9 enter":     "is not a move",
		} {
			d.press(keys)
			if !strings.Contains(strings.Join(strings.Fields(d.text()), " "), want) {
				h.t.Errorf("%s lacks %q:\n%s", keys, want, d.text())
			}
		}
		if m.Snapshot().Turns != 2 {
			h.t.Error("an illegal move was played")
		}
	})
}

func TestMoveByCursor(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := playingScreen(h)
		d.press("tab enter tab enter")
		if m.Snapshot().Turns != 1 {
			h.t.Errorf("no move was made:\n%s", d.text())
		}
	})
}

func TestMoveByMouse(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := playingScreen(h)
		d.click("██", 0)
		d.wantText("where?")
		d.click("▗▖", 0)
		if m.Snapshot().Turns != 1 {
			h.t.Errorf("no move was made:\n%s", d.text())
		}
	})
}

// click clicks on the n-th cell of the board that shows a text.
func (d *testScreen) click(text string, n int) {
	area := d.Current().(*matchScreen).area
	for y, l := range strings.Split(d.text(), "\n") {
		runes := []rune(l)
		for x := range runes {
			if x >= area.x && x < area.x+area.w && y >= area.y && y < area.y+area.h && strings.HasPrefix(string(runes[x:]), text) {
				if n--; n < 0 {
					d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
					d.drainMessages()
					return
				}
			}
		}
	}
}

func TestResigningAsksOnce(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := playingScreen(h)
		d.press("r")
		d.wantText("Resign this game?", "y resign")
		d.press("n")
		d.wantNoText("Resign this game?")
		if m.Snapshot().IsOver() {
			h.t.Fatal("resigned without a confirmation")
		}
		d.press("r y")
		if s := m.Snapshot(); !s.IsOver() || s.Result.Reason != engine.ReasonResign {
			h.t.Fatal("not resigned")
		}
		d.wantText("bob wins: ana resigned.")
	})
}

func TestFreshOfferCannotBeAccepted(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := playingScreen(h)
		if err := h.player(m, 1).Offer(h.t.Context(), lobby.OfferDraw); err != nil {
			h.t.Fatal(err)
		}
		d.wantText("bob offers a draw.")
		d.wantNoText("= accept")
		d.advance(client.OfferGuard - 10*time.Millisecond)
		d.press("=")
		if m.Snapshot().IsOver() {
			h.t.Fatal("a fresh offer was accepted")
		}
		d.advance(20 * time.Millisecond)
		d.wantText("= accept, x decline", "= accept draw")
		d.press("=")
		if s := m.Snapshot(); !s.IsOver() || s.Result.Reason != engine.ReasonDraw {
			h.t.Fatal("the offer was not accepted")
		}
		d.wantText("Draw by agreement.")
	})
}

func TestAcceptKeysDiffer(t *testing.T) {
	seen := make(map[lobby.OfferKind]string)
	for key, kind := range offerKinds {
		if old := seen[kind]; old != "" {
			t.Errorf("%s has two keys, %s and %s", kind, old, key)
		}
		seen[kind] = key
		if _, ok := offerTexts[kind]; !ok {
			t.Errorf("there is no text for %s", kind)
		}
	}
	if len(seen) != 3 {
		t.Errorf("there are keys for %d kinds of offers, not 3", len(seen))
	}
}

func TestTakebackAndItsRefusal(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := playingScreen(h, "b1-b2")
		d.press("U")
		d.wantText("You asked for a takeback")
		if err := h.player(m, 1).Refuse(h.t.Context(), lobby.OfferUndo); err != nil {
			h.t.Fatal(err)
		}
		d.wantNoText("You asked for")
		h.play(m, "a2-a3", "d1-d2")
		if err := h.player(m, 1).Offer(h.t.Context(), lobby.OfferUndo); err != nil {
			h.t.Fatal(err)
		}
		d.advance(time.Second)
		d.press("U")
		if m.Snapshot().Turns != 1 {
			h.t.Errorf("%d turns after the takeback, not 1", m.Snapshot().Turns)
		}
		d.wantText("1 turn ")
	})
}

func TestRematchOpensByItself(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := playingScreen(h)
		spectator := h.visit(setting{name: "carol", open: "watch " + m.Info.ID})
		spectator.typeText("carol")
		spectator.press("enter")
		spectator.wantText("1 spectator (you)")
		if err := h.player(m, 1).Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		d.wantText("You win: bob resigned.")
		d.press("m")
		d.wantText("You offered a rematch")
		if err := h.player(m, 1).Offer(h.t.Context(), lobby.OfferRematch); err != nil {
			h.t.Fatal(err)
		}
		d.wantText("The rematch has begun", "▸● bob", "○ ana")
		spectator.wantText("The rematch has begun", "1 spectator (you)")
	})
}

func TestLeavingALiveGameAsks(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, _ := playingScreen(h)
		d.press("q")
		d.wantText("Your clock keeps running")
		d.press("esc")
		d.wantText("Your move")
		d.press("q y")
		d.wantText("Your games", "with bob")
		d.press("q")
		d.wantText("Leave anyway?")
		d.press("y")
		if !d.quit || !d.HasQuit {
			h.t.Error("the session continues")
		}
		if f := d.ExitMessage(); !strings.Contains(f, "with bob continues") {
			h.t.Errorf("the exit message is %q", f)
		}
	})
}

func TestAwayOpponentCanBeClaimed(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := playingScreen(h, "b1-b2")
		h.member("bob").Close(false)
		d.advance(7 * time.Second)
		d.wantText("away 7 s")
		d.press("w")
		d.wantNoText("Claim the win?")
		d.advance(5 * time.Second)
		d.wantText("w: claim the win")
		d.press("w")
		d.wantText("Claim the win?")
		d.press("y")
		if s := m.Snapshot(); !s.IsOver() || s.Result.Reason != engine.ReasonLeft {
			h.t.Fatal("the win was not claimed")
		}
		d.wantText("You win: bob left.")
	})
}

func TestReviewingDetaches(t *testing.T) {
	withHarness(t, func(h *harness) {
		m := h.match("ana", "bob", `{"size":7,"pie":false}`, clock.Default, "b1-b2", "a2-a3", "d1-d2")
		h.account("carol")
		d := h.visit(setting{name: "carol", open: "watch " + m.Info.ID})
		d.press("left left")
		d.wantText("Turn 1 of 3. End: back to")
		h.play(m, "c2-c3")
		d.wantText("Turn 1 of 4. End: back to", "›b1-b2")
		d.press("right")
		d.wantText("Turn 2 of 4.")
		d.press("home")
		d.wantText("Turn 0 of 4.")
		d.press("end")
		d.wantNoText("End: back to")
		// A player cannot move from an earlier position.
		p := h.visit(setting{name: "ana"})
		p.press("[ tab enter")
		p.wantText("press End to return to the game")
	})
}

func TestChatIsSeparateUntilTheEnd(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := playingScreen(h)
		h.account("carol")
		w := h.visit(setting{name: "carol", open: "watch " + m.Info.ID})
		d.press("t")
		d.typeText("good luck")
		d.press("enter esc")
		w.press("t")
		w.typeText("what a start")
		w.press("enter esc")
		d.wantText("ana: good luck")
		d.wantNoText("what a start")
		w.wantText("carol: what a start")
		w.wantNoText("good luck")
		d.press("r y")
		for _, s := range []*testScreen{d, w} {
			s.wantText("ana: good luck", "carol: what a start")
		}
	})
}

func TestBellRingsForTheTurn(t *testing.T) {
	withHarness(t, func(h *harness) {
		m := h.match("ana", "bob", `{"size":7}`, clock.Default)
		e := h.terminal(setting{name: "ana"})
		h.play(m, "b1-b2")
		if e.received("\a") {
			h.t.Error("the bell rang for one's own turn")
		}
		h.play(m, "a2-a3")
		e.waitFor("Your move")
		if !e.received("\a") {
			h.t.Error("the bell did not ring")
		}
	})
}

// TestAClickClearsANotice plays by mouse after a click that was refused.
func TestAClickClearsANotice(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, _ := playingScreen(h)
		d.NotifyError("b2 is empty")
		d.wantText("b2 is empty")
		d.click("██", 0)
		d.wantNoText("b2 is empty")
		d.wantText("where?")
	})
}

// TestNoKeyIsOfferedTwice checks the status bar while an offer is open and while the opponent is away.
func TestNoKeyIsOfferedTwice(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := playingScreen(h, "b1-b2")
		once := func() {
			h.t.Helper()
			seen := map[string]bool{}
			for _, k := range d.Current().StatusKeys() {
				if seen[k.Key] {
					h.t.Errorf("%s is offered twice: %v", k.Key, d.Current().StatusKeys())
				}
				seen[k.Key] = true
			}
			if !seen["="] {
				h.t.Errorf("= is not offered: %v", d.Current().StatusKeys())
			}
		}
		once()
		if err := h.player(m, 1).Offer(h.t.Context(), lobby.OfferDraw); err != nil {
			h.t.Fatal(err)
		}
		d.advance(time.Second)
		once()
		h.member("bob").Close(false)
		d.advance(20 * time.Second)
		once()
	})
}

func TestHelpOfSettingsAndAccount(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, _ := playingScreen(h)
		d.press("q y o ?")
		d.wantText("Help", "Settings", "Rings when it is your turn")
		d.press("q")
		d.wantText("[auto]")
		d.press("a ?")
		d.wantText("Your SSH keys are your account", "rename the account")
		d.press("?")
		d.wantText("Each of these keys signs in to this account.")
	})
}
