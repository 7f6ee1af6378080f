package storetest

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/store"
	"ayumu/lobby/tournament"
)

// tournamentEntries returns the first entries of a log: its creation, and that accounts enter.
func tournamentEntries(t testing.TB, organizer account.ID, entrants ...account.ID) []tournament.Entry {
	t.Helper()
	game, _ := enginetest.Games.ByName("ayu")
	terms := Must[tournament.Terms](t)(tournament.NewTerms("Ä cup", tournament.FormatSwiss, tournament.Request{Clock: &clock.Control{Initial: 5 * time.Minute}}, game))
	all := []tournament.Entry{{Kind: tournament.EntryCreated, At: Start, By: organizer, Terms: &terms, Seed: 1 << 63}}
	for i, id := range entrants {
		all = append(all, tournament.Entry{Kind: tournament.EntryEntered, At: Start.Add(time.Duration(i+1) * time.Minute), User: id, Rating: 1500 + i})
	}
	return all
}

// tournamentAppend returns the append of entries of which a log has the first ones.
func tournamentAppend(id string, after int, entries []tournament.Entry) lobby.TournamentAppend {
	return lobby.TournamentAppend{
		After: after, Entries: entries[after:],
		Listing: lobby.TournamentListing{ID: id, Name: "Ä cup", Phase: tournament.PhaseOpen, Version: len(entries), Created: Start},
	}
}

// Tournament stores a tournament that an account has made, has entered, and did not come to.
func Tournament(t testing.TB, s lobby.TournamentStore, id account.ID) {
	t.Helper()
	entered := tournamentAppend("cup", 0, tournamentEntries(t, id, id))
	entered.Attended = []tournament.Attended{{User: id, At: Start, NoShow: true}}
	Want(t, "tournament", s.AppendTournament(t.Context(), entered), nil)
}

// testTournaments: an append is recorded if the log has its version, and otherwise changes nothing.
func testTournaments(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	all := tournamentEntries(t, ana.ID, ana.ID, bob.ID)
	_, err := s.TournamentEntries(ctx, "t1", 0)
	Want(t, "unknown", err, errcode.ErrNotFound)
	Want(t, "append to an unknown one", s.AppendTournament(ctx, tournamentAppend("t1", 1, all)), errcode.ErrVersionConflict)
	Want(t, "create", s.AppendTournament(ctx, tournamentAppend("t1", 0, all[:1])), nil)
	Want(t, "create again", s.AppendTournament(ctx, tournamentAppend("t1", 0, all[:1])), errcode.ErrVersionConflict)
	Want(t, "append two", s.AppendTournament(ctx, tournamentAppend("t1", 1, all)), nil)
	Want(t, "append at an earlier version", s.AppendTournament(ctx, tournamentAppend("t1", 2, all)), errcode.ErrVersionConflict)
	Want(t, "append at a later version", s.AppendTournament(ctx, tournamentAppend("t1", 4, append(all, all...))), errcode.ErrVersionConflict)
	for after := range len(all) + 1 {
		if got := Must[[]tournament.Entry](t)(s.TournamentEntries(ctx, "t1", after)); len(got) != len(all)-after || len(got) > 0 && !reflect.DeepEqual(got, all[after:]) {
			t.Errorf("after %d: %+v\nwant %+v", after, got, all[after:])
		}
	}
	Want(t, "create another", s.AppendTournament(ctx, tournamentAppend("t2", 0, all[:1])), nil)
	if got := Must[map[string]int](t)(s.UnsettledTournaments(ctx)); !reflect.DeepEqual(got, map[string]int{"t1": 3, "t2": 1}) {
		t.Errorf("unsettled: %v", got)
	}
	Want(t, "settle at another version", s.SettleTournament(ctx, "t1", 2), nil)
	Want(t, "settle", s.SettleTournament(ctx, "t2", 1), nil)
	if got := Must[map[string]int](t)(s.UnsettledTournaments(ctx)); !reflect.DeepEqual(got, map[string]int{"t1": 3}) {
		t.Errorf("unsettled: %v", got)
	}
}

