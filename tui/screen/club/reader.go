package club

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/club"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// LoadAnnouncements reads which announcements the user has not read, and shows them if the lobby is visible. It costs nothing if there
// is none.
func LoadAnnouncements(sh *screen.Shell) tea.Cmd {
	if !sh.Config.Bulletin.HasCurrent() {
		return nil
	}
	return screen.Load(sh, sh.Visit.Notices.Read, func(unread []club.Announcement) tea.Cmd {
		sh.Visit.Notices.SetUnread(unread)
		ShowAnnouncement(sh)
		return nil
	})
}

// ShowAnnouncement opens the first unread announcement over the lobby. It does nothing on other screens, so that it takes no keys
// from a game, and while something else is open.
func ShowAnnouncement(sh *screen.Shell) {
	if len(sh.Visit.Notices.Unread()) == 0 || sh.Current() == nil || !sh.Current().Traits().ShowsTables || sh.HasOverlay() || sh.IsAsking() {
		return
	}
	sh.OpenOverlay(&reader{Base: screen.Base{Shell: sh}})
}

// Notify reports which announcements have appeared, that the user was muted, and new reports to a moderator. It closes the overlay whose
// announcement has ended.
func Notify(sh *screen.Shell) {
	for _, a := range sh.Visit.Notices.NewAnnouncements() {
		sh.NotifyEvents(words.AnnouncementNews(a, "Type :announcements to read it."))
		sh.Bell()
	}
	if _, isOpen := sh.Overlay().(*reader); isOpen && len(sh.Visit.Notices.Unread()) == 0 {
		sh.CloseOverlay()
		sh.Notify("The announcement has ended.")
	}
	if m, isNew := sh.Visit.Notices.NewMute(); isNew {
		sh.NotifyEvents(op.MuteText(m))
		sh.Bell()
	}
	if s, isNew := sh.Visit.Notices.NewReport(); isNew {
		sh.NotifyEvents(op.ReportText(s) + " Type :moderation in the lobby.")
		sh.Bell()
	}
}

// reader is the overlay that shows the first unread announcement.
type reader struct {
	screen.Base
	scroll widget.Scroll
}

var readerBindings = screen.Bindings[*reader]{
	{Key: screen.Keys("enter", "Enter", ""), LabelOf: (*reader).readLabel, Do: (*reader).markRead},
	screen.ScrollKeys(func(v *reader) *widget.Scroll { return &v.scroll }),
	{Key: screen.Keys("q esc", "q", ""), Label: "read later", Do: (*reader).later},
}

func (v *reader) Handle(msg tea.Msg) tea.Cmd {
	return readerBindings.HandleLast(v, v.scroll.Input(msg))
}

func (v *reader) readLabel() string {
	if len(v.Shell.Visit.Notices.Unread()) > 1 {
		return "next"
	}
	return "done"
}

// markRead stores that the announcement has been read, and shows the next one. If that fails the user is told, and sees it
// again at the next visit.
func (v *reader) markRead() tea.Cmd {
	sh := v.Shell
	a := sh.Visit.Notices.Dismiss()
	v.scroll = widget.Scroll{}
	if len(sh.Visit.Notices.Unread()) == 0 {
		sh.CloseOverlay()
	}
	return sh.Call(func(ctx context.Context) error { return sh.Visit.Notices.MarkRead(ctx, a) }, func() tea.Cmd { return nil })
}

// later leaves the announcements unread until the next visit.
func (v *reader) later() tea.Cmd {
	v.Shell.Visit.Notices.SetUnread(nil)
	v.Shell.CloseOverlay()
	return nil
}

func (v *reader) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	unread := v.Shell.Visit.Notices.Unread()
	count := ""
	if len(unread) > 1 {
		count = fmt.Sprintf("1 of %d", len(unread))
	}
	widget.DrawHeader(c, t, "Announcement", v.Shell.Config.Site(), count)
	if len(unread) == 0 {
		return
	}
	column := widget.NewTextColumn(c)
	_, h := column.Canvas.Size()
	y := column.Draw(0, t.Strong, unread[0].Title)
	y = column.Draw(y, t.Dim, words.AnnouncementTimes(unread[0])) + 1
	rows := widget.Wrap(unread[0].Text, column.Width)
	from, to := v.scroll.Window(h-y, len(rows))
	for i, row := range rows[from:to] {
		column.Canvas.Text(0, y+i, t.Text, row)
	}
}

func (v *reader) StatusLine() (string, paint.Style) {
	return "Type :announcements to read all of them.", v.Shell.Style.Theme.Dim
}

func (v *reader) StatusKeys() []game.Key { return readerBindings.Status(v) }

func (v *reader) Help() screen.Help { return screen.Help{} }
