package api

import (
	"cmp"
	"context"
	"strconv"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/tui/op"
	"ayumu/tui/wire"
)

// sendUnread writes the event announcement for each announcement that the user has not read. A failure of the store, which
// has reported it, is not the end of the session.
func (p *conn) sendUnread() error {
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

func (p *conn) sendAnnouncement(a club.Announcement) {
	p.write(fields{"event": "announcement", "announcement": wire.AnnouncementOf(a)})
}

// sendBulletin writes what was announced since the last call, and a new report to a moderator.
func (p *conn) sendBulletin() {
	for _, a := range p.visit.Notices.NewAnnouncements() {
		p.sendAnnouncement(a)
	}
	p.visit.Notices.SetUnread(nil) // a program reads the events
	if m, isNew := p.visit.Notices.NewMute(); isNew {
		p.write(muteFields(m))
	}
	if s, isNew := p.visit.Notices.NewReport(); isNew {
		p.write(fields{"event": "report", "report": reportFields(s.Newest), "open": s.Open})
	}
}

// muteFields returns the event of a mute of the user, or of its end by a moderator.
func muteFields(m club.Sanction) fields {
	if m.ID == 0 {
		return fields{"event": "unmuted"}
	}
	f := fields{"event": "muted", "reason": m.Reason}
	if !m.Until.IsZero() {
		f["until"] = wire.Time(m.Until)
	}
	return f
}

// reportFields returns the JSON object of a report.
func reportFields(r club.Report) fields {
	f := fields{"id": strconv.FormatInt(r.ID, 10), "time": wire.Time(r.At), "by": r.Reporter, "about": r.About, "text": r.Text}
	if r.Evidence.Match != "" {
		f["match"] = r.Evidence.Match
	}
	if len(r.Evidence.Chat) > 0 {
		lines := []fields{}
		for _, l := range r.Evidence.Chat {
			lines = append(lines, fields{"from": l.From, "text": l.Text, "time": wire.Time(l.At)})
		}
		f["room"], f["chat"] = cmp.Or(roomNames[r.Evidence.Room], "lobby"), lines
	}
	return f
}

// clubOps are the operations about the club.
type clubOps struct{ *conn }

// maxListed is the maximum number of announcements or reports in one answer.
const maxListed = 100

// listLimit returns the number of elements that a request asks for.
func listLimit(r *request) int {
	if r.Limit == nil {
		return 20
	}
	return min(max(*r.Limit, 1), maxListed)
}

// parseID parses an id of the store; "" is 0.
func parseID(field, text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		return 0, newError(lobby.CodeBadRequest, field+" must be an id")
	}
	return id, nil
}

func (p clubOps) announcements(r *request) (fields, error) {
	before, err := parseID("before", r.Before)
	if err != nil {
		return nil, err
	}
	list, err := p.visit.Bulletin.List(p.ctx, before, listLimit(r), p.visit.Can(club.PermissionAnnounce))
	if err != nil {
		return nil, err
	}
	all := []wire.Announcement{}
	for _, a := range list {
		all = append(all, wire.AnnouncementOf(a))
	}
	return fields{"announcements": all}, nil
}

// read stores that the user has read an announcement and all that appeared before it.
func (p clubOps) read(r *request) (fields, error) {
	id, err := parseID("announcement", r.Announcement)
	if err != nil {
		return nil, err
	}
	list, err := p.visit.Bulletin.List(p.ctx, id+1, 1, p.visit.Can(club.PermissionAnnounce))
	if err != nil {
		return nil, err
	}
	if id == 0 || len(list) != 1 || list[0].ID != id {
		return nil, newError(lobby.CodeBadRequest, "there is no such announcement")
	}
	if !list[0].Appeared().After(p.readUntil) {
		return nil, nil
	}
	p.readUntil = list[0].Appeared()
	return nil, p.visit.Notices.MarkRead(p.ctx, list[0])
}

// reports returns open reports with an id above after, oldest first.
func (p clubOps) reports(r *request) (fields, error) {
	if p.visit.Moderator == nil {
		return nil, newError(lobby.CodeNotAllowed, "this server has no moderators")
	}
	after, err := parseID("after", r.After)
	if err != nil {
		return nil, err
	}
	list, err := p.visit.Moderator.Reports(p.ctx, after, listLimit(r))
	if err != nil {
		return nil, err
	}
	all := []fields{}
	for _, report := range list {
		all = append(all, reportFields(report))
	}
	open, err := p.visit.Moderator.CountReports(p.ctx)
	return fields{"reports": all, "open": open}, err
}
