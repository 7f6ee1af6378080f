package lobby_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/table"
)

// feedText reads a feed and describes its items: "turn 1", "refused draw by 1".
func feedText(t *testing.T, f *match.Feed, s *match.Snapshot) string {
	t.Helper()
	kinds := map[match.EntryKind]string{match.EntryTurn: "turn", match.EntryUndo: "undo", match.EntryEnd: "end", match.EntryLeave: "leave"}
	var all []string
	err := f.Read(s, func(n match.FeedItem) error {
		switch {
		case n.Entry != nil && n.Swapped:
			all = append(all, fmt.Sprintf("swap %d", n.Version))
		case n.Entry != nil:
			all = append(all, fmt.Sprintf("%s %d", kinds[n.Entry.Kind], n.Version))
		case n.Event.Kind == match.EventVoted:
			all = append(all, fmt.Sprintf("vote %d against %d", n.Event.Seat, n.Event.Target))
		default:
			all = append(all, fmt.Sprintf("%s %s by %d", n.Event.Kind, n.Event.Offer, n.Event.Seat))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, ", ")
}

func wantFeed(t *testing.T, f *match.Feed, s *match.Snapshot, want string) {
	t.Helper()
	if got := feedText(t, f, s); got != want {
		t.Errorf("got %q, not %q", got, want)
	}
}

func feed(t *testing.T, s *match.Snapshot) *match.Feed {
	t.Helper()
	f, err := match.NewFeed(s, s.Version)
	if err != nil {
		t.Fatal(err)
	}
	return &f
}

func TestOffersAreEvents(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions})
		m, ctx := seats[0].Match(), t.Context()
		slow, quick := feed(t, m.Snapshot()), feed(t, m.Snapshot())
		for _, step := range []struct {
			do   func() error
			news string
		}{
			{func() error { return seats[1].Offer(ctx, match.OfferDraw) }, "offer draw by 1"},
			{func() error { return seats[0].Refuse(ctx, match.OfferDraw) }, "refused draw by 0"},
			{func() error { turn(t, seats); return nil }, "turn 1"},
			{func() error { return seats[1].Offer(ctx, match.OfferDraw) }, "offer draw by 1"},
			{func() error { return seats[1].Refuse(ctx, match.OfferDraw) }, "withdrawn draw by 1"},
			{func() error { return seats[0].Offer(ctx, match.OfferUndo) }, "offer undo by 0"},
			{func() error { turn(t, seats); return nil }, "refused undo by 1, turn 2"},
			{func() error { return seats[1].Offer(ctx, match.OfferDraw) }, "offer draw by 1"},
			{func() error { turn(t, seats); return nil }, "refused draw by 0, turn 3"},
			{func() error { return seats[1].Offer(ctx, match.OfferUndo) }, "offer undo by 1"},
			{func() error { return seats[0].Offer(ctx, match.OfferUndo) }, "undo 4"},
			{func() error { return seats[1].Resign(ctx) }, "end 5"},
			{func() error { return seats[0].Offer(ctx, match.OfferRematch) }, "offer rematch by 0"},
			{func() error { return seats[1].Refuse(ctx, match.OfferRematch) }, "refused rematch by 1"},
		} {
			if err := step.do(); err != nil {
				t.Fatal(err)
			}
			wantFeed(t, quick, m.Snapshot(), step.news)
		}
		// A late reader gets the same order: events come between the entries.
		wantFeed(t, slow, m.Snapshot(), "offer draw by 1, refused draw by 0, turn 1, "+
			"offer draw by 1, withdrawn draw by 1, offer undo by 0, refused undo by 1, turn 2, "+
			"offer draw by 1, refused draw by 0, turn 3, offer undo by 1, undo 4, end 5, "+
			"offer rematch by 0, refused rematch by 1")
		wantFeed(t, slow, m.Snapshot(), "")
	})
}

func TestSwapIsReported(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: []byte(`{"size":5,"pie":true}`)})
		f := feed(t, seats[0].Snapshot())
		turn(t, seats)
		if _, err := seats[1].Act(t.Context(), 1, []string{"swap"}); err != nil {
			t.Fatal(err)
		}
		turn(t, seats)
		wantFeed(t, f, seats[0].Snapshot(), "turn 1, swap 2, turn 3")
	})
}

