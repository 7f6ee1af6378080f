package announcement

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
	"ayumu/tui/admin"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
)

// form is the screen with which a moderator writes an announcement.
type form struct {
	screen.Base
	title, text, from, until widget.TextField
	cursor                   widget.FormCursor
	done                     func() tea.Cmd // called after success; may be nil
}

// OpenForm shows the form. It does nothing for users who are no moderators.
func OpenForm(sh *screen.Shell, d dest.NewAnnouncement) tea.Cmd {
	if !sh.Config.Can(club.PermissionAnnounce) {
		return nil
	}
	const timeLimit = 16 // 2006-01-02 15:04
	v := &form{Base: screen.Base{Shell: sh}, done: d.Done, title: widget.TextField{Limit: club.MaxTitle}, text: widget.TextField{Limit: club.MaxAnnouncement},
		from: widget.TextField{Limit: timeLimit}, until: widget.TextField{Limit: timeLimit}}
	v.from.Set("now")
	v.until.Set("7d")
	return sh.Push(v)
}

var formBindings = append(screen.FormKeys[*form]("field"), screen.Bindings[*form]{
	{Key: screen.Keys("enter", "Enter", "publish the announcement, after a confirmation"), Label: "publish", Rank: -1, Do: (*form).confirm},
	{Key: screen.Keys("esc", "Esc", "back"), LabelOf: func(v *form) string { return v.Shell.BackLabel() }, Rank: screen.LastRank, Do: func(v *form) tea.Cmd { return v.Shell.Back() }},
}...)

// Form implements screen.Form.
func (v *form) Form() (*widget.FormCursor, []widget.FormRow) {
	const times = "Examples: now, 12h, 7d, 2026-12-24, 2026-12-24 18:00 (UTC)"
	return &v.cursor, []widget.FormRow{
		{Label: "Title", Field: &v.title, Help: "At most 60 characters."},
		{Label: "Text", Field: &v.text, Help: "At most 1000 characters. The arrow keys show the rest of a long text."},
		{Label: "Shown from", Field: &v.from, Help: times + "."},
		{Label: "Shown until", Field: &v.until, Help: times + ", forever."},
	}
}

func (v *form) Handle(msg tea.Msg) tea.Cmd { return screen.HandleForm(v, formBindings, msg) }

// announcement returns the announcement of the form.
func (v *form) announcement(now time.Time) (a club.Announcement, err error) {
	a = club.Announcement{Title: v.title.Text(), Text: v.text.Text()}
	if a.Title == "" || a.Text == "" {
		return a, &errcode.Error{Code: errcode.BadRequest, Message: "an announcement needs a title and a text"}
	}
	if a.From, err = admin.ParseTime(v.from.Text(), now); err == nil {
		a.Until, err = admin.ParseTime(v.until.Text(), now)
	}
	return a, err
}

// confirm publishes the announcement, after a confirmation.
func (v *form) confirm() tea.Cmd {
	sh := v.Shell
	a, err := v.announcement(time.Now())
	if err != nil {
		sh.NotifyFailure(err)
		return nil
	}
	return sh.Ask(screen.YesNo("Publish it? Everyone reads it on entry, "+admin.ShownText(a)+".", "publish", "edit", func() tea.Cmd {
		return screen.Run(sh, admin.Post, admin.PostArgs{From: admin.TimeOf(a.From), Until: admin.TimeOf(a.Until), Title: a.Title, Text: a.Text}, func(admin.PostResult) tea.Cmd {
			sh.Visit.Notices.NewAnnouncements() // the author has read it
			sh.Visit.Notices.SetUnread(nil)
			cmd := sh.Back()
			text := "Published."
			if a.From.After(time.Now()) {
				text = "Saved. It appears " + admin.ShownText(a) + "."
			}
			sh.Notify("%s", text)
			if v.done != nil {
				cmd = tea.Batch(cmd, v.done())
			}
			return cmd
		})
	}))
}

func (v *form) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	widget.DrawHeader(c, t, "New announcement", v.Shell.Config.Site(), v.Shell.Session.Account().Name)
	cursor, rows := v.Form()
	widget.DrawForm(c, t, rows, cursor)
}

func (v *form) StatusLine() (string, paint.Style) {
	return screen.FormHelp(v), v.Shell.Style.Theme.Dim
}

func (v *form) StatusKeys() []game.Key { return formBindings.Status(v) }

func (v *form) Help() screen.Help {
	return screen.Help{
		Title: "New announcement",
		About: "An announcement is shown to everyone on entry, from its beginning until its end or until they have read it. Players who are connected are notified when it begins.",
		Keys:  formBindings.Help(v),
	}
}
