package postgres

import (
	"context"

	"ayumu/engine"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
)

// appendJob is an append for a group commit.
type appendJob struct {
	ctx        context.Context // of the caller
	match      string
	after      match.LogEnd
	conditions int64 // the version that the conditions of the match must have; 0: any
	id         match.AppendID
	bodies     [][]byte
	done       chan error // receives exactly one result; has room for it
}

// Append implements lobby.MatchStore. When ctx ends before there is an answer the outcome is unclear.
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
	j := &appendJob{ctx: ctx, match: id, after: after, conditions: conditions, id: last.AppendID, bodies: bodies}
	if last.Kind != match.EntryEnd {
		return s.explainError(op, s.appendInGroup(j))
	}
	repeatable := j.id != match.AppendID{}
	return s.explainError(op, s.update(ctx, repeatable, func(t store.Tx) error { return finish(t, s.games, j, last) }))
}

// appendInGroup has a job done in a group commit and returns its result.
func (s *Store) appendInGroup(j *appendJob) error {
	if err := j.ctx.Err(); err != nil {
		return err
	}
	if !s.begin() {
		return errcode.ErrClosed
	}
	defer s.changes.Done()
	return s.appends.do(j)
}

// finish appends the end of a match, with what precedes it, and stores the result and the ratings. The accounts
// are locked before the match, in the order of their ids, so that ratings are read and changed by one
// transaction at a time.
func finish(t store.Tx, games engine.Games, j *appendJob, end match.Entry) error {
	_, err := t.Exec(`SELECT FROM accounts WHERE id IN (SELECT account FROM seats WHERE match = ?1)
		ORDER BY id FOR NO KEY UPDATE`, j.match)
	if err != nil {
		return err
	}
	if _, err := t.Exec("SET LOCAL synchronous_commit = on"); err != nil {
		return err
	}
	rows, err := t.Exec(`UPDATE matches SET log_version = log_version + ?2, last_append_id = ?3
		WHERE id = ?1 AND log_version = ?4 AND last_append_id IS NOT DISTINCT FROM ?5 AND ended IS NULL
			AND (?6::bigint = 0 OR conditions_version = ?6::bigint)`,
		j.match, len(j.bodies), store.EncodeAppendID(j.id), j.after.Version, store.EncodeAppendID(j.after.Last), j.conditions)
	if err != nil {
		return err
	}
	if rows == 0 {
		return reasonOf(t, j)
	}
	for i, body := range j.bodies {
		if _, err := t.Exec("INSERT INTO log (match, version, body, append_id) VALUES (?1, ?2, ?3, ?4)",
			j.match, j.after.Version+i+1, body, j.appendID(i)); err != nil {
			return err
		}
	}
	return store.FinishMatch(t, games, j.match, end)
}

// appendID returns the stored id of entry i of a job: that of the append for the last entry.
func (j *appendJob) appendID(i int) []byte {
	if i < len(j.bodies)-1 {
		return nil
	}
	return store.EncodeAppendID(j.id)
}

// reasonOf returns why an append was not accepted; nil if the log has it.
func reasonOf(t store.Tx, j *appendJob) error {
	var exists, recorded bool
	err := t.Row(`SELECT EXISTS (SELECT 1 FROM matches WHERE id = ?1),
		EXISTS (SELECT 1 FROM log WHERE match = ?1 AND append_id = ?2)`, j.match, store.EncodeAppendID(j.id)).
		Scan(&exists, &recorded)
	if err != nil {
		return err
	}
	return reason(exists, recorded)
}

func reason(exists, recorded bool) error {
	switch {
	case recorded:
		return nil
	case exists:
		return errcode.ErrVersionConflict
	}
	return errcode.ErrNotFound
}