func TestMatchEventsAreBounded(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: []byte(`{"size":15,"pie":false}`)})
		for range 20 {
			turn(t, seats)
			advance(10 * time.Second) // refill the bucket of offers
			wantCode(t, "offer", seats[0].Offer(t.Context(), match.OfferDraw), "")
			wantCode(t, "refuse", seats[1].Refuse(t.Context(), match.OfferDraw), "")
		}
		db := seats[0].Snapshot().Events
		if len(db) != 32 || db[31].Seq != 40 || db[0].Seq != 9 {
			t.Errorf("%d events, the last is %+v", len(db), db[len(db)-1])
		}
	})
}

// A turn that could not be recorded declines no offer before it is recorded.
func TestFailedTurnKeepsTheOffers(t *testing.T) {
	for _, keep := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			lossy := &unclearStore{Store: memoryStore(t), keep: keep}
			h := open(t, lossy)
			defer h.Close()
			seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions})
			wantCode(t, "offer", seats[1].Offer(t.Context(), match.OfferDraw), "")
			f := feed(t, seats[0].Snapshot())
			lossy.fail = true
			act := func() error {
				_, err := seats[0].Act(t.Context(), 0, seats[0].Snapshot().Position.Legal()[:1])
				return err
			}
			if err := act(); (err == nil) != keep {
				t.Fatalf("keep %v: %v", keep, err)
			}
			lossy.fail = false
			if !keep {
				wantFeed(t, f, seats[0].Snapshot(), "")
				if len(seats[0].Snapshot().Offers) != 1 {
					t.Error("the offer is gone")
				}
				wantCode(t, "the turn again", act(), "")
			}
			if got := feedText(t, f, seats[0].Snapshot()); !strings.HasPrefix(got, "refused draw by 0, turn 1") {
				t.Errorf("keep %v: got %q", keep, got)
			}
		})
	}
}

func TestVotesAreEvents(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		players := h.startThree(table.Proposal{Game: "mu", Options: []byte(`{"players":3,"segments":2}`)})
		f := feed(t, players[0].Snapshot())
		players[2].leave(false)
		advance(time.Minute)
		vote := func(p *threePlayer) { wantCode(t, "vote", p.Vote(t.Context(), players[2].Seat()), "") }
		vote(players[0])
		vote(players[0])
		wantFeed(t, f, players[0].Snapshot(), fmt.Sprintf("vote %d against %d", players[0].Seat(), players[2].Seat()))
		vote(players[1])
		wantFeed(t, f, players[0].Snapshot(), fmt.Sprintf("vote %d against %d, leave 1", players[1].Seat(), players[2].Seat()))
		wantCode(t, "resign", players[1].Resign(t.Context()), "")
		s := players[0].Snapshot()
		want := make([]string, 3)
		want[players[2].Seat()], want[players[1].Seat()] = match.LeftAbsent, match.LeftResigned
		if got := match.Departures(3, s.Log); !s.IsOver() || !slices.Equal(got, want) {
			t.Errorf("left as %q, not %q", got, want)
		}
		games, err := h.Archive.FinishedMatches(t.Context(), 0, "", "", 10)
		if err != nil || len(games) != 1 || !slices.Equal(games[0].Departures, want) {
			t.Errorf("the archive has %+v, %v", games, err)
		}
	})
}

// threePlayer is a seat of a match of three.
type threePlayer struct {
	*lobby.Player
	leave func(dropped bool)
}

// startThree starts a match of three players.
func (h harness) startThree(p table.Proposal) (players [3]*threePlayer) {
	h.t.Helper()
	var sessions []*lobby.Session
	var id string
	for _, name := range []string{"ana", "bob", "cleo"} {
		sessions = append(sessions, h.member(name))
	}
	table, err := sessions[0].OpenTable(h.t.Context(), p)
	for _, s := range sessions[1:] {
		if err == nil {
			id, err = s.JoinTable(h.t.Context(), table.ID, "")
		}
	}
	if err != nil {
		h.t.Fatal(err)
	}
	for i, s := range sessions {
		player, err := s.AsPlayer(id)
		if err != nil {
			h.t.Fatal(err)
		}
		players[i] = &threePlayer{player, s.Close}
	}
	return players
}

