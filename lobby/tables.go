package lobby

import (
	"context"
	"errors"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/table"
)

// tableHost does what follows from the changes of tables. It implements tables.Host.
type tableHost struct{ l *Lobby }

// TableChanged notifies users, and forgets those who are no longer needed.
func (h tableHost) TableChanged(before, after *table.State) {
	known := int64(0)
	if before != nil {
		known = before.Version
	}
	if after != nil {
		for _, n := range after.Notices {
			if n.Version > known {
				h.notify(after, n)
			}
		}
		if to := h.l.users.byID[after.To]; to != nil && before == nil && after.IsOpen() {
			to.wake() // even if the session ignores the lists
		}
		h.dropUsers(after)
	}
	if before != nil {
		h.dropUsers(before)
	}
	h.l.lists.tablesChanged()
}

// dropUsers forgets the users of a table who are absent and not needed any more. The caller holds Lobby.mu.
func (h tableHost) dropUsers(t *table.State) {
	for _, id := range t.Everyone() {
		if u := h.l.users.byID[id]; u != nil {
			h.l.dropUser(u)
		}
	}
}

// notify notifies users of an event of a table. The caller holds Lobby.mu.
func (h tableHost) notify(t *table.State, n table.Notice) {
	e := TableEvent{At: time.Now(), Kind: n.Kind, Table: table.NewView(t, h.brief), By: h.brief(n.By).Name}
	for _, id := range n.Notify {
		if u := h.l.users.byID[id]; u != nil {
			u.notifyTable(e)
		}
	}
}

// Start implements tables.Host.
func (h tableHost) Start(ctx context.Context, t *table.State) (string, error) {
	seats, err := h.seated(t)
	if err != nil {
		return "", err
	}
	id, err := h.l.matches.create(ctx, t.Terms, "", seatOrder(&t.Terms, seats), t)
	if err == nil && t.To != 0 {
		h.l.challenges.Accepted(int64(t.Owner()), t.Origin, int64(t.To), time.Now())
	}
	return id, err
}

// seated returns the users at a table.
func (h tableHost) seated(t *table.State) (users []*user, err error) {
	h.l.mu.Lock()
	defer h.l.mu.Unlock()
	for _, id := range t.Seated {
		u := h.l.users.byID[id]
		if u == nil {
			return nil, errcode.Errorf(errcode.Unavailable, "a player at that table has just left; try again in a moment")
		}
		users = append(users, u)
	}
	return users, nil
}

// Account implements tables.Host.
func (h tableHost) Account(ctx context.Context, id AccountID) (Account, error) {
	a, err := h.l.store.Account(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return Account{ID: id}, nil
	}
	return a, err
}

// HasUser implements tables.Host.
func (h tableHost) HasUser(id AccountID) bool { return h.l.users.byID[id] != nil }

// AddUser implements tables.Host.
func (h tableHost) AddUser(a Account) {
	_, _ = h.l.users.add(a, h.l.node.Now()).blocks.Read(func() ([]Block, error) { return a.Blocks, nil })
}

// User implements tables.Host.
func (h tableHost) User(id AccountID) table.User {
	u := h.l.users.byID[id]
	if u == nil {
		return table.User{Account: Account{ID: id}}
	}
	return u.atTable(h.Rules().DistinctOrigins)
}

// brief is User without what only changes of tables need. The caller holds Lobby.mu.
func (h tableHost) brief(id AccountID) table.User {
	u := h.l.users.byID[id]
	if u == nil {
		return table.User{Account: Account{ID: id}}
	}
	return table.User{Account: u.Account(), Blocked: u.blocks.All()}
}

// Rules implements tables.Host.
func (h tableHost) Rules() table.Rules {
	limits := h.l.limits.Load()
	return table.Rules{MatchesPerUser: limits.MatchesPerUser, DistinctOrigins: limits.RatedDistinctAddresses}
}

// Now implements tables.Host.
func (h tableHost) Now() time.Time { return h.l.node.Now() }

// Changed implements tables.Host.
func (h tableHost) Changed() { h.l.node.Changed() }

// Report implements tables.Host.
func (h tableHost) Report(msg string, keyvals ...any) { h.l.report(msg, keyvals...) }

// checkLimits returns the limit that keeps a user from opening a further table from an origin. The caller
// holds Lobby.mu.
func (h tableHost) checkLimits(t *table.State) error {
	l, limits := h.l, h.l.limits.Load()
	all, byUser, byOrigin := l.tables.Set.Count(t.Owner(), t.Origin)
	switch {
	case l.closed || l.draining.Load():
		return errcode.Errorf(errcode.Unavailable, "the server is restarting; try again in a moment")
	case byUser >= limits.TablesPerUser:
		return l.limitError(HitTablesPerUser, "you already have %d open tables; cancel one first", byUser)
	case byOrigin >= limits.TablesFromAddress():
		return l.limitError(HitTablesPerAddress, "too many tables have been opened from your address; join one of them")
	case all >= limits.Tables:
		return l.limitError(HitTables, "there are too many open tables; join one of them")
	}
	return nil
}

// open returns the tables that can be joined, oldest first. The caller holds Lobby.mu.
func (h tableHost) open() (all []*Table) {
	for _, t := range h.l.tables.Set.Open() {
		all = append(all, table.NewView(t, h.brief))
	}
	return all
}
