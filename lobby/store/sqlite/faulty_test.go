package sqlite

import (
	"context"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
	"ayumu/lobby/store/storetest"
)

// TestAChangeFailsWithEachOfItsStatements makes the changes of all tests of a store with each of their statements failing
// once: a change of which a part is missing must not be taken for a success, since it would be kept.
func TestAChangeFailsWithEachOfItsStatements(t *testing.T) {
	storetest.Run(t, func(t *testing.T) func() store.Store {
		s, err := OpenMemory(enginetest.Games)
		opened(t, s, err)
		db := storetest.NewFaulty(t, database{s})
		useDatabase(s, db)
		return func() store.Store { return faultyStore{s, db} }
	})
}

// useDatabase has the statements of package store run in another database than that of a store.
func useDatabase(s *Store, db store.Database) {
	s.Accounts, s.Club, s.Puzzles = store.NewAccounts(db), store.NewClub(db), store.NewPuzzles(db)
	s.AnnouncementTable, s.MemberTable = store.NewAnnouncementTable(db), store.NewMemberTable(db, s.games)
	s.Notifications, s.TournamentTable = store.NewNotifications(db, ""), store.NewTournamentTable(db, s.games)
	s.Exporter, s.ConditionalTurns = store.NewExporter(db), store.NewConditionalTurns(db)
	s.Matches, s.Archive = store.NewMatches(db, s.games), store.NewArchive(db, s.games)
}

// TestAReadingFailsWithEachOfItsQueries: what the server starts with, shows and copies is complete, or it says that it is not.
func TestAReadingFailsWithEachOfItsQueries(t *testing.T) {
	s, err := OpenMemory(enginetest.Games)
	opened(t, s, err)
	ana, bob := newAccount(t, s, "ana"), newAccount(t, s, "bob")
	want(t, "block", s.AddBlock(t.Context(), ana.ID, bob.ID, start), nil)
	finish(t, s, newMatch(t, "ended", "", ana, bob), 4, end(time.Minute, engine.ReasonResign, 0))
	want(t, "match", s.CreateMatch(t.Context(), newMatch(t, "running", "", ana, bob), lobby.MatchStart{}), nil)
	db := &storetest.FaultyReads{Database: database{s}}
	useDatabase(s, db)
	s.Sizer = store.NewSizer(db, "SELECT 1")
	each := func(*match.Info, []match.Entry) error { return nil }
	ctx := t.Context()
	for _, c := range []struct {
		what    string
		queries int
		read    func() error
	}{
		{"an account with its blocks", 2, func() error { return errorOf(s.Account(ctx, ana.ID)) }},
		{"a match", 2, func() error { _, _, err := s.Match(ctx, "ended"); return err }},
		{"the unfinished matches", 2, func() error { return s.Unfinished(ctx, each) }},
		{"all matches", 2, func() error { return s.AllMatches(ctx, each) }},
		{"the archive", 1, func() error { return errorOf(s.FinishedMatches(ctx, lobby.MatchQuery{Limit: 9})) }},
		{"the ratings of a match", 1, func() error { _, _, err := s.MatchRatings(ctx, "ended"); return err }},
		{"tallies", 1, func() error { return errorOf(s.Tally(ctx, ana.ID, "ayu")) }},
		{"played games", 3, func() error { return errorOf(s.Played(ctx, start)) }},
		{"the progress with puzzles", 2, func() error { return errorOf(s.PuzzleProgress(ctx, ana.ID)) }},
		{"sanctions", 1, func() error { return errorOf(s.Sanctions(ctx, start)) }},
		{"the highest rating", 1, func() error { return errorOf(s.HighestRating(ctx, ana.ID, "ayu", start)) }},
		{"the size", 1, func() error { return errorOf(s.Size(ctx)) }},
		{"the number of rows", len(store.Tables), func() error { return errorOf(s.CountRows(ctx)) }},
		{"all rows", len(store.Tables), func() (last error) {
			for _, err := range s.Export(ctx) {
				last = err
			}
			return last
		}},
	} {
		if n := db.Each(t, c.what, c.read); n != c.queries {
			t.Errorf("%s takes %d queries, want %d: is there nothing to read?", c.what, n, c.queries)
		}
	}
}

func errorOf[T any](_ T, err error) error { return err }

// faultyStore is a store whose matches begin and end in a faulty database as well.
type faultyStore struct {
	*Store
	db *storetest.Faulty
}

func (s faultyStore) CreateMatch(ctx context.Context, info *match.Info, with lobby.MatchStart) error {
	if options, err := store.EncodeOptions(info); err == nil {
		s.db.Try(ctx, "recording a match in", func(t store.Tx) error { return store.InsertMatch(t, info, options, with.MaxUnfinished) })
	}
	return s.Store.CreateMatch(ctx, info, with)
}

func (s faultyStore) Append(ctx context.Context, id string, after match.LogEnd, entries ...match.Entry) error {
	return s.AppendTurn(ctx, id, after, 0, entries...)
}

func (s faultyStore) AppendTurn(ctx context.Context, id string, after match.LogEnd, conditions int64, entries ...match.Entry) error {
	if _, err := store.EncodeEntries(id, after.Version, entries); err == nil && len(entries) > 0 {
		s.db.Try(ctx, "recording a turn in", func(t store.Tx) error {
			err := store.CheckConditions(t, id, conditions)
			if last := entries[len(entries)-1]; err == nil && last.Kind == match.EntryEnd {
				err = store.FinishMatch(t, s.games, id, last)
			}
			return err
		})
	}
	return s.Store.AppendTurn(ctx, id, after, conditions, entries...)
}
