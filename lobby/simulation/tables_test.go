package simulation

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// controls are those of matches; most are short, so that time runs out often.
var controls = []clock.Control{
	{Initial: 8 * time.Second, Increment: 2 * time.Second}, {Initial: 8 * time.Second, Increment: 2 * time.Second},
	{Initial: 5 * time.Second, Increment: time.Second}, {Initial: 40 * time.Second}, {Days: 1}, {},
}

var rules = table.Rules{MatchesPerUser: 20}

// started is a match that has started, with the request of each player that led to it.
type started struct {
	at       time.Duration
	match    string
	requests map[account.ID]int
}

// seek has the player look for a match: a table of somebody, or one of their own.
func (p *player) seek() {
	w, n, id := p.w, p.at, account.ID(p.id)
	w.requests++
	request := w.requests
	open := n.openTables()
	for _, t := range open {
		if t.IsSeated(id) {
			return // waits
		}
	}
	if len(open) > 0 && w.chance(60) {
		t := open[w.r.IntN(len(open))]
		n.change(t.ID, request, id, func(t table.State) (table.Change, error) { return t.Join(n.users(id), "", n.users, rules) })
		return
	}
	rated := w.chance(60)
	control := &controls[w.r.IntN(len(controls))]
	if w.inDays {
		control = &clock.Control{Days: 1}
	}
	if control.IsUntimed() {
		control = nil
	}
	proposal := table.Proposal{Game: "ayu", Options: json.RawMessage(`{"size":5,"pie":false}`), Clock: control, Rated: &rated, Quick: w.chance(60)}
	if w.chance(8) {
		proposal.Game, proposal.Options, proposal.Quick = "mu", json.RawMessage(`{"players":3,"segments":2}`), false
	}
	game, _ := enginetest.Games.ByName(proposal.Game)
	if w.chance(20) {
		w.startElsewhere(&proposal, game)
	}
	t, err := table.New(proposal, game, n.users(id), "", n.sharedTime())
	if err != nil {
		w.fail("no table: %v", err)
		return
	}
	t.ID = fmt.Sprint("t", request)
	t = t.FirstState()
	n.writeTables(0, map[string]tableRow{t.ID: {version: 0, state: &t, requests: map[account.ID]int{id: request}}}, nil)
}

// openTables returns the tables that can be joined, oldest first.
func (n *node) openTables() (all []*table.State) {
	for _, id := range slices.Sorted(maps.Keys(n.tables)) {
		if row := n.tables[id]; row.state != nil && !row.state.IsStarting() {
			all = append(all, row.state)
		}
	}
	return all
}

// change changes a table for a user's request by compare-and-swap.
func (n *node) change(id string, request int, user account.ID, change func(table.State) (table.Change, error)) {
	row := n.tables[id]
	if row.state == nil || row.state.IsStarting() {
		return
	}
	c, err := change(*row.state)
	if err != nil {
		return
	}
	next := row
	next.state, next.requests, next.starter = &c.Next, maps.Clone(row.requests), n.name
	next.requests[user] = request
	n.writeTables(3, map[string]tableRow{id: next}, func() { n.change(id, request, user, change) })
}

// pair pairs the quick matches that wait, of which each joins another table: both rows change at once.
func (n *node) pair() {
	open := n.openTables()
	for _, t := range open {
		if !t.CanPair() || !n.isServing() {
			continue
		}
		c, found := t.Pair(open, n.users, rules, n.sharedTime())
		if !found {
			continue
		}
		mine, other := n.tables[t.ID], n.tables[c[1].Next.ID]
		joined := other
		joined.state, joined.starter, joined.requests = &c[1].Next, n.name, maps.Clone(other.requests)
		maps.Copy(joined.requests, mine.requests)
		mine.state = nil
		n.writeTables(0, map[string]tableRow{t.ID: mine, other.state.ID: joined}, nil)
		return // more in the next wave
	}
}

