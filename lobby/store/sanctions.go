package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"time"

	"ayumu/lobby/club"
)

// AddSanction implements club.SanctionStore.
func (s Club) AddSanction(ctx context.Context, sn club.Sanction, action string) (id int64, err error) {
	err = s.db.Update(ctx, "storing a sanction in", func(t Tx) error {
		if err := pruneSanctions(t, sn.Created); err != nil {
			return err
		}
		account := sql.NullInt64{Int64: int64(sn.Account), Valid: sn.Account != 0}
		err := t.Row(`INSERT INTO sanctions (kind, subject, account, subject_name, reason, issuer, created, until, issuer_role)
			VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) RETURNING id`,
			string(sn.Kind), sn.Subject, account, sn.SubjectName, sn.Reason, sn.Issuer, sn.Created.UnixNano(), nanosOrNull(sn.Until), sn.IssuerRole.String()).Scan(&id)
		if err != nil {
			return err
		}
		return addAuditEntry(t, club.AuditEntry{At: sn.Created, Actor: sn.Issuer, Action: action})
	})
	return id, err
}

// LiftSanction implements club.SanctionStore.
func (s Club) LiftSanction(ctx context.Context, id int64, issuer, action string, at time.Time) error {
	return s.db.Update(ctx, "lifting a sanction in", func(t Tx) error {
		if _, err := t.Exec("DELETE FROM sanctioned_keys WHERE sanction = ?1", id); err != nil {
			return err
		}
		if err := updateOne(t, "DELETE FROM sanctions WHERE id = ?1", id); err != nil {
			return err
		}
		return addAuditEntry(t, club.AuditEntry{At: at, Actor: issuer, Action: action})
	})
}

// Sanctions implements club.SanctionStore.
func (s Club) Sanctions(ctx context.Context, at time.Time) (all []club.Sanction, err error) {
	err = Scan(ctx, s.db, `SELECT s.id, s.kind, s.subject, coalesce(s.account, 0),
			CASE WHEN a.skeleton IS NULL THEN s.subject_name ELSE a.name END, s.subject_name, s.reason, s.issuer, s.created, s.until, s.issuer_role, k.digest
		FROM sanctions s LEFT JOIN accounts a ON a.id = s.account LEFT JOIN sanctioned_keys k ON k.sanction = s.id
		WHERE s.until IS NULL OR s.until > ?1 ORDER BY s.id`, []any{at.UnixNano()}, func(row RowScanner) error {
		var sn club.Sanction
		var digest []byte
		var role string
		err := row.Scan(&sn.ID, &sn.Kind, &sn.Subject, &sn.Account, &sn.SubjectName, &sn.OriginalName, &sn.Reason, &sn.Issuer,
			timeIn(&sn.Created), timeIn(&sn.Until), &role, &digest)
		if err != nil {
			return err
		}
		if n := len(all); n == 0 || all[n-1].ID != sn.ID {
			sn.IssuerRole, _ = club.RoleByName(role)
			all = append(all, sn)
		}
		if len(digest) == sha256.Size {
			last := &all[len(all)-1]
			last.Keys = append(last.Keys, [sha256.Size]byte(digest))
		}
		return nil
	})
	return all, s.db.Explain("reading sanctions in", err)
}

// pruneSanctions removes expired sanctions with their keys.
func pruneSanctions(t Tx, at time.Time) error {
	for _, query := range []string{
		"DELETE FROM sanctioned_keys WHERE sanction IN (SELECT id FROM sanctions WHERE until <= ?1)",
		"DELETE FROM sanctions WHERE until <= ?1",
	} {
		if _, err := t.Exec(query, at.UnixNano()); err != nil {
			return err
		}
	}
	return nil
}

// keepSanctioned stores digests of the keys that a sanctioned account is about to lose with its sanctions:
// of key, or of all keys if key is nil.
func keepSanctioned(t Tx, account int64, key []byte, at time.Time) error {
	if err := pruneSanctions(t, at); err != nil {
		return err
	}
	var sanctions []int64
	var keys [][]byte
	err := Scan(context.Background(), t, `SELECT s.id, k.wire FROM sanctions s JOIN keys k ON k.account = s.account
		WHERE s.account = ?1`, []any{account}, func(row RowScanner) error {
		var id int64
		var wire []byte
		err := row.Scan(&id, &wire)
		if key == nil || bytes.Equal(wire, key) {
			sanctions, keys = append(sanctions, id), append(keys, wire)
		}
		return err
	})
	for i, id := range sanctions {
		if err != nil {
			break
		}
		digest := sha256.Sum256(keys[i])
		_, err = t.Exec("INSERT INTO sanctioned_keys (sanction, digest) VALUES (?1, ?2) ON CONFLICT DO NOTHING", id, digest[:])
	}
	return err
}

// inheritSanctions copies the sanctions of a key's former account to its new account. The former account
// keeps them for its other keys; if it has been deleted and has none left, they are removed.
func inheritSanctions(t Tx, account int64, name string, key []byte, at time.Time) error {
	if err := pruneSanctions(t, at); err != nil {
		return err
	}
	digest := sha256.Sum256(key)
	rows, err := t.Exec(`INSERT INTO sanctions (kind, subject, account, subject_name, reason, issuer, created, until)
		SELECT kind, subject, ?2, ?3, reason, issuer, created, until FROM sanctions
		WHERE id IN (SELECT sanction FROM sanctioned_keys WHERE digest = ?1)`, digest[:], account, name)
	if err != nil || rows == 0 {
		return err
	}
	if err := t.Lock("sanctions of deleted accounts"); err != nil { // of which each key removes its share
		return err
	}
	if _, err := t.Exec("DELETE FROM sanctioned_keys WHERE digest = ?1", digest[:]); err != nil {
		return err
	}
	_, err = t.Exec(`DELETE FROM sanctions WHERE account IN (SELECT id FROM accounts WHERE skeleton IS NULL)
		AND NOT EXISTS (SELECT 1 FROM sanctioned_keys k WHERE k.sanction = sanctions.id)`)
	return err
}