// Spectators of a delayed match learn nothing of offers, votes and clocks before they see the turn that
// followed, and everything at the end.
func TestDelayHoldsForEvents(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: []byte(`{"size":7,"pie":false}`), Delay: 2, Clock: &clock.Default})
		ctx := t.Context()
		w, err := h.member("eve").Watch(seats[0].Match().Info.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		f := feed(t, w.Snapshot())
		turn(t, seats)
		wantCode(t, "offer", seats[0].Offer(ctx, match.OfferDraw), "")
		advance(10 * time.Second)
		wantFeed(t, f, w.Snapshot(), "")
		turn(t, seats) // declines it
		wantCode(t, "offer", seats[1].Offer(ctx, match.OfferDraw), "")
		if s := w.Snapshot(); s.Version != 0 || len(s.Offers) != 0 || len(s.Events) != 0 || s.RunningSeat >= 0 || s.Clocks[0] != clock.Default.Initial {
			t.Errorf("a spectator sees %+v", s)
		}
		turn(t, seats) // declines it as well
		wantFeed(t, f, w.Snapshot(), "turn 1")
		if left, _ := w.Snapshot().Remaining(1, time.Now()); left != clock.Default.Initial {
			t.Errorf("a spectator sees a clock at %v", left)
		}
		turn(t, seats)
		wantFeed(t, f, w.Snapshot(), "offer draw by 0, refused draw by 1, turn 2")
		wantCode(t, "offer", seats[0].Offer(ctx, match.OfferDraw), "")
		advance(time.Second)
		wantFeed(t, f, w.Snapshot(), "")
		wantCode(t, "resign", seats[0].Resign(ctx), "")
		wantFeed(t, f, w.Snapshot(), "offer draw by 1, refused draw by 0, turn 3, turn 4, offer draw by 0, end 5")
	})
}

func TestDelayHoldsForVotes(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		players := h.startThree(table.Proposal{Game: "mu", Options: []byte(`{"players":3,"segments":2}`), Delay: 3})
		w, err := h.member("eve").Watch(players[0].Match().Info.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		players[2].leave(false)
		advance(time.Minute)
		target := players[2].Seat()
		wantCode(t, "vote", players[0].Vote(t.Context(), target), "")
		if got := players[0].Snapshot().Votes[target]; got != 1 {
			t.Errorf("a player sees %d votes", got)
		}
		if s := w.Snapshot(); s.Votes[target] != 0 || len(s.Events) != 0 {
			t.Errorf("a spectator sees %d votes and the events %+v", s.Votes[target], s.Events)
		}
	})
}

func TestAbortSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := memoryStore(t)
		h := open(t, db)
		seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions, Clock: &clock.Default})
		turn(t, seats)
		advance(time.Hour)
		if why, seat, ok := seats[0].Snapshot().Aborted(); !ok || why != match.AbortFirstTurn || seat != 1 {
			t.Errorf("aborted for %q, seat %d, %v", why, seat, ok)
		}
		replay, err := h.Archive.MatchSnapshot(t.Context(), 0, seats[0].Match().Info.ID)
		if err != nil {
			t.Fatal(err)
		}
		if why, seat, ok := replay.Aborted(); !ok || why != match.AbortFirstTurn || seat != 1 {
			t.Errorf("the archive says %q, seat %d, %v", why, seat, ok)
		}
		seats = h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions})
		turn(t, seats)
		if _, _, ok := seats[0].Snapshot().Aborted(); ok {
			t.Error("a match that goes on is aborted")
		}
		// A month without a turn passes while the server is down, since a lobby does something every few seconds.
		id, last := seats[0].Match().Info.ID, time.Now()
		h.Close()
		advance(30*24*time.Hour - time.Hour)
		h = open(t, db)
		defer h.Close()
		synctest.Wait()
		m := h.mustMatch(id)
		if m.Snapshot().IsOver() {
			t.Errorf("the match is over after %v", time.Since(last))
		}
		advance(2 * time.Hour)
		if why, seat, ok := m.Snapshot().Aborted(); !ok || why != match.AbortIdle || seat != 1 {
			t.Errorf("aborted for %q, seat %d, %v", why, seat, ok)
		}
	})
}

