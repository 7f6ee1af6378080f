package club

import (
	"context"
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/club"
	"ayumu/tui/admin"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// OpenInvitations lists the invitations that can be used, oldest first. It does nothing for users who may not invite.
func OpenInvitations(sh *screen.Shell, _ dest.Invitations) tea.Cmd {
	if !sh.Config.Can(club.PermissionInvite) || sh.Config.Manager == nil {
		return nil
	}
	l := &screen.List[club.ListedInvitation]{
		Title: "Invitations", Right: func() string { return sh.Session.Account().Name },
		About: "The valid invitations. \"Can join\" is the number of keys that can still become members with one, \"Joined\" the number that have.",
		Load: func(ctx context.Context, _ string, _ *club.ListedInvitation) (p screen.Page[club.ListedInvitation], err error) {
			p.Rows, err = admin.Invitations.Run(ctx, sh.Visit, op.None{})
			return p, err
		},
		ID:       func(i club.ListedInvitation) any { return i.ID },
		MaxWidth: widget.ColumnWidth,
		Columns: []screen.Column[club.ListedInvitation]{
			{Title: "Created by", Width: minMemberNames, Narrow: 10, Fills: true, Text: func(i club.ListedInvitation) string { return i.Issuer }},
			{Title: "Can join", Width: 10, Rank: 0, Text: func(i club.ListedInvitation) string { return words.Plural(i.Left, "key") }},
			{Title: "Joined", Width: 8, Rank: 2, Text: func(i club.ListedInvitation) string { return words.Plural(i.Used, "key") }},
			{Title: "Valid until", Width: 19, Rank: 1, Text: func(i club.ListedInvitation) string { return i.Until.UTC().Format("2 Jan 2006 15:04") }},
			{Title: "Number", Width: 8, Rank: 3, Text: func(i club.ListedInvitation) string { return strconv.FormatInt(i.ID, 10) }},
		},
		Empty:  func() string { return "No valid invitations. Press n to create one." },
		Status: func(int) string { return "Times are UTC. A code is shown only when it is created." },
	}
	l.Subtitle = func() string { return words.Plural(len(l.Shown()), "valid invitation") }
	l.Actions = []screen.RowAction[club.ListedInvitation]{
		{Key: screen.Keys("x delete", "x", "revoke the selected invitation: nobody can use it any more"), Label: "revoke", Operation: admin.Revoke.Info().Name,
			Ask: func(i club.ListedInvitation) string {
				return fmt.Sprintf("Revoke invitation %d by %s? Nobody can use it any more; whoever used it stays a member.", i.ID, i.Issuer)
			},
			Do: func(i club.ListedInvitation) tea.Cmd {
				return screen.Change(l, admin.Revoke, admin.RevokeArgs{Invitation: op.ID(i.ID)}, fmt.Sprintf("Invitation %d is revoked.", i.ID))
			}},
		{Key: screen.Keys("n", "n", "create an invitation: number of keys and time limit (30m, 12h, 7d)"), Label: "new", DoAny: func() tea.Cmd { return invite(sh, l, l.Reload) }},
	}
	return l.Push(sh)
}
