package moderation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

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

// members is the screen that lists the accounts of the server.
type members struct {
	screen.Base
	all     []club.Member
	hasMore bool // there are more than maxListed
	columns []memberColumn
	sort    int  // index into columns
	reverse bool // against the natural order of the column
	filter  string
	rows    []club.Member // what is listed: those of all whose names contain filter, sorted
	list    widget.ListCursor
}

// maxListed is the maximum number of members that the screen lists. With more, / finds the others by their names.
const maxListed = 2000

// OpenMembers reads the members and then lists them. It does nothing for users who may not see them.
func OpenMembers(sh *screen.Shell, _ dest.Members) tea.Cmd {
	if !sh.Config.Can(club.PermissionSeeMembers) || sh.Config.Manager == nil {
		return nil
	}
	v := &members{Base: screen.Base{Shell: sh}, columns: memberColumns(words.RatingPools(sh.Config.Games))}
	return v.load(func() tea.Cmd { return sh.Push(v) })
}

// load reads the members and then calls then, unless that is nil.
func (v *members) load(then func() tea.Cmd) tea.Cmd {
	return screen.Load(v.Shell, func(ctx context.Context) (all admin.MembersResult, err error) {
		for {
			found, err := admin.Members.Run(ctx, v.Shell.Visit, admin.MembersArgs{After: all.Next})
			all.List, all.Next = append(all.List, found.List...), found.Next
			if err != nil || all.Next == "" || len(all.List) >= maxListed {
				return all, err
			}
		}
	}, func(all admin.MembersResult) tea.Cmd {
		v.all, v.hasMore = all.List, all.Next != ""
		v.arrange()
		if then == nil {
			return nil
		}
		return then()
	})
}

var memberBindings = screen.Bindings[*members]{
	{Key: screen.Keys("enter", "Enter", "the selected member with their keys"), LabelOf: ifSelected("show"), Do: (*members).show},
	{Key: screen.Keys("left h", "← →", "sort by another column"), Label: "sort", Do: func(v *members) tea.Cmd { return v.sortBy(v.sort - 1) }},
	{Key: screen.Keys("right l", "", ""), Do: func(v *members) tea.Cmd { return v.sortBy(v.sort + 1) }},
	{Key: screen.Keys("v", "v", "sort in the opposite order"), Label: "reverse", Rank: 4, Do: (*members).reverseOrder},
	{Key: screen.Keys("/", "/", "find members by part of their name"), Label: "search", Do: (*members).search},
	{Key: screen.Keys("m", "m", "mute, kick or ban the selected member"), LabelOf: func(v *members) string {
		if len(actionsOf(v.Shell)) == 0 {
			return ""
		}
		return ifSelected("moderate")(v)
	}, Rank: 3, Do: (*members).moderate},
	{Key: screen.Keys("o", "o", "for server owners: give the selected member another role"), LabelOf: ifSelected("role"), When: (*members).mayChange, Listed: (*members).mayManage, Rank: 2, Do: (*members).changeRole},
	{Key: screen.Keys("n", "n", "for server owners: rename the selected member"), LabelOf: ifSelected("rename"), When: (*members).mayChange, Listed: (*members).mayManage, Rank: 2, Do: (*members).rename},
	{Key: screen.Keys("x delete", "x", "for server owners: delete the account of the selected member; it resigns its games"), LabelOf: ifSelected("remove"), When: (*members).mayChange, Listed: (*members).mayManage, Rank: 2, Do: (*members).remove},
	{Key: screen.Keys("p", "p", "the profile of the selected member"), LabelOf: ifSelected("profile"), Rank: 3, Do: (*members).profile},
	{Key: screen.Keys("i", "i", "the valid invitations"), Label: "invitations", Rank: 3, When: func(v *members) bool { return v.Shell.Config.Can(club.PermissionInvite) },
		Do: func(v *members) tea.Cmd { return v.Shell.Open(dest.Invitations{}) }},
	{Key: screen.Keys("r", "r", "reload"), Do: func(v *members) tea.Cmd { return v.load(nil) }},
	{Key: screen.Keys("q esc", "q", "back; after a search, all members"), LabelOf: (*members).backLabel, Rank: 1, Do: (*members).back},
	screen.CursorKeys(func(v *members) (*widget.ListCursor, int) { return &v.list, len(v.rows) }),
	screen.HelpKey[*members](),
}

