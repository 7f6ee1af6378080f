// Package moderation has the screens of moderators: the list of sanctions and reports, the form that mutes, kicks or
// bans a user, and the lists of members and of invitations.
package moderation

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/account"
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

// NotifyReports adds the number of open reports to the notice, for a moderator.
func NotifyReports(sh *screen.Shell) tea.Cmd {
	if !sh.Config.Can(club.PermissionReports) {
		return nil
	}
	return screen.Load(sh, sh.Config.Moderator.CountReports, func(open int) tea.Cmd {
		if open > 0 {
			sh.NotifyMore(words.Plural(open, "open report") + ". Press M to see reports.")
		}
		return nil
	})
}

// listed is what the screen lists.
type listed struct {
	sanctions   []club.Sanction
	openReports []club.Report
}

// moderation is the screen that lists active sanctions or open reports.
type moderation struct {
	screen.Base
	listed
	showsReports bool // the reports are listed; otherwise the sanctions
	list         widget.ListCursor
}

// Open loads the lists and then shows the reports if there are any, otherwise the sanctions. It does nothing
// for users who are no moderators.
func Open(sh *screen.Shell, _ dest.Moderation) tea.Cmd {
	if !sh.Config.Can(club.PermissionSanctions) {
		return nil
	}
	v := &moderation{Base: screen.Base{Shell: sh}}
	return v.reload(func() tea.Cmd {
		v.showsReports = len(v.openReports) > 0
		return sh.Push(v)
	})
}

// The ranks put the keys of the list before the key that goes back, and the others behind it.
var bindings = screen.Bindings[*moderation]{
	{Key: screen.Keys("tab left right", "Tab", "switch between sanctions and reports"), LabelOf: (*moderation).otherList, Rank: -3, Do: (*moderation).switchList},
	{Key: screen.Keys("x delete", "x", "lift the selected sanction, or resolve the selected report"), LabelOf: (*moderation).resolveLabel, Rank: -1, Do: (*moderation).resolve},
	{Key: screen.Keys("enter", "Enter", "mute, kick or ban the player of the selected report"), Label: "act", Rank: -2, When: (*moderation).hasReport, Do: (*moderation).moderateReported},
	{Key: screen.Keys("m", "m", "mute, kick or ban a player by name"), Label: "moderate", Rank: 1, Do: (*moderation).askName},
	{Key: screen.Keys("i", "i", "create an invitation: number of keys and time limit (30m, 12h, 7d)"), Label: "invite", Rank: 1, Do: func(v *moderation) tea.Cmd { return invite(v.Shell, v, nil) }},
	{Key: screen.Keys("T", "T", "close the lobby chat, or open it again"), Rank: 3,
		LabelOf: func(v *moderation) string { return v.roomLabel(lobby.LobbyRoom) },
		Do:      func(v *moderation) tea.Cmd { return v.toggleRoom(lobby.LobbyRoom, "Lobby chat") }},
	{Key: screen.Keys("W", "W", "close the spectator chat, or open it again; players can always chat in their game"), Rank: 3,
		LabelOf: func(v *moderation) string { return v.roomLabel(lobby.SpectatorRoom) },
		Do:      func(v *moderation) tea.Cmd { return v.toggleRoom(lobby.SpectatorRoom, "Spectator chat") }},
	{Key: screen.Keys("A", "A", "for server owners: the audit log"), Label: "audit", Rank: 2, When: (*moderation).canAudit, Do: (*moderation).audit},
	{Key: screen.Keys("p", "p", "the members, with role, last visit, games, rating and keys; owners change them there"), Label: "members", When: (*moderation).canSeeMembers, Rank: 2, Do: func(v *moderation) tea.Cmd { return v.Shell.Open(dest.Members{}) }},
	{Key: screen.Keys("v", "v", "the valid invitations, which can be revoked there"), Label: "invitations", When: (*moderation).canInvite, Rank: 4, Do: func(v *moderation) tea.Cmd { return v.Shell.Open(dest.Invitations{}) }},
	{Key: screen.Keys("s", "s", "for server owners: how much was played in recent weeks"), Label: "statistics", When: (*moderation).canManage, Rank: 2, Do: (*moderation).showStatistics},
	{Key: screen.Keys("r", "r", "reload"), Do: func(v *moderation) tea.Cmd { return v.reload(nil) }},
	{Key: screen.Keys("q esc", "q", "back"), LabelOf: func(v *moderation) string { return v.Shell.BackLabel() }, Do: func(v *moderation) tea.Cmd { return v.Shell.Back() }},
	screen.CursorKeys(func(v *moderation) (*widget.ListCursor, int) { return &v.list, v.rowCount() }),
	screen.HelpKey[*moderation](),
}

