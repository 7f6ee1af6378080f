package lobby

import (
	"cmp"
	"context"
	"slices"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/table"
)

// tables has the open tables of a lobby. It replaces their states (package table) and does what follows
// from the changes. Lobby.mu guards byID; update and startMatch take it, and do not hold it while a match
// is recorded.
type tables struct {
	l    *Lobby
	byID map[string]*table.State // replaced, never modified
}

// update changes an open table. It returns the match's id if the match starts with the change. If the match
// cannot be created, the table stays open as it was. The caller must not hold a lock.
func (ts *tables) update(ctx context.Context, id string, change func(table.State) (table.Change, error)) (matchID string, err error) {
	c, err := ts.change(id, change)
	if err != nil || !c.Next.IsStarting() {
		return "", err
	}
	return ts.startMatch(ctx, c.Next)
}

// change changes an open table. The caller starts its match if the new state is starting, and does not hold
// Lobby.mu, with which change is called.
func (ts *tables) change(id string, change func(table.State) (table.Change, error)) (table.Change, error) {
	ts.l.mu.Lock()
	defer ts.l.mu.Unlock()
	t := ts.byID[id]
	if t == nil || t.IsStarting() {
		return table.Change{}, errcode.Errorf(errcode.UnknownTable, "there is no open table %q; its game may have started, or it was closed", sanitize.Line(id, 20))
	}
	c, err := change(*t)
	if err == nil {
		ts.apply(c)
	}
	return c, err
}

// changeAll calls change for each table and applies what it returns. The caller holds Lobby.mu.
func (ts *tables) changeAll(change func(table.State) table.Change) {
	for _, t := range ts.byID {
		ts.apply(change(*t))
	}
}

// startElsewhere takes users whose live match starts, other than bots, from all live tables.
func (ts *tables) startElsewhere(users []*user) {
	ts.l.mu.Lock()
	defer ts.l.mu.Unlock()
	for _, u := range users {
		if a := u.Account(); !a.Bot { // bots play any number of matches at once
			ts.changeAll(func(t table.State) table.Change { return t.StartElsewhere(a.ID) })
		}
	}
}

// apply replaces the state of a table, notifies its users and forgets those who are no longer needed. The
// caller holds Lobby.mu.
func (ts *tables) apply(c table.Change) {
	if !c.Changed() {
		return
	}
	if c.Event != "" {
		ts.notify(c)
	}
	if c.Closed {
		delete(ts.byID, c.Next.ID)
	} else {
		ts.byID[c.Next.ID] = &c.Next
	}
	for _, id := range c.Before.Everyone() {
		if u := ts.l.users[id]; u != nil && (c.Closed || !c.Next.Concerns(id)) {
			ts.l.dropUser(u) // they may be absent
		}
	}
	ts.l.lists.changed()
}

// notify notifies users of a change. The caller holds Lobby.mu.
func (ts *tables) notify(c table.Change) {
	e := TableEvent{At: time.Now(), Kind: c.Event, Table: ts.view(&c.Before), By: ts.user(c.By).Name}
	for _, id := range c.Notify {
		if u := ts.l.users[id]; u != nil {
			u.notifyTable(e)
		}
	}
}

// startMatch starts the match of a table in a starting state and returns its id. The caller must not hold a
// lock.
func (ts *tables) startMatch(ctx context.Context, t table.State) (string, error) {
	l := ts.l
	id, err := l.matches.create(ctx, t.Terms, "", seatOrder(t.First, ts.seated(&t)))
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		for _, before := range t.StartFailed() {
			ts.byID[before.ID] = &before
		}
		l.lists.changed()
		return "", err
	}
	if t.To != 0 {
		l.challenges.Accepted(int64(t.Owner()), t.Origin, int64(t.To), time.Now())
	}
	ts.apply(t.Started())
	return id, nil
}

// seated returns the users at a table.
func (ts *tables) seated(t *table.State) (users []*user) {
	ts.l.mu.Lock()
	defer ts.l.mu.Unlock()
	for _, id := range t.Seated {
		users = append(users, ts.l.users[id])
	}
	return users
}

