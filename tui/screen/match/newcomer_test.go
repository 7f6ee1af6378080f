package match_test

import (
	"testing"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui/screen/screentest"
)

// firstMatch starts a match between ana and bob without another before it, as StartMatch may have.
func firstMatch(h *screentest.Harness) *lobby.Match {
	h.T.Helper()
	control := clock.Default
	table, err := h.Member("ana").OpenTable(h.T.Context(), table.Proposal{Game: "ayu", Clock: &control})
	if err != nil {
		h.T.Fatal(err)
	}
	id, err := h.Member("bob").JoinTable(h.T.Context(), table.ID, "")
	if err != nil {
		h.T.Fatal(err)
	}
	m, err := h.Match(id)
	if err != nil {
		h.T.Fatal(err)
	}
	return m
}

// TestNewcomersSeeTheGoalAndTheLegend plays the first games of ana: the goal stands beside the board until a game is
// finished, in this session or before, and the legend in three games.
func TestNewcomersSeeTheGoalAndTheLegend(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := firstMatch(h)
		d := h.Visit(screentest.Setting{Name: "ana", IsNew: true})
		d.WantText("Goal: join all of your stones", "into one unit.", "Legend (: legend)", "can move", "cursor")
		d.Press(":legend")
		d.WantNoText("Legend")
		d.WantText("Goal:", "0 turns")
		h.Resign(m, "bob")
		d.Drain()
		d.WantText("You win: bob resigned.")
		d.WantNoText("Goal:")
		d.Close()

		for n := 2; n <= 4; n++ {
			m := firstMatch(h)
			d := h.Visit(screentest.Setting{Name: "ana", IsNew: true})
			d.WantNoText("Goal:")
			if n == 4 {
				d.WantNoText("Legend")
			} else {
				d.WantText("Legend")
			}
			h.Resign(m, "ana")
			d.Close()
		}
	})
}

// TestSpectatorsAreNoNewcomers checks that the goal and the legend are not shown to those who only watch.
func TestSpectatorsAreNoNewcomers(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Default)
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol", IsNew: true, Open: "watch " + m.Info.ID})
		d.WantText("30 units")
		d.WantNoText("Goal:", "Legend")
	})
}

// TestLegendStaysWithAPremove enters a move in advance in a first game, where the panel has little room: the legend stays, and
// explains the signs of that move.
func TestLegendStaysWithAPremove(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Default, screentest.Opening[:7]...)
		d := h.Visit(screentest.Setting{Name: "ana", Width: 80, Height: 24})
		d.Visit.Experience.Set("ayu", 0)
		premove(d, "f7f6")
		d.WantText("Goal:", "Your next move: f7f6.", "Legend", "next  ", "can move")
		d.GoldenSizes("newcomer-premove")
	})
}

func TestGoldenNewcomer(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.With(t, func(h *screentest.Harness) {
			h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Default, screentest.Opening[:6]...)
			size.Name = "ana"
			d := h.Visit(size)
			d.Visit.Experience.Set("ayu", 0)
			d.Golden("newcomer" + size.Suffix())
		})
	}
}

// TestGoldenNewcomerOfMu has the goal and the legend beside a board of Mu once pieces move.
func TestGoldenNewcomerOfMu(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := startMu(h, "ana", "bob")
		for range 10 {
			h.Play(m, m.Snapshot().Position.Legal()[0])
		}
		d := h.Visit(screentest.Setting{Name: "ana", Width: 80, Height: 24})
		d.Visit.Experience.Set("mu", 0)
		d.GoldenSizes("mu-newcomer")
	})
}
