package tui

import (
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
)

// three starts a match of Mu for three with ana at a screen; it returns her screen.
func three(h *house) (*screen, *lobby.Match) {
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
	d.pass(time.Second)
	m := d.session.Seated()[0]
	return d, m
}

func TestTheOthersVoteOutWhoStaysAway(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := three(h)
		d.has("t talks to the other")
		d.lacks("take back", "= draw")
		h.member("bob").Close(false)
		d.pass(7 * time.Second)
		d.has("away 7 s")
		d.press("w")
		d.has("has not been away for long enough")
		d.pass(5 * time.Second)
		d.has("w votes that")
		d.press("w")
		d.has("Vote that bob leaves the game?")
		d.press("y")
		d.has("1 vote so far")
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
		d.pass(time.Second)
		d.has("voted out")
		d.lacks("w votes that")
	})
}

// leaves lets somebody at a match resign.
func (h *house) leaves(m *lobby.Match, name string) {
	h.t.Helper()
	p, err := h.member(name).Sit(m.Info.ID)
	if err == nil {
		err = p.Resign(h.t.Context())
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// TestAPlayerWhoIsOutWatches is offered no keys that cannot work any more.
func TestAPlayerWhoIsOutWatches(t *testing.T) {
	inHouse(t, func(h *house) {
		d, _ := three(h)
		d.has("r resign")
		d.press("?")
		d.has("stand beside the board")
		d.lacks("stands below the board")
		if !strings.Contains(d.text(), "vote a player out") {
			d.press("space") // to the one who is to move the help says more about the cursor
			d.has("vote a player out")
		}
		d.press("q r y")
		d.has("You are out of this game;", "resigned")
		d.lacks("r resign")
		d.press("r")
		d.has(" You are out of this game; you may watch.")
		d.lacks("Resign this game?", "seat has left")
		if seat := d.session.Seated()[0]; d.session.Plays(seat) {
			h.t.Error("who has resigned still plays")
		}
		d.press("q")
		d.has("Open tables")
		d.press("ctrl+c")
		if !d.quit {
			h.t.Errorf("the clock is said to run:\n%s", d.text())
		}
	})
}

func TestALeaveIsNoTurn(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := three(h)
		first := m.Info.Seats[0].Name
		second := m.Info.Seats[1].Name
		watcher := h.visit(setting{name: "", open: "watch " + m.Info.ID})
		watcher.press("enter")
		act := func(name string) {
			h.t.Helper()
			p, err := h.member(name).Sit(m.Info.ID)
			if name == "ana" {
				p, err = d.session.Sit(m.Info.ID)
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
		h.leaves(m, second)
		act(m.Info.Seats[2].Name)
		watcher.pass(time.Second)
		watcher.has("2 turns", "  2. ", "leaves")
		watcher.lacks("  3. ")
		watcher.press("[")
		watcher.has("turn 1 of 2")
		watcher.press("# 2 enter")
		watcher.has("2 turns")
	})
}

func TestTablesOfManySayWhenTheyBegin(t *testing.T) {
	inHouse(t, func(h *house) {
		h.account("ana")
		d := h.visit(setting{name: "ana"})
		for options, want := range map[string]string{
			`{"players":3,"segments":1}`:         "when all 3 seats are taken.",
			`{"players":4,"segments":1,"min":2}`: "when all 4 seats are taken, or at least 2 and all there are ready (y).",
		} {
			table, err := h.member("bob").Open(h.t.Context(), lobby.Proposal{Game: "mu", Options: []byte(options)})
			if err != nil {
				h.t.Fatal(err)
			}
			d.pass(time.Second)
			d.run(d.join(table.ID, ""))
			d.settle()
			if d.note.text != "You sit at the table; the game opens by itself "+want {
				h.t.Errorf("%s: %s", options, d.note.text)
			}
		}
		d.press("n")
		d.fill("Game", "Mu")
		d.press("enter")
		d.has("when all 3 seats are taken")
	})
}

// TestNotesGoAfterAWhile leaves a player alone with a note on the screen of a match.
func TestNotesGoAfterAWhile(t *testing.T) {
	inHouse(t, func(h *house) {
		d, _ := three(h)
		d.press("w")
		d.has("Everybody is here")
		d.pass(noteShown - time.Second)
		d.has("Everybody is here")
		d.pass(2 * time.Second)
		d.lacks("Everybody is here")
	})
}
