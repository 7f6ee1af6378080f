package club

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/tui/admin"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// members is the screen that lists the accounts of the server.
type members struct {
	*screen.List[club.Member]
	sh      *screen.Shell
	orders  []order
	order   int  // index into orders
	reverse bool // against the natural order of the column
	filter  string
	found   []club.Member // by their names, beyond those that are listed
}

// maxListed is the maximum number of members that the screen lists. With more, / finds the others by their names.
const maxListed = 2000

// minMemberNames is the minimum width of the names.
const minMemberNames = 17

// OpenMembers lists the members. It does nothing for users who may not see them.
func OpenMembers(sh *screen.Shell, _ dest.Members) tea.Cmd {
	if !sh.Config.Can(club.PermissionSeeMembers) || sh.Config.Manager == nil {
		return nil
	}
	l := &screen.List[club.Member]{
		Title: "Members", Right: func() string { return sh.Session.Account().Name },
		About: "The accounts of this server. Moderators see them; owners change them. \"Seen\" is how long ago a member was last connected, to within a few minutes. Games are finished games. ← → choose the column to sort by.",
		Load: func(ctx context.Context, _ string, _ *club.Member) (screen.Page[club.Member], error) {
			return readMembers(ctx, sh)
		},
		ID:    func(m club.Member) any { return m.Account.ID },
		Empty: func() string { return "No members." },
	}
	v := &members{List: l, sh: sh}
	v.addColumns(words.RatingPools(sh.Config.Games))
	l.Subtitle, l.Arrange, l.Status = v.title, v.arrange, v.status
	l.Detail = func(m club.Member) (string, string) { return "", v.describe(m) }
	isPerson := func(m club.Member) bool { return !m.Account.Bot } // bots are part of the server
	mayManage := func() bool { return sh.Config.Can(club.PermissionMembers) }
	l.Actions = []screen.RowAction[club.Member]{
		{Key: screen.Keys("enter", "Enter", "the selected member with their keys"), Label: "show", Operation: admin.Member.Info().Name, Do: v.show},
		{Key: screen.Keys("right", "← →", "sort by another column"), Label: "sort", DoAny: func() tea.Cmd { return v.sortBy(v.order + 1) }},
		{Key: screen.Keys("left", "", ""), DoAny: func() tea.Cmd { return v.sortBy(v.order - 1) }},
		{Key: screen.NoKey("sort in the opposite order"), Label: "reverse", Rank: 4, DoAny: v.reverseOrder},
		{Key: screen.Keys("/", "/", "find members by part of their name"), Label: "search", DoAny: v.search},
		{Key: screen.NoKey("mute, kick or ban the selected member"), Label: "moderate", Rank: 3, When: func() bool { return len(actionsOf(sh)) > 0 },
			Do: func(m club.Member) tea.Cmd { return sh.Open(dest.Sanction{Name: m.Account.Name}) }},
		{Key: screen.NoKey("for server owners: give the selected member another role"), Label: "role", Rank: 2, When: mayManage, For: isPerson, Do: v.changeRole},
		{Key: screen.NoKey("for server owners: rename the selected member"), Label: "rename", Rank: 2, When: mayManage, For: isPerson, Do: v.rename},
		{Key: screen.Keys("x delete", "x", "for server owners: delete the account of the selected member; it resigns its games"), Label: "remove", Rank: 2, When: mayManage, For: isPerson,
			Operation: admin.Remove.Info().Name, Ask: removal, Do: v.remove},
		{Key: screen.Keys("i", "i", "the profile of the selected member"), Label: "profile", Rank: 3, Do: func(m club.Member) tea.Cmd { return sh.Open(dest.Profile{ID: m.Account.ID}) }},
		{Key: screen.NoKey("the valid invitations"), Label: "invitations", Rank: 3, When: func() bool { return sh.Config.Can(club.PermissionInvite) }, DoAny: func() tea.Cmd { return sh.Open(dest.Invitations{}) }},
		{Key: screen.Keys("q esc", "q", "all members again"), Label: "all members", Rank: 1, When: func() bool { return v.filter != "" }, DoAny: func() tea.Cmd { return v.showAll() }},
	}
	return l.Push(sh)
}

// readMembers reads the members by name, more than maxListed if there are as many.
func readMembers(ctx context.Context, sh *screen.Shell) (p screen.Page[club.Member], err error) {
	for after := ""; ; {
		found, err := admin.Members.Run(ctx, sh.Visit, admin.MembersArgs{After: after})
		if err != nil {
			return p, err
		}
		p.Rows = append(p.Rows, found.List...)
		if after = found.Next; after == "" || len(p.Rows) > maxListed {
			return p, nil
		}
	}
}