func (v *moderation) canManage() bool { return v.Shell.Config.Can(club.PermissionMembers) }

// showStatistics shows what was played in the last weeks.
func (v *moderation) showStatistics() tea.Cmd {
	return screen.Run(v.Shell, admin.Statistics, op.None{}, func(s club.Statistics) tea.Cmd {
		var out strings.Builder
		_ = op.WriteText(&out, admin.Statistics.Text(v.Shell.Visit, op.None{}, s)) // a Builder does not fail
		return v.Shell.Open(dest.Text{Title: "Statistics", Body: out.String()})
	})
}

// Reload implements screen.Reloader.
func (v *moderation) Reload() tea.Cmd { return v.reload(nil) }

// reload loads sanctions and reports and then calls then, unless that is nil.
func (v *moderation) reload(then func() tea.Cmd) tea.Cmd {
	return screen.Load(v.Shell, func(ctx context.Context) (l listed, err error) {
		if l.sanctions, err = admin.Bans.Run(ctx, v.Shell.Visit, op.None{}); err == nil {
			l.openReports, err = club.AllReports(ctx, v.Shell.Config.Moderator)
		}
		return l, err
	}, func(l listed) tea.Cmd {
		v.listed = l
		if then == nil {
			return nil
		}
		return then()
	})
}

func (v *moderation) rowCount() int {
	if v.showsReports {
		return len(v.openReports)
	}
	return len(v.sanctions)
}

func (v *moderation) Handle(msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok {
		v.list.Click(click.Y, v.rowCount())
	}
	return bindings.HandleKey(v, msg)
}

// otherList names the list that is not shown.
func (v *moderation) otherList() string {
	if v.showsReports {
		return "sanctions"
	}
	return "reports"
}

// switchList shows the other list.
func (v *moderation) switchList() tea.Cmd {
	v.showsReports, v.list = !v.showsReports, widget.ListCursor{}
	return nil
}

// hasReport reports whether a report is selected.
func (v *moderation) hasReport() bool { return v.showsReports && v.list.Index < len(v.openReports) }

// moderateReported opens the form for sanctions on the user of the selected report, and then offers to resolve
// the report.
func (v *moderation) moderateReported() tea.Cmd {
	r := v.openReports[v.list.Index]
	return v.Shell.Open(dest.Sanction{Name: r.About, Done: func() tea.Cmd { return tea.Batch(v.reload(nil), v.closeReport(r)) }})
}

// change runs an operation, shows text as a notice and reloads the lists.
func change[A, R any](v *moderation, o *op.Op[A, R], in A, text string) tea.Cmd {
	return screen.Run(v.Shell, o, in, func(R) tea.Cmd {
		v.Shell.Notify("%s", text)
		return v.reload(nil)
	})
}

// resolveLabel returns the label of the key for resolve; "" if the list is empty.
func (v *moderation) resolveLabel() string {
	switch {
	case v.rowCount() == 0:
		return ""
	case v.showsReports:
		return "resolve"
	}
	return "lift"
}