// canSeeMembers reports whether the user may list members.
func (v *moderation) canSeeMembers() bool { return v.Shell.Config.Can(club.PermissionSeeMembers) }

// canInvite reports whether the user may create, list and revoke invitations.
func (v *moderation) canInvite() bool { return v.Shell.Config.Can(club.PermissionInvite) }

// mayManage reports whether the user may change members.
func (v *members) mayManage() bool { return v.Shell.Config.Can(club.PermissionMembers) }

// mayChange reports whether the user may change the selected member. Bots are part of the server.
func (v *members) mayChange() bool {
	m := v.selected()
	return v.mayManage() && (m == nil || !m.Account.Bot)
}

// ifSelected returns the label of a key that does something with the selected member; "" if there is none.
func ifSelected(label string) func(*members) string {
	return func(v *members) string {
		if v.selected() == nil {
			return ""
		}
		return label
	}
}

// selected returns the selected member; nil if none is listed.
func (v *members) selected() *club.Member {
	if v.list.Index >= len(v.rows) {
		return nil
	}
	return &v.rows[v.list.Index]
}

// arrange derives the rows from the filter and the order. The cursor stays on its member.
func (v *members) arrange() {
	name := ""
	if m := v.selected(); m != nil {
		name = m.Account.Name
	}
	v.rows = nil
	for _, m := range v.all {
		if strings.Contains(strings.ToLower(m.Account.Name), strings.ToLower(v.filter)) {
			v.rows = append(v.rows, m)
		}
	}
	compare := v.columns[v.sort].compare
	slices.SortFunc(v.rows, func(a, b club.Member) int {
		order := compare(&a, &b)
		if v.reverse {
			order = -order
		}
		return cmp.Or(order, compareNames(&a, &b))
	})
	at := slices.IndexFunc(v.rows, func(m club.Member) bool { return m.Account.Name == name })
	v.list.Index = max(at, 0)
}

// sortBy sorts by a column; columns follow each other in a circle.
func (v *members) sortBy(column int) tea.Cmd {
	v.sort, v.reverse = (column+len(v.columns))%len(v.columns), false
	v.arrange()
	return nil
}

func (v *members) reverseOrder() tea.Cmd {
	v.reverse = !v.reverse
	v.arrange()
	return nil
}

// search prompts for a text and lists the members whose names contain it. If no listed name does and there are more
// members than are listed, it looks for the member with that name.
func (v *members) search() tea.Cmd {
	sh := v.Shell
	p := &screen.Prompt{TextField: widget.TextField{Limit: account.MaxName}, Label: "Members whose names contain", EnterHelp: "list members"}
	p.Enter = func(text string) tea.Cmd {
		before := v.filter
		v.filter = text
		v.arrange()
		switch {
		case len(v.rows) > 0:
			v.list.Index = 0
			return nil
		case v.hasMore:
			return v.read(text)
		}
		v.filter = before
		v.arrange()
		p.Set(text)
		p.Failure = fmt.Sprintf("No member's name contains %q.", text)
		return sh.OpenPrompt(p)
	}
	return sh.OpenPrompt(p)
}

// read reads one member again, or one that is not listed, and selects them.
func (v *members) read(name string) tea.Cmd {
	return screen.Run(v.Shell, admin.Member, op.NameArgs{Name: name}, func(found admin.MemberResult) tea.Cmd {
		v.replace(name, &found.Member)
		return nil
	})
}

// replace replaces the member with a name, or adds them; nil removes them.
func (v *members) replace(name string, by *club.Member) {
	v.all = slices.DeleteFunc(slices.Clone(v.all), func(m club.Member) bool {
		return strings.EqualFold(m.Account.Name, name) || by != nil && m.Account.ID == by.Account.ID
	})
	if by != nil {
		v.all = append(v.all, *by)
	}
	at := v.list.Index
	v.arrange()
	if v.list.Index = at; by != nil {
		v.list.Index = max(slices.IndexFunc(v.rows, func(m club.Member) bool { return m.Account.ID == by.Account.ID }), 0)
	}
}

