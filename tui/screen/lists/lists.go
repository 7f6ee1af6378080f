// Package lists has the rows of the lobby's lists: the user's matches, open tables, and matches to watch.
// Sessions for which the lists are the same share the rows.
package lists

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/table"
	"ayumu/tui/game"
	"ayumu/tui/screen/dest"
)

// Section is a part of the lists, by its title.
type Section string

// The sections, in their order.
const (
	Challenges  Section = "Challenges"
	OwnMatches  Section = "Your games"
	ToPlay      Section = "Play"
	OpenTables  Section = "Open tables"
	Tournaments Section = "Tournaments"
	ToWatch     Section = "Games to watch"
)

// Action is a row of what a user can begin. It is comparable.
type Action struct {
	Key         string // that does the same; "": none
	Name, About string // About is a clause
	To          dest.Destination
}

// Actions is a section of such rows.
type Actions struct {
	Title Section
	Rows  []Action
}

// Row is one row of the lists: the title of a section, the text of an empty section, a match, a table, a tournament or an action. The zero
// value is an empty row.
type Row struct {
	Key        RowKey
	Section    Section                  // the section that begins here; "" in other rows
	Empty      string                   // the text of a section without rows
	OwnMatch   *lobby.Match             // a match of the user
	Table      *table.View              // an open table
	Listing    *lobby.MatchListing      // a running match
	Tournament *lobby.TournamentListing // that is open or running
	Action     *Action
	IsStart    bool // it is selected first, before others of its kind
}

// RowKey identifies a match, table, tournament or action among the rows.
type RowKey struct{ kind, id string }

// IsSelectable reports whether the row is more than a title or a text.
func (r Row) IsSelectable() bool { return r.Key != RowKey{} }

// Play is what the section of the same name offers. It is comparable.
type Play struct {
	Rows  [maxPlayRows]Action // the first ones; the zero Action is no row
	First bool                // the section is the first one, and its first row is selected
}

// maxPlayRows is the maximum number of rows of Play.
const maxPlayRows = 8

// Add adds a row, if there is space.
func (p *Play) Add(a Action) {
	for i := range p.Rows {
		if p.Rows[i] == (Action{}) {
			p.Rows[i] = a
			return
		}
	}
}

// Key identifies the rows of a server that are the same for all users whom none of them concerns.
type Key struct {
	lobby    *lobby.Lobby
	revision uint64
	play     Play
}

// KeyOf returns the key of a view's rows.
func KeyOf(l *lobby.Lobby, v *lobby.View, p Play) Key { return Key{l, v.RowsRevision, p} }

// Cache keeps rows that sessions share. The zero value is ready for use. Its methods may be called from any
// goroutine.
type Cache struct {
	once sync.Once
	rows game.Cache[Key, []Row]
}

// Rows returns the rows of a session. isShared reports that they are those of other sessions too.
func (c *Cache) Rows(s *lobby.Session, v *lobby.View, p Play) (rows []Row, isShared bool) {
	if isPersonal(s, v) {
		return build(s, v, p), false
	}
	c.once.Do(func() { c.rows.Capacity = maxRows })
	return c.rows.Get(KeyOf(s.Lobby(), v, p), func() []Row { return build(s, v, p) }), true
}

// maxRows is the number of lists of rows that are kept: for what sessions offer differently, and for those that are
// behind.
const maxRows = 16

// isPersonal reports whether something in the lists concerns this user alone.
func isPersonal(s *lobby.Session, v *lobby.View) bool {
	plays := slices.ContainsFunc(s.SeatedMatches(), func(m *lobby.Match) bool { return !s.Snapshot(m).IsOver() })
	return plays || v.HasPersonal(s.Account().ID)
}

// build returns the rows: what waits for the user first, except for a user who is new.
func build(s *lobby.Session, v *lobby.View, p Play) []Row {
	challenges, tables := openTables(s.Account(), v)
	play := []Row{{Section: ToPlay}}
	for _, a := range p.Rows {
		if a != (Action{}) {
			play = append(play, actionRow(a))
		}
	}
	var first []Row
	if p.First {
		play[1].IsStart = true
		first, play = play, nil
	}
	return slices.Concat(first, challenges, ownMatches(s), play, tables, tournaments(v), runningMatches(s.Account().ID, v))
}

// actionRow returns the row of an action.
func actionRow(a Action) Row { return Row{Key: RowKey{actionKind, cmp.Or(a.Key, a.Name)}, Action: &a} }

// actionKind is the kind of the keys of actions.
const actionKind = "action"

