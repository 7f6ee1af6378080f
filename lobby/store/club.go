package store

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"encoding/json"
	"time"

	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
)

// Club implements the part of club.Store that Accounts does not. NewClub is the constructor.
type Club struct{ db Database }

// NewClub returns the club's data in a database.
func NewClub(db Database) Club { return Club{db} }

// CreateInvite implements club.InvitationStore.
func (s Club) CreateInvite(ctx context.Context, hash []byte, uses int, until time.Time, issuer string, at time.Time) error {
	return s.db.Update(ctx, "creating an invitation in", func(t Tx) error {
		if _, err := t.Exec("DELETE FROM invites WHERE until < ?1 OR uses < 1", at.UnixNano()); err != nil {
			return err
		}
		_, err := t.Exec("INSERT INTO invites (hash, uses, until, issuer, created) VALUES (?1, ?2, ?3, ?4, ?5)",
			hash, uses, until.UnixNano(), issuer, at.UnixNano())
		if err != nil {
			return err
		}
		return addAuditEntry(t, club.AuditEntry{At: at, Actor: issuer, Action: "creates an invitation"})
	})
}

// RedeemInvite implements club.InvitationStore.
func (s Club) RedeemInvite(ctx context.Context, hash, key []byte, actor string, at time.Time) error {
	return s.db.Update(ctx, "using an invitation in", func(t Tx) error {
		found, err := findInvite(ctx, t, hash, at)
		if err != nil {
			return err
		}
		rows, err := t.Exec("INSERT INTO members (wire, invite, joined) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING", key, found, at.UnixNano())
		if err != nil || rows == 0 {
			return err
		}
		if err := updateOne(t, "UPDATE invites SET uses = uses - 1 WHERE id = ?1 AND uses > 0", found); err != nil {
			return err
		}
		return addAuditEntry(t, club.AuditEntry{At: at, Actor: actor, Action: "joins by invitation"})
	})
}

// findInvite returns the id of a valid invitation, or errcode.ErrNotFound. It compares the hashes of all valid
// invitations, each in constant time.
func findInvite(ctx context.Context, t Tx, hash []byte, at time.Time) (found int64, err error) {
	err = Scan(ctx, t, "SELECT id, hash FROM invites WHERE uses > 0 AND until > ?1", []any{at.UnixNano()}, func(rows *sql.Rows) error {
		var id int64
		var stored []byte
		err := rows.Scan(&id, &stored)
		if subtle.ConstantTimeCompare(stored, hash) == 1 {
			found = id
		}
		return err
	})
	if err == nil && found == 0 {
		err = errcode.ErrNotFound
	}
	return found, err
}

// IsMember implements club.InvitationStore.
func (s Club) IsMember(ctx context.Context, key []byte) (bool, error) {
	n := 0
	err := Scan(ctx, s.db, `SELECT count(*) FROM members WHERE wire = ?1 OR wire IN
		(SELECT wire FROM keys WHERE account = (SELECT account FROM keys WHERE wire = ?1))`, []any{key},
		func(rows *sql.Rows) error { return rows.Scan(&n) })
	return n > 0, s.db.Explain("reading members in", err)
}

func addAuditEntry(t Tx, e club.AuditEntry) error {
	_, err := t.Exec("INSERT INTO audit (at, actor, deed) VALUES (?1, ?2, ?3)", e.At.UnixNano(), e.Actor, e.Action)
	return err
}

// AddAuditEntry implements club.AuditStore.
func (s Club) AddAuditEntry(ctx context.Context, e club.AuditEntry) error {
	return s.db.Update(ctx, "writing the audit log of", func(t Tx) error { return addAuditEntry(t, e) })
}

// AuditLog implements club.AuditStore.
func (s Club) AuditLog(ctx context.Context, limit int) (all []club.AuditEntry, err error) {
	err = Scan(ctx, s.db, "SELECT at, actor, deed FROM (SELECT * FROM audit ORDER BY id DESC LIMIT ?1) AS newest ORDER BY id", []any{limit}, func(rows *sql.Rows) error {
		var e club.AuditEntry
		var at int64
		err := rows.Scan(&at, &e.Actor, &e.Action)
		e.At = timeOfNanos(at)
		all = append(all, e)
		return err
	})
	return all, s.db.Explain("reading the audit log of", err)
}

