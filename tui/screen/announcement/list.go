package announcement

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/tui/admin"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// list is the screen that lists the announcements, newest first.
type list struct {
	screen.Base
	all     []club.Announcement
	hasMore bool // there may be older ones
	cursor  widget.ListCursor
}

// page is the number of announcements that are read at once.
const page = 50

// Open reads the newest announcements and then shows them. The user has read them all then.
func Open(sh *screen.Shell, _ dest.Announcements) tea.Cmd {
	v := &list{Base: screen.Base{Shell: sh}}
	return v.read(0, func() tea.Cmd { return sh.Push(v) })
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

var listBindings = screen.Bindings[*list]{
	{Key: screen.Keys("n", "n", "for moderators: write an announcement"), Label: "new", When: (*list).mayPost, Rank: -3, Do: (*list).write},
	{Key: screen.Keys("x delete", "x", "for moderators: end the selected announcement, so that it is not shown on entry any more"), LabelOf: (*list).withdrawLabel, Rank: -2, Do: (*list).withdraw},
	{Key: screen.Keys("e", "e", "for server owners: the message of the day"), Label: "message of the day", When: (*list).maySetMessage, Rank: -1, Do: (*list).editMessage},
	{Key: screen.Keys("o", "o", "load older announcements"), LabelOf: (*list).olderLabel, Do: (*list).older},
	{Key: screen.Keys("r", "r", "reload"), Do: func(v *list) tea.Cmd { return v.read(0, nil) }},
	{Key: screen.Keys("q esc", "q", "back"), LabelOf: func(v *list) string { return v.Shell.BackLabel() }, Do: func(v *list) tea.Cmd { return v.Shell.Back() }},
	screen.CursorKeys(func(v *list) (*widget.ListCursor, int) { return &v.cursor, len(v.all) }),
	screen.HelpKey[*list](),
}

// write opens the form of an announcement.
func (v *list) write() tea.Cmd {
	return v.Shell.Open(dest.NewAnnouncement{Done: func() tea.Cmd { return v.read(0, nil) }})
}

func (v *list) mayPost() bool       { return v.Shell.Config.Can(club.PermissionAnnounce) }
func (v *list) maySetMessage() bool { return v.Shell.Config.Can(club.PermissionMessage) }

// read reads the announcements before an id, or the newest for 0, and then calls then, unless that is nil.
func (v *list) read(before int64, then func() tea.Cmd) tea.Cmd {
	return screen.Load(v.Shell, func(ctx context.Context) ([]club.Announcement, error) {
		return v.Shell.Config.Bulletin.List(ctx, before, page, v.mayPost())
	}, func(found []club.Announcement) tea.Cmd {
		if before == 0 {
			v.all = nil
		}
		v.all, v.hasMore = append(v.all, found...), len(found) == page
		cmd := markAll(v.Shell)
		if then == nil {
			return cmd
		}
		return tea.Batch(then(), cmd)
	})
}

func (v *list) olderLabel() string {
	if !v.hasMore {
		return ""
	}
	return "older"
}

func (v *list) older() tea.Cmd {
	if !v.hasMore {
		return nil
	}
	return v.read(v.all[len(v.all)-1].ID, nil)
}

// withdrawLabel returns the label of the key for withdraw; "" where it does nothing.
func (v *list) withdrawLabel() string {
	if !v.mayPost() || v.cursor.Index >= len(v.all) || v.all[v.cursor.Index].HasEnded(time.Now()) {
		return ""
	}
	return "withdraw"
}

// withdraw ends the selected announcement, after a confirmation.
func (v *list) withdraw() tea.Cmd {
	sh := v.Shell
	if v.withdrawLabel() == "" {
		return nil
	}
	a := v.all[v.cursor.Index]
	return sh.Ask(screen.YesNo("Withdraw \""+a.Title+"\"? It stays in this list, but is not shown on entry any more.", "withdraw", "keep", func() tea.Cmd {
		return screen.Run(sh, admin.Withdraw, admin.WithdrawArgs{Announcement: op.ID(a.ID)}, func(op.None) tea.Cmd {
			sh.Notify("Withdrawn.")
			return v.read(0, nil)
		})
	}))
}

// editMessage prompts for the message of the day. An empty text keeps it, and - restores that of the settings.
func (v *list) editMessage() tea.Cmd {
	sh := v.Shell
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

func (v *list) Handle(msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok {
		v.cursor.Click(click.Y, len(v.all))
	}
	return listBindings.HandleKey(v, msg)
}

func (v *list) Draw(c paint.Canvas) {
	sh, t := v.Shell, v.Shell.Style.Theme
	w, h := c.Size()
	widget.DrawHeader(c, t, "Announcements", sh.Config.Site(), sh.Session.Account().Name)
	if len(v.all) == 0 {
		text := "No announcements."
		if v.mayPost() {
			text += " Press n to write one."
		}
		for i, l := range widget.Wrap(text, w-6) {
			c.Text(3, 2+i, t.Dim, l)
		}
		return
	}
	const top = 2
	v.cursor.Move(0, len(v.all))
	a := v.all[v.cursor.Index]
	about := widget.Wrap(a.Text, w-6)
	detail := max(min(len(about)+1, h-top-5), 3)
	if len(about) > detail-1 {
		about = append(about[:detail-2], paint.Cut(strings.Join(about[detail-2:], " "), w-6))
	}
	now := time.Now()
	from, to := v.cursor.Window(top, h-top-detail-1, len(v.all))
	for i := from; i < to; i++ {
		row := c.Sub(0, top+i-from, w, 1)
		style, dim := v.cursor.RowStyles(row, t, i, 1)
		right := state(v.all[i], now)
		row.Text(w-1-paint.Width(right), 0, dim, right)
		row.Text(3, 0, style, paint.Cut(title(v.all[i]), w-6-paint.Width(right)))
	}
	y := h - detail - 1
	widget.DrawRule(c, t, y, "", t.Dim)
	c.Text(3, y+1, t.Dim, paint.Cut(words.AnnouncementTimes(a), w-6))
	for i, l := range about {
		c.Text(3, y+2+i, t.Text, l)
	}
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

func (v *list) StatusLine() (string, paint.Style) { return "Times are UTC.", v.Shell.Style.Theme.Dim }

// Reload implements screen.Reloader.
func (v *list) Reload() tea.Cmd { return v.read(0, nil) }

// Traits implements screen.Screen.
func (v *list) Traits() screen.Traits { return screen.Traits{Name: "announcements"} }

func (v *list) StatusKeys() []game.Key { return listBindings.Status(v) }

func (v *list) Help() screen.Help {
	return screen.Help{
		Title: "Announcements",
		About: "What the club has announced. An announcement is shown to everyone on entry, from its beginning until its end or until they have read it.",
		Keys:  listBindings.Help(v),
	}
}
