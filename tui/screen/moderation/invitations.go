package moderation

import (
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

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

// invitations is the screen that lists the invitations that can be used, oldest first.
type invitations struct {
	screen.Base
	all  []club.ListedInvitation
	list widget.ListCursor
}

// OpenInvitations reads the invitations and then lists them. It does nothing for users who may not invite.
func OpenInvitations(sh *screen.Shell, _ dest.Invitations) tea.Cmd {
	if !sh.Config.Can(club.PermissionInvite) || sh.Config.Manager == nil {
		return nil
	}
	v := &invitations{Base: screen.Base{Shell: sh}}
	return v.load(func() tea.Cmd { return sh.Push(v) })
}

// load reads the invitations and then calls then, unless that is nil.
func (v *invitations) load(then func() tea.Cmd) tea.Cmd {
	return screen.Run(v.Shell, admin.Invitations, op.None{}, func(all []club.ListedInvitation) tea.Cmd {
		v.all = all
		if then == nil {
			return nil
		}
		return then()
	})
}

var invitationBindings = screen.Bindings[*invitations]{
	{Key: screen.Keys("x delete", "x", "revoke the selected invitation: nobody can use it any more"), LabelOf: func(v *invitations) string {
		if len(v.all) == 0 {
			return ""
		}
		return "revoke"
	}, Do: (*invitations).revoke},
	{Key: screen.Keys("i", "i", "create an invitation: number of keys and time limit (30m, 12h, 7d)"), Label: "invite", Do: func(v *invitations) tea.Cmd {
		return invite(v.Shell, v, func() tea.Cmd { return v.load(nil) })
	}},
	{Key: screen.Keys("r", "r", "reload"), Do: func(v *invitations) tea.Cmd { return v.load(nil) }},
	{Key: screen.Keys("q esc", "q", "back"), LabelOf: func(v *invitations) string { return v.Shell.BackLabel() }, Do: func(v *invitations) tea.Cmd { return v.Shell.Back() }},
	screen.CursorKeys(func(v *invitations) (*widget.ListCursor, int) { return &v.list, len(v.all) }),
	screen.HelpKey[*invitations](),
}

// revoke removes the selected invitation, after a confirmation.
func (v *invitations) revoke() tea.Cmd {
	if v.list.Index >= len(v.all) {
		return nil
	}
	sh, i := v.Shell, v.all[v.list.Index]
	return sh.Ask(screen.YesNo(fmt.Sprintf("Revoke invitation %d by %s? Nobody can use it any more; whoever used it stays a member.", i.ID, i.Issuer), "revoke", "keep", func() tea.Cmd {
		return screen.Run(sh, admin.Revoke, admin.RevokeArgs{Invitation: op.ID(i.ID)}, func(op.None) tea.Cmd {
			sh.Notify("Invitation %d is revoked.", i.ID)
			return v.load(nil)
		})
	}))
}

func (v *invitations) Handle(msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok {
		v.list.Click(click.Y, len(v.all))
	}
	return invitationBindings.HandleKey(v, msg)
}

// invitationColumns are those after the name of who created an invitation.
var invitationColumns = []widget.Column{
	{Title: "Can join", Width: 10, Rank: 0}, {Title: "Joined", Width: 8, Rank: 1}, {Title: "Valid until", Width: 19, Rank: 2}, {Title: "Number", Width: 8, Rank: 3},
}

func (v *invitations) Draw(c paint.Canvas) {
	sh, t := v.Shell, v.Shell.Style.Theme
	widget.DrawHeader(c, t, "Invitations", words.Plural(len(v.all), "valid invitation"), sh.Session.Account().Name)
	c = widget.Middle(c, widget.ColumnWidth)
	w, h := c.Size()
	if len(v.all) == 0 {
		for i, l := range widget.Wrap("No valid invitations. Press i to create one.", w-6) {
			c.Text(3, 2+i, t.Dim, l)
		}
		return
	}
	const left, top = 2, 3
	columns := widget.LayOut(invitationColumns, minMemberNames, w-left-1)
	c.Text(left, top-1, t.Dim, "Created by")
	columns.DrawTitles(c.Sub(left, top-1, w-left, 1), t.Dim)
	v.list.Move(0, len(v.all))
	from, to := v.list.Window(top, h-top, len(v.all))
	for i := from; i < to; i++ {
		row, one := c.Sub(0, top+i-from, w, 1), v.all[i]
		style, dim := v.list.RowStyles(row, t, i, 0)
		row = row.Sub(left, 0, w-left, 1)
		row.Text(0, 0, style, paint.Cut(one.Issuer, columns.First-1))
		columns.Draw(row, dim, words.Plural(one.Left, "key"), words.Plural(one.Used, "key"), one.Until.UTC().Format("2 Jan 2006 15:04"), strconv.FormatInt(one.ID, 10))
	}
}

func (v *invitations) StatusLine() (string, paint.Style) {
	return "Times are UTC. A code is shown only when it is created.", v.Shell.Style.Theme.Dim
}

func (v *invitations) StatusKeys() []game.Key { return invitationBindings.Status(v) }

func (v *invitations) Help() screen.Help {
	return screen.Help{
		Title: "Invitations",
		About: "The valid invitations. \"Can join\" is the number of keys that can still become members with one, \"Joined\" the number that have.",
		Keys:  invitationBindings.Help(v),
	}
}