// AddReport implements club.ReportStore.
func (s Club) AddReport(ctx context.Context, r club.Report, origin string, limits club.ReportLimits) (stored bool, err error) {
	var evidence []byte
	if !r.Evidence.IsZero() {
		if evidence, err = json.Marshal(r.Evidence); err != nil {
			return false, s.db.Explain("storing a report in", err)
		}
	}
	err = s.db.Update(ctx, "storing a report in", func(t Tx) error {
		stored = false
		if err := t.Lock("reports"); err != nil {
			return err
		}
		var ofReporter, ofOrigin int
		err := t.Row("SELECT count(*) FROM reports WHERE actor = ?1 AND closed IS NULL", r.Reporter).Scan(&ofReporter)
		if err == nil {
			err = t.Row("SELECT count(*) FROM reports WHERE origin = ?1 AND closed IS NULL", origin).Scan(&ofOrigin)
		}
		if err != nil || ofReporter >= limits.Reporter || ofOrigin >= limits.Origin {
			return err
		}
		_, err = t.Exec("INSERT INTO reports (at, actor, origin, about, text, evidence) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
			r.At.UnixNano(), r.Reporter, origin, r.About, r.Text, string(evidence))
		stored = err == nil
		return err
	})
	return stored && err == nil, err
}

// OpenReports implements club.ReportStore.
func (s Club) OpenReports(ctx context.Context, after int64, limit int) (all []club.Report, err error) {
	err = Scan(ctx, s.db, "SELECT id, at, actor, about, text, evidence FROM reports WHERE closed IS NULL AND id > ?1 ORDER BY id LIMIT ?2", []any{after, limit}, func(rows *sql.Rows) error {
		r, err := scanReport(rows)
		all = append(all, r)
		return err
	})
	return all, s.db.Explain("reading reports in", err)
}

func scanReport(rows *sql.Rows) (r club.Report, err error) {
	var at int64
	var evidence []byte
	err = rows.Scan(&r.ID, &at, &r.Reporter, &r.About, &r.Text, &evidence)
	r.At = timeOfNanos(at)
	if err == nil && len(evidence) > 0 { // none in a report from before schema 14
		err = json.Unmarshal(evidence, &r.Evidence)
	}
	return r, err
}

// NewestReport implements club.ReportStore.
func (s Club) NewestReport(ctx context.Context) (r club.Report, err error) {
	err = Scan(ctx, s.db, "SELECT id, at, actor, about, text, evidence FROM reports WHERE closed IS NULL ORDER BY id DESC LIMIT 1", nil, func(rows *sql.Rows) (err error) {
		r, err = scanReport(rows)
		return err
	})
	return r, s.db.Explain("reading reports in", err)
}

// CountReports implements club.ReportStore.
func (s Club) CountReports(ctx context.Context) (n int, err error) {
	err = Scan(ctx, s.db, "SELECT count(*) FROM reports WHERE closed IS NULL", nil, func(rows *sql.Rows) error { return rows.Scan(&n) })
	return n, s.db.Explain("counting reports in", err)
}

// CloseReport implements club.ReportStore.
func (s Club) CloseReport(ctx context.Context, id int64, actor, action string, at time.Time) error {
	return s.db.Update(ctx, "closing a report in", func(t Tx) error {
		if err := updateOne(t, "UPDATE reports SET closed = ?2, origin = '', evidence = '' WHERE id = ?1 AND closed IS NULL", id, at.UnixNano()); err != nil {
			return err
		}
		_, err := t.Exec(`DELETE FROM reports WHERE closed IS NOT NULL AND id <=
			(SELECT id FROM reports WHERE closed IS NOT NULL ORDER BY id DESC LIMIT 1 OFFSET ?1)`, club.MaxClosedReports)
		if err != nil {
			return err
		}
		return addAuditEntry(t, club.AuditEntry{At: at, Actor: actor, Action: action})
	})
}
