package api

import (
	"context"

	"ayumu/lobby/club"
	"ayumu/tui/jsonform"
	"ayumu/tui/op"
)

// sendUnread writes the event announcement for each announcement that the user has not read. A failure of the store, which
// has reported it, is not the end of the session.
func (p *session) sendUnread() error {
	if p.visit.Bulletin == nil || !p.visit.Bulletin.HasCurrent() {
		return nil
	}
	ctx, cancel := context.WithTimeout(p.ctx, op.CallTimeout)
	defer cancel()
	unread, err := p.visit.Notices.Read(ctx)
	if err != nil {
		return p.ctx.Err()
	}
	for _, a := range unread {
		p.sendAnnouncement(a)
	}
	return nil
}

func (p *session) sendAnnouncement(a club.Announcement) {
	p.write(fields{"event": "announcement", "announcement": jsonform.NewAnnouncement(a)})
}

// sendBulletin writes what was announced since the last call, and a new report to a moderator.
func (p *session) sendBulletin() {
	for _, a := range p.visit.Notices.NewAnnouncements() {
		p.sendAnnouncement(a)
	}
	p.visit.Notices.SetUnread(nil) // a program reads the events
	if m, isNew := p.visit.Notices.NewMute(); isNew {
		p.write(muteFields(m))
	}
	if s, isNew := p.visit.Notices.NewReport(); isNew {
		p.write(fields{"event": "report", "report": jsonform.NewReport(s.Newest), "open": s.Open})
	}
}

// muteFields returns the event of a mute of the user, or of its end by a moderator.
func muteFields(m club.Sanction) fields {
	if m.ID == 0 {
		return fields{"event": "unmuted"}
	}
	f := fields{"event": "muted", "reason": m.Reason}
	if !m.Until.IsZero() {
		f["until"] = jsonform.Time(m.Until)
	}
	return f
}
