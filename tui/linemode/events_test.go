package linemode

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/table"
)

func TestOutcomesOfChallengesArePrinted(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana")
		b.typeLines("bob")
		challenge := func() {
			a.typeLines("new 9x9 10+5 to bob")
			b.waitFor("ana challenges you")
			b.typeLines("tables")
		}
		challenge()
		b.typeLines("decline 1")
		b.waitFor("Challenge declined.")
		a.waitFor("bob declined your challenge.")
		challenge()
		a.typeLines("cancel")
		a.waitFor("Challenge withdrawn.")
		b.waitFor("ana withdrew the challenge.")
		challenge()
		a.typeLines("quit")
		b.waitFor("ana has left. The challenge has expired.")
		a = h.connect("a", "")
		challenge()
		b.typeLines("quit")
		a.waitFor("bob has left. Your challenge has expired.")
	})
}

func TestATableOfOthersIsLeft(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "new mu players=3")
		b.typeLines("bob", "tables", "join 1", "cancel")
		b.waitFor("You joined the table.", "You left the table.")
		b.typeLines("tables", "join 1")
		b.waitFor("You joined the table.")
		a.typeLines("cancel")
		a.waitFor("Table closed.")
		b.waitFor("ana closed the table.")
	})
}

func TestOutcomesOfOffersArePrinted(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, m := h.pair()
		one, two := m.Info.Seats[0].Name, m.Info.Seats[1].Name
		w := h.connect("w", "watch "+m.Info.ID)
		w.typeLines("zoe")
		w.waitFor("Black: ")
		first.typeLines("draw")
		second.waitFor(one + " offers a draw.")
		second.typeLines("refuse")
		second.waitFor("You declined the draw offer.")
		first.waitFor(two + " declined your draw offer.")
		w.waitFor(one+" offers a draw.", two+" declined the draw offer.")
		second.typeLines("draw", "refuse")
		second.waitFor("You withdrew your draw offer.")
		first.waitFor(two+" offers a draw.", two+" withdrew the draw offer.")
		first.typeLines("b1b2", "undo")
		second.waitFor(one + " asks for a takeback.")
		// A turn refuses it; lines are in the order of the events.
		second.typeLines("a2a3")
		first.waitFor(two+" declined your takeback request.", two+" moves a2 to a3")
		first.typeLines("lobby")
		first.waitFor("You are in the lobby.")
		second.typeLines("draw", "refuse", "resign", "yes")
		name := "Game with " + two + ": "
		first.waitFor(name+two+" offers a draw.", name+two+" withdrew the draw offer.", "Game with "+two+" is over. You win: "+two+" resigned.")
		second.typeLines("rematch")
		first.waitFor(name + two + " offers a rematch.")
	})
}

func TestASwapIsPrinted(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "new 5x5")
		b.typeLines("bob", "tables", "join 1")
		m := h.onlyMatch()
		first, second := a, b
		if m.Info.Seats[0].Name == "bob" {
			first, second = b, a
		}
		first.typeLines("b1b2", "lobby")
		second.typeLines("swap")
		second.waitFor("You swap colours and now have Black.")
		first.waitFor(m.Info.Seats[1].Name + " swapped: you are White now.")
	})
}

func TestRatingsAndAbortsArePrinted(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana")
		b.typeLines("bob")
		begin := func() (first, second *person, m *lobby.Match) {
			a.typeLines("lobby", "new 5x5 10+5 rated pie=off")
			b.typeLines("lobby", "tables", "join 1")
			if m = h.onlyMatch(); m.Info.Seats[0].Name == "ana" {
				return a, b, m
			}
			return b, a, m
		}
		first, second, m := begin()
		w := h.connect("w", "watch "+m.Info.ID)
		w.typeLines("zoe")
		for i := range 6 {
			[]*person{first, second}[i%2].typeLines(strings.ReplaceAll(m.Snapshot().Position.Legal()[0], "-", ""))
		}
		first.typeLines("resign", "yes")
		first.waitFor("You resigned: ", " wins.", "Your rating: 1500 to 1338, -162.")
		second.waitFor("You win: ", "Your rating: 1500 to 1662, +162.")
		w.waitFor("Ratings: "+m.Info.Seats[0].Name+" 1500 to 1338, -162; ", " 1500 to 1662, +162.")
		first, second, m = begin()
		first.typeLines("b1b2")
		<-time.After(2 * time.Minute)
		first.waitFor("Game aborted: "+m.Info.Seats[1].Name+" did not make the first move in time.", "Not rated: the game was aborted.")
		second.waitFor("Game aborted: you did not make the first move in time.", "Not rated: the game was aborted.")
		first.typeLines("finished", "profile ana")
		first.waitFor("aborted", "after 1 rated game.", "Rating after the last game: ")
	})
}

