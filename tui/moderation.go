package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/tui/admin"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// notifyReports adds the number of open reports to the notice, for a moderator.
func (a *Model) notifyReports() tea.Cmd {
	if !a.Config.Can(club.PermissionReports) {
		return nil
	}
	open := 0
	return a.Call(func(ctx context.Context) (err error) {
		open, err = a.Config.Moderator.CountReports(ctx)
		return err
	}, func() tea.Cmd {
		if open > 0 {
			a.NotifyMore(words.Plural(open, "open report") + ". Press M to see reports.")
		}
		return nil
	})
}

// moderationKeys returns the keys that report and moderate a user, with the given labels.
func (a *Model) moderationKeys(report, moderate string) []game.Key {
	var keys []game.Key
	if a.Config.Can(club.PermissionReport) {
		keys = append(keys, game.Key{Key: "R", Help: report})
	}
	if a.Config.Can(club.PermissionMute) {
		keys = append(keys, game.Key{Key: "M", Help: moderate})
	}
	return keys
}

// moderationScreen lists active sanctions or open reports.
type moderationScreen struct {
	screen.Base
	app          *Model
	sanctions    []club.Sanction
	openReports  []club.Report
	showsReports bool // the reports are listed; otherwise the sanctions
	list         widget.ListCursor
}

func (a *Model) openModeration() tea.Cmd {
	if !a.Config.Can(club.PermissionSanctions) {
		return nil
	}
	v := &moderationScreen{app: a}
	return v.reload(func() tea.Cmd {
		v.showsReports = len(v.openReports) > 0
		return a.Push(v)
	})
}

// reload loads sanctions and reports and then calls then, unless that is nil.
func (v *moderationScreen) reload(then func() tea.Cmd) tea.Cmd {
	moderator := v.app.Config.Moderator
	var sanctions []club.Sanction
	var reported []club.Report
	return v.app.Call(func(ctx context.Context) (err error) {
		if sanctions, err = moderator.Sanctions(ctx); err == nil {
			reported, err = club.AllReports(ctx, moderator)
		}
		return err
	}, func() tea.Cmd {
		v.sanctions, v.openReports = sanctions, reported
		if then == nil {
			return nil
		}
		return then()
	})
}

func (v *moderationScreen) rowCount() int {
	if v.showsReports {
		return len(v.openReports)
	}
	return len(v.sanctions)
}

func (v *moderationScreen) Handle(msg tea.Msg) tea.Cmd {
	a := v.app
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		v.list.Click(msg.Y, v.rowCount())
	case tea.KeyPressMsg:
		switch key := msg.String(); key {
		case "q", "esc":
			return a.Back()
		case "?":
			return a.OpenHelp()
		case "tab", "left", "right":
			v.showsReports, v.list = !v.showsReports, widget.ListCursor{}
		case "r":
			return v.reload(nil)
		case "x", "delete":
			return v.resolve()
		case "enter":
			if v.showsReports && v.list.Index < len(v.openReports) {
				r := v.openReports[v.list.Index]
				return a.openSanction(r.About, func() tea.Cmd { return tea.Batch(v.reload(nil), v.closeReport(r)) })
			}
		case "m":
			return v.askName()
		case "i":
			return v.invite()
		case "A":
			return v.audit()
		case "T":
			return v.toggleRoom(lobby.LobbyRoom, "Lobby chat")
		case "W":
			return v.toggleRoom(lobby.SpectatorRoom, "Spectator chat")
		default:
			v.list.Key(key, v.rowCount())
		}
	}
	return nil
}

// change calls do, shows text as a notice and reloads the lists.
func (v *moderationScreen) change(text string, do func(context.Context) error) tea.Cmd {
	a := v.app
	return a.Call(do, func() tea.Cmd {
		a.Notify("%s", text)
		return v.reload(nil)
	})
}

// resolve lifts the selected sanction or resolves the selected report, after a confirmation.
func (v *moderationScreen) resolve() tea.Cmd {
	a := v.app
	if v.list.Index >= v.rowCount() {
		return nil
	}
	if v.showsReports {
		return v.closeReport(v.openReports[v.list.Index])
	}
	s := v.sanctions[v.list.Index]
	return a.Ask(screen.YesNo("Lift this sanction: "+summaryOf(s)+"?", "lift", "keep", func() tea.Cmd {
		return v.change("Lifted.", func(ctx context.Context) error { return a.Config.Moderator.Lift(ctx, s.Kind, s.SubjectName) })
	}))
}

