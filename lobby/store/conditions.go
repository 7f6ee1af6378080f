package store

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"math/rand/v2"

	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
)

// ConditionalTurns implements what lobby.MatchStore has of conditional moves, except AppendTurn. NewConditionalTurns is the constructor.
type ConditionalTurns struct{ db Database }

// NewConditionalTurns returns the conditional moves of the matches of a database.
func NewConditionalTurns(db Database) ConditionalTurns { return ConditionalTurns{db} }

// Conditions implements lobby.MatchStore.
func (s ConditionalTurns) Conditions(ctx context.Context, id string) (stored match.StoredConditions, err error) {
	// One statement, so that the version is that of the rows.
	err = Scan(ctx, s.db, `SELECT m.conditions_version, c.seat, c.version, c.data FROM matches m LEFT JOIN conditions c ON c.match = m.id
		WHERE m.id = ?1 ORDER BY c.seat`, []any{id}, func(row RowScanner) error {
		var seat, version sql.NullInt64
		var data []byte
		err := row.Scan(&stored.Version, &seat, &version, &data)
		if err == nil && seat.Valid {
			stored.Rows = append(stored.Rows, match.ConditionsRow{Seat: int(seat.Int64), Version: version.Int64, Data: data})
		}
		return err
	})
	switch {
	case err != nil:
		return match.StoredConditions{}, s.db.Explain("reading conditions in", err)
	case stored.Version == 0:
		return match.StoredConditions{}, errcode.ErrNotFound
	}
	return stored, nil
}

// SaveConditions implements lobby.MatchStore.
func (s ConditionalTurns) SaveConditions(ctx context.Context, id string, after match.LogEnd, replaces int64, r match.ConditionsRow) error {
	version := newConditionsVersion()
	return s.db.Update(ctx, "recording conditions in", func(t Tx) error {
		// This locks the row of the match, so that nothing is appended until the transaction ends.
		rows, err := t.Exec("UPDATE matches SET conditions_version = ?3 WHERE id = ?1 AND conditions_version = ?2 AND ended IS NULL", id, replaces, version)
		if err != nil {
			return err
		}
		if rows == 0 {
			return errcode.ErrVersionConflict
		}
		end, err := logEnd(t, id)
		if err != nil {
			return err
		}
		if end != after {
			return errcode.ErrVersionConflict
		}
		_, err = t.Exec(`INSERT INTO conditions (match, seat, version, data) VALUES (?1, ?2, ?3, ?4)
			ON CONFLICT (match, seat) DO UPDATE SET version = excluded.version, data = excluded.data`, id, r.Seat, r.Version, r.Data)
		return err
	})
}

// newConditionsVersion returns a random match.StoredConditions.Version, which is not that of a match without conditions.
// Its source is seeded by the operating system.
func newConditionsVersion() int64 { return 2 + rand.Int64N(math.MaxInt64-1) }

// logEnd returns the end of a log.
func logEnd(t Tx, id string) (end match.LogEnd, err error) {
	var last []byte
	err = t.Row("SELECT version, append_id FROM log WHERE match = ?1 ORDER BY version DESC LIMIT 1", id).Scan(&end.Version, &last)
	if errors.Is(err, sql.ErrNoRows) {
		return end, nil
	}
	copy(end.Last[:], last)
	return end, err
}

// CheckConditions returns errcode.ErrVersionConflict if the conditions of a match have another version; 0 is any.
func CheckConditions(t Tx, id string, version int64) error {
	if version == 0 {
		return nil
	}
	var now int64
	err := t.Row("SELECT conditions_version FROM matches WHERE id = ?1", id).Scan(&now)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return errcode.ErrNotFound
	case err == nil && now != version:
		return errcode.ErrVersionConflict
	}
	return err
}