// user returns what a table has to know of a user. The caller holds Lobby.mu.
func (ts *tables) user(id AccountID) table.User {
	u := ts.l.users[id]
	if u == nil {
		return table.User{Account: Account{ID: id}}
	}
	return u.atTable(ts.rules().DistinctOrigins)
}

// rules returns the current limits as a table has to know them.
func (ts *tables) rules() table.Rules {
	limits := ts.l.limits.Load()
	return table.Rules{MatchesPerUser: limits.MatchesPerUser, DistinctOrigins: limits.RatedDistinctAddresses}
}

// checkLimits returns the limit that keeps a user from opening a further table from an origin. The caller
// holds Lobby.mu.
func (ts *tables) checkLimits(t *table.State) error {
	l, limits := ts.l, ts.l.limits.Load()
	byUser, byOrigin := 0, 0
	for _, o := range ts.byID {
		if o.Owner() == t.Owner() {
			byUser++
		}
		if t.Origin.IsValid() && o.Origin == t.Origin {
			byOrigin++
		}
	}
	switch {
	case l.closed || l.draining.Load():
		return errcode.Errorf(errcode.Unavailable, "the server is restarting; try again in a moment")
	case byUser >= limits.TablesPerUser:
		return l.limitError(HitTablesPerUser, "you already have %d open tables; cancel one first", byUser)
	case byOrigin >= limits.TablesFromAddress():
		return l.limitError(HitTablesPerAddress, "too many tables have been opened from your address; join one of them")
	case len(ts.byID) >= limits.Tables:
		return l.limitError(HitTables, "there are too many open tables; join one of them")
	}
	return nil
}

// hasChallenge reports whether there is a table like the challenge t. The caller holds Lobby.mu.
func (ts *tables) hasChallenge(t *table.State) bool {
	for _, o := range ts.byID {
		if table.SameChallenge(o, t) {
			return true
		}
	}
	return false
}

// anyConcerns reports whether any table concerns the user. The caller holds Lobby.mu.
func (ts *tables) anyConcerns(id AccountID) bool {
	for _, t := range ts.byID {
		if t.Concerns(id) {
			return true
		}
	}
	return false
}

// byAge returns the tables, oldest first. The caller holds Lobby.mu.
func (ts *tables) byAge() []*table.State {
	all := make([]*table.State, 0, len(ts.byID))
	for _, t := range ts.byID {
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b *table.State) int {
		return cmp.Or(a.Opened.Compare(b.Opened), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// open returns the tables that can be joined, oldest first. The caller holds Lobby.mu.
func (ts *tables) open() (all []*Table) {
	for _, t := range ts.byAge() {
		if !t.IsStarting() {
			all = append(all, ts.view(t))
		}
	}
	return all
}

// view returns a table as sessions see it. The caller holds Lobby.mu.
func (ts *tables) view(t *table.State) *Table {
	v := &Table{
		ID: t.ID, Game: t.Game, Options: t.Options, Control: t.Control, Rated: t.Rated, Private: t.Private,
		Quick: t.Request.Quick, First: t.First, Opened: t.Opened, Delay: t.Delay, code: t.Code, users: t.Everyone(),
	}
	if r := t.Request; r.Quick {
		v.Any = AnyTerms{Game: r.Game == "", Options: len(r.Options) == 0, Clock: r.Clock == nil, Rated: r.Rated == nil}
	}
	for i, id := range t.Seated {
		u := ts.l.users[id]
		a := u.Account()
		if i == 0 {
			v.Owner = a.Name
			if r, ok := a.Rating(t.Pool()); ok {
				v.Rating = &r
			}
		}
		v.Seated = append(v.Seated, a.Name)
		if slices.Contains(t.Ready, id) {
			v.Ready = append(v.Ready, a.Name)
		}
		if all := u.blocks.All(); len(all) > 0 {
			v.blockers = append(v.blockers, all)
		}
	}
	if t.To != 0 {
		v.To = ts.l.users[t.To].Account().Name
	}
	return v
}
