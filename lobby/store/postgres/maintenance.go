package postgres

import (
	"context"
	"errors"
	"fmt"

	"ayumu/lobby/store"
)

// Health implements store.Maintenance. Its test write changes no content.
func (s *Store) Health(ctx context.Context) error {
	if _, err := s.AuditLog(ctx, 1); err != nil {
		return err
	}
	if _, err := s.WriteFailure(); err == nil {
		return nil
	}
	return s.describeError("writing a test to", s.update(ctx, true, func(t store.Tx) error {
		_, err := t.Exec("UPDATE schema SET version = version")
		return err
	}))
}

// Check implements store.Maintenance: what the keys of the tables do not enforce.
func (s *Store) Check(ctx context.Context) (found []string, err error) {
	for _, c := range []struct{ query, problem string }{
		{`SELECT m.id FROM matches m LEFT JOIN (SELECT match, count(*) AS n, max(version) AS last FROM log GROUP BY match) l ON l.match = m.id
			WHERE m.log_version <> coalesce(l.n, 0) OR m.log_version <> coalesce(l.last, 0) ORDER BY m.id`,
			"match %s: its log does not have as many entries as the match says"},
		{`SELECT m.id FROM matches m JOIN log l ON l.match = m.id AND l.version = m.log_version
			WHERE m.last_append_id IS DISTINCT FROM l.append_id ORDER BY m.id`,
			"match %s: its log does not end with the append that the match says"},
		{"SELECT DISTINCT match FROM log WHERE match NOT IN (SELECT id FROM matches) ORDER BY match",
			"match %s: its log belongs to no match"},
	} {
		matches, err := store.All(ctx, s.db, c.query, nil, store.Value[string])
		if err != nil {
			return nil, s.describeError("checking", err)
		}
		for _, id := range matches {
			found = append(found, fmt.Sprintf(c.problem, id))
		}
	}
	return found, nil
}

// Backup implements store.Maintenance. PostgreSQL has better tools.
func (s *Store) Backup(context.Context, string) error {
	return errors.New("a PostgreSQL database is copied with its own tools: pg_dump for one copy, pg_basebackup with archived WAL for every moment (docs/hosting.md); `ayumu db copy` makes a data file of it")
}