// listed returns the members that can be shown: the first maxListed and those that were found by their names. hasMore
// reports whether there are others.
func (v *members) listed() (all []club.Member, hasMore bool) {
	all = v.All()
	if len(all) <= maxListed {
		return all, false
	}
	all = all[:maxListed]
	for _, m := range v.found {
		if !slices.ContainsFunc(all, func(other club.Member) bool { return other.Account.ID == m.Account.ID }) {
			all = append(slices.Clip(all), m)
		}
	}
	return all, true
}

// arrange returns the members whose names contain the filter, in their order.
func (v *members) arrange([]club.Member) (rows []club.Member) {
	all, _ := v.listed()
	for _, m := range all {
		if strings.Contains(strings.ToLower(m.Account.Name), strings.ToLower(v.filter)) {
			rows = append(rows, m)
		}
	}
	slices.SortFunc(rows, func(a, b club.Member) int {
		order := v.orders[v.order].compare(&a, &b)
		if v.reverse {
			order = -order
		}
		return cmp.Or(order, compareNames(&a, &b))
	})
	return rows
}

// sortBy sorts by a column; columns follow each other in a circle.
func (v *members) sortBy(column int) tea.Cmd {
	v.order, v.reverse = (column+len(v.orders))%len(v.orders), false
	v.Update()
	return nil
}

func (v *members) reverseOrder() tea.Cmd {
	v.reverse = !v.reverse
	v.Update()
	return nil
}

// search prompts for a text and lists the members whose names contain it. If no listed name does and there are more
// members than are listed, it looks for the member with that name.
func (v *members) search() tea.Cmd {
	p := &screen.Prompt{TextField: widget.TextField{Limit: account.MaxName}, Label: "Members whose names contain", EnterHelp: "list members"}
	p.Enter = func(text string) tea.Cmd {
		before := v.filter
		v.filter = text
		v.Update()
		if len(v.Shown()) > 0 {
			v.Select(v.ID(v.Shown()[0]))
			return nil
		}
		if _, hasMore := v.listed(); hasMore {
			return v.find(text)
		}
		v.filter = before
		v.Update()
		p.Set(text)
		p.Failure = fmt.Sprintf("No member's name contains %q.", text)
		return v.sh.OpenPrompt(p)
	}
	return v.sh.OpenPrompt(p)
}

// find lists a member who is not listed yet.
func (v *members) find(name string) tea.Cmd {
	return screen.Run(v.sh, admin.Member, op.NameArgs{Name: name}, func(found admin.MemberResult) tea.Cmd {
		v.forget(found.Member.Account.ID)
		v.found = append(v.found, found.Member)
		v.Update()
		return nil
	})
}

// forget removes a member from those that were found by their names.
func (v *members) forget(id account.ID) {
	v.found = slices.DeleteFunc(v.found, func(m club.Member) bool { return m.Account.ID == id })
}

// changed reads the members again after one was changed.
func (v *members) changed(name string) tea.Cmd {
	cmd := v.Reload()
	if _, hasMore := v.listed(); hasMore { // they may be one that was found
		cmd = tea.Batch(cmd, v.find(name))
	}
	return cmd
}

// showAll lists all members again after a search.
func (v *members) showAll() tea.Cmd {
	v.filter = ""
	v.Update()
	return nil
}

// title describes what is listed: "12 of 1000 members, by name".
func (v *members) title() string {
	all, hasMore := v.listed()
	text := words.Plural(len(all), "member")
	if hasMore {
		text = "the first " + text
	}
	if v.filter != "" {
		text = fmt.Sprintf("%d of %s", len(v.Shown()), text)
	}
	text += ", by " + v.orders[v.order].name
	if v.reverse {
		text += ", reversed"
	}
	return text
}

// describe describes a member below the list.
func (v *members) describe(m club.Member) string {
	text := m.Account.Name + ": " + admin.RoleText(m) + ", joined " + words.Date(m.Account.CreatedAt)
	if m.IsInvited {
		text += " with an invitation"
	}
	if m.LastSeen.IsZero() {
		text += ", no visit recorded"
	}
	text += ". " + words.Plural(m.Games, "finished game") + ", " + strconv.Itoa(m.Unfinished) + " running"
	if !m.LastGame.IsZero() {
		text += ", last " + words.Date(m.LastGame)
	}
	text += ". "
	rated := false
	for _, pool := range words.RatingPools(v.sh.Config.Games) {
		if r, ok := m.Account.Ratings[pool.Key]; ok {
			text += pool.Title + " " + words.RatingWithDeviation(r) + ". "
			rated = true
		}
	}
	if !rated {
		text += "Not rated."
	}
	return strings.TrimSpace(text)
}

func (v *members) status(int) string {
	if all, hasMore := v.listed(); hasMore {
		return fmt.Sprintf("The first %d members by name are listed; / finds the others.", len(all))
	}
	return "Dates are UTC. Changes are recorded in the audit log."
}
