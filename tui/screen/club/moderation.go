package club

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/tui/admin"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/words"
)

// NotifyReports adds the number of open reports to the notice, for a moderator.
func NotifyReports(sh *screen.Shell) tea.Cmd {
	if !sh.Config.Can(club.PermissionReports) {
		return nil
	}
	return screen.Load(sh, sh.Config.Moderator.CountReports, func(open int) tea.Cmd {
		if open > 0 {
			sh.NotifyMore(words.Plural(open, "open report") + ". Type :moderation.")
		}
		return nil
	})
}

// row is a row of the list: a sanction, or else a report.
type row struct {
	sanction *club.Sanction
	report   *club.Report
}

// The tabs.
const (
	sanctionTab = "sanctions"
	reportTab   = "reports"
)

// moderation is the screen that lists active sanctions or open reports.
type moderation struct {
	*screen.List[row]
	sh *screen.Shell
}

// OpenModeration shows the reports if there are any, otherwise the sanctions. It does nothing for users who are no moderators.
func OpenModeration(sh *screen.Shell, _ dest.Moderation) tea.Cmd {
	if !sh.Config.Can(club.PermissionSanctions) {
		return nil
	}
	return screen.Load(sh, sh.Config.Moderator.CountReports, func(open int) tea.Cmd {
		l := list(sh)
		if open > 0 {
			l.Of = reportTab
		}
		return l.Push(sh)
	})
}

// list declares the screen.
func list(sh *screen.Shell) *screen.List[row] {
	can := func(p club.Permission) func() bool { return func() bool { return sh.Config.Can(p) } }
	opens := func(d dest.Destination) func() tea.Cmd { return func() tea.Cmd { return sh.Open(d) } }
	l := &screen.List[row]{
		Title: "Moderation", Subtitle: sh.Config.Site, Right: func() string { return sh.Session.Account().Name },
		About: "Mutes, bans, closed chats, and the reports of players. All actions are recorded in the audit log with the name of the moderator.",
		Of:    sanctionTab, TabLabel: "list",
		Load: func(ctx context.Context, _ string, _ *row) (p screen.Page[row], err error) {
			sanctions, err := admin.Bans.Run(ctx, sh.Visit, op.None{})
			if err != nil {
				return p, err
			}
			reports, err := club.AllReports(ctx, sh.Config.Moderator)
			for i := range sanctions {
				p.Rows = append(p.Rows, row{sanction: &sanctions[i]})
			}
			for i := range reports {
				p.Rows = append(p.Rows, row{report: &reports[i]})
			}
			return p, err
		},
		ID: func(r row) any {
			if r.report != nil {
				return r.report.ID
			}
			return [2]string{string(r.sanction.Kind), r.sanction.Subject}
		},
		Columns: []screen.Column[row]{{Width: 12, Fills: true, Text: row.text}, {Width: 24, Rank: 0, Text: row.time}},
		Detail:  func(r row) (string, string) { return "", r.details() },
		Log: func(r row) []string {
			if r.report == nil {
				return nil
			}
			return r.report.Evidence.Lines()
		},
		Status: func(int) string { return "Times are UTC. Your actions are recorded in the audit log." },
	}
	v := &moderation{l, sh}
	l.Arrange = v.ofTab
	l.Tabs = func() []screen.Tab {
		reports := 0
		for _, r := range l.All() {
			if r.report != nil {
				reports++
			}
		}
		return []screen.Tab{{Of: sanctionTab, Title: words.Plural(len(l.All())-reports, "sanction")}, {Of: reportTab, Title: words.Plural(reports, "open report")}}
	}
	l.Empty = func() string {
		if l.Of == reportTab {
			return "No open reports."
		}
		return "No active sanctions."
	}
	isReport := func(r row) bool { return r.report != nil }
	isSanction := func(r row) bool { return r.report == nil }
	l.Actions = []screen.RowAction[row]{
		{Key: screen.Keys("enter", "Enter", "mute, kick or ban the player of the selected report"), Label: "act", Rank: -2, For: isReport, Do: v.moderateReported},
		{Key: screen.Keys("x delete", "x", "resolve the selected report"), Label: "resolve", Rank: -1, For: isReport, Operation: admin.Done.Info().Name, Do: v.closeReport},
		{Key: screen.Keys("x delete", "x", "lift the selected sanction"), Label: "lift", Rank: -1, For: isSanction,
			Ask: func(r row) string { return "Lift this sanction: " + summaryOf(*r.sanction) + "?" },
			Do:  func(r row) tea.Cmd { return v.lift(*r.sanction, "Lifted.") }},
		{Key: screen.NoKey("mute, kick or ban a player by name"), Label: "moderate", Rank: 1, When: func() bool { return len(actionsOf(sh)) > 0 }, DoAny: v.askName},
		{Key: screen.NoKey("create an invitation: number of keys and time limit (30m, 12h, 7d)"), Label: "invite", Rank: 1, When: can(club.PermissionInvite), DoAny: func() tea.Cmd { return invite(sh, l, nil) }},
		{Key: screen.NoKey("the members, with role, last visit, games, rating and keys; owners change them there"), Label: "members", Rank: 2, When: can(club.PermissionSeeMembers), DoAny: opens(dest.Members{})},
		{Key: screen.NoKey("how much was played in recent weeks"), Label: "statistics", Rank: 2, When: can(club.PermissionMembers), DoAny: v.showStatistics},
		{Key: screen.NoKey("the audit log"), Label: "audit", Rank: 2, When: can(club.PermissionAudit), DoAny: v.audit},
		v.closes(lobby.LobbyRoom, "Lobby chat", "close the lobby chat"),
		v.opensAgain(lobby.LobbyRoom, "Lobby chat", "open the lobby chat again"),
		v.closes(lobby.SpectatorRoom, "Spectator chat", "close the spectator chat; players can always chat in their game"),
		v.opensAgain(lobby.SpectatorRoom, "Spectator chat", "open the spectator chat again"),
		{Key: screen.NoKey("the valid invitations, which can be revoked there"), Label: "invitations", Rank: 4, When: can(club.PermissionInvite), DoAny: opens(dest.Invitations{})},
	}
	return l
}

