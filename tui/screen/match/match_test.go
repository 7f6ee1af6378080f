package match_test

import (
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/tui/game/ayu"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
	matchscreen "ayumu/tui/screen/match"
	"ayumu/tui/screen/screentest"
	"ayumu/tui/words"
)

func TestFirstTurnHasATimeLimit(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen()
		d.Advance(20 * time.Second)
		d.WantText("9:40", "your first move within 0:40")
		d.Press("z") // a notice would stay until the next key
		d.Advance(41 * time.Second)
		d.WantPanel("Game aborted: you did not make the first move in time.")
		if !m.Snapshot().IsOver() {
			h.T.Error("the match is not over")
		}
	})
}

func TestLiveGameOpensByItself(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, _ := h.PlayingScreen()
		d.WantText("Your move", "● ana", "○ bob")
	})
}

func TestMovesAreTyped(t *testing.T) {
	for _, keys := range []string{"b 1 b 2 enter", "b 1 - b 2 enter", "B 1 b 2 enter", "c 1 backspace backspace b 1 b 2 enter"} {
		screentest.With(t, func(h *screentest.Harness) {
			d, m := h.PlayingScreen()
			d.Press(keys)
			if s := m.Snapshot(); s.Turns != 1 || s.Log[0].Actions[0] != "b1-b2" {
				h.T.Errorf("%s: the log is %+v\n%s", keys, s.Log, d.Text())
			}
			d.WantText("bob's turn (White)")
		})
	}
}

// Letters that name columns begin moves and are no commands.
func TestColumnsAreNoCommands(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen()
		before := d.Text()
		for letter := 'a'; letter <= 'g'; letter++ {
			d.Press(string(letter))
			d.WantText("Your move: " + string(letter))
			d.Press("esc")
			if d.Text() != before {
				t.Fatalf("%c has changed the screen:\n%s", letter, d.Text())
			}
		}
		d.Press("d 1 d 2 enter")
		if s := m.Snapshot(); s.Turns != 1 || s.Log[0].Actions[0] != "d1-d2" {
			h.T.Errorf("the log is %+v", s.Log)
		}
	})
}

func TestIllegalMovesAreExplained(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen("b1-b2", "a2-a3")
		for keys, want := range map[string]string{
			"a 3 a 4 enter": "White's",
			"b 3 b 1 enter": "must get closer (distance now 1, still 1)",
			"b 2 b 1 enter": "split its group",
			"d 1 d 3 enter": "occupied",
			"d 1 g 1 enter": "not next to",
			"d 1 g 9 enter": "no point g9",
			"b 9 enter":     "is not a move",
		} {
			d.Press(keys)
			if !strings.Contains(strings.Join(strings.Fields(d.Text()), " "), want) {
				h.T.Errorf("%s lacks %q:\n%s", keys, want, d.Text())
			}
		}
		if m.Snapshot().Turns != 2 {
			h.T.Error("an illegal move was played")
		}
	})
}

func TestMoveByCursor(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen()
		d.Press("tab enter tab enter")
		if m.Snapshot().Turns != 1 {
			h.T.Errorf("no move was made:\n%s", d.Text())
		}
	})
}

func TestMoveByMouse(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen()
		d.ClickOn("██", 0)
		d.WantText("where?")
		d.ClickOn("▐▌", 0)
		if m.Snapshot().Turns != 1 {
			h.T.Errorf("no move was made:\n%s", d.Text())
		}
	})
}

func TestResigningAsksOnce(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen("b1-b2")
		h.Play(m, m.Snapshot().Position.Legal()[0])
		d.Drain()
		d.Press(":resign")
		d.WantText("Resign this game?", "y resign")
		d.Press("n")
		d.WantNoText("Resign this game?", "Cancelled")
		d.Press(":resign enter")
		d.WantText("Cancelled: only y confirms.")
		d.WantNoText("Resign this game?")
		if m.Snapshot().IsOver() {
			h.T.Fatal("resigned without a confirmation")
		}
		d.Press(":resign y")
		if s := m.Snapshot(); !s.IsOver() || s.Result.Reason != engine.ReasonResign {
			h.T.Fatal("not resigned")
		}
		d.WantText("You resigned: bob wins.")
	})
}

// TestAbortingAsksOnce: before both players have moved, the command resign asks for an abort, which the opponent and spectators are told
// in words. A question that was asked before the second turn is answered with the reason why it is too late.
func TestAbortingAsksOnce(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen()
		d.Width = 100
		bob, eve := h.SignIn("bob", ""), h.SignIn("eve", "watch "+m.Info.ID)
		d.Press(":resign")
		d.WantText("Abort this game?", "y abort")
		d.Press("n")
		if m.Snapshot().IsOver() {
			h.T.Fatal("aborted without a confirmation")
		}
		d.Press(":resign y")
		if why, seat, _ := m.Snapshot().Aborted(); why != match.AbortPlayer || seat != 0 {
			h.T.Fatalf("aborted: %q by seat %d", why, seat)
		}
		d.WantPanel("You aborted the game.")
		for _, other := range []*screentest.Session{bob, eve} {
			other.Drain()
			other.WantPanel("ana aborted the game.")
		}
		d.Press("q a")
		d.WantText("aborted")
		d, m = h.PlayingScreen("b1-b2")
		d.Width = 100
		d.Press(":resign")
		h.Play(m, m.Snapshot().Position.Legal()[0])
		d.Drain()
		d.Press("y")
		d.WantText("Both players have made a move; resign instead")
	})
}

