package match_test

import (
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/tui/screen/screentest"
)

func TestReplayOfAFinishedGame(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.Finished("ana", "bob", `{"size":11,"pie":false}`, screentest.Opening[:6]...)
		screentest.Advance(2 * time.Hour)
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol", Open: "replay " + m.Info.ID})
		d.WantText("From the archive", "6 turns", "ana wins: bob resigned.", "←→ step  Space autoplay")
		d.WantPanel("Start of the game. →: next move, Space: autoplay.")
		d.Press("right right left")
		d.WantText("Turn 1 of 6.")
		d.Press("home")
		d.Press("] ]")
		d.WantText("Turn 2 of 6.")
		d.GoldenSizes("replay", m.Info.ID, "MATCHID")
		d.Press("# 5 enter")
		d.WantText("Turn 5 of 6.")
		d.Press("# 7 enter")
		d.WantPanel("Enter a turn number from 0 to 6.")
		d.WantText("Turn 5 of 6.")
		d.Press("home space")
		d.WantText("Autoplay", "turn 0 of 6")
		d.Advance(time.Second)
		d.WantText("turn 1 of 6")
		d.Advance(time.Second)
		d.WantText("turn 2 of 6")
		d.Press("]")
		d.WantText("Turn 2 of 6.") // the key only stopped it
		d.Advance(time.Minute)
		d.WantText("Turn 2 of 6.")
		d.Press("space")
		d.Advance(time.Minute)
		d.WantText("Last position.")
		d.Press("t")
		d.WantPanel("There is no chat in the archive.")
		d.Press("q")
		d.WantText("Open tables")
	})
}

func TestReplayKeepsToThePaceOfTheSettings(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.Finished("ana", "bob", `{"size":11,"pie":false}`, screentest.Opening[:6]...)
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol", Open: "replay " + m.Info.ID})
		for pace, after := range map[int]string{0: "turn 2 of 6", 1: "turn 1 of 6", 3: "Last position."} {
			d.Settings.ReplaySpeed = pace
			d.Press("home space")
			d.Advance(2 * time.Second)
			d.WantText(after)
			d.Press("home")
			d.Press("home")
		}
	})
}

func TestMovesAreTriedBesideTheGame(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen("b1-b2", "a2-a3")
		d.Press(":try")
		d.WantText("From turn 2")
		d.Press("d 1 d 2 enter")
		d.Press("c 2 c 3 enter")
		d.WantText("2 moves tried from turn 2", "Black to move.")
		d.GoldenSizes("variation")
		d.Press("a 3 a 4 enter")
		d.WantText("White's")
		d.Press("[ [ [ ]")
		d.WantText("1 move tried from turn 2", "White to move.")
		d.Press("e 4 e 5 enter")
		d.Press("]")
		d.WantText("2 moves tried")
		d.WantNoText("c2-c3")
		if m.Snapshot().Turns != 2 {
			h.T.Fatal("a turn of the variation was played")
		}
		h.Play(m, "f3-f4", "e4-e5")
		d.Drain()
		d.WantPanel("tried from", "The game has advanced by 2 turns.")
		d.Press("esc")
		d.WantText("Your move", "4 turns", "Back in the game")
		d.Press("g 2 g 1 enter")
		if m.Snapshot().Turns != 4 {
			h.T.Error("an illegal move was played")
		}
		d.Press("d 1 d 2 enter")
		if m.Snapshot().Turns != 5 {
			h.T.Errorf("the game does not continue:\n%s", d.Text())
		}
	})
}

// TestFinishedMatchesAndReplaysHaveTheSameKeys compares how the screens of a player, a spectator and a replay name the
// keys that step, and uses them.
func TestFinishedMatchesAndReplaysHaveTheSameKeys(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Control{}, "b1-b2", "a2-a3")
		ana, carol := h.SignIn("ana", "watch "+m.Info.ID), h.SignIn("carol", "watch "+m.Info.ID)
		carol.WantText("←→ review")
		h.Resign(m, "bob")
		for _, d := range []*screentest.Session{ana, carol, h.SignIn("dora", "replay "+m.Info.ID)} {
			d.Press("end")
			d.WantText("←→ step")
			d.WantNoText("[ ]", "review")
			d.Press("left left right")
			d.WantText("←→ step", "Turn 1 of 2.")
			d.Press("[")
			d.WantText("2 turns")
			d.WantNoText("Turn 1 of 2.")
		}
	})
}

func TestWatchingAGameThatHasEndedReplaysIt(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.Finished("ana", "bob", `{"size":11,"pie":false}`, screentest.Opening[:2]...)
		screentest.Advance(2 * time.Hour)
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol", Open: "watch " + m.Info.ID})
		d.WantText("From the archive", "ana wins: bob resigned.")
		h.Account("dan")
		d = h.Visit(screentest.Setting{Name: "dan", Open: "watch nosuch"})
		d.WantText(`There is no game "nosuch".`, "Open tables")
	})
}
