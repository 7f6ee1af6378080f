package line

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
)

func TestWhatBecomesOfChallengesIsSaid(t *testing.T) {
	inHouse(t, func(h *house) {
		a, b := h.comes("a", ""), h.comes("b", "")
		a.types("ana")
		b.types("bob")
		challenge := func() {
			a.types("new 9x9 10+5 to bob")
			b.hears("ana challenges you")
			b.types("tables")
		}
		challenge()
		b.types("decline 1")
		b.hears("Challenge declined.")
		a.hears("bob declined your challenge.")
		challenge()
		a.types("cancel")
		a.hears("Challenge withdrawn.")
		b.hears("ana withdrew the challenge.")
		challenge()
		a.types("quit")
		b.hears("ana has left. The challenge has expired.")
		a = h.comes("a", "")
		challenge()
		b.types("quit")
		a.hears("bob has left. Your challenge has expired.")
	})
}

func TestATableOfOthersIsLeft(t *testing.T) {
	inHouse(t, func(h *house) {
		a, b := h.comes("a", ""), h.comes("b", "")
		a.types("ana", "new mu players=3")
		b.types("bob", "tables", "join 1", "cancel")
		b.hears("You sit at the table.", "You left the table.")
		b.types("tables", "join 1")
		b.hears("You sit at the table.")
		a.types("cancel")
		a.hears("The table is closed.")
		b.hears("ana closed the table.")
	})
}

func TestWhatBecomesOfOffersIsSaid(t *testing.T) {
	inHouse(t, func(h *house) {
		first, second, m := h.pair()
		one, two := m.Info.Seats[0].Name, m.Info.Seats[1].Name
		w := h.comes("w", "watch "+m.Info.ID)
		w.types("zoe")
		w.hears("Black: ")
		first.types("draw")
		second.hears(one + " offers a draw.")
		second.types("refuse")
		second.hears("You refused the draw offer.")
		first.hears(two + " refused your draw offer.")
		w.hears(one+" offers a draw.", two+" refused the draw offer.")
		second.types("draw", "refuse")
		second.hears("You withdrew your draw offer.")
		first.hears(two+" offers a draw.", two+" withdrew the draw offer.")
		first.types("b1b2", "undo")
		second.hears(one + " offers to take the last turn back.")
		// A turn refuses it; what is said first happened first.
		second.types("a2a3")
		first.hears(two+" refused your take-back request.", two+": a2 to a3")
		first.types("lobby")
		first.hears("You are in the lobby.")
		second.types("draw", "refuse", "resign", "yes")
		name := "Game with " + two + ": "
		first.hears(name+two+" offers a draw.", name+two+" withdrew the draw offer.", name+"You win: "+two+" resigned.")
		second.types("rematch")
		first.hears(name + two + " offers a rematch.")
	})
}

func TestASwapIsSaid(t *testing.T) {
	inHouse(t, func(h *house) {
		a, b := h.comes("a", ""), h.comes("b", "")
		a.types("ana", "new 5x5")
		b.types("bob", "tables", "join 1")
		m := h.only()
		first, second := a, b
		if m.Info.Seats[0].Name == "bob" {
			first, second = b, a
		}
		first.types("b1b2", "lobby")
		second.types("swap")
		second.hears("You: swaps sides")
		first.hears(m.Info.Seats[1].Name + " swapped: you are White now.")
	})
}

func TestRatingsAndAbortsAreSaid(t *testing.T) {
	inHouse(t, func(h *house) {
		a, b := h.comes("a", ""), h.comes("b", "")
		a.types("ana")
		b.types("bob")
		begin := func() (first, second *person, m *lobby.Match) {
			a.types("lobby", "new 5x5 10+5 rated pie=off")
			b.types("lobby", "tables", "join 1")
			if m = h.only(); m.Info.Seats[0].Name == "ana" {
				return a, b, m
			}
			return b, a, m
		}
		first, second, m := begin()
		w := h.comes("w", "watch "+m.Info.ID)
		w.types("zoe")
		for i := range 6 {
			[]*person{first, second}[i%2].types(strings.ReplaceAll(m.Snapshot().Position.Legal()[0], "-", ""))
		}
		first.types("resign", "yes")
		first.hears("wins: ", "Your rating: 1500 to 1338, -162.")
		second.hears("You win: ", "Your rating: 1500 to 1662, +162.")
		w.hears("Ratings: "+m.Info.Seats[0].Name+" 1500 to 1338, -162; ", " 1500 to 1662, +162.")
		first, second, m = begin()
		first.types("b1b2")
		<-time.After(2 * time.Minute)
		first.hears("Aborted: "+m.Info.Seats[1].Name+" made no first move in time.", "Not rated: the game was aborted.")
		second.hears("Aborted: you made no first move in time.", "Not rated: the game was aborted.")
		first.types("finished")
		first.hears("aborted")
	})
}

func TestDeparturesAreSaid(t *testing.T) {
	inHouse(t, func(h *house) {
		control := clock.Default
		var players []*lobby.Player
		var sessions []*lobby.Session
		for _, name := range []string{"ana", "ben"} {
			account, err := h.Register(h.t.Context(), name, []byte(name), netip.Addr{})
			if err != nil {
				h.t.Fatal(err)
			}
			s, err := h.Enter(account, nil)
			if err != nil {
				h.t.Fatal(err)
			}
			sessions = append(sessions, s)
		}
		table, err := sessions[0].Open(h.t.Context(), lobby.Proposal{Game: "mu", Options: []byte(`{"players":3,"segments":1}`), Clock: &control})
		if err == nil {
			_, err = sessions[1].Join(h.t.Context(), table.ID, "")
		}
		if err != nil {
			h.t.Fatal(err)
		}
		c := h.comes("c", "")
		c.types("cho", "tables", "join 1")
		c.hears("Mu 3 players")
		for _, s := range sessions {
			p, err := s.Sit(h.only().Info.ID)
			if err != nil {
				h.t.Fatal(err)
			}
			players = append(players, p)
		}
		if err := players[0].Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		c.hears("ana resigned and left the game.")
		if err := players[1].Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		c.hears("ben resigned and left the game.", "You win: all others have left (", "ana resigned")
		c.types("finished")
		c.hears("cho won, all others left (", "resigned")
	})
}