// TestAbortIsPrinted: abort asks, and the other player reads who it was; once both have moved the answer is to resign.
func TestAbortIsPrinted(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana, bob, m := h.pair()
		if m.Info.Seats[0].Name != "ana" {
			ana, bob = bob, ana
		}
		sit := func() (first, second *person) {
			if m.Info.Seats[0].Name == "ana" {
				return ana, bob
			}
			return bob, ana
		}
		first, second := sit()
		first.typeLines("resign")
		first.waitFor("You are about to lose the game; abort ends it without a winner. Type yes to confirm.")
		first.typeLines("abort", "no")
		if m.Snapshot().IsOver() {
			t.Fatal("aborted without a confirmation")
		}
		first.typeLines("abort")
		first.waitFor("You are about to abort the game. Nobody wins or loses. Type yes to confirm.")
		first.typeLines("yes")
		first.waitFor("You aborted the game.")
		second.waitFor(m.Info.Seats[0].Name + " aborted the game.")
		second.typeLines("finished")
		second.waitFor("aborted")
		ana.typeLines("lobby", "new 7x7 pie=off")
		bob.typeLines("lobby", "tables", "join 1")
		m = h.onlyMatch()
		first, second = sit()
		first.typeLines("b1b2")
		second.typeLines(strings.ReplaceAll(m.Snapshot().Position.Legal()[0], "-", ""))
		first.typeLines("abort")
		first.waitFor("both players have made a move; resign instead")
	})
}

// TestAbortingOftenIsPrinted: who has aborted a game is told what follows, and after the fourth why and for how long there
// are no live games.
func TestAbortingOftenIsPrinted(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana")
		b.typeLines("bob")
		for range 4 {
			a.typeLines("lobby", "new 5x5 10+5 pie=off")
			b.typeLines("lobby", "tables", "join 1")
			a.typeLines("abort", "yes")
			a.waitFor("You aborted the game. After several such games in a day, you have to wait before you can play people live.")
			b.waitFor("ana aborted the game.")
		}
		b.typeLines("lobby", "new 5x5 10+5 pie=off")
		a.typeLines("lobby", "tables")
		for _, line := range []string{"new 5x5 10+5", "quick", "join 1"} {
			a.typeLines(line)
			a.waitFor("you aborted, left or stalled 4 games within a day", "in 10 minutes")
		}
		a.typeLines("new 5x5 3d")
		a.waitFor("Open: your table")
	})
}

func TestDeparturesArePrinted(t *testing.T) {
	withHarness(t, func(h *harness) {
		control := clock.Default
		var players []*lobby.Player
		var sessions []*lobby.Session
		for _, name := range []string{"ana", "ben"} {
			account, err := h.Accounts.Register(h.t.Context(), name, []byte(name), netip.Addr{})
			if err != nil {
				h.t.Fatal(err)
			}
			s, err := h.Enter(account, nil)
			if err != nil {
				h.t.Fatal(err)
			}
			sessions = append(sessions, s)
		}
		table, err := sessions[0].OpenTable(h.t.Context(), table.Proposal{Game: "mu", Options: []byte(`{"players":3,"segments":1}`), Clock: &control})
		if err == nil {
			_, err = sessions[1].JoinTable(h.t.Context(), table.ID, "")
		}
		if err != nil {
			h.t.Fatal(err)
		}
		c := h.connect("c", "")
		c.typeLines("cho", "tables", "join 1")
		c.waitFor("Mu 3 players")
		for _, s := range sessions {
			p, err := s.AsPlayer(h.onlyMatch().Info.ID)
			if err != nil {
				h.t.Fatal(err)
			}
			players = append(players, p)
		}
		if err := players[0].Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		c.waitFor("ana resigned and left the game.")
		if err := players[1].Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		c.waitFor("ben resigned and left the game.", "You win: everyone else left (", "ana resigned")
		c.typeLines("finished")
		c.waitFor("cho won, everyone else left (", "resigned")
	})
}
