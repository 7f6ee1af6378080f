// Package lists has the rows of the lobby's lists: the user's matches, open tables, and matches to watch.
// Sessions for which the lists are the same share the rows.
package lists

import (
	"slices"
	"sync"

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
	Challenges Section = "Challenges"
	OwnMatches Section = "Your games"
	OpenTables Section = "Open tables"
	ToWatch    Section = "Games to watch"
)

// Action is a row of what a user who is offline can begin.
type Action struct {
	Key         string // that does the same
	Name, About string // About is a clause
	To          dest.Destination
}

// Actions is a section of such rows.
type Actions struct {
	Title Section
	Rows  []Action
}

// Row is one row of the lists: the title of a section, the text of an empty section, a match, a table or an action. The zero
// value is an empty row.
type Row struct {
	Key      RowKey
	Section  Section             // the section that begins here; "" in other rows
	Empty    string              // the text of a section without rows
	OwnMatch *lobby.Match        // a match of the user
	Table    *table.View         // an open table
	Listing  *lobby.MatchListing // a running match
	Action   *Action
}

// RowKey identifies a match, table or action among the rows.
type RowKey struct{ kind, id string }

// IsSelectable reports whether the row is a match, a table or an action.
func (r Row) IsSelectable() bool { return r.Key != RowKey{} }

// Key identifies the rows of a server that are the same for all users whom none of them concerns.
type Key struct {
	lobby    *lobby.Lobby
	revision uint64
	hasBots  bool
}

// KeyOf returns the key of a view's rows.
func KeyOf(l *lobby.Lobby, v *lobby.View, hasBots bool) Key { return Key{l, v.RowsRevision, hasBots} }

// Cache keeps rows that sessions share. The zero value is ready for use. Its methods may be called from any
// goroutine.
type Cache struct {
	once sync.Once
	rows game.Cache[Key, []Row]
}

// Rows returns the rows of a session. isShared reports that they are those of other sessions too.
func (c *Cache) Rows(s *lobby.Session, v *lobby.View, hasBots bool) (rows []Row, isShared bool) {
	if isPersonal(s, v) {
		return build(s, v, hasBots), false
	}
	c.once.Do(func() { c.rows.Capacity = 4 }) // only sessions that are behind ask for earlier ones
	return c.rows.Get(KeyOf(s.Lobby(), v, hasBots), func() []Row { return build(s, v, hasBots) }), true
}

// isPersonal reports whether something in the lists concerns this user alone.
func isPersonal(s *lobby.Session, v *lobby.View) bool {
	plays := slices.ContainsFunc(s.SeatedMatches(), func(m *lobby.Match) bool { return !s.Snapshot(m).IsOver() })
	return plays || v.HasPersonal(s.Account().ID)
}

// build returns the rows: matches in which it is the user's turn first.
func build(s *lobby.Session, v *lobby.View, hasBots bool) []Row {
	challenges, tables := openTables(s.Account(), v, hasBots)
	return join(challenges, ownMatches(s), tables, runningMatches(s.Account().ID, v))
}

// Offline returns the rows of a session that is offline: the user's matches, and sections of actions.
func Offline(s *lobby.Session, actions []Actions) []Row {
	sections := [][]Row{ownMatches(s)}
	for _, a := range actions {
		if len(a.Rows) == 0 {
			continue
		}
		section := []Row{{Section: a.Title}}
		for _, r := range a.Rows {
			section = append(section, Row{Key: RowKey{"action", r.Key}, Action: &r})
		}
		sections = append(sections, section)
	}
	return join(sections...)
}

// join returns the rows of sections with an empty row between them.
func join(sections ...[]Row) (rows []Row) {
	for _, section := range sections {
		if len(rows) > 0 && len(section) > 0 {
			rows = append(rows, Row{})
		}
		rows = append(rows, section...)
	}
	return rows
}

// ownMatches lists the user's running matches; nil: there are none.
func ownMatches(s *lobby.Session) []Row {
	me := s.Account()
	var turn, wait []Row
	for _, m := range s.SeatedMatches() {
		snap := s.Snapshot(m)
		if snap.IsOver() {
			continue
		}
		r := Row{Key: RowKey{"own", m.Info.ID}, OwnMatch: m}
		if seat, seated := snap.ActingSeat(me.ID); seated && seat == snap.Position.Turn() {
			turn = append(turn, r)
		} else {
			wait = append(wait, r)
		}
	}
	if len(turn)+len(wait) == 0 {
		return nil
	}
	return slices.Concat([]Row{{Section: OwnMatches}}, turn, wait)
}

// openTables lists the challenges to the user and of the user, nil if there are none, and the other tables that are
// open to the user.
func openTables(me account.Account, v *lobby.View, hasBots bool) (challenges, rows []Row) {
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
		empty := "No open tables. p: find an opponent, n: open a table."
		if hasBots {
			empty = "No open tables. p: find an opponent, b: play a bot."
		}
		rows = append(rows, Row{Empty: empty})
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
	y, shown int // where the rows were drawn, for clicks
}

// Update replaces the rows. If the selected one is gone, one at its place is selected.
func (c *Cursor) Update(rows []Row) {
	at := c.Index()
	c.Rows = rows
	if c.Index() < 0 {
		c.selectNear(max(at, 0))
	}
}

// Index returns the index of the selected row; -1: none.
func (c *Cursor) Index() int {
	return slices.IndexFunc(c.Rows, func(r Row) bool { return r.IsSelectable() && r.Key == c.selected })
}

// Select selects a row.
func (c *Cursor) Select(k RowKey) { c.selected = k }

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

// Click selects the row at screen row y; again reports that it was selected already, ok that there is one.
func (c *Cursor) Click(y int) (again, ok bool) {
	i := c.Top + y - c.y
	if y < c.y || y >= c.y+c.shown || i >= len(c.Rows) || !c.Rows[i].IsSelectable() {
		return false, false
	}
	again = c.Rows[i].Key == c.selected
	c.selected = c.Rows[i].Key
	return again, true
}
