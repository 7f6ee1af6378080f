package club

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
)

// Announcement is a text of the owners or moderators for everybody. It is shown on entry from From until Until, to
// each user until they have read it.
type Announcement struct {
	ID          int64
	Created     time.Time
	Author      string
	Title, Text string // clean text of one line each; the title may be ""
	From        time.Time
	Until       time.Time // zero: without an end
}

// isCurrent reports whether the announcement is shown on entry at a time.
func (a *Announcement) isCurrent(at time.Time) bool { return !at.Before(a.From) && !a.HasEnded(at) }

// HasEnded reports whether the announcement is no longer shown on entry at a time.
func (a *Announcement) HasEnded(at time.Time) bool { return !a.Until.IsZero() && !at.Before(a.Until) }

// hasAppeared reports whether users could read the announcement at a time or before. One that was withdrawn before it
// began never appears.
func (a *Announcement) hasAppeared(at time.Time) bool {
	return !at.Before(a.From) && (a.Until.IsZero() || !a.Until.Before(a.From))
}

// IsNotice reports whether the announcement was only for those who were connected.
func (a *Announcement) IsNotice() bool { return a.Until.Equal(a.From) }

// Appeared returns the time from which users could read the announcement.
func (a *Announcement) Appeared() time.Time {
	if a.From.After(a.Created) {
		return a.From
	}
	return a.Created
}

// AnnouncementStore keeps announcements, up to when each account has read them, and texts of the club.
type AnnouncementStore interface {
	// AddAnnouncement stores an announcement and returns its id. The field ID is ignored. It removes announcements
	// that have ended and are older than the last MaxAnnouncements.
	AddAnnouncement(ctx context.Context, a Announcement, action string) (id int64, err error)
	// EndAnnouncement ends an announcement at a time, or returns errcode.ErrNotFound if there is none or if it has
	// ended by then.
	EndAnnouncement(ctx context.Context, id int64, actor, action string, at time.Time) error
	// Announcements returns announcements with an id below before, or all for 0, newest first, at most limit.
	Announcements(ctx context.Context, before int64, limit int) ([]Announcement, error)
	// ReadUntil returns up to when an account has read the announcements; zero: it has read none.
	ReadUntil(ctx context.Context, id account.ID) (time.Time, error)
	// SetReadUntil stores up to when an account has read the announcements, unless a later time is stored.
	SetReadUntil(ctx context.Context, id account.ID, until time.Time) error
	// Text returns a text of the club; "" if there is none.
	Text(ctx context.Context, name TextName) (string, error)
	// SetText replaces a text of the club; "" removes it.
	SetText(ctx context.Context, name TextName, text, actor, action string, at time.Time) error
}

// MaxAnnouncements is the number of announcements that a store keeps, beside those that have not ended.
const MaxAnnouncements = 1000

// TextName names a text of the club in the store.
type TextName string

// TextMessage is the message of the day. It replaces the one of the settings.
const TextMessage TextName = "message"

// The maximum lengths of announcements and of the message of the day, in characters, and the maximum number of
// announcements that have not ended.
const (
	MaxTitle        = 60
	MaxAnnouncement = 1000
	MaxMessage      = 200
	maxCurrent      = 20
)

// Announce notifies everybody who is connected, on all nodes, with a bell. The notice is kept as an announcement that
// has ended.
func (m moderator) Announce(ctx context.Context, notice string) error {
	if err := m.begin(PermissionAnnounce); err != nil {
		return err
	}
	notice, err := cleanReason(notice)
	if err != nil {
		return err
	}
	if notice == "" {
		return badRequest("the announcement is empty")
	}
	now := time.Now()
	a := Announcement{Created: now, Author: m.actor.name(), Text: notice, From: now, Until: now}
	if _, err := m.club.store.AddAnnouncement(ctx, a, "announces: "+notice); err != nil {
		return err
	}
	if m.club.Announce != nil {
		m.club.Announce(notice)
	}
	return m.club.Bulletin.reload(ctx)
}

func (m moderator) Post(ctx context.Context, a Announcement) (Announcement, error) {
	err := m.begin(PermissionAnnounce)
	if err == nil {
		a.Title, err = cleanText("a title", a.Title, MaxTitle)
	}
	if err == nil {
		a.Text, err = cleanText("an announcement", a.Text, MaxAnnouncement)
	}
	if err != nil {
		return Announcement{}, err
	}
	a.ID, a.Created, a.Author = 0, time.Now(), m.actor.name()
	if a.From.IsZero() {
		a.From = a.Created
	}
	switch {
	case a.Title == "" || a.Text == "":
		return Announcement{}, badRequest("an announcement needs a title and a text")
	case a.From.Sub(a.Created) > maxDuration || a.Until.Sub(a.Created) > maxDuration:
		return Announcement{}, badRequest("an announcement begins and ends within a hundred years")
	case !a.Until.IsZero() && (!a.Until.After(a.From) || !a.Until.After(a.Created)):
		return Announcement{}, badRequest("the announcement would end before it begins; choose a later end")
	case m.club.Bulletin.unfinished(a.Created) >= maxCurrent:
		return Announcement{}, badRequest("there are %d announcements that have not ended; withdraw one first", maxCurrent)
	}
	if a.ID, err = m.club.store.AddAnnouncement(ctx, a, "announces: "+a.Title); err != nil {
		return Announcement{}, err
	}
	return a, m.club.Bulletin.reload(ctx)
}

func (m moderator) Withdraw(ctx context.Context, id int64) error {
	if err := m.begin(PermissionAnnounce); err != nil {
		return err
	}
	err := m.club.store.EndAnnouncement(ctx, id, m.actor.name(), fmt.Sprintf("withdraws announcement %d", id), time.Now())
	if errors.Is(err, errcode.ErrNotFound) {
		return badRequest("there is no announcement %d, or it has ended; the command announcements lists them", id)
	}
	if err != nil {
		return err
	}
	return m.club.Bulletin.reload(ctx)
}

func (m moderator) SetMessage(ctx context.Context, text string) error {
	if err := m.begin(PermissionMessage); err != nil {
		return err
	}
	text, err := cleanText("the message of the day", text, MaxMessage)
	if err != nil {
		return err
	}
	action := "sets the message of the day: " + text
	if text == "" {
		action = "removes the message of the day"
	}
	if err := m.club.store.SetText(ctx, TextMessage, text, m.actor.name(), action, time.Now()); err != nil {
		return err
	}
	return m.club.Bulletin.reload(ctx)
}
