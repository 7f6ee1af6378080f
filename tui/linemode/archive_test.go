package linemode

import (
	"testing"
	"time"

	"ayumu/lobby/lobbytest"
	"ayumu/lobby/table"
)

func TestArchiveAndProfilesArePrinted(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "finished", "top", "profile", "profile nobody")
		a.waitFor("No finished games.", "Nobody has a place yet. A place requires a deviation", "ana, joined", "No finished games.", `there is no account "nobody"`)
		b.typeLines("bob")
		a.typeLines("new ayu 5x5 5+5 rated pie=off")
		b.typeLines("tables", "join 1")
		s := h.onlyMatch().Snapshot()
		first, second := a, b
		if s.Info.Seats[0].Name == "bob" {
			first, second = b, a
		}
		first.typeLines("b1b2")
		second.typeLines("a2a3")
		first.typeLines(h.onlyMatch().Snapshot().Position.Legal()[0])
		second.typeLines(h.onlyMatch().Snapshot().Position.Legal()[0])
		b.typeLines("resign", "yes", "lobby")
		a.typeLines("lobby")
		a.waitFor("You are in the lobby.")
		a.typeLines("finished", "finished bob", "more", "profile bob", "top ayu")
		a.waitFor("Ayu 5x5: ", "ana won by resignation, 4 turns.", "ana won", "Type replay and a number to go through a game.", "There is nothing more to list.",
			"bob, joined", "Ayu: ", "provisional, after 1 rated game.", "Ayu: 1 game, 0 won, 0 drawn, 1 lost.", "As ", ": 0 won, 0 drawn, 1 lost.", "5x5: 0 won", "Nobody has a place yet.")
	})
}

// TestMoreContinuesAList has more finished games than one list.
func TestMoreContinuesAList(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana, bob := lobbytest.Member(h.t, h.Lobby, "ana"), lobbytest.Member(h.t, h.Lobby, "bob")
		for range 22 {
			id := lobbytest.Start(h.t, ana, bob, table.Proposal{Game: "ayu"})
			p, err := ana.AsPlayer(id)
			if err == nil {
				err = p.Resign(h.t.Context())
			}
			if err != nil {
				h.t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		p := h.connect("p", "")
		p.typeLines("zoe", "finished ana")
		p.waitFor("20: 1 Jan 2000, ", "There are more; type more.")
		p.typeLines("more")
		p.waitFor("1: 1 Jan 2000, ", "2: 1 Jan 2000, ", "Type replay and a number to go through a game.")
		p.typeLines("more")
		p.waitFor("There is nothing more to list.")
	})
}

func TestNextGameAndDelay(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "next")
		a.waitFor("It is not your turn in any other game.")
		b.typeLines("bob")
		a.typeLines("new 5x5 3d delay=2 pie=off", "new 5x5 delay=99")
		a.waitFor("Open: your table", "the spectator delay is 0 to 20 turns")
		b.typeLines("tables", "join 1")
		b.waitFor("Spectator delay: 2 turns.")
		m := h.onlyMatch()
		first, second := a, b
		if m.Info.Seats[0].Name == "bob" {
			first, second = b, a
		}
		first.typeLines("b1b2")
		second.waitFor("b1 to b2", "Your turn") // players are not kept waiting
		first.typeLines("lobby", "next")
		first.waitFor("It is not your turn in any other game.")
		second.typeLines("lobby", "next")
		second.waitFor("You are in the lobby.", "Your turn")
		w := h.connect("w", "")
		w.typeLines("zoe", "watch "+m.Info.ID, "record")
		w.waitFor("Spectator delay: 2 turns.", "No turns have been played.")
		second.typeLines("a2a3")
		w.waitFor()
		first.typeLines("play 1", "d1d2")
		w.waitFor("b1 to b2")
	})
}

func TestWatchSaysThatAGameHasEnded(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "new 5x5 pie=off")
		b.typeLines("bob", "tables", "join 1")
		b.waitFor("You are")
		m := h.onlyMatch()
		b.typeLines("resign", "yes")
		b.waitFor("You resigned: ", "lobby")
		time.Sleep(2 * time.Hour)
		w := h.connect("w", "")
		w.typeLines("zoe", "watch "+m.Info.ID, "watch nosuch")
		w.waitFor("the game "+m.Info.ID+" has ended; record "+m.Info.ID+" has its turns", `there is no game "nosuch"`)
	})
}
