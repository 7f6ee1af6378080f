package store

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"time"

	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
)

// Club implements the part of club.Store that Accounts does not. NewClub is the constructor.
type Club struct{ db Database }

// NewClub returns the club's data in a database.
func NewClub(db Database) Club { return Club{db} }

// CreateInvitation implements club.InvitationStore.
func (s Club) CreateInvitation(ctx context.Context, hash []byte, uses int, until time.Time, issuer string, at time.Time) error {
	return s.db.Update(ctx, "creating an invitation in", func(t Tx) error {
		if _, err := t.Exec("DELETE FROM invitations WHERE until < ?1 OR uses_left < 1", at.UnixNano()); err != nil {
			return err
		}
		_, err := t.Exec("INSERT INTO invitations (hash, uses_left, until, issuer, created) VALUES (?1, ?2, ?3, ?4, ?5)",
			hash, uses, until.UnixNano(), issuer, at.UnixNano())
		if err != nil {
			return err
		}
		return addAuditEntry(t, club.AuditEntry{At: at, Actor: issuer, Action: "creates an invitation"})
	})
}

// RedeemInvitation implements club.InvitationStore.
func (s Club) RedeemInvitation(ctx context.Context, hash, key []byte, actor string, at time.Time) error {
	return s.db.Update(ctx, "using an invitation in", func(t Tx) error {
		found, err := findInvitation(ctx, t, hash, at)
		if err != nil {
			return err
		}
		rows, err := t.Exec("INSERT INTO members (wire, invitation, joined) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING", key, found, at.UnixNano())
		if err != nil || rows == 0 {
			return err
		}
		if err := updateOne(t, "UPDATE invitations SET uses_left = uses_left - 1 WHERE id = ?1 AND uses_left > 0", found); err != nil {
			return err
		}
		return addAuditEntry(t, club.AuditEntry{At: at, Actor: actor, Action: "joins by invitation"})
	})
}

// findInvitation returns the id of a valid invitation, or errcode.ErrNotFound. It compares the hashes of all valid
// invitations, each in constant time.
func findInvitation(ctx context.Context, t Tx, hash []byte, at time.Time) (found int64, err error) {
	err = Scan(ctx, t, "SELECT id, hash FROM invitations WHERE uses_left > 0 AND until > ?1", []any{at.UnixNano()}, func(row RowScanner) error {
		var id int64
		var stored []byte
		err := row.Scan(&id, &stored)
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
	isMember, err := Exists(ctx, s.db, `SELECT 1 FROM members WHERE wire = ?1 OR wire IN
		(SELECT wire FROM keys WHERE account = (SELECT account FROM keys WHERE wire = ?1))`, key)
	return isMember, s.db.Explain("reading members in", err)
}

func addAuditEntry(t Tx, e club.AuditEntry) error {
	_, err := t.Exec("INSERT INTO audit (at, actor, action) VALUES (?1, ?2, ?3)", e.At.UnixNano(), e.Actor, e.Action)
	return err
}

// AddAuditEntry implements club.AuditStore.
func (s Club) AddAuditEntry(ctx context.Context, e club.AuditEntry) error {
	return s.db.Update(ctx, "writing the audit log of", func(t Tx) error { return addAuditEntry(t, e) })
}

// AuditLog implements club.AuditStore.
func (s Club) AuditLog(ctx context.Context, limit int) ([]club.AuditEntry, error) {
	const query = "SELECT at, actor, action FROM (SELECT * FROM audit ORDER BY id DESC LIMIT ?1) AS newest ORDER BY id"
	all, err := All(ctx, s.db, query, []any{limit}, func(row RowScanner) (e club.AuditEntry, err error) {
		err = row.Scan(timeIn(&e.At), &e.Actor, &e.Action)
		return e, err
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
		err := t.Row("SELECT count(*) FROM reports WHERE reporter = ?1 AND closed IS NULL", r.Reporter).Scan(&ofReporter)
		if err == nil {
			err = t.Row("SELECT count(*) FROM reports WHERE origin = ?1 AND closed IS NULL", origin).Scan(&ofOrigin)
		}
		if err != nil || ofReporter >= limits.Reporter || ofOrigin >= limits.Origin {
			return err
		}
		_, err = t.Exec("INSERT INTO reports (at, reporter, origin, about, text, evidence) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
			r.At.UnixNano(), r.Reporter, origin, r.About, r.Text, string(evidence))
		stored = err == nil
		return err
	})
	return stored && err == nil, err
}

// OpenReports implements club.ReportStore.
func (s Club) OpenReports(ctx context.Context, after int64, limit int) ([]club.Report, error) {
	all, err := All(ctx, s.db, selectReports+"AND id > ?1 ORDER BY id LIMIT ?2", []any{after, limit}, readReport)
	return all, s.db.Explain("reading reports in", err)
}

// selectReports selects open reports, for readReport.
const selectReports = "SELECT id, at, reporter, about, text, evidence FROM reports WHERE closed IS NULL "

func readReport(row RowScanner) (r club.Report, err error) {
	err = row.Scan(&r.ID, timeIn(&r.At), &r.Reporter, &r.About, &r.Text, jsonIn(&r.Evidence))
	return r, err
}

// NewestReport implements club.ReportStore.
func (s Club) NewestReport(ctx context.Context) (club.Report, error) {
	r, err := One(ctx, s.db, selectReports+"ORDER BY id DESC LIMIT 1", nil, readReport)
	return r, s.db.Explain("reading reports in", err)
}

// CountReports implements club.ReportStore.
func (s Club) CountReports(ctx context.Context) (int, error) {
	n, err := One(ctx, s.db, "SELECT count(*) FROM reports WHERE closed IS NULL", nil, Value[int])
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
