package store

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"time"

	"ayumu/lobby"
)

// Sanction is a ban or a mute. Subject and Kind are words of whoever enforces it.
type Sanction struct {
	ID      int64
	Kind    string
	Subject string
	Shown   string // the subject as people know it
	Reason  string
	Issuer  string
	Created time.Time
	Until   time.Time // zero: for good
}

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

// Sanction keeps a ban or a mute, and the note of it, and returns its number.
func (s *SQLite) Sanction(ctx context.Context, one Sanction, deed string) (id int64, err error) {
	err = s.change(ctx, "keeping a sanction in", func(t *tx) error {
		var until any
		if !one.Until.IsZero() {
			until = one.Until.UnixNano()
		}
		err := t.row("INSERT INTO sanctions (kind, subject, shown, reason, issuer, created, until) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id",
			one.Kind, one.Subject, one.Shown, one.Reason, one.Issuer, one.Created.UnixNano(), until).Scan(&id)
		if err != nil {
			return err
		}
		return t.note(one.Created, one.Issuer, deed)
	})
	return id, err
}

// Lift ends a sanction, or returns ErrUnknown.
func (s *SQLite) Lift(ctx context.Context, id int64, issuer, deed string, at time.Time) error {
	return s.change(ctx, "lifting a sanction in", func(t *tx) error {
		if err := t.touch("DELETE FROM sanctions WHERE id = ?1", id); err != nil {
			return err
		}
		return t.note(at, issuer, deed)
	})
}

// Sanctions lists those that hold, oldest first.
func (s *SQLite) Sanctions(ctx context.Context, at time.Time) (all []Sanction, err error) {
	err = scan(ctx, s.queries, `SELECT id, kind, subject, shown, reason, issuer, created, until FROM sanctions
		WHERE until IS NULL OR until > ?1 ORDER BY id`, []any{at.UnixNano()}, func(rows *sql.Rows) error {
		var one Sanction
		var created int64
		var until sql.NullInt64
		err := rows.Scan(&one.ID, &one.Kind, &one.Subject, &one.Shown, &one.Reason, &one.Issuer, &created, &until)
		one.Created = moment(created)
		if until.Valid {
			one.Until = moment(until.Int64)
		}
		all = append(all, one)
		return err
	})
	return all, s.explain("reading sanctions in", err)
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

// keptReports is how many reports are kept, those that are done with included.
const keptReports = 5000

// Report keeps what a player says about another, unless so many of his reports are open already.
func (s *SQLite) Report(ctx context.Context, actor, about, text string, most int, at time.Time) (kept bool, err error) {
	err = s.change(ctx, "keeping a report in", func(t *tx) error {
		rows, err := t.change(`INSERT INTO reports (at, actor, about, text) SELECT ?1, ?2, ?3, ?4
			WHERE (SELECT count(*) FROM reports WHERE actor = ?2 AND closed IS NULL) < ?5`, at.UnixNano(), actor, about, text, most)
		if kept = rows > 0; err != nil || !kept {
			return err
		}
		_, err = t.change("DELETE FROM reports WHERE id <= (SELECT max(id) FROM reports) - ?1", keptReports)
		return err
	})
	return kept, err
}

// Reports returns the last reports that nobody is done with, oldest first.
func (s *SQLite) Reports(ctx context.Context, limit int) ([]Note, error) {
	return s.notes(ctx, "SELECT id, at, actor, about, text FROM (SELECT * FROM reports WHERE closed IS NULL ORDER BY id DESC LIMIT ?1) AS newest ORDER BY id", limit)
}

// CloseReport says that somebody is done with a report, or returns ErrUnknown.
func (s *SQLite) CloseReport(ctx context.Context, id int64, actor, deed string, at time.Time) error {
	return s.change(ctx, "closing a report in", func(t *tx) error {
		if err := t.touch("UPDATE reports SET closed = ?2 WHERE id = ?1 AND closed IS NULL", id, at.UnixNano()); err != nil {
			return err
		}
		return t.note(at, actor, deed)
	})
}

func (s *SQLite) notes(ctx context.Context, query string, limit int) (all []Note, err error) {
	err = scan(ctx, s.queries, query, []any{limit}, func(rows *sql.Rows) error {
		var n Note
		var at int64
		err := rows.Scan(&n.ID, &at, &n.Actor, &n.About, &n.Text)
		n.At = moment(at)
		all = append(all, n)
		return err
	})
	return all, s.explain("reading notes in", err)
}
