package op

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/tui/game/gametest"
)

// typedIn parses the words of an operation in the match that is open for its visit.
func typedIn(t *testing.T, m *Match, o Operation, words string) Call {
	t.Helper()
	m.visit.Current = m
	c, err := o.ParseWords(m.visit, o.Info().Name, strings.Fields(words))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestRefuseEndsTheOfferThatWasShown: an offer that takes the place of the one that is shown, or comes where none is shown,
// stays open.
func TestRefuseEndsTheOfferThatWasShown(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana, bob := h.guest(), h.guest()
		seats := h.seats(h.match(ana, bob), ana, bob)
		mine, theirs := seats[0], seats[1].Player
		if _, err := typedIn(t, mine, Refuse, "").Confirmation(mine.visit); err != errNoOffer {
			t.Errorf("without an offer: %v", err)
		}
		if _, err := mine.Player.Act(h.t.Context(), 0, []string{"b1-b2"}); err != nil {
			t.Fatal(err)
		}
		if err := theirs.Offer(h.t.Context(), match.OfferDraw); err != nil {
			t.Fatal(err)
		}
		mine.Update()
		call := typedIn(t, mine, Refuse, "")
		if err := theirs.Refuse(h.t.Context(), match.OfferDraw); err != nil {
			t.Fatal(err)
		}
		if err := mine.Player.Offer(h.t.Context(), match.OfferUndo); err != nil {
			t.Fatal(err)
		}
		if r, err := call.Run(h.t.Context(), mine.visit); err == nil || !isOpen(mine.Player.Snapshot(), match.OfferUndo) {
			t.Errorf("refusing the draw that was shown ended another offer: %v", r.JSON())
		}
		mine.Update()
		if r, err := typedIn(t, mine, Refuse, "").Run(h.t.Context(), mine.visit); err != nil || isOpen(mine.Player.Snapshot(), match.OfferUndo) {
			t.Errorf("the own offer was not withdrawn: %v, %v", r, err)
		}
	})
}

// TestVoteIsAboutWhomItNamed: a vote without a name is about the player who could be voted out when it was typed.
func TestVoteIsAboutWhomItNamed(t *testing.T) {
	withHarness(t, func(h *harness) {
		people := []*Visit{h.guest(), h.guest(), h.guest()}
		seats := h.seats(h.match(people[0], people[1:]...), people...)
		leave := func(seat int) {
			seats[seat].visit.Session.Close(false)
			<-time.After(20 * time.Second)
			seats[0].Update()
		}
		leave(2)
		call := typedIn(t, seats[0], Vote, "")
		name := seats[0].Snapshot.Info.Seats[2].Name
		if question, err := call.Confirmation(seats[0].visit); question != "You are about to vote "+name+" out of the game." {
			t.Errorf("the question is %q, %v", question, err)
		}
		back, err := h.Enter(seats[2].visit.Session.Account(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer back.Close(false)
		leave(1)
		if _, err := call.Run(h.t.Context(), seats[0].visit); err == nil || !strings.Contains(err.Error(), "that player is present") {
			t.Errorf("the vote about a player who is back: %v", err)
		}
		if n := seats[0].Player.Snapshot().Votes[1]; n != 0 {
			t.Errorf("%d votes are about another player", n)
		}
	})
}

// TestConditionsAreForTheTurnThatWasShown: a conditional move that was typed before the opponent's turn is refused after it,
// and so is the number of a list that has changed.
func TestConditionsAreForTheTurnThatWasShown(t *testing.T) {
	withHarness(t, func(h *harness) {
		member := func(name string) *Visit {
			a, err := h.Accounts.Register(h.t.Context(), name, []byte(name), netip.Addr{})
			if err != nil {
				t.Fatal(err)
			}
			v, err := (&Config{Lobby: h.Lobby, Games: gametest.Games, Account: &a}).Enter(a)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		ana, bob := member("ana"), member("bob")
		table, err := ana.Session.OpenTable(h.t.Context(), table.Proposal{Game: "ayu", Options: []byte(`{"size":7,"pie":false}`), First: table.FirstOwner, Clock: &clock.Control{Days: 3}})
		if err != nil {
			t.Fatal(err)
		}
		id, err := bob.Session.JoinTable(h.t.Context(), table.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		seats := h.seats(id, ana, bob)
		mine := seats[0]
		run := func(c Call) string {
			r, err := c.Run(h.t.Context(), ana)
			if err != nil {
				e, _ := errors.AsType[*errcode.Error](err)
				return string(e.Code)
			}
			return strings.Join(r.Text().Lines, " ")
		}
		act := func(m *Match, version int, action string) {
			if _, err := m.Player.Act(h.t.Context(), version, []string{action}); err != nil {
				t.Fatal(err)
			}
			mine.Update()
		}
		act(mine, 0, "b1-b2")
		if got := run(typedIn(t, mine, Conditions, "a2-a3 then d1-d2")); got != "Conditional move 1: if a2-a3 then d1-d2." {
			t.Error(got)
		}
		typed := typedIn(t, mine, Conditions, "c2-c3 then f1-f2")
		act(seats[1], 1, "a2-a3")
		if got := run(typed); got != string(errcode.StaleVersion) {
			t.Errorf("a conditional move for version 1 at version 3: %s", got)
		}
		if got := run(typedIn(t, mine, Conditions, "c2-c3 then f1-f2")); got != "Conditional move 1: if c2-c3 then f1-f2." {
			t.Error(got)
		}
		if _, err := mine.Player.AddCondition(h.t.Context(), 3, -1, [][]string{{"e2-e3"}, {"f1-f2"}}); err != nil {
			t.Fatal(err)
		}
		if got := run(typedIn(t, mine, Conditions, "clear 1")); got != string(errcode.StaleVersion) {
			t.Errorf("the number of a list that has changed: %s", got)
		}
		run(typedIn(t, mine, Conditions, ""))
		if got := run(typedIn(t, mine, Conditions, "clear 1")); !strings.HasPrefix(got, "Conditional move 1: ") {
			t.Error(got)
		}
	})
}
