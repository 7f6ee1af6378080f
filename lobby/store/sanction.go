package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"time"

	"ayumu/lobby"
)

// Sanction is a ban or a mute. Kind is a word of whoever enforces it, and so is Subject, which counts
// where Account is 0.
type Sanction struct {
	ID           int64
	Kind         string
	Subject      string
	Account      lobby.AccountID // whose it is; 0 where the subject is no account
	SubjectName  string          // the subject as people know it: of an account the current name, unless it is deleted
	OriginalName string          // how the subject was shown when the sanction was made
	Reason       string
	Issuer       string
	Created      time.Time
	Until        time.Time // zero: for good
	// Keys are SHA-256 digests of keys that the account had and has no more.
	Keys [][sha256.Size]byte
}

// AddSanction keeps a ban or a mute, and the note of it, and returns its number.
func (s *SQLite) AddSanction(ctx context.Context, one Sanction, action string) (id int64, err error) {
	err = s.update(ctx, "keeping a sanction in", func(t *tx) error {
		if err := t.pruneSanctions(one.Created); err != nil {
			return err
		}
		var until, account any
		if !one.Until.IsZero() {
			until = one.Until.UnixNano()
		}
		if one.Account != 0 {
			account = int64(one.Account)
		}
		err := t.row(`INSERT INTO sanctions (kind, subject, account, shown, reason, issuer, created, until)
			VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING id`,
			one.Kind, one.Subject, account, one.SubjectName, one.Reason, one.Issuer, one.Created.UnixNano(), until).Scan(&id)
		if err != nil {
			return err
		}
		return t.addAuditEntry(one.Created, one.Issuer, action)
	})
	return id, err
}

// LiftSanction ends a sanction, or returns ErrUnknown.
func (s *SQLite) LiftSanction(ctx context.Context, id int64, issuer, action string, at time.Time) error {
	return s.update(ctx, "lifting a sanction in", func(t *tx) error {
		if _, err := t.exec("DELETE FROM sanctioned_keys WHERE sanction = ?1", id); err != nil {
			return err
		}
		if err := t.updateOne("DELETE FROM sanctions WHERE id = ?1", id); err != nil {
			return err
		}
		return t.addAuditEntry(at, issuer, action)
	})
}

// Sanctions lists those that hold, oldest first.
func (s *SQLite) Sanctions(ctx context.Context, at time.Time) (all []Sanction, err error) {
	err = scan(ctx, s.readStatements, `SELECT s.id, s.kind, s.subject, coalesce(s.account, 0),
			CASE WHEN a.look IS NULL THEN s.shown ELSE a.name END, s.shown, s.reason, s.issuer, s.created, s.until, k.digest
		FROM sanctions s LEFT JOIN accounts a ON a.id = s.account LEFT JOIN sanctioned_keys k ON k.sanction = s.id
		WHERE s.until IS NULL OR s.until > ?1 ORDER BY s.id`, []any{at.UnixNano()}, func(rows *sql.Rows) error {
		var one Sanction
		var created int64
		var until sql.NullInt64
		var digest []byte
		err := rows.Scan(&one.ID, &one.Kind, &one.Subject, &one.Account, &one.SubjectName, &one.OriginalName, &one.Reason, &one.Issuer, &created, &until, &digest)
		if err != nil {
			return err
		}
		if n := len(all); n == 0 || all[n-1].ID != one.ID {
			one.Created = timeOfNanos(created)
			if until.Valid {
				one.Until = timeOfNanos(until.Int64)
			}
			all = append(all, one)
		}
		if len(digest) == sha256.Size {
			last := &all[len(all)-1]
			last.Keys = append(last.Keys, [sha256.Size]byte(digest))
		}
		return nil
	})
	return all, s.explainError("reading sanctions in", err)
}

// pruneSanctions forgets the sanctions that have ended, and the keys that were kept for them.
func (t *tx) pruneSanctions(at time.Time) error {
	for _, query := range []string{
		"DELETE FROM sanctioned_keys WHERE sanction IN (SELECT id FROM sanctions WHERE until <= ?1)",
		"DELETE FROM sanctions WHERE until <= ?1",
	} {
		if _, err := t.exec(query, at.UnixNano()); err != nil {
			return err
		}
	}
	return nil
}

// keepSanctioned keeps digests of the keys that an account is about to lose, all of them if key is
// nil, with the sanctions that it has.
func (t *tx) keepSanctioned(account int64, key []byte, at time.Time) error {
	if err := t.pruneSanctions(at); err != nil {
		return err
	}
	var sanctions []int64
	var keys [][]byte
	err := scan(context.Background(), t, `SELECT s.id, k.wire FROM sanctions s JOIN keys k ON k.account = s.account
		WHERE s.account = ?1 AND (?2 IS NULL OR k.wire = ?2)`, []any{account, key}, func(rows *sql.Rows) error {
		var id int64
		var wire []byte
		err := rows.Scan(&id, &wire)
		sanctions, keys = append(sanctions, id), append(keys, wire)
		return err
	})
	for i, id := range sanctions {
		if err != nil {
			break
		}
		digest := sha256.Sum256(keys[i])
		_, err = t.exec("INSERT INTO sanctioned_keys (sanction, digest) VALUES (?1, ?2) ON CONFLICT DO NOTHING", id, digest[:])
	}
	return err
}

// inheritSanctions gives a new account the sanctions that its key had with another account. That account
// keeps them for its other keys; once it is deleted and has none of these left, they are forgotten.
func (t *tx) inheritSanctions(account int64, name string, key []byte, at time.Time) error {
	if err := t.pruneSanctions(at); err != nil {
		return err
	}
	digest := sha256.Sum256(key)
	rows, err := t.exec(`INSERT INTO sanctions (kind, subject, account, shown, reason, issuer, created, until)
		SELECT kind, subject, ?2, ?3, reason, issuer, created, until FROM sanctions
		WHERE id IN (SELECT sanction FROM sanctioned_keys WHERE digest = ?1)`, digest[:], account, name)
	if err != nil || rows == 0 {
		return err
	}
	if _, err := t.exec("DELETE FROM sanctioned_keys WHERE digest = ?1", digest[:]); err != nil {
		return err
	}
	_, err = t.exec(`DELETE FROM sanctions WHERE account IN (SELECT id FROM accounts WHERE look IS NULL)
		AND NOT EXISTS (SELECT 1 FROM sanctioned_keys k WHERE k.sanction = sanctions.id)`)
	return err
}