func TestFreshOfferCannotBeAccepted(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen()
		if err := h.Player(m, 1).Offer(h.T.Context(), match.OfferDraw); err != nil {
			h.T.Fatal(err)
		}
		d.WantText("bob offers a draw.")
		d.WantNoText("= accept")
		d.Advance(op.OfferGuard - 10*time.Millisecond)
		d.Press("=")
		if m.Snapshot().IsOver() {
			h.T.Fatal("a fresh offer was accepted")
		}
		d.WantText("The draw offer has just arrived. Press = again to accept it.")
		d.Advance(20 * time.Millisecond)
		d.WantPanel("= accept, x decline")
		d.WantText("= accept draw")
		d.Press("=")
		if s := m.Snapshot(); !s.IsOver() || s.Result.Reason != engine.ReasonDraw {
			h.T.Fatal("the offer was not accepted")
		}
		d.WantText("Draw by agreement.")
	})
}

func TestAcceptKeysDiffer(t *testing.T) {
	seen := make(map[string]match.OfferKind)
	for kind, key := range matchscreen.OfferKeys {
		if old := seen[key]; old != "" {
			t.Errorf("%s has two meanings, %s and %s", key, old, kind)
		}
		seen[key] = kind
		if words.AcceptOffer(kind) == "" {
			t.Errorf("there is no text for %s", kind)
		}
	}
	if len(seen) != 3 {
		t.Errorf("there are keys for %d kinds of offers, not 3", len(seen))
	}
}

func TestTakebackAndItsRefusal(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen("b1-b2")
		d.Press("u")
		d.WantText("Ask bob for a takeback of your last turn?")
		d.Press("n")
		d.WantNoText("You asked for")
		d.Press("u y")
		d.WantText("You asked for a takeback")
		if err := h.Player(m, 1).Refuse(h.T.Context(), match.OfferUndo); err != nil {
			h.T.Fatal(err)
		}
		d.WantNoText("You asked for")
		h.Play(m, "a2-a3", "d1-d2")
		if err := h.Player(m, 1).Offer(h.T.Context(), match.OfferUndo); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		d.Press("u")
		if m.Snapshot().Turns != 1 {
			h.T.Errorf("%d turns after the takeback, not 1", m.Snapshot().Turns)
		}
		d.WantText("1 turn ")
	})
}

// TestTakebackFromABotIsConfirmed undoes more often than the turn that is being made has actions: the turn before it stays until
// the player agrees.
func TestTakebackFromABotIsConfirmed(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Bots: builtin})
		defer d.Close()
		d.Press("b")
		d.FillField("Game", "Mu")
		d.FillField("Segments each", "1")
		d.Press("enter")
		d.Press("u")
		d.WantText("You have no move to take back.")
		d.Press("enter") // lays the segment
		d.Advance(5 * time.Second)
		d.WantText("moves 1")
		d.Press("tab enter tab enter")
		d.WantText("u undo")
		d.Press("u")
		d.WantText("Undone: move")
		d.Press("u")
		d.WantText("Take back your whole last turn?", "moves 1")
		d.Press("esc")
		d.WantText("moves 1")
		d.Press("u y")
		d.WantText("Your last move was taken back.", "to lay")
	})
}

func TestNoTakebackIsOfferedBeforeTheFirstTurn(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Default)
		ana := h.Visit(screentest.Setting{Name: "ana", Width: 120, Height: 40})
		bob := h.Visit(screentest.Setting{Name: "bob", Width: 120, Height: 40, Open: "watch " + m.Info.ID})
		ana.WantNoText("u takeback")
		h.Play(m, "b1-b2")
		ana.WantText("u takeback")
		bob.WantNoText("u takeback")
		h.Play(m, "a2-a3")
		bob.WantText("u takeback")
		if err := h.Player(m, 1).Offer(h.T.Context(), match.OfferUndo); err != nil {
			h.T.Fatal(err)
		}
		if err := h.Player(m, 0).Offer(h.T.Context(), match.OfferUndo); err != nil {
			h.T.Fatal(err)
		}
		ana.WantText("u takeback")
		bob.WantNoText("u takeback")
	})
}

func TestRematchOpensByItself(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen()
		spectator := h.Visit(screentest.Setting{Name: "carol", Open: "watch " + m.Info.ID})
		spectator.TypeText("carol")
		spectator.Press("enter")
		spectator.WantPanel("1 spectator (you)")
		if err := h.Player(m, 1).Resign(h.T.Context()); err != nil {
			h.T.Fatal(err)
		}
		d.WantText("You win: bob resigned.")
		d.Press("m")
		d.WantText("You offered a rematch")
		if err := h.Player(m, 1).Offer(h.T.Context(), match.OfferRematch); err != nil {
			h.T.Fatal(err)
		}
		d.WantText("The rematch has started", "▸● bob", "○ ana")
		spectator.WantText("The rematch has started")
		spectator.WantPanel("1 spectator (you)")
	})
}

