package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"ayumu/lobby"
)

// CreateMatch implements lobby.Store. It returns lobby.ErrTaken for an id that exists. Of guests it stores
// the name and the digest of the return code.
func (s *Store) CreateMatch(ctx context.Context, info *lobby.MatchInfo) error {
	options, err := json.Marshal(info.Options)
	if err != nil {
		return s.explainError("recording a match in", fmt.Errorf("match %s: options: %w", info.ID, err))
	}
	return s.update(ctx, "recording a match in", func(t *tx) error {
		rows, err := t.exec(`
			INSERT INTO matches (id, game, options, initial, increment, days, rated, private, code, prior, delay, started)
			VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT DO NOTHING`,
			info.ID, info.Game, string(options), int64(info.Control.Initial), int64(info.Control.Increment), info.Control.Days,
			info.Rated, info.Private, info.Code, info.RematchOf, info.Delay, info.Started.UnixNano())
		if err == nil && rows == 0 {
			return lobby.ErrTaken
		}
		for i, seat := range info.Seats {
			if err != nil {
				break
			}
			_, err = t.exec(`
				INSERT INTO seats (match, seat, account, name, bot, before, return, game, options)
				VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`,
				info.ID, i, sql.NullInt64{Int64: int64(seat.Account), Valid: seat.Account > 0}, seat.Name, seat.Bot,
				encodeRating(seat.Rating), seat.ReturnDigest, info.Game, string(options))
		}
		if err == nil {
			t.logLengths[info.ID] = 0
		}
		return err
	})
}

// Append implements lobby.Store. For a match that has ended it returns lobby.ErrVersionConflict.
func (s *Store) Append(ctx context.Context, match string, version int, entries ...lobby.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	bodies := make([][]byte, len(entries))
	for i, e := range entries {
		var err error
		if bodies[i], err = encode(e); err != nil {
			return s.explainError("recording a turn in", fmt.Errorf("match %s: entry %d: %w", match, version+i+1, err))
		}
		if end := e.Kind == lobby.EntryEnd; end != isComplete(e) || end && i < len(entries)-1 {
			return s.explainError("recording a turn in", fmt.Errorf("match %s: entry %d: %w", match, version+i+1, errEnd))
		}
	}
	last := entries[len(entries)-1]
	record := func(t *tx) error {
		for i, body := range bodies {
			if err := t.append(match, version+i+1, body); err != nil {
				return err
			}
		}
		if last.Kind == lobby.EntryEnd {
			return t.finishMatch(match, last)
		}
		return nil
	}
	single := len(bodies) == 1 && last.Kind != lobby.EntryEnd
	return s.explainError("recording a turn in", s.submit(ctx, &job{do: record, singleStatement: single}))
}

// isComplete reports whether an entry has what an EntryEnd needs.
func isComplete(e lobby.Entry) bool {
	return e.Result != nil && len(e.TurnsMade) > 0 && len(e.TurnsMade) == len(e.Sides)
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
	err := t.row("SELECT (SELECT count(*) FROM log WHERE match = ?1), ended IS NOT NULL FROM matches WHERE id = ?1", match).
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
			if _, err := t.exec(i.query, t.staged[:n]...); err != nil {
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
	if err := t.row("SELECT coalesce(max(id), 0) FROM fresh").Scan(&fresh); err != nil || fresh < maxStaged {
		return err
	}
	if _, err := t.exec("INSERT INTO entries (match, version, body) SELECT match, version, body FROM fresh ORDER BY match, version"); err != nil {
		return err
	}
	_, err := t.exec("DELETE FROM fresh")
	return err
}
