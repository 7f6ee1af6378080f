package club

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/tui/admin"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// page is the number of announcements that are read at once.
const page = 50

// OpenAnnouncements lists the announcements, newest first. The user has read them all then.
func OpenAnnouncements(sh *screen.Shell, _ dest.Announcements) tea.Cmd {
	mayPost := func() bool { return sh.Config.Can(club.PermissionAnnounce) }
	l := &screen.List[club.Announcement]{
		Name: "announcements", Title: "Announcements", Subtitle: sh.Config.Site, Right: func() string { return sh.Session.Account().Name },
		About: "What the club has announced. An announcement is shown to everyone on entry, from its beginning until its end or until they have read it.",
		Load: func(ctx context.Context, _ string, after *club.Announcement) (p screen.Page[club.Announcement], err error) {
			var before int64
			if after != nil {
				before = after.ID
			}
			p.Rows, err = sh.Config.Bulletin.List(ctx, before, page, mayPost())
			p.HasMore = len(p.Rows) == page
			return p, err
		},
		ID: func(a club.Announcement) any { return a.ID },
		Columns: []screen.Column[club.Announcement]{
			{Width: 18, Narrow: 15, Fills: true, Text: title},
			{Width: 23, Text: func(a club.Announcement) string { return state(a, time.Now()) }},
		},
		Empty: func() string {
			if mayPost() {
				return "No announcements. Press n to write one."
			}
			return "No announcements."
		},
		Detail: func(a club.Announcement) (string, string) { return words.AnnouncementTimes(a), a.Text },
		Status: func(int) string { return "Times are UTC." },
		OnLoad: func() tea.Cmd { return markAll(sh) },
	}
	l.Actions = []screen.RowAction[club.Announcement]{
		{Key: screen.Keys("n", "n", "write an announcement"), Label: "new", Rank: -3, When: mayPost, DoAny: func() tea.Cmd { return sh.Open(dest.NewAnnouncement{Done: l.Reload}) }},
		{Key: screen.Keys("x delete", "x", "end the selected announcement, so that it is not shown on entry any more"), Label: "withdraw", Rank: -2, Operation: admin.Withdraw.Info().Name,
			For: func(a club.Announcement) bool { return !a.HasEnded(time.Now()) },
			Ask: func(a club.Announcement) string {
				return "Withdraw \"" + a.Title + "\"? It stays in this list, but is not shown on entry any more."
			},
			Do: func(a club.Announcement) tea.Cmd {
				return screen.Change(l, admin.Withdraw, admin.WithdrawArgs{Announcement: op.ID(a.ID)}, "Withdrawn.")
			}},
		{Key: screen.NoKey("change the message of the day"), Label: "message of the day", Rank: -1, When: func() bool { return sh.Config.Can(club.PermissionMessage) }, DoAny: func() tea.Cmd { return editMessage(sh) }},
	}
	return l.Push(sh)
}

// markAll stores that the user has read all announcements.
func markAll(sh *screen.Shell) tea.Cmd {
	all := sh.Visit.Notices.Unread()
	if len(all) == 0 {
		return nil
	}
	sh.Visit.Notices.SetUnread(nil)
	return sh.Call(func(ctx context.Context) error { return sh.Visit.Notices.MarkRead(ctx, all[len(all)-1]) }, func() tea.Cmd { return nil })
}

// editMessage prompts for the message of the day. An empty text keeps it, and - restores that of the settings.
func editMessage(sh *screen.Shell) tea.Cmd {
	p := &screen.Prompt{TextField: widget.TextField{Limit: club.MaxMessage}, Label: "Message of the day (-: the one in the settings)", EnterHelp: "save"}
	p.Set(sh.Config.Bulletin.Message())
	p.Enter = func(text string) tea.Cmd {
		saved := "Saved. It is shown at sign-in."
		if text == "-" {
			saved = "Removed. The one in the settings is shown at sign-in, if there is one."
		}
		return screen.Try(sh, func(ctx context.Context) (admin.MessageResult, error) {
			return admin.Message.Run(ctx, sh.Visit, admin.MessageArgs{Text: &text})
		}, func(_ admin.MessageResult, refused error) tea.Cmd {
			if refused == nil {
				sh.Notify("%s", saved)
				return nil
			}
			_, why := lobby.PublicError(refused)
			p.Set(text)
			p.Failure = words.Sentence(why)
			return sh.OpenPrompt(p)
		})
	}
	return sh.OpenPrompt(p)
}

// title returns the title of an announcement; of a notice its text.
func title(a club.Announcement) string {
	if a.IsNotice() {
		return a.Text
	}
	return a.Title
}

// state returns whether an announcement is shown on entry, or the day of one that is not.
func state(a club.Announcement, now time.Time) string {
	switch {
	case a.IsNotice():
		return "notice, " + words.Date(a.Created)
	case a.HasEnded(now):
		return words.Date(a.Created)
	case now.Before(a.From):
		return "from " + near(a.From, now)
	case a.Until.IsZero():
		return "shown"
	}
	return "shown until " + near(a.Until, now)
}

// near returns the day of a later time, or the minute if that is within a day.
func near(at, now time.Time) string {
	if at.Sub(now) < 24*time.Hour {
		return at.UTC().Format("15:04")
	}
	return words.Date(at)
}
