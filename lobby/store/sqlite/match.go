package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"ayumu/lobby"
	"ayumu/lobby/store"
)

// CreateMatch implements lobby.MatchStore.
func (s *Store) CreateMatch(ctx context.Context, info *lobby.MatchInfo) error {
	const op = "recording a match in"
	options, err := store.EncodeOptions(info)
	if err != nil {
		return s.explainError(op, err)
	}
	return s.update(ctx, op, func(t *tx) error {
		err := store.InsertMatch(t, info, options)
		if err == nil {
			t.logLengths[info.ID] = 0
		}
		return err
	})
}

// Append implements lobby.MatchStore.
func (s *Store) Append(ctx context.Context, match string, version int, entries ...lobby.Entry) error {
	const op = "recording a turn in"
	if len(entries) == 0 {
		return nil
	}
	bodies, err := store.EncodeEntries(match, version, entries)
	if err != nil {
		return s.explainError(op, err)
	}
	last := entries[len(entries)-1]
	record := func(t *tx) error {
		for i, body := range bodies {
			if err := t.append(match, version+i+1, body); err != nil {
				return err
			}
		}
		if last.Kind != lobby.EntryEnd {
			return nil
		}
		delete(t.logLengths, match)
		if err := t.flush(); err != nil { // its statements read the log
			return err
		}
		return store.FinishMatch(t, s.games, match, last)
	}
	single := len(bodies) == 1 && last.Kind != lobby.EntryEnd
	return s.explainError(op, s.submit(ctx, &job{do: record, singleStatement: single}))
}

// append stages an entry that makes version, if the log ends just before it and the match has not ended.
func (t *tx) append(match string, version int, body []byte) error {
	if last, known := t.logLengths[match]; !known || last != version-1 {
		if err := t.checkAppend(match, version); err != nil {
			return err
		}
	}
	t.staged = append(t.staged, match, version, body)
	t.logLengths[match] = version
	return nil
}

// checkAppend returns why no entry can follow in the log, or nil.
func (t *tx) checkAppend(match string, version int) error {
	if err := t.flush(); err != nil {
		return err
	}
	var length int
	var over bool
	err := t.Row("SELECT (SELECT count(*) FROM log WHERE match = ?1), ended IS NOT NULL FROM matches WHERE id = ?1", match).
		Scan(&length, &over)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return lobby.ErrNotFound
	case err != nil:
		return err
	case over || length != version-1:
		return lobby.ErrVersionConflict
	}
	return nil
}

// insertions are statements that insert several entries, because that costs less than one by one.
var insertions = []struct {
	entries int
	query   string
}{{16, insertion(16)}, {4, insertion(4)}, {1, insertion(1)}}

func insertion(entries int) string {
	return "INSERT INTO fresh (match, version, body) VALUES (?, ?, ?)" + strings.Repeat(", (?, ?, ?)", entries-1)
}

// flush inserts the staged entries.
func (t *tx) flush() error {
	for _, i := range insertions {
		for n := 3 * i.entries; len(t.staged) >= n; t.staged = t.staged[n:] {
			if _, err := t.Exec(i.query, t.staged[:n]...); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxStaged is the number of entries in the table fresh at which they are moved to their logs. Moving more
// at once costs less for each, but callers wait longer meanwhile.
const maxStaged = 2048

// flushStaging moves the entries of the table fresh to their logs if there are maxStaged.
func (t *tx) flushStaging() error {
	var fresh int
	if err := t.Row("SELECT coalesce(max(id), 0) FROM fresh").Scan(&fresh); err != nil || fresh < maxStaged {
		return err
	}
	if _, err := t.Exec("INSERT INTO entries (match, version, body) SELECT match, version, body FROM fresh ORDER BY match, version"); err != nil {
		return err
	}
	_, err := t.Exec("DELETE FROM fresh")
	return err
}
