package op

import (
	"context"
	"fmt"
	"slices"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/tui/words"
)

// Notices is what a session shows of the club's bulletin: announcements, and open reports to moderators.
type Notices struct {
	config     *Config
	session    *lobby.Session
	lastChange uint64 // of the bulletin's announcements that NewAnnouncements has looked at
	unread     []club.Announcement
	lastReport int64 // the id of the newest report that NewReport has returned
	lastMute   int64 // the id of the mute that NewMute has returned last; 0: none
}

// newNotices returns the notices of a session, for which what has been announced and reported so far is not new.
func newNotices(c *Config, s *lobby.Session) Notices {
	m, _ := c.Bulletin.Mute(s.Account().ID)
	return Notices{config: c, session: s, lastChange: c.Bulletin.Changes(), lastReport: c.Bulletin.Reports().Newest.ID, lastMute: m.ID}
}

// Read returns the announcements that the user has not read, oldest first, for SetUnread. It may be called from
// any goroutine, and does not call the store if there is none.
func (n *Notices) Read(ctx context.Context) ([]club.Announcement, error) {
	return n.config.Bulletin.Unread(ctx, n.session.Account().ID)
}

// Unread returns the announcements of SetUnread and NewAnnouncements that were not dismissed, oldest first. NewAnnouncements
// removes those that have ended.
func (n *Notices) Unread() []club.Announcement { return n.unread }

// SetUnread sets what Unread returns.
func (n *Notices) SetUnread(all []club.Announcement) { n.unread = all }

// Dismiss takes the first announcement from Unread and returns it.
func (n *Notices) Dismiss() club.Announcement {
	first := n.unread[0]
	n.unread = n.unread[1:]
	return first
}

// MarkRead stores that the user has read an announcement. It may be called from any goroutine.
func (n *Notices) MarkRead(ctx context.Context, a club.Announcement) error {
	return n.config.Bulletin.MarkRead(ctx, n.session.Account().ID, a)
}

// NewAnnouncements returns the announcements that have appeared since Enter or the last call, oldest first. Those that are
// shown on entry are in Unread from now on, and those that have ended or were withdrawn are not.
func (n *Notices) NewAnnouncements() (all []club.Announcement) {
	b := n.config.Bulletin
	changes := b.Changes()
	if changes == n.lastChange {
		return nil
	}
	all = b.AppearedSince(n.lastChange)
	n.lastChange = changes
	current := make(map[int64]bool)
	for _, a := range b.Current() {
		current[a.ID] = true
	}
	n.unread = slices.DeleteFunc(n.unread, func(a club.Announcement) bool { return !current[a.ID] })
	for _, a := range all {
		if current[a.ID] {
			n.unread = append(n.unread, a)
		}
	}
	return all
}

// CanSeeReports reports whether the user is told of reports.
func (c *Config) CanSeeReports() bool { return c.Bulletin != nil && c.Can(club.PermissionReports) }

// OpenReports returns the number of open reports for a moderator; 0 for others.
func (c *Config) OpenReports() int {
	if !c.CanSeeReports() {
		return 0
	}
	return c.Bulletin.Reports().Open
}

// NewReport returns the newest report and the number of open ones, if a moderator has not been told of it; ok is false
// otherwise.
func (n *Notices) NewReport() (s club.ReportSummary, ok bool) {
	if !n.config.CanSeeReports() {
		return s, false
	}
	s = n.config.Bulletin.Reports()
	if s.Newest.ID <= n.lastReport {
		return s, false
	}
	n.lastReport = s.Newest.ID
	return s, true
}

// NewMute returns the mute of the user if they have not been told of it, or a mute without an ID if their mute was
// lifted; ok is false otherwise. That a mute has expired is no news.
func (n *Notices) NewMute() (m club.Sanction, ok bool) {
	m, _ = n.config.Bulletin.Mute(n.session.Account().ID)
	if m.ID == n.lastMute {
		return m, false
	}
	n.lastMute = m.ID
	return m, true
}

// MuteText describes a mute to its user, or that it was lifted.
func MuteText(m club.Sanction) string {
	if m.ID == 0 {
		return "You can chat again: your mute was lifted."
	}
	return words.Sentence(m.MuteText())
}

// ReportText describes a new report to a moderator.
func ReportText(s club.ReportSummary) string {
	return fmt.Sprintf("New report: %s about %s. %s.", s.Newest.Reporter, s.Newest.About, words.Plural(s.Open, "open report"))
}
