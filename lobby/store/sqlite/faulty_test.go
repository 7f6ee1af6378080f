package sqlite

import (
	"context"
	"testing"

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
		s.Accounts, s.Club, s.Puzzles = store.NewAccounts(db), store.NewClub(db), store.NewPuzzles(db)
		s.AnnouncementTable, s.MemberTable = store.NewAnnouncementTable(db), store.NewMemberTable(db, s.games)
		s.Notifications, s.TournamentTable = store.NewNotifications(db, ""), store.NewTournamentTable(db, s.games)
		s.Exporter, s.ConditionalTurns = store.NewExporter(db), store.NewConditionalTurns(db)
		s.Matches, s.Archive = store.NewMatches(db, s.games), store.NewArchive(db, s.games)
		return func() store.Store { return faultyStore{s, db} }
	})
}

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
