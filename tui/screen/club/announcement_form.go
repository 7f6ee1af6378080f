package club

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
	"ayumu/tui/admin"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
)

// OpenNewAnnouncement shows the form with which a moderator writes an announcement. It does nothing for users who are no moderators.
func OpenNewAnnouncement(sh *screen.Shell, d dest.NewAnnouncement) tea.Cmd {
	if !sh.Config.Can(club.PermissionAnnounce) {
		return nil
	}
	const timeLimit = 16 // 2006-01-02 15:04
	const times = "Examples: now, 12h, 7d, 2026-12-24, 2026-12-24 18:00 (UTC)"
	title, text := widget.NewTextField(club.MaxTitle, ""), widget.NewTextField(club.MaxAnnouncement, "")
	from, until := widget.NewTextField(timeLimit, "now"), widget.NewTextField(timeLimit, "7d")
	return screen.OpenForm(sh, func() screen.Form {
		now := time.Now()
		a := club.Announcement{Title: title.Text(), Text: text.Text()}
		var badFrom, badUntil error
		a.From, badFrom = admin.ParseTime(from.Text(), now)
		a.Until, badUntil = admin.ParseTime(until.Text(), now)
		return screen.Form{
			Title: "New announcement", Returns: true,
			About: "An announcement is shown to everyone on entry, from its beginning until its end or until they have read it. Players who are connected are notified when it begins.",
			Fields: []screen.Field{
				{Label: "Title", Text: title, TypesAll: true, Help: "At most 60 characters.", Refused: needed(title)},
				{Label: "Text", Text: text, TypesAll: true, Help: "At most 1000 characters. The arrow keys show the rest of a long text.", Refused: needed(text)},
				{Label: "Shown from", Text: from, Help: times + ".", Refused: badFrom},
				{Label: "Shown until", Text: until, Help: times + ", forever.", Refused: badUntil},
			},
			Send: screen.Action{
				Label: "publish", Help: "publish the announcement, after a confirmation", Dismiss: "edit",
				Confirm: "Publish it? Everyone reads it on entry, " + admin.ShownText(a) + ".",
				Do:      func(v *screen.FormScreen) tea.Cmd { return publish(v, a, d.Done) },
			},
		}
	})
}

// needed returns the error about a text that must not be empty; nil if it is not.
func needed(text *widget.TextField) error {
	if text.Text() == "" {
		return &errcode.Error{Code: errcode.BadRequest, Message: "an announcement needs a title and a text"}
	}
	return nil
}

// publish publishes an announcement and returns to the screen before. done is called after success, unless it is nil.
func publish(v *screen.FormScreen, a club.Announcement, done func() tea.Cmd) tea.Cmd {
	sh := v.Shell
	return screen.Send(v, admin.Post, admin.PostArgs{From: admin.NewTime(a.From), Until: admin.NewTime(a.Until), Title: a.Title, Text: a.Text}, func(admin.PostResult) tea.Cmd {
		sh.Visit.Notices.NewAnnouncements() // the author has read it
		sh.Visit.Notices.SetUnread(nil)
		cmd := v.Leave()
		text := "Published."
		if a.From.After(time.Now()) {
			text = "Saved. It appears " + admin.ShownText(a) + "."
		}
		sh.Notify("%s", text)
		if done != nil {
			cmd = tea.Batch(cmd, done())
		}
		return cmd
	})
}
