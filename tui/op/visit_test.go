package op

import (
	"slices"
	"testing"
	"time"

	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// TestChallengesThatAreGoneAreForgotten challenges a user repeatedly.
func TestChallengesThatAreGoneAreForgotten(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana, bob := h.guest(), h.guest()
		for range 5 {
			table, err := bob.Session.OpenTable(h.t.Context(), table.Proposal{Game: "ayu", To: ana.Session.Account().Name})
			if err != nil {
				t.Fatal(err)
			}
			if got := ana.NewChallenges(); len(got) != 1 || got[0].ID != table.ID {
				t.Errorf("the new challenges are %v", got)
			}
			if got := ana.NewChallenges(); got != nil {
				t.Errorf("a challenge is reported twice: %v", got)
			}
			if _, err := Cancel.Run(h.t.Context(), bob, CancelArgs{TableID(table.ID)}); err != nil {
				t.Fatal(err)
			}
			if ana.NewChallenges(); len(ana.knownChallenges) > 0 {
				t.Errorf("%d closed challenges are kept", len(ana.knownChallenges))
			}
		}
	})
}

func TestNewMatchesAreReportedOnce(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana, bob := h.guest(), h.guest()
		first := h.match(ana, bob)
		if m := ana.NextStarted(); m == nil || m.Info.ID != first {
			t.Errorf("the new match is %v", m)
		}
		bob.Expect(first)
		second := h.match(ana, bob)
		if m := bob.NextStarted(); m == nil || m.Info.ID != second || bob.NextStarted() != nil {
			t.Errorf("the new match of the one who joined is %v", m)
		}
		<-time.After(newMatchAge + time.Second)
		if m := ana.NextStarted(); m != nil {
			t.Error("an old match is reported as new")
		}
	})
}

func TestWaitingMatchesFollowTheOneThatIsShown(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana, bob := h.guest(), h.guest()
		var turns []string // of ana
		for range 6 {
			id := h.match(ana, bob)
			if h.open(ana, id).IsOwnTurn() {
				turns = append(turns, id)
			}
		}
		ids := func(shown string) (all []string) {
			for _, m := range ana.Waiting(shown) {
				all = append(all, m.Info.ID)
			}
			return all
		}
		if got := ids(""); !slices.Equal(got, turns) {
			t.Errorf("waiting are %v, want %v", got, turns)
		}
		for i, id := range turns {
			if got, want := ids(id), slices.Concat(turns[i+1:], turns[:i]); !slices.Equal(got, want) {
				t.Errorf("after %s come %v, want %v", id, got, want)
			}
		}
	})
}

func TestOffersCannotBeAcceptedAtOnce(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana, bob, eve := h.guest(), h.guest(), h.guest()
		id := h.match(ana, bob)
		seats, spectator := h.seats(id, ana, bob), h.open(eve, id)
		mine, theirs := seats[0], seats[1]
		check := func(when string, own, other OfferState) {
			t.Helper()
			for _, m := range []*Match{mine, theirs, spectator} {
				m.Update()
			}
			now := time.Now()
			if a, b := mine.OfferState(match.OfferDraw, now), theirs.OfferState(match.OfferDraw, now); a != own || b != other {
				t.Errorf("%s the states are %v and %v, want %v and %v", when, a, b, own, other)
			}
			if s := spectator.OfferState(match.OfferDraw, now); s != OfferNone {
				t.Errorf("%s a spectator has the state %v", when, s)
			}
		}
		check("before", OfferNone, OfferNone)
		if err := mine.Player.Offer(h.t.Context(), match.OfferDraw); err != nil {
			t.Fatal(err)
		}
		check("at once", OfferMade, OfferNew)
		if at := theirs.NextOfferChange(time.Now()); !at.Equal(time.Now().Add(OfferGuard)) {
			t.Errorf("the offer can be accepted at %v", at)
		}
		<-time.After(OfferGuard)
		check("later", OfferMade, OfferReceived)
		if o, open := theirs.OfferToAnswer(); !open || o.Seat != mine.Seat {
			t.Errorf("the offer to answer is %v", o)
		}
		if err := mine.Player.Refuse(h.t.Context(), match.OfferDraw); err != nil {
			t.Fatal(err)
		}
		check("when it is withdrawn", OfferNone, OfferNone)
	})
}

