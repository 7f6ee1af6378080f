package match_test

import (
	"encoding/json"
	"slices"
	"testing"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/tui/screen/screentest"
)

// premove types a move in advance.
func premove(d *screentest.Session, move string) {
	d.Press(";")
	d.TypeText(move)
	d.Press("enter")
}

// TestPremoveIsPlayedWhenTheTurnComes types a move while the opponent is to move. It is not sent before.
func TestPremoveIsPlayedWhenTheTurnComes(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen("b1-b2")
		premove(d, "d1d2")
		d.WantPanel("Your next move: d1d2. Esc: drop it.")
		if n := m.Snapshot().Turns; n != 1 {
			h.T.Fatalf("%d turns were made before the opponent's", n)
		}
		h.Play(m, "a2-a3")
		d.Drain()
		if s := m.Snapshot(); s.Turns != 3 || s.Log[2].Actions[0] != "d1-d2" {
			h.T.Errorf("the log is %+v", s.Log)
		}
		d.WantNoText("Your next move")
	})
}

// TestPremoveIsDropped cancels one, and has others dropped that are illegal when the turn comes, or after an offer or a
// takeback.
func TestPremoveIsDropped(t *testing.T) {
	for name, c := range map[string]struct {
		move string
		do   func(h *screentest.Harness, d *screentest.Session, m *lobby.Match)
		want string
	}{
		"Esc": {"d1d2", func(h *screentest.Harness, d *screentest.Session, m *lobby.Match) {
			d.Press("esc")
			d.WantNoText("Your next move")
			h.Play(m, "a2-a3")
		}, ""},
		"illegal": {"d1d3", func(h *screentest.Harness, _ *screentest.Session, m *lobby.Match) { h.Play(m, "a2-a3") }, "was not played"},
		"no move": {"hello", func(h *screentest.Harness, _ *screentest.Session, m *lobby.Match) { h.Play(m, "a2-a3") }, "was not played"},
		"takeback": {"d1d2", func(h *screentest.Harness, d *screentest.Session, m *lobby.Match) {
			for seat := range 2 { // asks, accepts
				if err := h.Player(m, seat).Offer(h.T.Context(), match.OfferUndo); err != nil {
					h.T.Fatal(err)
				}
			}
			d.Drain()
			d.WantText("the position has changed")
			h.Play(m, "b1-b2", "a2-a3")
		}, ""},
		"offer": {"d1d2", func(h *screentest.Harness, d *screentest.Session, m *lobby.Match) {
			if err := h.Player(m, 1).Offer(h.T.Context(), match.OfferDraw); err != nil {
				h.T.Fatal(err)
			}
			d.Drain()
			d.WantText("there is an offer to answer")
			h.Play(m, "a2-a3")
		}, ""},
	} {
		screentest.With(t, func(h *screentest.Harness) {
			d, m := h.PlayingScreen("b1-b2")
			premove(d, c.move)
			c.do(h, d, m)
			d.Drain()
			if n := m.Snapshot().Turns; n != 2 {
				h.T.Errorf("%s: %d turns", name, n)
			}
			if c.want != "" {
				d.WantPanel(c.want)
			}
			d.WantNoText("Your next move")
		})
	}
}

// TestPremoveOfMu lays a segment in advance.
func TestPremoveOfMu(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		opened, err := h.Member("ana").OpenTable(h.T.Context(), table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":2}`), Clock: &clock.Default})
		if err != nil {
			h.T.Fatal(err)
		}
		id, err := h.Member("bob").JoinTable(h.T.Context(), opened.ID, "")
		if err != nil {
			h.T.Fatal(err)
		}
		m, err := h.Match(id)
		if err != nil {
			h.T.Fatal(err)
		}
		for m.Info.Seats[m.Snapshot().Position.Turn()].Name == "ana" {
			h.Play(m, m.Snapshot().Position.Legal()[0])
		}
		d := h.Visit(screentest.Setting{Name: "ana"})
		theirs := m.Snapshot().Position.Legal()[0]
		then, err := engine.PlayTurn(m.Snapshot().Position, []string{theirs})
		if err != nil {
			h.T.Fatal(err)
		}
		mine := then.Legal()[0]
		premove(d, mine)
		d.WantPanel("Your next move: " + mine)
		h.Play(m, theirs)
		d.Drain()
		if s := m.Snapshot(); !slices.ContainsFunc(s.Log, func(e match.Entry) bool { return len(e.Actions) > 0 && e.Actions[0] == mine }) {
			h.T.Errorf("the log is %+v, not %s", s.Log, mine)
		}
	})
}