func TestLeavingALiveGameAsks(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, _ := h.PlayingScreen()
		d.Press("q")
		d.WantText("Your clock keeps running")
		d.Press("esc")
		d.WantText("Your move")
		d.Press("q y")
		d.WantText("Your games", "bob 1500?")
		d.Press("q")
		d.WantText("Leave anyway?")
		d.Press("y")
		if !d.HasEnded || !d.HasQuit {
			h.T.Error("the session continues")
		}
		if f := d.Goodbye(); len(f) != 1 || !strings.Contains(f[0], "with bob continues") {
			h.T.Errorf("the exit message is %q", f)
		}
	})
}

func TestAwayOpponentCanBeClaimed(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen("b1-b2")
		h.Member("bob").Close(false)
		d.Advance(7 * time.Second)
		d.WantText("away 7 s")
		d.Press("=")
		d.WantNoText("End the game?")
		d.Press("esc")
		d.Advance(5 * time.Second)
		d.WantText("=: claim the win")
		d.Press("=")
		d.WantText("End the game?")
		d.Press("w")
		if s := m.Snapshot(); !s.IsOver() || s.Result.Reason != engine.ReasonLeft {
			h.T.Fatal("the win was not claimed")
		}
		d.WantText("You win: bob left.")
	})
}

func TestReviewingDetaches(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Default, "b1-b2", "a2-a3", "d1-d2")
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol", Open: "watch " + m.Info.ID})
		d.Press("left left")
		d.WantText("Turn 1 of 3. End: back to")
		h.Play(m, "c2-c3")
		d.WantText("Turn 1 of 4. End: back to", "›b1-b2")
		d.Press("right")
		d.WantText("Turn 2 of 4.")
		d.Press("home")
		d.WantText("Turn 0 of 4.")
		d.Press("end")
		d.WantNoText("End: back to")
		// A player cannot move from an earlier position.
		p := h.Visit(screentest.Setting{Name: "ana"})
		p.Press("[ enter")
		p.WantText("press End to return to the game")
	})
}

func TestChatIsSeparateUntilTheEnd(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen()
		h.Account("carol")
		w := h.Visit(screentest.Setting{Name: "carol", Open: "watch " + m.Info.ID})
		d.Press("t")
		d.TypeText("good luck")
		d.Press("enter esc")
		w.Press("t")
		w.TypeText("what a start")
		w.Press("enter esc")
		d.WantText("ana: good luck")
		d.WantNoText("what a start")
		w.WantText("carol: what a start")
		w.WantNoText("good luck")
		d.Press(":resign y")
		for _, s := range []*screentest.Session{d, w} {
			s.WantText("ana: good luck", "carol: what a start")
		}
	})
}

func TestBellRingsForTheTurn(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":7}`, clock.Default)
		e := h.Terminal(screentest.Setting{Name: "ana"})
		h.Play(m, "b1-b2")
		if e.Received("\a") {
			h.T.Error("the bell rang for one's own turn")
		}
		h.Play(m, "a2-a3")
		e.WaitFor("Your move")
		if !e.Received("\a") {
			h.T.Error("the bell did not ring")
		}
	})
}

// TestAClickClearsANotice plays by mouse after a click that was refused.
func TestAClickClearsANotice(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, _ := h.PlayingScreen()
		d.NotifyError("b2 is empty")
		d.WantText("b2 is empty")
		d.ClickOn("██", 0)
		d.WantNoText("b2 is empty")
		d.WantText("where?")
	})
}

// TestNoKeyIsOfferedTwice checks the status bar while an offer is open and while the opponent is away.
func TestNoKeyIsOfferedTwice(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen("b1-b2")
		once := func() {
			h.T.Helper()
			seen := map[string]bool{}
			for _, k := range d.Current().StatusKeys() {
				if seen[k.Key] {
					h.T.Errorf("%s is offered twice: %v", k.Key, d.Current().StatusKeys())
				}
				seen[k.Key] = true
			}
			if !seen["="] {
				h.T.Errorf("= is not offered: %v", d.Current().StatusKeys())
			}
		}
		once()
		if err := h.Player(m, 1).Offer(h.T.Context(), match.OfferDraw); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		once()
		h.Member("bob").Close(false)
		d.Advance(20 * time.Second)
		once()
	})
}

// TestBoardsAreDrawnOnce has many spectators with two styles watch a turn: the board is drawn twice.
func TestBoardsAreDrawnOnce(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":11}`, clock.Default)
		all := h.VisitMany(1000, "watch "+m.Info.ID)
		before := gametest.Games.Default().(ayu.Game).FramesDrawn()
		h.Play(m, "b1-b2")
		for _, d := range all {
			d.Drain()
			d.WantText("b1-b2")
		}
		if n := gametest.Games.Default().(ayu.Game).FramesDrawn() - before; n != 2 {
			t.Errorf("for %d spectators with two styles the board was drawn %d times", len(all), n)
		}
	})
}