func TestAbsentSeatsAreVotedOut(t *testing.T) {
	withHarness(t, func(h *harness) {
		people := []*Visit{h.guest(), h.guest(), h.guest()}
		seats := h.seats(h.match(people[0], people[1:]...), people...)
		if _, ok := seats[0].VotableSeat(); ok || seats[0].CanClaim() {
			t.Error("a seat that is present can be voted out")
		}
		seats[2].visit.Session.Close(false)
		<-time.After(time.Minute)
		seats[0].Update()
		if seat, ok := seats[0].VotableSeat(); !ok || seat != 2 || seats[0].CanVoteOut(1) {
			t.Errorf("seat %d can be voted out: %v", seat, ok)
		}
	})
}

func TestClaims(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana, bob := h.guest(), h.guest()
		seats := h.seats(h.match(ana, bob), ana, bob)
		seats[1].visit.Session.Close(false)
		<-time.After(time.Second)
		if seats[0].Update(); seats[0].CanClaim() {
			t.Error("a player who left a second ago loses the game")
		}
		<-time.After(30 * time.Second)
		if seats[0].Update(); !seats[0].CanClaim() || !seats[0].ClockRuns() {
			t.Error("a player who has left keeps the game")
		}
	})
}

func TestFollowedMatches(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana, bob, eve := h.guest(), h.guest(), h.guest()
		me := ana.Session.Account()
		eve.Follow(me.ID, me.Name)
		if eve.NextFollowed() != "" || eve.Followed() != me.Name {
			t.Errorf("before the game %q is followed to %q", eve.Followed(), eve.NextFollowed())
		}
		id := h.match(ana, bob)
		<-time.After(time.Second)
		if got := eve.NextFollowed(); got != id {
			t.Errorf("the followed match is %q, want %q", got, id)
		}
		if eve.FollowFeatured(); eve.NextFollowed() != id {
			t.Error("the featured match is not followed")
		}
		if eve.Unfollow(); eve.IsFollowing() || eve.NextFollowed() != "" {
			t.Error("following does not end")
		}
	})
}

func TestQuickMatchAndCodes(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana := h.guest()
		if _, err := Quick.Run(h.t.Context(), ana, QuickArgs{Game: "ayu"}); err != nil {
			t.Fatal(err)
		}
		request := ana.QuickRequest(h.View())
		if request == nil {
			t.Fatal("the request is not found")
		}
		if _, err := Cancel.Run(h.t.Context(), ana, CancelArgs{TableID(request.ID)}); err != nil || ana.QuickRequest(h.View()) != nil {
			t.Errorf("the request is not cancelled: %v", err)
		}
		table, err := ana.Session.OpenTable(h.t.Context(), table.Proposal{Game: "ayu", Private: true})
		if err != nil {
			t.Fatal(err)
		}
		code := table.Code(ana.Session.Account().ID)
		if d := ana.Resolve(StartPoint{Kind: ToMatch, ID: code}); d != (StartPoint{ToTable, table.ID, code}) {
			t.Errorf("the code leads to %+v", d)
		}
		if d := ana.Resolve(StartPoint{Kind: ToMatch, ID: "m1"}); d != (StartPoint{Kind: ToMatch, ID: "m1"}) {
			t.Errorf("an id leads to %+v", d)
		}
		if _, err := Bot.Run(h.t.Context(), ana, BotArgs{}); err == nil {
			t.Error("a server without bots plays")
		}
	})
}

// TestIdleLimitKnowsWhoIsSeated tests how long a session may stay without input: without limit while
// its match is running.
func TestIdleLimitKnowsWhoIsSeated(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana, bob, eve := h.guest(), h.guest(), h.guest()
		seats := h.seats(h.match(ana, bob), ana, bob)
		for _, looking := range []bool{true, false} {
			if a, b := idleLimit(ana.Session, looking), idleLimit(bob.Session, looking); a != 0 || b != 0 {
				t.Errorf("the players have idle limits of %v and %v", a, b)
			}
		}
		if got := idleLimit(eve.Session, true); got != 6*time.Hour {
			t.Errorf("a spectator has an idle limit of %v", got)
		}
		if got := idleLimit(eve.Session, false); got != 30*time.Minute {
			t.Errorf("a user in the lobby has an idle limit of %v", got)
		}
		if err := seats[0].Player.Resign(h.t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := idleLimit(ana.Session, false); got != 30*time.Minute {
			t.Errorf("after the game %v", got)
		}
	})
}
