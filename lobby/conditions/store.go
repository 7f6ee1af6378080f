package conditions

import (
	"context"
	"encoding/binary"
	"math/rand/v2"

	"ayumu/lobby/match"
)

// Store keeps the conditional moves of matches that have not ended. Durability, errors and concurrency are those of
// lobby.MatchStore.
type Store interface {
	// Conditions returns the conditions of a match, or ErrNotFound. Their version is 1 if there never were any.
	Conditions(ctx context.Context, id string) (match.StoredConditions, error)
	// SaveConditions replaces the row of a seat by one whose version is greater by 1, if the log has exactly this end and
	// the row the version of r. Otherwise, and if the match has ended, it returns ErrVersionConflict and changes nothing.
	SaveConditions(ctx context.Context, id string, after match.LogEnd, r match.ConditionsRow) error
	// AppendTurn is Append of lobby.MatchStore if the conditions of the match also have that version. Otherwise it
	// returns ErrVersionConflict and changes nothing.
	AppendTurn(ctx context.Context, id string, after match.LogEnd, conditions int64, entries ...match.Entry) error
}

// Appender is a Store that also appends other entries.
type Appender interface {
	Store
	Append(ctx context.Context, id string, after match.LogEnd, entries ...match.Entry) error
}

// Append does what match.RequestAppend asks for.
func Append(ctx context.Context, s Appender, id string, fx match.Effects) error {
	if fx.Conditions == 0 {
		return s.Append(ctx, id, fx.After, fx.Entries...)
	}
	return s.AppendTurn(ctx, id, fx.After, fx.Conditions, fx.Entries...)
}

// Read does what match.RequestConditions asks for.
func Read(ctx context.Context, s Store, id string) match.Input {
	stored, err := s.Conditions(ctx, id)
	if err != nil {
		return match.Input{Kind: match.ConditionsUnread, Cause: err}
	}
	return match.Input{Kind: match.ConditionsRead, Conditions: stored}
}

// NewAppendID returns a random id of an append. Its source is seeded by the operating system.
func NewAppendID() (id match.AppendID) {
	binary.LittleEndian.PutUint64(id[:8], rand.Uint64())
	binary.LittleEndian.PutUint64(id[8:], rand.Uint64())
	return id
}
