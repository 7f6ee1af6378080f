package store

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"time"

	"ayumu/lobby"
)

// Note is a line of the audit log, or a report: who did what, when, and for a report about whom.
type Note struct {
	ID    int64
	At    time.Time
	Actor string
	About string
	Text  string
}

// CreateInvite keeps an invitation by the hash of its code.
func (s *SQLite) CreateInvite(ctx context.Context, hash []byte, uses int, until time.Time, issuer string, at time.Time) error {
	return s.change(ctx, "making an invitation in", func(t *tx) error {
		if _, err := t.change("DELETE FROM invites WHERE until < ?1 OR uses < 1", at.UnixNano()); err != nil {
			return err
		}
		_, err := t.change("INSERT INTO invites (hash, uses, until, issuer, created) VALUES (?1, ?2, ?3, ?4, ?5)",
			hash, uses, until.UnixNano(), issuer, at.UnixNano())
		if err != nil {
			return err
		}
		return t.note(at, issuer, "makes an invitation")
	})
}

// Redeem makes a key a member's with an invitation, of which one use is gone then; the same key
// uses up only one. ErrUnknown: there is no such invitation any more. All hashes are compared,
// each in constant time.
func (s *SQLite) Redeem(ctx context.Context, hash, key []byte, shown string, at time.Time) error {
	return s.change(ctx, "using an invitation in", func(t *tx) error {
		found, err := t.invite(hash, at)
		if err != nil {
			return err
		}
		rows, err := t.change("INSERT INTO members (wire, invite, joined) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING", key, found, at.UnixNano())
		if err != nil || rows == 0 {
			return err
		}
		if _, err := t.change("UPDATE invites SET uses = uses - 1 WHERE id = ?1", found); err != nil {
			return err
		}
		return t.note(at, shown, "comes in with an invitation")
	})
}

func (t *tx) invite(hash []byte, at time.Time) (found int64, err error) {
	rows, err := t.Query("SELECT id, hash FROM invites WHERE uses > 0 AND until > ?1", at.UnixNano())
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var kept []byte
		if err := rows.Scan(&id, &kept); err != nil {
			return 0, err
		}
		if subtle.ConstantTimeCompare(kept, hash) == 1 {
			found = id
		}
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	if found == 0 {
		return 0, lobby.ErrUnknown
	}
	return found, nil
}

// Member reports whether a key, or another one of the same account, was invited.
func (s *SQLite) Member(ctx context.Context, key []byte) (bool, error) {
	n := 0
	err := scan(ctx, s.queries, `SELECT count(*) FROM members WHERE wire = ?1 OR wire IN
		(SELECT wire FROM keys WHERE account = (SELECT account FROM keys WHERE wire = ?1))`, []any{key},
		func(rows *sql.Rows) error { return rows.Scan(&n) })
	return n > 0, s.explain("reading members in", err)
}

func (t *tx) note(at time.Time, actor, deed string) error {
	_, err := t.change("INSERT INTO audit (at, actor, deed) VALUES (?1, ?2, ?3)", at.UnixNano(), actor, deed)
	return err
}

// Note adds a line to the audit log.
func (s *SQLite) Note(ctx context.Context, actor, deed string, at time.Time) error {
	return s.change(ctx, "writing the audit log of", func(t *tx) error { return t.note(at, actor, deed) })
}

// Audit returns the last lines of the audit log, oldest first.
func (s *SQLite) Audit(ctx context.Context, limit int) ([]Note, error) {
	return s.notes(ctx, "SELECT id, at, actor, '', deed FROM (SELECT * FROM audit ORDER BY id DESC LIMIT ?1) AS newest ORDER BY id", limit)
}

// keptReports is how many closed reports are kept.
const keptReports = 5000

// OpenReports bounds the open reports of one person and of one address.
type OpenReports struct{ Person, Address int }

// Report keeps what a player says about another, unless that player, or the address from which the
// report comes, has as many open ones as most allows.
func (s *SQLite) Report(ctx context.Context, actor, origin, about, text string, most OpenReports, at time.Time) (kept bool, err error) {
	err = s.change(ctx, "keeping a report in", func(t *tx) error {
		rows, err := t.change(`INSERT INTO reports (at, actor, origin, about, text) SELECT ?1, ?2, ?3, ?4, ?5
			WHERE (SELECT count(*) FROM reports WHERE actor = ?2 AND closed IS NULL) < ?6
			AND (SELECT count(*) FROM reports WHERE origin = ?3 AND closed IS NULL) < ?7`,
			at.UnixNano(), actor, origin, about, text, most.Person, most.Address)
		kept = rows > 0
		return err
	})
	return kept, err
}

// Reports returns reports that nobody is done with, oldest first, of those with a higher id than
// after.
func (s *SQLite) Reports(ctx context.Context, after int64, limit int) ([]Note, error) {
	return s.notes(ctx, "SELECT id, at, actor, about, text FROM reports WHERE closed IS NULL AND id > ?1 ORDER BY id LIMIT ?2", after, limit)
}

// CountReports returns how many reports are open.
func (s *SQLite) CountReports(ctx context.Context) (n int, err error) {
	err = scan(ctx, s.queries, "SELECT count(*) FROM reports WHERE closed IS NULL", nil, func(rows *sql.Rows) error { return rows.Scan(&n) })
	return n, s.explain("counting reports in", err)
}

// CloseReport says that somebody is done with a report, or returns ErrUnknown.
func (s *SQLite) CloseReport(ctx context.Context, id int64, actor, deed string, at time.Time) error {
	return s.change(ctx, "closing a report in", func(t *tx) error {
		if err := t.touch("UPDATE reports SET closed = ?2, origin = '' WHERE id = ?1 AND closed IS NULL", id, at.UnixNano()); err != nil {
			return err
		}
		_, err := t.change(`DELETE FROM reports WHERE closed IS NOT NULL AND id <=
			(SELECT id FROM reports WHERE closed IS NOT NULL ORDER BY id DESC LIMIT 1 OFFSET ?1)`, keptReports)
		if err != nil {
			return err
		}
		return t.note(at, actor, deed)
	})
}

func (s *SQLite) notes(ctx context.Context, query string, args ...any) (all []Note, err error) {
	err = scan(ctx, s.queries, query, args, func(rows *sql.Rows) error {
		var n Note
		var at int64
		err := rows.Scan(&n.ID, &at, &n.Actor, &n.About, &n.Text)
		n.At = moment(at)
		all = append(all, n)
		return err
	})
	return all, s.explain("reading notes in", err)
}
