// Package bulletin prints the club's announcements and new reports in line mode.
package bulletin

import (
	"context"

	"ayumu/lobby/club"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// Printer prints for one session. Only its goroutine uses it.
type Printer struct {
	Visit  *op.Visit
	Printf func(format string, args ...any)
	Bell   func()
	// Call calls a function with a time limit, and prints its error. It reports whether there was none.
	Call func(func(ctx context.Context) error) bool
}

// PrintUnread prints the announcements that the user has not read, and stores that they have.
func (p *Printer) PrintUnread() {
	if !p.Visit.Bulletin.HasCurrent() {
		return
	}
	var unread []club.Announcement
	if !p.Call(func(ctx context.Context) (err error) {
		unread, err = p.Visit.Notices.Read(ctx)
		return err
	}) {
		return
	}
	for _, a := range unread {
		p.print(a)
	}
	if n := len(unread); n > 0 {
		p.Call(func(ctx context.Context) error { return p.Visit.Notices.MarkRead(ctx, unread[n-1]) })
	}
}

func (p *Printer) print(a club.Announcement) {
	p.Printf("%s", words.AnnouncementHeading(a))
	p.Printf("%s", a.Text)
}

// PrintNew prints what was announced since the last call, that the user was muted, and new reports to a moderator.
func (p *Printer) PrintNew() {
	for _, a := range p.Visit.Notices.NewAnnouncements() {
		p.Bell()
		p.Printf("%s", words.AnnouncementNews(a, "Type announcements to read it."))
	}
	if m, isNew := p.Visit.Notices.NewMute(); isNew {
		p.Bell()
		p.Printf("%s", op.MuteText(m))
	}
	if s, isNew := p.Visit.Notices.NewReport(); isNew {
		p.Bell()
		p.Printf("%s Type admin reports to list them.", op.ReportText(s))
	}
}

// MarkListed stores that the user has read the announcements that were new, once these are listed.
func (p *Printer) MarkListed() {
	if unread := p.Visit.Notices.Unread(); len(unread) > 0 {
		p.Visit.Notices.SetUnread(nil)
		p.Call(func(ctx context.Context) error { return p.Visit.Notices.MarkRead(ctx, unread[len(unread)-1]) })
	}
}