// faultyRatings is a store that cannot return the rating changes of a match.
type faultyRatings struct{ lobby.Store }

func (faultyRatings) MatchRatings(context.Context, string) ([]rating.Change, match.UnratedReason, error) {
	return nil, "", errors.New("disk went away")
}

func TestRatedMatchesSayWhatTheyChanged(t *testing.T) {
	yes := true
	rated := table.Proposal{Options: smallOptions, Rated: &yes, Clock: &clock.Default}
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		before := [2]float64{1500, 1500}
		for range 3 {
			seats := h.pair(ana, bob, rated)
			for range 6 {
				turn(t, seats)
			}
			advance(time.Second) // matches that end at the same time have no order
			wantCode(t, "resign", seats[0].Resign(t.Context()), "")
			s := seats[0].Snapshot()
			if len(s.Ratings) != 2 || s.Unrated != "" {
				t.Fatalf("changed %+v, unrated %q", s.Ratings, s.Unrated)
			}
			for i, c := range s.Ratings {
				who := 0
				if s.Info.Seats[i].Name == "bob" {
					who = 1
				}
				if c.Before.Value != before[who] || c.After.Value == c.Before.Value || (c.After.Value > c.Before.Value) != (i == 1) {
					t.Errorf("seat %d went from %v to %v", i, c.Before.Value, c.After.Value)
				}
				before[who] = c.After.Value
				if r, _ := ana.Account().Rating("ayu"); who == 0 && r != c.After {
					t.Errorf("the account has %v", r)
				}
			}
			if replay, err := h.Archive.MatchSnapshot(t.Context(), 0, s.Info.ID); err != nil || !slices.Equal(replay.Ratings, s.Ratings) {
				t.Errorf("the archive has %+v, %v", replay.Ratings, err)
			}
		}
		seats := h.pair(ana, bob, rated)
		wantCode(t, "resign", seats[0].Resign(t.Context()), "")
		if s := seats[0].Snapshot(); s.Ratings != nil || s.Unrated != match.UnratedShort {
			t.Errorf("changed %+v, unrated %q", s.Ratings, s.Unrated)
		}
		seats = h.pair(ana, bob, rated)
		advance(time.Hour)
		if s := seats[0].Snapshot(); s.Ratings != nil || s.Unrated != match.UnratedAborted {
			t.Errorf("changed %+v, unrated %q", s.Ratings, s.Unrated)
		}
		seats = h.pair(ana, bob, table.Proposal{Options: smallOptions})
		wantCode(t, "resign", seats[0].Resign(t.Context()), "")
		if s := seats[0].Snapshot(); s.Ratings != nil || s.Unrated != "" {
			t.Errorf("a casual match changed %+v, unrated %q", s.Ratings, s.Unrated)
		}
	})
}

// If ratings cannot be read, players are notified. The store has reported the error.
func TestUnreadRatingsAreSaidToBeUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reports []string
		l, err := lobby.New(t.Context(), lobby.Config{Games: enginetest.Games, Store: faultyRatings{memoryStore(t)}, Report: func(msg string, _ ...any) { reports = append(reports, msg) }})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		h := harness{l, t, nil}
		yes := true
		seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions, Rated: &yes})
		for range 6 {
			turn(t, seats)
		}
		wantCode(t, "resign", seats[0].Resign(t.Context()), "")
		if s := seats[0].Snapshot(); s.Ratings != nil || s.Unrated != match.UnratedUnknown {
			t.Errorf("changed %+v, unrated %q", s.Ratings, s.Unrated)
		}
		if len(reports) != 0 {
			t.Errorf("reported once more: %q", reports)
		}
	})
}