// ofTab returns the rows of the tab that is shown.
func (v *moderation) ofTab(all []row) (rows []row) {
	for _, r := range all {
		if (r.report != nil) == (v.Of == reportTab) {
			rows = append(rows, r)
		}
	}
	return rows
}

// showStatistics shows what was played in the last weeks.
func (v *moderation) showStatistics() tea.Cmd {
	return screen.Run(v.sh, admin.Statistics, op.None{}, func(s club.Statistics) tea.Cmd {
		var out strings.Builder
		_ = op.WriteText(&out, admin.Statistics.Text(v.sh.Visit, op.None{}, s)) // a Builder does not fail
		return v.sh.Open(dest.Text{Title: "Statistics", Body: out.String()})
	})
}

// moderateReported opens the form for sanctions on the user of a report, and then offers to resolve the report.
func (v *moderation) moderateReported(r row) tea.Cmd {
	return v.sh.Open(dest.Sanction{Name: r.report.About, Done: func() tea.Cmd { return tea.Batch(v.Reload(), v.closeReport(r)) }})
}

// lift lifts a sanction and shows text.
func (v *moderation) lift(s club.Sanction, text string) tea.Cmd {
	switch s.Kind {
	case club.KindMute:
		return screen.Change(v.List, admin.Unmute, op.NameArgs{Name: s.SubjectName}, text)
	case club.KindClose:
		return screen.Change(v.List, admin.Open, admin.OpenArgs{Room: s.SubjectName}, text)
	}
	return screen.Change(v.List, admin.Unban, admin.UnbanArgs{Target: s.SubjectName}, text)
}

// closeReport resolves a report, after a confirmation.
func (v *moderation) closeReport(r row) tea.Cmd {
	return v.sh.Ask(screen.YesNo("Resolve this report about "+r.report.About+"?", "resolve", "keep", func() tea.Cmd {
		return screen.Change(v.List, admin.Done, admin.DoneArgs{Report: op.ID(r.report.ID)}, "Report resolved.")
	}))
}

// closes is the action that closes a chat room which is open, after a confirmation. title names it in messages.
func (v *moderation) closes(room lobby.Room, title, help string) screen.RowAction[row] {
	return screen.RowAction[row]{Key: screen.NoKey(help), Label: roomTitle(room) + " chat", Rank: 3, When: func() bool { return v.closing(room) == nil }, DoAny: func() tea.Cmd {
		return v.sh.Ask(screen.YesNo("Close "+strings.ToLower(title)+" until a moderator opens it again?", "close", "cancel", func() tea.Cmd {
			return screen.Change(v.List, admin.Close, admin.CloseArgs{Room: club.RoomName(room)}, title+" is closed.")
		}))
	}}
}

// opensAgain is the action that opens a chat room which is closed.
func (v *moderation) opensAgain(room lobby.Room, title, help string) screen.RowAction[row] {
	return screen.RowAction[row]{Key: screen.NoKey(help), Label: roomTitle(room) + " chat", Rank: 3, When: func() bool { return v.closing(room) != nil }, DoAny: func() tea.Cmd {
		return v.lift(*v.closing(room), title+" is open again.")
	}}
}

// closing returns the sanction that closes a chat room; nil if it is open.
func (v *moderation) closing(room lobby.Room) *club.Sanction {
	for _, r := range v.All() {
		if s := r.sanction; s != nil && s.Kind == club.KindClose && s.Room() == room {
			return s
		}
	}
	return nil
}

// askName prompts for a name and opens the form for sanctions on that user.
func (v *moderation) askName() tea.Cmd {
	l := v.sh.NewNamePrompt("Moderate which player", "continue", nil)
	return v.sh.OpenPrompt(retryPrompt(v.sh, v.List, l, "", func(ctx context.Context, name string) (*sanction, error) {
		s := newSanction(v.sh, name, v.Reload)
		return s, s.loadTargets(ctx)
	}, func(s *sanction) tea.Cmd { return screen.OpenForm(v.sh, s.form) }))
}

// audit shows the audit log, newest last.
func (v *moderation) audit() tea.Cmd {
	return screen.Run(v.sh, admin.Audit, op.None{}, func(all []club.AuditEntry) tea.Cmd {
		text := dest.Text{Title: "Audit log", Body: admin.AuditText(all), Note: "Newest last. Times are UTC.", IsNoteDim: true, AtEnd: true, HasTimes: true}
		if len(all) == 0 {
			text.Body, text.Note, text.HasTimes = "The audit log is empty.", "", false
		}
		return v.sh.Open(text)
	})
}

// text returns the first cell of a row.
func (r row) text() string {
	if r.report != nil {
		return r.report.Reporter + " about " + r.report.About + ": " + r.report.Text
	}
	return summaryOf(*r.sanction)
}

// time returns when a report was made, or when a sanction ends.
func (r row) time() string {
	if r.report != nil {
		return r.report.At.UTC().Format("2 Jan 15:04")
	}
	return untilText(r.sanction.Until)
}

// details returns all details of a sanction or report.
func (r row) details() string {
	if r.report != nil {
		return r.report.Reporter + " reports " + r.report.Subject() + ": " + r.report.Text
	}
	s := r.sanction
	text := summaryOf(*s) + ", by " + s.Issuer + ", " + untilText(s.Until)
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