// closeReport resolves a report, after a confirmation.
func (v *moderationScreen) closeReport(r club.Report) tea.Cmd {
	a := v.app
	return a.Ask(screen.YesNo("Resolve this report about "+r.About+"?", "resolve", "keep", func() tea.Cmd {
		return v.change("Report resolved.", func(ctx context.Context) error { return a.Config.Moderator.CloseReport(ctx, r.ID) })
	}))
}

// toggleRoom closes a chat room after a confirmation, or opens it again. title names it in messages.
func (v *moderationScreen) toggleRoom(room lobby.Room, title string) tea.Cmd {
	a := v.app
	if closed := v.closing(room); closed != nil {
		name := closed.SubjectName
		return v.change(title+" is open again.", func(ctx context.Context) error { return a.Config.Moderator.Lift(ctx, club.KindClose, name) })
	}
	return a.Ask(screen.YesNo("Close "+strings.ToLower(title)+" until a moderator opens it again?", "close", "cancel", func() tea.Cmd {
		return v.change(title+" is closed.", func(ctx context.Context) error {
			_, err := a.Config.Moderator.CloseRoom(ctx, room, club.Permanent, "")
			return err
		})
	}))
}

// askName prompts for a name and opens the form for sanctions on that user.
func (v *moderationScreen) askName() tea.Cmd {
	a := v.app
	if len(a.sanctionActions()) == 0 {
		return nil
	}
	l := &screen.Prompt{TextField: widget.TextField{Limit: lobby.MaxName}, Label: "Moderate which player", EnterHelp: "continue"}
	var form *sanctionScreen
	return a.OpenPrompt(v.retryPrompt(l, "", func(ctx context.Context, name string) (err error) {
		form = a.newSanctionScreen(name, func() tea.Cmd { return v.reload(nil) })
		return form.loadTargets(ctx)
	}, func() tea.Cmd { return a.Push(form) }))
}

// invite creates an invitation and shows its code, which cannot be shown again.
func (v *moderationScreen) invite() tea.Cmd {
	a := v.app
	l := &screen.Prompt{TextField: widget.TextField{Limit: 20}, Label: "Invitation: number of keys and time limit (30m, 12h, 7d)", EnterHelp: "create"}
	l.Set("1 7d")
	var made club.Invitation
	return a.OpenPrompt(v.retryPrompt(l, " Enter the number of keys and the time limit: 5 24h", func(ctx context.Context, text string) (err error) {
		uses, validity, err := admin.ParseInvitation(strings.Fields(text))
		if err == nil {
			made, err = a.Config.Moderator.Invite(ctx, uses, validity)
		}
		return err
	}, func() tea.Cmd {
		return a.Open(dest.Text{Title: "Invitation", Body: admin.InvitationText(made, a.Config.SSHTarget), Note: "This is shown only once. Pass it on before you go back."})
	}))
}

// retryPrompt makes Enter in l call f with the typed text, and then on success. If f fails, l opens
// again with the text, the error and hint.
func (v *moderationScreen) retryPrompt(l *screen.Prompt, hint string, f func(ctx context.Context, text string) error, then func() tea.Cmd) *screen.Prompt {
	a := v.app
	l.Enter = func(text string) tea.Cmd {
		var refused error
		return a.Call(func(ctx context.Context) error {
			refused = f(ctx, text)
			return nil
		}, func() tea.Cmd {
			if refused == nil {
				return then()
			}
			_, why := lobby.PublicError(refused)
			if !a.IsFree(v) { // the user has gone elsewhere meanwhile
				a.NotifyError("%s", why)
				return nil
			}
			l.Set(text)
			l.Failure = words.Sentence(why) + hint
			return a.OpenPrompt(l)
		})
	}
	return l
}

// audit shows the audit log to a server owner, newest last.
func (v *moderationScreen) audit() tea.Cmd {
	a := v.app
	if !a.Config.Can(club.PermissionAudit) {
		return nil
	}
	var all []club.AuditEntry
	return a.Call(func(ctx context.Context) (err error) {
		all, err = a.Config.Moderator.AuditLog(ctx)
		return err
	}, func() tea.Cmd {
		text := dest.Text{Title: "Audit log", Body: admin.AuditText(all), Note: "Newest last. Times are UTC.", AtEnd: true, HasTimes: true}
		if len(all) == 0 {
			text.Body, text.Note, text.HasTimes = "The audit log is empty.", "", false
		}
		return a.Open(text)
	})
}

