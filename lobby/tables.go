package lobby

import (
	"context"
	"errors"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/table"
)

// A change of a table is computed by package table under Lobby.mu, replaces the rows of the tables by compare-and-swap
// without a lock, and is then taken over, as are the changes of other nodes. If another change came before, it is
// computed again. A table that has closed stays as a row for table.KeepClosed, so that every node learns what happened
// to it.

// tableAttempts is how often a change is computed again because another came before it.
const tableAttempts = 10

// errTableBusy is the error of a change before which others come again and again.
var errTableBusy = errcode.Errorf(errcode.Unavailable, "too many players are using this table at once; try again in a moment")

// writeNewTable records a table that l.tables has as being opened.
func (l *Lobby) writeNewTable(ctx context.Context, t table.State) error {
	err := l.writeTables(ctx, t.FirstState())
	if err != nil {
		l.forgetTable(t.ID)
	}
	return err
}

// updateTable changes an open table. It returns the match's id if the match starts with the change. If the match
// cannot be created, the table stays open as it was. change is called with Lobby.mu held, and again if another change
// comes before.
func (l *Lobby) updateTable(ctx context.Context, id string, change func(table.State) (table.Change, error)) (matchID string, err error) {
	c, err := l.changeTable(ctx, id, change)
	if err != nil || !c.Next.IsStarting() {
		return "", err
	}
	return l.startTable(ctx, &c.Next)
}

// changeTable is updateTable without the start of the match.
func (l *Lobby) changeTable(ctx context.Context, id string, change func(table.State) (table.Change, error)) (table.Change, error) {
	for range tableAttempts {
		c, err := l.planChange(id, change)
		if err != nil || !c.Changed() {
			return c, err
		}
		if err := l.writeTables(ctx, c.Next); !errors.Is(err, rows.ErrConflict) {
			return c, err
		}
	}
	return table.Change{}, errTableBusy
}

// planChange computes a change of an open table.
func (l *Lobby) planChange(id string, change func(table.State) (table.Change, error)) (table.Change, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.tables.Get(id)
	if id == "" {
		return table.Change{}, errcode.Errorf(errcode.UnknownTable, "no table is named; the list of open tables has their ids")
	}
	if t == nil || !t.IsOpen() {
		return table.Change{}, errcode.Errorf(errcode.UnknownTable, "there is no open table %q; its game may have started, or it was closed", sanitize.Line(id, 20))
	}
	return change(*t)
}

// changeTables changes all open tables for which change, which is called with Lobby.mu held, returns a change.
func (l *Lobby) changeTables(ctx context.Context, change func(table.State) table.Change) {
	for _, id := range l.tablesToChange(change) {
		// Failures have been reported. A table that has closed meanwhile is none.
		_, _ = l.changeTable(ctx, id, func(t table.State) (table.Change, error) { return change(t), nil })
	}
}