// Offline returns the rows of a session that is offline: the user's matches, and sections of actions.
func Offline(s *lobby.Session, actions []Actions) []Row {
	sections := [][]Row{ownMatches(s)}
	for _, a := range actions {
		if len(a.Rows) == 0 {
			continue
		}
		section := []Row{{Section: a.Title}}
		for _, r := range a.Rows {
			section = append(section, actionRow(r))
		}
		sections = append(sections, section)
	}
	return slices.Concat(sections...)
}

// ownMatches lists the user's running matches; nil: there are none. First come those whose clock runs, then those in which
// the user is to move, each with the least time left first.
func ownMatches(s *lobby.Session) []Row {
	me, now := s.Account(), time.Now()
	type own struct {
		Row
		rank int
		left time.Duration
	}
	var all []own
	for _, m := range s.SeatedMatches() {
		snap := s.Snapshot(m)
		if snap.IsOver() {
			continue
		}
		o := own{Row: Row{Key: RowKey{"own", m.Info.ID}, OwnMatch: m}, left: math.MaxInt64}
		seat, seated := snap.ActingSeat(me.ID)
		if !seated || seat != snap.Position.Turn() {
			o.rank++
		}
		if !m.Info.Control.IsLive() {
			o.rank += 2
		}
		if left, ok := snap.Remaining(max(seat, 0), now); ok {
			o.left = left
		}
		all = append(all, o)
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b own) int { return cmp.Or(a.rank-b.rank, cmp.Compare(a.left, b.left)) })
	rows := []Row{{Section: OwnMatches}}
	for _, o := range all {
		rows = append(rows, o.Row)
	}
	return rows
}

// openTables lists the challenges to the user and of the user, nil if there are none, and the other tables that are
// open to the user.
func openTables(me account.Account, v *lobby.View) (challenges, rows []Row) {
	rows = []Row{{Section: OpenTables}}
	tables := v.TablesFor(me.ID)
	slices.SortStableFunc(tables, func(a, b *table.View) int { return priority(b, me) - priority(a, me) })
	for _, t := range tables {
		r := Row{Key: RowKey{"table", t.ID}, Table: t}
		switch {
		case t.To == "":
			rows = append(rows, r)
		case challenges == nil:
			challenges = []Row{{Section: Challenges}, r}
		default:
			challenges = append(challenges, r)
		}
	}
	if len(rows) == 1 {
		rows = append(rows, Row{Empty: "No open tables. p: find an opponent."})
	}
	return challenges, rows
}

// priority returns the sort priority of a table: challenges to the user are first, then the tables of the user.
func priority(t *table.View, me account.Account) int {
	switch {
	case t.Concerns(me.ID) && t.Owner != me.Name:
		return 2
	case t.Concerns(me.ID):
		return 1
	}
	return 0
}

// maxTournaments is the number of tournaments in the lists; a screen of its own has all.
const maxTournaments = 4

// tournaments lists the first tournaments that are open or running; nil: there are none.
func tournaments(v *lobby.View) (rows []Row) {
	if len(v.Tournaments) == 0 {
		return nil
	}
	rows = []Row{{Section: Tournaments}}
	for _, t := range v.Tournaments[:min(len(v.Tournaments), maxTournaments)] {
		rows = append(rows, Row{Key: RowKey{"tournament", t.ID}, Tournament: t})
	}
	if more := len(v.Tournaments) - maxTournaments; more > 0 {
		rows = append(rows, Row{Empty: fmt.Sprintf("%d more. T: all tournaments.", more)})
	}
	return rows
}

// runningMatches lists the running matches of others that are offered for watching.
func runningMatches(me account.ID, v *lobby.View) []Row {
	rows := []Row{{Section: ToWatch}}
	for _, m := range v.WatchableBy(me) {
		rows = append(rows, Row{Key: RowKey{"match", m.ID}, Listing: m})
	}
	if len(rows) == 1 {
		rows = append(rows, Row{Empty: "No games in progress."})
	}
	return rows
}

// Cursor is a cursor in rows, which stays on its row wherever that moves. The zero value is empty.
type Cursor struct {
	Rows []Row
	Top  int // index of the first row that is shown

	selected RowKey
	hasMoved bool // the user has selected a row
	y, shown int  // where the rows were drawn, for clicks
}

// Update replaces the rows. If the selected one is gone, one at its place is selected. Until the user has selected a row,
// what waits for them or can be watched is selected before an action.
func (c *Cursor) Update(rows []Row) {
	at := c.Index()
	isOnAction := at >= 0 && c.Rows[at].Action != nil
	c.Rows = rows
	switch {
	case !c.hasMoved && (at < 0 || isOnAction):
		c.selectFirst()
	case c.Index() < 0:
		c.selectNear(max(at, 0))
	}
}

