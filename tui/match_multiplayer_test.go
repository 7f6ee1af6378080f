package tui

import (
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
)

// threePlayerMatch starts a match of Mu for three and returns the screen of one of its players, ana.
func threePlayerMatch(h *harness) (*testScreen, *lobby.Match) {
	h.t.Helper()
	ctx := h.t.Context()
	control := clock.Default
	table, err := h.member("bob").Open(ctx, lobby.Proposal{Game: "mu", Options: []byte(`{"players":3,"segments":1}`), Clock: &control})
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := h.member("carol").Join(ctx, table.ID, ""); err != nil {
		h.t.Fatal(err)
	}
	h.account("ana")
	d := h.visit(setting{name: "ana", open: "join " + table.ID})
	d.advance(time.Second)
	m := d.Session.SeatedMatches()[0]
	return d, m
}

func TestAbsentPlayersAreVotedOut(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := threePlayerMatch(h)
		d.wantText("Press t to chat with")
		d.wantNoText("takeback", "= draw")
		h.member("bob").Close(false)
		d.advance(7 * time.Second)
		d.wantText("away 7 s")
		d.press("w")
		d.wantText("No player has been away long enough")
		d.advance(5 * time.Second)
		d.wantText("Press w to")
		d.press("w")
		d.wantText("Vote bob out of the game?")
		d.press("y")
		d.wantText("(1 vote")
		carol, err := h.member("carol").Sit(m.Info.ID)
		if err != nil {
			h.t.Fatal(err)
		}
		away := 0
		for i, s := range m.Info.Seats {
			if s.Name == "bob" {
				away = i
			}
		}
		if err := carol.Vote(h.t.Context(), away); err != nil {
			h.t.Fatal(err)
		}
		d.advance(time.Second)
		d.wantText("voted out")
		d.wantNoText("Press w to")
	})
}

// resign makes the player with that name resign.
func (h *harness) resign(m *lobby.Match, name string) {
	h.t.Helper()
	p, err := h.member(name).Sit(m.Info.ID)
	if err == nil {
		err = p.Resign(h.t.Context())
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// TestAPlayerWhoIsOutWatches tests that a player who is out is offered no keys that cannot work.
func TestAPlayerWhoIsOutWatches(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, _ := threePlayerMatch(h)
		d.wantText("r resign")
		d.press("?")
		d.wantText("are listed beside the board")
		d.wantNoText("is below the board")
		if !strings.Contains(d.text(), "vote out a player") {
			d.press("space") // the help about the cursor may come first
			d.wantText("vote out a player")
		}
		d.press("q r y")
		d.wantText("You are out of this game.", "resigned")
		d.wantNoText("r resign")
		d.press("r")
		d.wantText(" You are out of this game. You can still watch.")
		d.wantNoText("Resign this game?", "seat has left")
		if seat := d.Session.SeatedMatches()[0]; d.Session.IsPlaying(seat) {
			h.t.Error("a player who resigned is still playing")
		}
		d.press("q")
		d.wantText("Open tables")
		d.press("ctrl+c")
		if !d.quit {
			h.t.Errorf("the screen asks about a running clock:\n%s", d.text())
		}
	})
}

func TestALeaveIsNotATurn(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := threePlayerMatch(h)
		first := m.Info.Seats[0].Name
		second := m.Info.Seats[1].Name
		spectator := h.visit(setting{name: "", open: "watch " + m.Info.ID})
		spectator.press("enter")
		act := func(name string) {
			h.t.Helper()
			p, err := h.member(name).Sit(m.Info.ID)
			if name == "ana" {
				p, err = d.Session.Sit(m.Info.ID)
			}
			if err != nil {
				h.t.Fatal(err)
			}
			s := m.Snapshot()
			if _, err := p.Act(h.t.Context(), s.Version, s.Position.Legal()[:1]); err != nil {
				h.t.Fatal(err)
			}
		}
		act(first)
		h.resign(m, second)
		act(m.Info.Seats[2].Name)
		spectator.advance(time.Second)
		spectator.wantText("2 turns", "  2. ", "leaves")
		spectator.wantNoText("  3. ")
		spectator.press("[")
		spectator.wantText("turn 1 of 2")
		spectator.press("# 2 enter")
		spectator.wantText("2 turns")
	})
}

func TestTablesOfManyDescribeWhenTheyStart(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		d := h.visit(setting{name: "ana"})
		for options, want := range map[string]string{
			`{"players":3,"segments":1}`:         "when all 3 seats are taken.",
			`{"players":4,"segments":1,"min":2}`: "when all 4 seats are taken, or at least 2 and all players there are ready (y).",
		} {
			table, err := h.member("bob").Open(h.t.Context(), lobby.Proposal{Game: "mu", Options: []byte(options)})
			if err != nil {
				h.t.Fatal(err)
			}
			d.advance(time.Second)
			d.run(d.join(table.ID, ""))
			d.drainMessages()
			if text := strings.Join(strings.Fields(d.text()), " "); !strings.Contains(text, "You joined the table; the game starts "+want) {
				h.t.Errorf("%s: %s", options, text)
			}
		}
		d.press("n")
		d.fillField("Game", "Mu")
		d.press("enter")
		d.wantText("when all 3 seats are taken")
	})
}

// TestNoticesExpireInAMatch waits for a notice on the screen of a match to expire.
func TestNoticesExpireInAMatch(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, _ := threePlayerMatch(h)
		d.press("w")
		d.wantText("No player has been away")
		d.advance(time.Minute - time.Second)
		d.wantText("No player has been away")
		d.advance(2 * time.Second)
		d.wantNoText("No player has been away")
	})
}