// resolve lifts the selected sanction or resolves the selected report, after a confirmation.
func (v *moderation) resolve() tea.Cmd {
	sh := v.Shell
	if v.list.Index >= v.rowCount() {
		return nil
	}
	if v.showsReports {
		return v.closeReport(v.openReports[v.list.Index])
	}
	s := v.sanctions[v.list.Index]
	return sh.Ask(screen.YesNo("Lift this sanction: "+summaryOf(s)+"?", "lift", "keep", func() tea.Cmd {
		return v.lift(s, "Lifted.")
	}))
}

// lift lifts a sanction and shows text.
func (v *moderation) lift(s club.Sanction, text string) tea.Cmd {
	switch s.Kind {
	case club.KindMute:
		return change(v, admin.Unmute, op.NameArgs{Name: s.SubjectName}, text)
	case club.KindClose:
		return change(v, admin.Open, admin.OpenArgs{Room: s.SubjectName}, text)
	}
	return change(v, admin.Unban, admin.UnbanArgs{Target: s.SubjectName}, text)
}

// closeReport resolves a report, after a confirmation.
func (v *moderation) closeReport(r club.Report) tea.Cmd {
	sh := v.Shell
	return sh.Ask(screen.YesNo("Resolve this report about "+r.About+"?", "resolve", "keep", func() tea.Cmd {
		return change(v, admin.Done, admin.DoneArgs{Report: op.ID(r.ID)}, "Report resolved.")
	}))
}

// toggleRoom closes a chat room after a confirmation, or opens it again. title names it in messages.
func (v *moderation) toggleRoom(room lobby.Room, title string) tea.Cmd {
	sh := v.Shell
	if closed := v.closing(room); closed != nil {
		return v.lift(*closed, title+" is open again.")
	}
	return sh.Ask(screen.YesNo("Close "+strings.ToLower(title)+" until a moderator opens it again?", "close", "cancel", func() tea.Cmd {
		return change(v, admin.Close, admin.CloseArgs{Room: club.RoomName(room)}, title+" is closed.")
	}))
}

// askName prompts for a name and opens the form for sanctions on that user.
func (v *moderation) askName() tea.Cmd {
	sh := v.Shell
	if len(actionsOf(sh)) == 0 {
		return nil
	}
	l := &screen.Prompt{TextField: widget.TextField{Limit: account.MaxName}, Label: "Moderate which player", EnterHelp: "continue"}
	return sh.OpenPrompt(retryPrompt(sh, v, l, "", func(ctx context.Context, name string) (*sanction, error) {
		form := newSanction(sh, name, func() tea.Cmd { return v.reload(nil) })
		return form, form.loadTargets(ctx)
	}, func(form *sanction) tea.Cmd { return sh.Push(form) }))
}

func (v *moderation) canAudit() bool { return v.Shell.Config.Can(club.PermissionAudit) }

// audit shows the audit log, newest last.
func (v *moderation) audit() tea.Cmd {
	sh := v.Shell
	return screen.Run(sh, admin.Audit, op.None{}, func(all []club.AuditEntry) tea.Cmd {
		text := dest.Text{Title: "Audit log", Body: admin.AuditText(all), Note: "Newest last. Times are UTC.", AtEnd: true, HasTimes: true}
		if len(all) == 0 {
			text.Body, text.Note, text.HasTimes = "The audit log is empty.", "", false
		}
		return sh.Open(text)
	})
}

