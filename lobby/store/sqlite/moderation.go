package sqlite

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"time"

	"ayumu/lobby"
)

// AuditEntry is a line of the audit log, or a report. About is set for reports only.
type AuditEntry struct {
	ID    int64
	At    time.Time
	Actor string
	About string
	Text  string
}

// CreateInvite stores an invitation under the hash of its code.
func (s *Store) CreateInvite(ctx context.Context, hash []byte, uses int, until time.Time, issuer string, at time.Time) error {
	return s.update(ctx, "creating an invitation in", func(t *tx) error {
		if _, err := t.exec("DELETE FROM invites WHERE until < ?1 OR uses < 1", at.UnixNano()); err != nil {
			return err
		}
		_, err := t.exec("INSERT INTO invites (hash, uses, until, issuer, created) VALUES (?1, ?2, ?3, ?4, ?5)",
			hash, uses, until.UnixNano(), issuer, at.UnixNano())
		if err != nil {
			return err
		}
		return t.addAuditEntry(at, issuer, "makes an invitation")
	})
}

// RedeemInvite makes a key a member with an invitation and uses it up once; a key that is a member already
// uses nothing. It returns lobby.ErrNotFound if there is no valid invitation. All hashes are compared, each
// in constant time.
func (s *Store) RedeemInvite(ctx context.Context, hash, key []byte, shown string, at time.Time) error {
	return s.update(ctx, "using an invitation in", func(t *tx) error {
		found, err := t.findInvite(hash, at)
		if err != nil {
			return err
		}
		rows, err := t.exec("INSERT INTO members (wire, invite, joined) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING", key, found, at.UnixNano())
		if err != nil || rows == 0 {
			return err
		}
		if _, err := t.exec("UPDATE invites SET uses = uses - 1 WHERE id = ?1", found); err != nil {
			return err
		}
		return t.addAuditEntry(at, shown, "comes in with an invitation")
	})
}

func (t *tx) findInvite(hash []byte, at time.Time) (found int64, err error) {
	rows, err := t.Query("SELECT id, hash FROM invites WHERE uses > 0 AND until > ?1", at.UnixNano())
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var stored []byte
		if err := rows.Scan(&id, &stored); err != nil {
			return 0, err
		}
		if subtle.ConstantTimeCompare(stored, hash) == 1 {
			found = id
		}
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	if found == 0 {
		return 0, lobby.ErrNotFound
	}
	return found, nil
}

// IsMember reports whether a key, or another key of the same account, was invited.
func (s *Store) IsMember(ctx context.Context, key []byte) (bool, error) {
	n := 0
	err := scan(ctx, s.readStatements, `SELECT count(*) FROM members WHERE wire = ?1 OR wire IN
		(SELECT wire FROM keys WHERE account = (SELECT account FROM keys WHERE wire = ?1))`, []any{key},
		func(rows *sql.Rows) error { return rows.Scan(&n) })
	return n > 0, s.explainError("reading members in", err)
}

func (t *tx) addAuditEntry(at time.Time, actor, action string) error {
	_, err := t.exec("INSERT INTO audit (at, actor, deed) VALUES (?1, ?2, ?3)", at.UnixNano(), actor, action)
	return err
}

// AddAuditEntry adds a line to the audit log.
func (s *Store) AddAuditEntry(ctx context.Context, actor, action string, at time.Time) error {
	return s.update(ctx, "writing the audit log of", func(t *tx) error { return t.addAuditEntry(at, actor, action) })
}

// AuditLog returns the last lines of the audit log, oldest first.
func (s *Store) AuditLog(ctx context.Context, limit int) ([]AuditEntry, error) {
	return s.queryAuditEntries(ctx, "SELECT id, at, actor, '', deed FROM (SELECT * FROM audit ORDER BY id DESC LIMIT ?1) AS newest ORDER BY id", limit)
}

// maxReports is the number of closed reports that are kept.
const maxReports = 5000

// ReportLimits are the maximum numbers of open reports of one player and of one address.
type ReportLimits struct{ Person, Address int }

// AddReport stores a report by a player about another, unless the player or the address has as many open
// ones as limit allows; then stored is false.
func (s *Store) AddReport(ctx context.Context, actor, origin, about, text string, limit ReportLimits, at time.Time) (stored bool, err error) {
	err = s.update(ctx, "storing a report in", func(t *tx) error {
		rows, err := t.exec(`INSERT INTO reports (at, actor, origin, about, text) SELECT ?1, ?2, ?3, ?4, ?5
			WHERE (SELECT count(*) FROM reports WHERE actor = ?2 AND closed IS NULL) < ?6
			AND (SELECT count(*) FROM reports WHERE origin = ?3 AND closed IS NULL) < ?7`,
			at.UnixNano(), actor, origin, about, text, limit.Person, limit.Address)
		stored = rows > 0
		return err
	})
	return stored, err
}

// OpenReports returns open reports with a higher id than after, oldest first.
func (s *Store) OpenReports(ctx context.Context, after int64, limit int) ([]AuditEntry, error) {
	return s.queryAuditEntries(ctx, "SELECT id, at, actor, about, text FROM reports WHERE closed IS NULL AND id > ?1 ORDER BY id LIMIT ?2", after, limit)
}

// CountReports returns the number of open reports.
func (s *Store) CountReports(ctx context.Context) (n int, err error) {
	err = scan(ctx, s.readStatements, "SELECT count(*) FROM reports WHERE closed IS NULL", nil, func(rows *sql.Rows) error { return rows.Scan(&n) })
	return n, s.explainError("counting reports in", err)
}

// CloseReport closes a report, or returns lobby.ErrNotFound.
func (s *Store) CloseReport(ctx context.Context, id int64, actor, action string, at time.Time) error {
	return s.update(ctx, "closing a report in", func(t *tx) error {
		if err := t.updateOne("UPDATE reports SET closed = ?2, origin = '' WHERE id = ?1 AND closed IS NULL", id, at.UnixNano()); err != nil {
			return err
		}
		_, err := t.exec(`DELETE FROM reports WHERE closed IS NOT NULL AND id <=
			(SELECT id FROM reports WHERE closed IS NOT NULL ORDER BY id DESC LIMIT 1 OFFSET ?1)`, maxReports)
		if err != nil {
			return err
		}
		return t.addAuditEntry(at, actor, action)
	})
}

func (s *Store) queryAuditEntries(ctx context.Context, query string, args ...any) (all []AuditEntry, err error) {
	err = scan(ctx, s.readStatements, query, args, func(rows *sql.Rows) error {
		var n AuditEntry
		var at int64
		err := rows.Scan(&n.ID, &at, &n.Actor, &n.About, &n.Text)
		n.At = timeOfNanos(at)
		all = append(all, n)
		return err
	})
	return all, s.explainError("reading the audit log or reports in", err)
}
