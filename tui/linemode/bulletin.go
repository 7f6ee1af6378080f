package linemode

import (
	"context"

	"ayumu/lobby/club"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// printUnread prints the announcements that the user has not read, and stores that they have.
func (t *session) printUnread() {
	if !t.visit.Bulletin.HasCurrent() {
		return
	}
	var unread []club.Announcement
	if !t.call(func(ctx context.Context) (err error) {
		unread, err = t.visit.Notices.Read(ctx)
		return err
	}) {
		return
	}
	for _, a := range unread {
		t.printAnnouncement(a)
	}
	if n := len(unread); n > 0 {
		t.call(func(ctx context.Context) error { return t.visit.Notices.MarkRead(ctx, unread[n-1]) })
	}
}

func (t *session) printAnnouncement(a club.Announcement) {
	t.printf("%s", words.AnnouncementHeading(a))
	t.printf("%s", a.Text)
}

// printNotices prints what was announced since the last call, that the user was muted, and new reports to a moderator.
func (t *session) printNotices() {
	for _, a := range t.visit.Notices.NewAnnouncements() {
		t.ringBell()
		t.printf("%s", words.AnnouncementNews(a, "Type announcements to read it."))
	}
	if m, isNew := t.visit.Notices.NewMute(); isNew {
		t.ringBell()
		t.printf("%s", op.MuteText(m))
	}
	if s, isNew := t.visit.Notices.NewReport(); isNew {
		t.ringBell()
		t.printf("%s Type admin reports to list them.", op.ReportText(s))
	}
}

// markListed stores that the user has read the announcements that were new, once these are listed.
func (t *session) markListed() {
	if unread := t.visit.Notices.Unread(); len(unread) > 0 {
		t.visit.Notices.SetUnread(nil)
		t.call(func(ctx context.Context) error { return t.visit.Notices.MarkRead(ctx, unread[len(unread)-1]) })
	}
}

// printReports prints the number of open reports to a moderator.
func (t *session) printReports() {
	open := 0
	if !t.config.Can(club.PermissionReports) || !t.call(func(ctx context.Context) (err error) {
		open, err = t.config.Moderator.CountReports(ctx)
		return err
	}) {
		return
	}
	if open > 0 {
		t.printf("%s. Type admin reports to list them.", words.Plural(open, "open report"))
	}
}