func (v *moderation) Draw(c paint.Canvas) {
	sh, t := v.Shell, v.Shell.Style.Theme
	w, h := c.Size()
	widget.DrawHeader(c, t, "Moderation", sh.Config.Site(), sh.Session.Account().Name)
	x := 2
	for i, title := range []string{words.Plural(len(v.sanctions), "sanction"), words.Plural(len(v.openReports), "open report")} {
		style, text := t.Dim, " "+title+" "
		if (i == 1) == v.showsReports {
			style, text = t.Selected, "["+title+"]"
		}
		x += c.Text(x, 2, style, text) + 1
	}
	if v.rowCount() == 0 {
		text := "No active sanctions."
		if v.showsReports {
			text = "No open reports."
		}
		c.Text(3, 4, t.Dim, text)
		return
	}
	v.list.Move(0, v.rowCount())
	const top, minDetail, minListed = 4, 4, 3 // rows above the list, and minimum rows of the detail and of the list
	about := widget.Wrap(v.details(v.list.Index), w-6)
	if v.showsReports { // the newest lines of chat for which there is room
		lines := v.openReports[v.list.Index].Evidence.Lines()
		for _, line := range lines[max(0, len(lines)-max(0, h-top-minListed-1-len(about))):] {
			about = append(about, paint.Cut(line, w-6))
		}
	}
	detail := max(min(len(about), h-top-minListed-1), minDetail)
	if len(about) > detail {
		about = append(about[:detail-1], paint.Cut(strings.Join(about[detail-1:], " "), w-6))
	}
	from, to := v.list.Window(top, h-top-detail-1, v.rowCount())
	for i := from; i < to; i++ {
		row := c.Sub(0, top+i-from, w, 1)
		style, _ := v.list.RowStyles(row, t, i, 1)
		left, right := v.rowText(i)
		row.Text(w-1-paint.Width(right), 0, style, right)
		row.Text(3, 0, style, paint.Cut(left, w-6-paint.Width(right)))
	}
	widget.DrawRule(c, t, h-detail-1, "", t.Dim)
	for i, l := range about {
		c.Text(3, h-detail+i, t.Text, l)
	}
}

// rowText returns the row of a sanction or report.
func (v *moderation) rowText(i int) (left, right string) {
	if v.showsReports {
		r := v.openReports[i]
		return r.Reporter + " about " + r.About + ": " + r.Text, r.At.UTC().Format("2 Jan 15:04")
	}
	s := v.sanctions[i]
	return summaryOf(s), untilText(s.Until)
}

// details returns all details of a sanction or report.
func (v *moderation) details(i int) string {
	if v.showsReports {
		r := v.openReports[i]
		return r.Reporter + " reports " + r.Subject() + ": " + r.Text
	}
	s := v.sanctions[i]
	text := summaryOf(s) + ", by " + s.Issuer + ", " + untilText(s.Until)
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return text
}

// summaryOf names the sanction: "mute of carol".
func summaryOf(s club.Sanction) string {
	if s.Kind == club.KindClose {
		return "closed chat: " + roomTitle(s.Room())
	}
	return string(s.Kind) + " of " + s.SubjectName
}

// roomTitle returns the name of a chat room.
func roomTitle(room lobby.Room) string {
	if room == lobby.SpectatorRoom {
		return "spectators"
	}
	return string(room)
}

func untilText(t time.Time) string {
	if t.IsZero() {
		return "permanent"
	}
	return "until " + t.UTC().Format("2 Jan 2006 15:04")
}

func (v *moderation) StatusLine() (string, paint.Style) {
	return "Times are UTC. Your actions are recorded in the audit log.", v.Shell.Style.Theme.Dim
}

func (v *moderation) StatusKeys() []game.Key { return bindings.Status(v) }

// roomLabel returns the label of the key that closes or opens a chat room.
func (v *moderation) roomLabel(room lobby.Room) string {
	if v.closing(room) != nil {
		return "open " + roomTitle(room)
	}
	return "close " + roomTitle(room)
}

// closing returns the sanction that closes a chat room; nil if it is open.
func (v *moderation) closing(room lobby.Room) *club.Sanction {
	for i := range v.sanctions {
		if s := &v.sanctions[i]; s.Kind == club.KindClose && s.Room() == room {
			return s
		}
	}
	return nil
}

func (v *moderation) Help() screen.Help {
	return screen.Help{
		Title: "Moderation",
		About: "Mutes, bans, closed chats, and the reports of players. All actions are recorded in the audit log with the name of the moderator.",
		Keys:  bindings.Help(v),
	}
}