// selectFirst selects the row that is to be selected first, or else the first match or table, or else the first action.
func (c *Cursor) selectFirst() {
	c.selectNear(0)
	for _, is := range []func(Row) bool{
		func(r Row) bool { return r.IsStart },
		func(r Row) bool { return r.IsSelectable() && r.Action == nil },
	} {
		if i := slices.IndexFunc(c.Rows, is); i >= 0 {
			c.selected = c.Rows[i].Key
			return
		}
	}
}

// Index returns the index of the selected row; -1: none.
func (c *Cursor) Index() int {
	return slices.IndexFunc(c.Rows, func(r Row) bool { return r.IsSelectable() && r.Key == c.selected })
}

// Select selects a row.
func (c *Cursor) Select(k RowKey) { c.selected, c.hasMoved = k, true }

// Selected returns the selected row; ok is false if there is none.
func (c *Cursor) Selected() (r Row, ok bool) {
	if i := c.Index(); i >= 0 {
		return c.Rows[i], true
	}
	return Row{}, false
}

// selectNear selects the first selectable row from index at on, or else the last one before it.
func (c *Cursor) selectNear(at int) {
	c.selected = RowKey{}
	for i, r := range c.Rows {
		if r.IsSelectable() {
			c.selected = r.Key
			if i >= at {
				return
			}
		}
	}
}

// KeyRows has the keys that move a cursor, and by how many rows.
var KeyRows = map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -10, "pgdown": 10, "home": -1000, "end": 1000}

// Key moves the cursor by a key of KeyRows.
func (c *Cursor) Key(name string) { c.Move(KeyRows[name]) }

// Move moves the cursor by a number of selectable rows, backwards if negative.
func (c *Cursor) Move(by int) {
	i, step := c.Index(), 1
	if by < 0 {
		step = -1
	}
	for ; by != 0; by -= step {
		j := i + step
		for j >= 0 && j < len(c.Rows) && !c.Rows[j].IsSelectable() {
			j += step
		}
		if j < 0 || j >= len(c.Rows) {
			break
		}
		i = j
	}
	c.hasMoved = true
	if i >= 0 && i < len(c.Rows) {
		c.selected = c.Rows[i].Key
	}
}

// Scroll sets Top so that the selected row is visible in a window of rows from screen row y on, with the title
// above the first one.
func (c *Cursor) Scroll(y, rows int) {
	at := max(c.Index(), 0)
	if at < c.Top+1 {
		c.Top = max(at-1, 0)
	}
	if at >= c.Top+rows {
		c.Top = at - rows + 1
	}
	c.Top = max(min(c.Top, len(c.Rows)-rows), 0)
	c.y, c.shown = y, rows
}

// ScrollUnder is Scroll for rows below the title of the section of the first row that is shown, which it returns. The
// title of a section is not the first row.
func (c *Cursor) ScrollUnder(y, rows int) (title Section) {
	c.Scroll(y, rows)
	if c.Top < len(c.Rows) && c.Rows[c.Top].Section != "" {
		c.Top++
	}
	for _, r := range c.Rows[:min(c.Top, len(c.Rows))] {
		if r.Section != "" {
			title = r.Section
		}
	}
	return title
}

// Below is what a list says of the rows below its window, beside the title of the last section that is shown.
type Below struct {
	Section Section // of that title; "" if there is nothing to say
	Text    string
}

// Below returns what is said of the rows below a window of rows: how many more rows the section at its end has, or
// else which section is the next.
func (c *Cursor) Below(rows int) (b Below) {
	end := min(c.Top+rows, len(c.Rows))
	for _, r := range c.Rows[:end] {
		b.Section = cmp.Or(r.Section, b.Section)
	}
	rest := 0
	for _, r := range c.Rows[end:] {
		switch {
		case r.Section != "" && rest == 0:
			b.Text = string(r.Section) + " ↓"
			return b
		case r.Section != "":
			b.Text = fmt.Sprintf("%d more ↓", rest)
			return b
		case r.IsSelectable():
			rest++
		}
	}
	if rest == 0 {
		return Below{}
	}
	b.Text = fmt.Sprintf("%d more ↓", rest)
	return b
}

// Click selects the row at screen row y; again reports that it was selected already, ok that there is one.
func (c *Cursor) Click(y int) (again, ok bool) {
	i := c.Top + y - c.y
	if y < c.y || y >= c.y+c.shown || i >= len(c.Rows) || !c.Rows[i].IsSelectable() {
		return false, false
	}
	again = c.Rows[i].Key == c.selected
	c.selected, c.hasMoved = c.Rows[i].Key, true
	return again, true
}