// writeTables replaces rows if they have the versions that they name. After a conflict the rows are read, and
// again, if it is not nil, is called.
func (n *node) writeTables(attempts int, rows map[string]tableRow, again func()) {
	s := n.w.store
	ids := slices.Sorted(maps.Keys(rows))
	n.call(func(done func(any)) {
		current := make(map[string]tableRow)
		conflict := false
		for _, id := range ids {
			current[id] = s.tables[id]
			conflict = conflict || s.tables[id].version != rows[id].version
		}
		if conflict && n.w.broken != noTableCondition {
			n.w.seen["table conflict"]++
			done(current)
			return
		}
		for _, id := range ids {
			next := rows[id]
			next.version, next.at = s.tables[id].version+1, n.w.now
			s.tables[id] = next
			current[id] = next
			for _, request := range next.requests {
				if _, known := s.requested[request]; !known {
					s.requested[request] = n.w.now
				}
			}
		}
		done(current)
	}, func(answer any, err error) {
		if err != nil {
			return // the next poll says what has happened
		}
		current := answer.(map[string]tableRow)
		won := true
		for _, id := range ids {
			row := current[id]
			won = won && row.state == rows[id].state
			n.tables[id] = row
			if row.state != nil && row.state.IsStarting() && row.starter == n.name {
				n.startMatch(id)
			}
		}
		n.w.publish(n)
		if !won && again != nil && attempts > 0 {
			again()
		}
	})
}

// startMatch creates the match of a table, in one transaction with the removal of the table and all other live
// tables of its players. It is repeated while its outcome is unclear.
func (n *node) startMatch(id string) {
	row := n.tables[id]
	if n.starting[id] {
		return
	}
	n.starting[id] = true
	matchID := "m" + id
	info := &match.Info{
		ID: matchID, Game: row.state.Game, Options: row.state.Options.WithSeats(len(row.state.Seated)), Control: row.state.Control, Rated: row.state.Rated,
		Started: n.sharedTime(),
	}
	for _, seated := range row.state.Seated {
		info.Seats = append(info.Seats, match.Seat{Account: seated, Name: fmt.Sprint("player", seated)})
	}
	n.call(func(done func(any)) { done(n.w.store.start(id, row, info)) }, func(answer any, err error) {
		delete(n.starting, id)
		if err != nil {
			life := n.life
			n.w.after(200*time.Millisecond, func() {
				if n.life == life && n.tables[id].version == row.version {
					n.startMatch(id)
				}
			})
			return
		}
		delete(n.tables, id)
		if answer.(bool) && n.matches[matchID] == nil {
			n.load(matchID, false)
			n.w.publish(n)
		}
	})
}

// start creates a match and reports whether there is one.
func (s *store) start(id string, row tableRow, info *match.Info) bool {
	if s.matches[info.ID] != nil {
		return s.w.broken != noTableCondition || s.tables[id].version != row.version
	}
	if s.tables[id].version != row.version && s.w.broken != noTableCondition {
		return false
	}
	s.matches[info.ID] = &storedMatch{info: info, log: s.w.shortOfTime(info)}
	delete(s.tables, id)
	for other, t := range s.tables {
		if t.state != nil && slices.ContainsFunc(info.Seats, func(seat match.Seat) bool { return t.state.IsSeated(seat.Account) }) {
			t.version, t.state, t.at = t.version+1, nil, s.w.now
			s.tables[other] = t
		}
	}
	s.w.startedMatch(info, row.requests)
	return true
}

// clearDeadTables removes tables whose match is not being started by a live node any more.
func (n *node) clearDeadTables() {
	for _, id := range slices.Sorted(maps.Keys(n.tables)) {
		row := n.tables[id]
		if row.state != nil && row.state.IsStarting() && n.w.now-row.at > 15*time.Second {
			row.state = nil
			n.writeTables(0, map[string]tableRow{id: row}, nil)
		}
	}
}