// backLabel returns the label of the key for back.
func (v *members) backLabel() string {
	if v.filter != "" {
		return "all members"
	}
	return v.Shell.BackLabel()
}

// back lists all members again after a search, otherwise it returns to the screen before.
func (v *members) back() tea.Cmd {
	if v.filter == "" {
		return v.Shell.Back()
	}
	v.filter = ""
	v.arrange()
	return nil
}

func (v *members) Handle(msg tea.Msg) tea.Cmd {
	cmd, _ := memberBindings.Handle(v, v.list.Input(msg, len(v.rows)))
	return cmd
}

// title describes what is listed: "12 of 1000 members, by name".
func (v *members) title() string {
	text := words.Plural(len(v.all), "member")
	if v.hasMore {
		text = "the first " + text
	}
	if v.filter != "" {
		text = fmt.Sprintf("%d of %s", len(v.rows), text)
	}
	text += ", by " + v.columns[v.sort].name
	if v.reverse {
		text += ", reversed"
	}
	return text
}

const minMemberNames = 17 // minimum width of the names

func (v *members) Draw(c paint.Canvas) {
	sh, t := v.Shell, v.Shell.Style.Theme
	widget.DrawHeader(c, t, "Members", v.title(), sh.Session.Account().Name)
	c = widget.Middle(c, widget.ListWidth)
	w, h := c.Size()
	const left, top, detail = 2, 2, 3 // columns before the names, rows above the list and below its rule
	titles := make([]widget.Column, 0, len(v.columns))
	for _, column := range v.columns[1:] {
		titles = append(titles, column.Column)
	}
	columns := widget.LayOut(titles, minMemberNames, w-left-1)
	row := c.Sub(left, 1, w-left, 1)
	for i, column := range v.columns {
		style, cells := t.Dim, make([]string, len(v.columns))
		if cells[i] = column.Title; i == v.sort {
			style = t.Strong
		}
		if row.Text(0, 0, style, cells[0]); i > 0 {
			columns.Draw(row, style, cells[1:]...)
		}
	}
	if len(v.rows) == 0 {
		c.Text(3, top+1, t.Dim, "No members.")
		return
	}
	v.list.Move(0, len(v.rows))
	from, to := v.list.Window(top, h-top-detail-1, len(v.rows))
	now := time.Now()
	for i := from; i < to; i++ {
		row := c.Sub(0, top+i-from, w, 1)
		style, dim := v.list.RowStyles(row, t, i, 0)
		row = row.Sub(left, 0, w-left, 1)
		cells := make([]string, 0, len(v.columns))
		for _, column := range v.columns {
			cells = append(cells, column.text(&v.rows[i], now))
		}
		row.Text(0, 0, style, paint.Cut(cells[0], columns.First-1))
		columns.Draw(row, dim, cells[1:]...)
	}
	widget.DrawRule(c, t, h-detail-1, "", t.Dim)
	if m := v.selected(); m != nil {
		lines := widget.Wrap(v.describe(m), w-6)
		if len(lines) > detail {
			lines = append(lines[:detail-1], paint.Cut(strings.Join(lines[detail-1:], " "), w-6))
		}
		for i, l := range lines {
			c.Text(3, h-detail+i, t.Text, l)
		}
	}
}

// describe describes a member below the list.
func (v *members) describe(m *club.Member) string {
	text := m.Account.Name + ": " + admin.RoleText(*m) + ", joined " + words.Date(m.Account.CreatedAt)
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
	for _, pool := range words.RatingPools(v.Shell.Config.Games) {
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

func (v *members) StatusLine() (string, paint.Style) {
	text := "Dates are UTC. Changes are recorded in the audit log."
	if v.hasMore {
		text = fmt.Sprintf("The first %d members by name are listed; / finds the others.", len(v.all))
	}
	return text, v.Shell.Style.Theme.Dim
}

func (v *members) StatusKeys() []game.Key { return memberBindings.Status(v) }

func (v *members) Help() screen.Help {
	return screen.Help{
		Title: "Members",
		About: "The accounts of this server. Moderators see them; owners change them. \"Seen\" is how long ago a member was last connected, to within a few minutes. Games are finished games. ← → choose the column to sort by.",
		Keys:  memberBindings.Help(v),
	}
}