// testTournamentList: lists are in the order of their creation, and continue after any of their rows.
func testTournamentList(t *testing.T, open func() store.Store) {
	s := open()
	ana := Account(t, s, "ana")
	all := tournamentEntries(t, ana.ID)
	phases := []tournament.Phase{tournament.PhaseOpen, tournament.PhaseClosed, tournament.PhaseOpen, tournament.PhaseCancelled}
	for i, phase := range phases {
		a := tournamentAppend(fmt.Sprint("t", i), 0, all)
		a.Listing.Created, a.Listing.Phase = Start.Add(time.Duration(i/2)*time.Hour), phase
		a.Listing.Winners = []account.ID{ana.ID}
		Want(t, "create", s.AppendTournament(t.Context(), a), nil)
	}
	for _, c := range []struct {
		q    lobby.TournamentQuery
		want string
	}{
		{lobby.TournamentQuery{Limit: 9}, "t3 t2 t1 t0 "},
		{lobby.TournamentQuery{Limit: 3}, "t3 t2 t1 "},
		{lobby.TournamentQuery{Limit: 9, Before: "t2"}, "t1 t0 "},
		{lobby.TournamentQuery{Limit: 9, Before: "t9"}, ""},
		{lobby.TournamentQuery{Limit: 9, Phases: phases[:1]}, "t2 t0 "},
		{lobby.TournamentQuery{Limit: 1, Phases: phases[1:], Before: "t3"}, "t2 "},
	} {
		got := ""
		for _, l := range Must[[]lobby.TournamentListing](t)(s.Tournaments(t.Context(), c.q)) {
			if got += l.ID + " "; l.Name != "Ä cup" || len(l.Winners) != 1 {
				t.Errorf("%+v", l)
			}
		}
		if got != c.want {
			t.Errorf("%+v: got %q, want %q", c.q, got, c.want)
		}
	}
}

// testAttendance: the first record of a player in a tournament counts; and the highest rating is that of matches since a time, or the one at
// that time.
func testAttendance(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	all := tournamentEntries(t, ana.ID, ana.ID)
	for i, attended := range [][]tournament.Attended{
		{{User: ana.ID, At: Start.Add(time.Hour), NoShow: true}, {User: bob.ID, At: Start.Add(time.Hour)}},
		{{User: ana.ID, At: Start.Add(2 * time.Hour)}},
	} {
		a := tournamentAppend("t1", i, all[:i+1])
		a.Attended = attended
		Want(t, "append", s.AppendTournament(ctx, a), nil)
	}
	want := []tournament.Attendance{{Tournament: "t1", At: Start.Add(time.Hour), NoShow: true}}
	if got := Must[[]tournament.Attendance](t)(s.Attendance(ctx, ana.ID)); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := Must[[]tournament.Attendance](t)(s.Attendance(ctx, account.ID(99))); len(got) != 0 {
		t.Errorf("a stranger attended %+v", got)
	}
	Finish(t, s, Match(t, "m1", "", ana, bob), 4, End(time.Minute, engine.ReasonResign, 0))
	Finish(t, s, Match(t, "m2", "", ana, bob), 4, End(3*time.Minute, engine.ReasonResign, 1))
	highest := func(since time.Duration) float64 {
		return Must[float64](t)(s.HighestRating(ctx, ana.ID, "ayu", Start.Add(since)))
	}
	if both, held, last := highest(0), highest(2*time.Minute), highest(time.Hour); both <= last || held != both || last <= 0 {
		t.Errorf("the highest of two matches is %v, of the last one with the rating before it %v, of none since %v", both, held, last)
	}
	if none := Must[float64](t)(s.HighestRating(ctx, ana.ID, "mu-3", Start)); none != 0 {
		t.Errorf("the highest rating in a pool without matches is %v", none)
	}
}

// testTournamentsAtOnce: of appends at one version exactly one is recorded, with all its entries.
func testTournamentsAtOnce(t *testing.T, open func() store.Store) {
	s, other := open(), open()
	var ids []account.ID
	for i := range 4 {
		ids = append(ids, Account(t, s, fmt.Sprint("player", i)).ID)
	}
	created := tournamentEntries(t, ids[0])
	for round := range rounds {
		id := fmt.Sprint("t", round)
		n := atOnce(t, 2, func(i int) error {
			return []store.Store{s, other}[i].AppendTournament(t.Context(), tournamentAppend(id, 0, created))
		}, errcode.ErrVersionConflict)
		if n != 1 {
			t.Fatalf("%d created it", n)
		}
		n = atOnce(t, 4, func(i int) error {
			both := tournamentEntries(t, ids[0], ids[i], ids[(i+1)%4])
			return []store.Store{s, other}[i%2].AppendTournament(t.Context(), tournamentAppend(id, 1, both))
		}, errcode.ErrVersionConflict)
		entries := Must[[]tournament.Entry](t)(s.TournamentEntries(t.Context(), id, 0))
		if n != 1 || len(entries) != 3 {
			t.Errorf("round %d: %d appends were recorded, with %d entries", round, n, len(entries))
		}
	}
}
