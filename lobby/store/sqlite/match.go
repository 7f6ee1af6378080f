package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"ayumu/lobby"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
)

// CreateMatch implements lobby.MatchStore.
func (s *Store) CreateMatch(ctx context.Context, info *match.Info, with lobby.MatchStart) error {
	const op = "recording a match in"
	options, err := store.EncodeOptions(info)
	if err != nil {
		return s.explainError(op, err)
	}
	_, err = s.rows.write(ctx, with.Rows, func(durable []rows.Row) error {
		return s.update(ctx, op, func(t *tx) error {
			err := store.InsertMatch(t, info, options, with.MaxUnfinished)
			if err == nil {
				err = t.saveRows(durable)
			}
			if err == nil {
				t.logEnds[info.ID] = match.LogEnd{}
			}
			return err
		})
	})
	return err
}

// Append implements lobby.MatchStore.
func (s *Store) Append(ctx context.Context, id string, after match.LogEnd, entries ...match.Entry) error {
	return s.AppendTurn(ctx, id, after, 0, entries...)
}

// AppendTurn implements lobby.MatchStore. With the version 0 the conditions do not count.
func (s *Store) AppendTurn(ctx context.Context, id string, after match.LogEnd, conditions int64, entries ...match.Entry) error {
	const op = "recording a turn in"
	if len(entries) == 0 {
		return nil
	}
	bodies, err := store.EncodeEntries(id, after.Version, entries)
	if err != nil {
		return s.explainError(op, err)
	}
	last := entries[len(entries)-1]
	record := func(t *tx) error {
		repeated, err := t.checkAppend(id, after, last.AppendID)
		if err != nil || repeated {
			return err
		}
		if err := store.CheckConditions(t, id, conditions); err != nil {
			return err
		}
		for i, body := range bodies {
			var appendID []byte
			if i == len(bodies)-1 {
				appendID = store.EncodeAppendID(last.AppendID)
			}
			t.staged = append(t.staged, id, after.Version+i+1, body, appendID)
		}
		t.logEnds[id] = match.LogEnd{Version: after.Version + len(bodies), Last: last.AppendID}
		if last.Kind != match.EntryEnd {
			return nil
		}
		delete(t.logEnds, id)
		if err := t.flush(); err != nil { // its statements read the log
			return err
		}
		return store.FinishMatch(t, s.games, id, last)
	}
	single := len(bodies) == 1 && last.Kind != match.EntryEnd
	return s.explainError(op, s.submit(ctx, &job{do: record, singleStatement: single}))
}

// checkAppend returns nil if entries can follow this end of the log, or why they cannot. repeated means that
// the log has the append with this id.
func (t *tx) checkAppend(matchID string, after match.LogEnd, id match.AppendID) (repeated bool, err error) {
	if end, known := t.logEnds[matchID]; known && end == after {
		return false, nil
	}
	if err := t.flush(); err != nil {
		return false, err
	}
	var end match.LogEnd
	var last []byte
	var over bool
	err = t.Row(`SELECT (SELECT count(*) FROM log WHERE match = ?1),
			(SELECT append_id FROM log WHERE match = ?1 ORDER BY version DESC LIMIT 1),
			EXISTS (SELECT 1 FROM log WHERE match = ?1 AND append_id = ?2), ended IS NOT NULL
		FROM matches WHERE id = ?1`, matchID, store.EncodeAppendID(id)).Scan(&end.Version, &last, &repeated, &over)
	copy(end.Last[:], last)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return false, errcode.ErrNotFound
	case err != nil || repeated:
		return repeated, err
	case over || end != after:
		return false, errcode.ErrVersionConflict
	}
	return false, nil
}

// insertions are statements that insert several entries, because that costs less than one by one.
var insertions = []struct {
	entries int
	query   string
}{{16, insertion(16)}, {4, insertion(4)}, {1, insertion(1)}}

func insertion(entries int) string {
	return "INSERT INTO staged_entries (match, version, body, append_id) VALUES (?, ?, ?, ?)" + strings.Repeat(", (?, ?, ?, ?)", entries-1)
}

// flush inserts the staged entries.
func (t *tx) flush() error {
	for _, i := range insertions {
		for n := 4 * i.entries; len(t.staged) >= n; t.staged = t.staged[n:] {
			if _, err := t.Exec(i.query, t.staged[:n]...); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxStaged is the number of entries in the table staged_entries at which they are moved to their logs. Moving more
// at once costs less for each, but callers wait longer meanwhile.
const maxStaged = 2048

// flushStaging moves the entries of the table staged_entries to their logs if there are maxStaged.
func (t *tx) flushStaging() error {
	var staged int
	if err := t.Row("SELECT coalesce(max(id), 0) FROM staged_entries").Scan(&staged); err != nil || staged < maxStaged {
		return err
	}
	if _, err := t.Exec("INSERT INTO entries (match, version, body, append_id) SELECT match, version, body, append_id FROM staged_entries ORDER BY match, version"); err != nil {
		return err
	}
	_, err := t.Exec("DELETE FROM staged_entries")
	return err
}