// tablesToChange returns the ids of the open tables that a function changes.
func (l *Lobby) tablesToChange(change func(table.State) table.Change) (ids []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.tables.All() {
		if c := change(*t); t.IsOpen() && c.Changed() {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// startTable starts the match of a table in a starting state, or opens the table again.
func (l *Lobby) startTable(ctx context.Context, t *table.State) (matchID string, err error) {
	seats, err := l.usersSeatedAt(t)
	if err == nil {
		matchID, err = l.matches.create(ctx, t.Terms, "", seatOrder(&t.Terms, seats), t)
	}
	switch {
	case err != nil:
		l.reopenTable(context.WithoutCancel(ctx), t)
	case t.To != 0:
		l.challenges.Accepted(int64(t.Owner()), t.Origin, int64(t.To), time.Now())
	}
	return matchID, err
}

// usersSeatedAt returns the users seated at a table.
func (l *Lobby) usersSeatedAt(t *table.State) (all []*user, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range t.Seated {
		u := l.users.byID[id]
		if u == nil {
			return nil, errcode.Errorf(errcode.Unavailable, "a player at that table has just left; try again in a moment")
		}
		all = append(all, u)
	}
	return all, nil
}

// reopenTable opens a table again whose match could not be started, and that with which it was paired. If it fails, a
// wave repeats it.
func (l *Lobby) reopenTable(ctx context.Context, t *table.State) {
	var back []table.State
	for _, c := range t.StartFailed() {
		back = append(back, c.Next)
	}
	_ = l.writeTables(ctx, back...)
}

// planStart returns the states of the tables that change with the start of a match: its table from closes, unless that
// is nil, and if the match is live, its players other than bots leave their other live tables.
func (l *Lobby) planStart(info *match.Info, from *table.State) (next []table.State, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if from != nil {
		if l.tables.Version(from.ID) != from.Version {
			return nil, errcode.Errorf(errcode.UnknownTable, "a player at that table has just started another game")
		}
		next = append(next, from.Started().Next)
	}
	if !info.Control.IsLive() {
		return next, nil
	}
	var players []account.ID
	for _, s := range info.Seats {
		if !s.Bot { // bots play any number of matches at once
			players = append(players, s.Account)
		}
	}
	for _, t := range l.tables.All() {
		if t.Version == 0 || from != nil && t.ID == from.ID {
			continue
		}
		for _, c := range t.LeaveForMatch(players) {
			next = append(next, c.Next)
		}
	}
	return next, nil
}

// writeTables records new states of tables, all or none, and takes them over. After rows.ErrConflict the newest
// states of these tables are known.
func (l *Lobby) writeTables(ctx context.Context, states ...table.State) error {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	_, err := l.rows.tables.Write(ctx, table.Changes(states)...)
	if err == nil || errors.Is(err, rows.ErrConflict) {
		return err
	}
	return &errcode.Error{Code: errcode.Unavailable, Message: "the server could not record that; try again in a moment", Cause: err}
}

// followTable takes over a state of a table, which another node or this one has recorded. It returns an error of the
// store.
func (f follower) followTable(ctx context.Context, id string, next rows.State[table.State]) error {
	l, t := f.l, next.Value
	if t == nil {
		l.forgetTable(id)
		return nil
	}
	var accounts []account.Account
	for _, id := range l.unknownUsersAt(t) {
		a, err := l.store.Account(ctx, id)
		switch {
		case errors.Is(err, errcode.ErrNotFound):
			a = account.Account{ID: id}
		case err != nil:
			return err
		}
		accounts = append(accounts, a)
	}
	l.replaceTable(t, accounts)
	return nil
}

// unknownUsersAt returns the ids of the accounts at a table whose users are not in memory.
func (l *Lobby) unknownUsersAt(t *table.State) (ids []account.ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range t.Everyone() {
		if id > 0 && l.users.byID[id] == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// replaceTable takes over a state of a table, unless a newer one is known, and adds users for accounts.
func (l *Lobby) replaceTable(t *table.State, accounts []account.Account) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.node.Now()
	for _, a := range accounts {
		_, _ = l.users.add(a, now).blocks.Read(func() ([]account.Block, error) { return a.Blocks, nil })
	}
	before, isNewer := l.tables.Replace(*t, now)
	if before != nil && before.Version == 0 {
		before = nil
	}
	if isNewer {
		l.tableChanged(before, t)
	}
}

// forgetTable removes a table whose row does not exist.
func (l *Lobby) forgetTable(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if before := l.tables.Forget(id); before != nil {
		l.tableChanged(before, nil)
	}
}

// tableChanged notifies users of the change of a table from one state to another, and forgets those who are no longer
// needed. before is nil if the table was unknown or being opened, after if it does not exist any more. One of them is
// not nil. The caller holds Lobby.mu.
func (l *Lobby) tableChanged(before, after *table.State) {
	known := int64(0)
	if before != nil {
		known = before.Version
	}
	if after != nil {
		for _, e := range after.Events {
			if e.Version > known {
				l.notifyTable(after, e)
			}
		}
		if to := l.users.byID[after.To]; to != nil && before == nil && after.IsOpen() {
			to.wake() // even if the session ignores the lists
		}
		l.dropUsersAt(after)
	}
	if before != nil {
		l.dropUsersAt(before)
	}
	l.lists.tablesChanged()
}

// dropUsersAt forgets the users of a table who are absent and not needed any more. The caller holds Lobby.mu.
func (l *Lobby) dropUsersAt(t *table.State) {
	for _, id := range t.Everyone() {
		if u := l.users.byID[id]; u != nil {
			l.dropUser(u)
		}
	}
}

// notifyTable notifies users of an event of a table. The caller holds Lobby.mu.
func (l *Lobby) notifyTable(t *table.State, e table.Event) {
	seen := TableEvent{At: time.Now(), Kind: e.Kind, Table: table.NewView(t, l.listedUser), By: l.listedUser(e.By).Name}
	for _, id := range e.Notify {
		if u := l.users.byID[id]; u != nil {
			u.notifyTable(seen)
		}
	}
}

// tableUser returns what a table has to know of a user. The caller holds Lobby.mu.
func (l *Lobby) tableUser(id account.ID) table.User {
	u := l.users.byID[id]
	if u == nil {
		return table.User{Account: account.Account{ID: id}}
	}
	return u.atTable(l.tableRules().DistinctOrigins)
}

// listedUser is tableUser without what only changes of tables need. The caller holds Lobby.mu.
func (l *Lobby) listedUser(id account.ID) table.User {
	u := l.users.byID[id]
	if u == nil {
		return table.User{Account: account.Account{ID: id}}
	}
	return table.User{Account: u.Account(), Blocked: u.blocks.All()}
}

// tableRules returns the limits that a table has to know.
func (l *Lobby) tableRules() table.Rules {
	limits := l.limits.Load()
	return table.Rules{MatchesPerUser: limits.MatchesPerUser, DistinctOrigins: limits.RatedDistinctAddresses}
}

// checkTableLimits returns the limit that keeps a user from opening a further table from an origin. The caller
// holds Lobby.mu.
func (l *Lobby) checkTableLimits(t *table.State) error {
	limits := l.limits.Load()
	all, byUser, byOrigin := l.tables.Count(t.Owner(), t.Origin)
	switch {
	case l.closed || l.draining.Load():
		return errcode.Errorf(errcode.Unavailable, "the server is restarting; try again in a moment")
	case byUser >= limits.TablesPerUser:
		return l.limitError(limit.HitTablesPerUser, "you already have %d open tables; cancel one first", byUser)
	case byOrigin >= limits.TablesFromAddress():
		return l.limitError(limit.HitTablesPerAddress, "too many tables have been opened from your address; join one of them")
	case all >= limits.Tables:
		return l.limitError(limit.HitTables, "there are too many open tables; join one of them")
	}
	return nil
}
