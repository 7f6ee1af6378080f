package store

import (
	"context"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/club"
)

// AnnouncementTable implements club.AnnouncementStore. NewAnnouncementTable is the constructor.
type AnnouncementTable struct{ db Database }

// NewAnnouncementTable returns the announcements of a database.
func NewAnnouncementTable(db Database) AnnouncementTable { return AnnouncementTable{db} }

// AddAnnouncement implements club.AnnouncementStore.
func (s AnnouncementTable) AddAnnouncement(ctx context.Context, a club.Announcement, action string) (id int64, err error) {
	err = s.db.Update(ctx, "storing an announcement in", func(t Tx) error {
		err := t.Row("INSERT INTO announcements (created, author, title, text, begins, ends) VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id",
			a.Created.UnixNano(), a.Author, a.Title, a.Text, a.From.UnixNano(), nanosOrNull(a.Until)).Scan(&id)
		if err != nil {
			return err
		}
		_, err = t.Exec(`DELETE FROM announcements WHERE ends <= ?1 AND id <=
			(SELECT id FROM announcements ORDER BY id DESC LIMIT 1 OFFSET ?2)`, a.Created.UnixNano(), club.MaxAnnouncements)
		if err != nil {
			return err
		}
		return addAuditEntry(t, club.AuditEntry{At: a.Created, Actor: a.Author, Action: action})
	})
	return id, err
}

// EndAnnouncement implements club.AnnouncementStore.
func (s AnnouncementTable) EndAnnouncement(ctx context.Context, id int64, actor, action string, at time.Time) error {
	return s.db.Update(ctx, "ending an announcement in", func(t Tx) error {
		if err := updateOne(t, "UPDATE announcements SET ends = ?2 WHERE id = ?1 AND (ends IS NULL OR ends > ?2)", id, at.UnixNano()); err != nil {
			return err
		}
		return addAuditEntry(t, club.AuditEntry{At: at, Actor: actor, Action: action})
	})
}

// Announcements implements club.AnnouncementStore.
func (s AnnouncementTable) Announcements(ctx context.Context, before int64, limit int) ([]club.Announcement, error) {
	const query = `SELECT id, created, author, title, text, begins, ends FROM announcements
		WHERE id < ?1 OR ?1 = 0 ORDER BY id DESC LIMIT ?2`
	all, err := All(ctx, s.db, query, []any{before, limit}, func(row RowScanner) (a club.Announcement, err error) {
		err = row.Scan(&a.ID, timeIn(&a.Created), &a.Author, &a.Title, &a.Text, timeIn(&a.From), timeIn(&a.Until))
		return a, err
	})
	return all, s.db.Explain("reading announcements in", err)
}

// ReadUntil implements club.AnnouncementStore.
func (s AnnouncementTable) ReadUntil(ctx context.Context, id account.ID) (time.Time, error) {
	until, err := One(ctx, s.db, "SELECT until FROM announcements_read WHERE account = ?1", []any{int64(id)}, readTime)
	return until, s.db.Explain("reading an account in", err)
}

// SetReadUntil implements club.AnnouncementStore.
func (s AnnouncementTable) SetReadUntil(ctx context.Context, id account.ID, until time.Time) error {
	return s.db.Update(ctx, "storing what an account has read in", func(t Tx) error {
		_, err := t.Exec(`INSERT INTO announcements_read (account, until) SELECT id, ?2 FROM accounts WHERE id = ?1 AND skeleton IS NOT NULL
			ON CONFLICT (account) DO UPDATE SET until = excluded.until WHERE excluded.until > announcements_read.until`, int64(id), until.UnixNano())
		return err
	})
}

// Text implements club.AnnouncementStore.
func (s AnnouncementTable) Text(ctx context.Context, name club.TextName) (string, error) {
	text, err := One(ctx, s.db, "SELECT text FROM club_texts WHERE name = ?1", []any{string(name)}, Value[string])
	return text, s.db.Explain("reading a text of the club in", err)
}

// SetText implements club.AnnouncementStore.
func (s AnnouncementTable) SetText(ctx context.Context, name club.TextName, text, actor, action string, at time.Time) error {
	return s.db.Update(ctx, "storing a text of the club in", func(t Tx) error {
		_, err := t.Exec("DELETE FROM club_texts WHERE name = ?1", string(name))
		if err == nil && text != "" {
			_, err = t.Exec("INSERT INTO club_texts (name, text) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET text = excluded.text", string(name), text)
		}
		if err != nil {
			return err
		}
		return addAuditEntry(t, club.AuditEntry{At: at, Actor: actor, Action: action})
	})
}
