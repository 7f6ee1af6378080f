package line

import (
	"testing"
)

func TestArchiveAndProfilesAreSaid(t *testing.T) {
	inHouse(t, func(h *house) {
		a, b := h.comes("a", ""), h.comes("b", "")
		a.types("ana", "finished", "top", "profile", "profile nobody")
		a.hears("No finished games.", "Nobody has a settled rating yet.", "ana, here since", "No finished games.", `nobody called "nobody" has an account`)
		b.types("bob")
		a.types("new ayu 5x5 5+5 rated pie=off")
		b.types("tables", "join 1")
		s := h.only().Snapshot()
		first, second := a, b
		if s.Info.Seats[0].Name == "bob" {
			first, second = b, a
		}
		first.types("b1b2")
		second.types("a2a3")
		first.types(h.only().Snapshot().Position.Legal()[0])
		second.types(h.only().Snapshot().Position.Legal()[0])
		b.types("resign", "yes", "lobby")
		a.types("lobby")
		a.hears("You are in the lobby.")
		a.types("finished", "finished bob", "profile bob", "top ayu")
		a.hears("Ayu 5x5: ", "ana won, the other resigned, 4 turns.", "ana won",
			"bob, here since", "ayu: ", "not settled, after 1 rated game.", "ayu: 1 game, 0 won, 0 drawn, 1 lost.", "Nobody has a settled rating yet.")
	})
}

func TestNextGameAndDelay(t *testing.T) {
	inHouse(t, func(h *house) {
		a, b := h.comes("a", ""), h.comes("b", "")
		a.types("ana", "next")
		a.hears("No other game waits for you.")
		b.types("bob")
		a.types("new 5x5 3d delay=2 pie=off", "new 5x5 delay=99")
		a.hears("Open: your table", "watchers can see a game 0 to 20 turns late")
		b.types("tables", "join 1")
		b.hears("Watchers see this game 2 turns late.")
		m := h.only()
		first, second := a, b
		if m.Info.Seats[0].Name == "bob" {
			first, second = b, a
		}
		first.types("b1b2")
		second.hears("b1 to b2", "Your turn") // players are not kept waiting
		first.types("lobby", "next")
		first.hears("No other game waits for you.")
		second.types("lobby", "next")
		second.hears("You are in the lobby.", "Your turn")
		w := h.comes("w", "")
		w.types("zoe", "watch "+m.Info.ID, "record")
		w.hears("Watchers see this game 2 turns late.", "No turn has been made.")
		second.types("a2a3")
		w.hears()
		first.types("play 1", "d1d2")
		w.hears("b1 to b2")
	})
}