func (v *moderationScreen) Draw(c paint.Canvas) {
	a := v.app
	t := a.Style.Theme
	w, h := c.Size()
	widget.DrawHeader(c, a.Style.Theme, "Moderation", a.Config.Site(), a.Session.Account().Name)
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
	detail := max(min(len(about), h-top-minListed-1), minDetail)
	if len(about) > detail {
		about = append(about[:detail-1], paint.Cut(strings.Join(about[detail-1:], " "), w-6))
	}
	from, to := v.list.Window(top, h-top-detail-1, v.rowCount())
	for i := from; i < to; i++ {
		row, style := c.Sub(0, top+i-from, w, 1), t.Text
		if i == v.list.Index {
			style = t.Selected
			row.Fill(0, 0, w, 1, t.Selected, ' ')
			row.Text(1, 0, t.Selected, "›")
		}
		left, right := v.rowText(i)
		row.Text(w-1-paint.Width(right), 0, style, right)
		row.Text(3, 0, style, paint.Cut(left, w-6-paint.Width(right)))
	}
	widget.DrawRule(c, a.Style.Theme, h-detail-1, "", t.Dim)
	for i, l := range about {
		c.Text(3, h-detail+i, t.Text, l)
	}
}

// rowText returns the row of a sanction or report.
func (v *moderationScreen) rowText(i int) (left, right string) {
	if v.showsReports {
		r := v.openReports[i]
		return r.Reporter + " about " + r.About + ": " + r.Text, r.At.UTC().Format("2 Jan 15:04")
	}
	s := v.sanctions[i]
	return summaryOf(s), untilText(s.Until)
}

// details returns all details of a sanction or report.
func (v *moderationScreen) details(i int) string {
	if v.showsReports {
		r := v.openReports[i]
		return r.Reporter + " reports " + r.About + ": " + r.Text
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

func (v *moderationScreen) StatusLine() (string, paint.Style) {
	return "Times are UTC. Your actions are recorded in the audit log.", v.app.Style.Theme.Dim
}

func (v *moderationScreen) StatusKeys() []game.Key {
	other, settle := "reports", []game.Key{{Key: "x", Help: "lift"}}
	if v.showsReports {
		other, settle = "sanctions", []game.Key{{Key: "Enter", Help: "act"}, {Key: "x", Help: "resolve"}}
	}
	keys := []game.Key{{Key: "Tab", Help: other}}
	if v.rowCount() > 0 {
		keys = append(keys, settle...)
	}
	keys = append(keys, game.Key{Key: "q", Help: v.app.BackLabel()}, game.Key{Key: "m", Help: "moderate"}, game.Key{Key: "i", Help: "invite"})
	if v.app.Config.Can(club.PermissionAudit) {
		keys = append(keys, game.Key{Key: "A", Help: "audit"})
	}
	keys = append(keys, v.roomKey("T", lobby.LobbyRoom), v.roomKey("W", lobby.SpectatorRoom))
	return append(keys, game.Key{Key: "?", Help: "help"})
}

// roomKey returns the key that closes or opens a chat room.
func (v *moderationScreen) roomKey(key string, room lobby.Room) game.Key {
	if v.closing(room) != nil {
		return game.Key{Key: key, Help: "open " + roomTitle(room)}
	}
	return game.Key{Key: key, Help: "close " + roomTitle(room)}
}

// closing returns the sanction that closes a chat room; nil if it is open.
func (v *moderationScreen) closing(room lobby.Room) *club.Sanction {
	for i := range v.sanctions {
		if s := &v.sanctions[i]; s.Kind == club.KindClose && s.Room() == room {
			return s
		}
	}
	return nil
}

func (v *moderationScreen) Help() screen.Help {
	return screen.Help{
		Title: "Moderation",
		About: "Mutes, bans, closed chats, and the reports of players. All actions are recorded in the audit log with the name of the moderator.",
		Keys: []game.Key{
			{Key: "Tab", Help: "switch between sanctions and reports"},
			{Key: "x", Help: "lift the selected sanction, or resolve the selected report"},
			{Key: "Enter", Help: "mute, kick or ban the player of the selected report"},
			{Key: "m", Help: "mute, kick or ban a player by name"},
			{Key: "i", Help: "create an invitation: number of keys and time limit (30m, 12h, 7d)"},
			{Key: "T", Help: "close the lobby chat, or open it again"},
			{Key: "W", Help: "close the spectator chat, or open it again; players can always chat in their game"},
			{Key: "A", Help: "for server owners: the audit log"},
			{Key: "r", Help: "reload"},
			{Key: "q", Help: "back"},
		},
	}
}
