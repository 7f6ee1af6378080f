package lobby

import (
	"context"
	"slices"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/cluster"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/presence"
)

// checkMatches makes the matches of a user check soon what has changed about the user: presence, vacations, or what they
// look at.
func (u *user) checkMatches() {
	for _, m := range u.seatedMatches() {
		m.checkSoon()
	}
}

// writePresence has the row of this node about a user written, unless the user has been dropped meanwhile: nothing would
// delete the row. The caller holds l.mu.
func (l *Lobby) writePresence(u *user) {
	a := u.Account()
	if l.rows.presence.IsAlone() || l.users.byID[a.ID] != u {
		return // nobody would read it
	}
	row := &presence.Row{Name: a.Name, Bot: a.Bot, ReturnDigest: u.returnDigest(&l.guests), Changes: u.changes}
	row.Sessions, row.Absence = u.here()
	row.Origins = presence.Distinct(u.originsHere())
	l.rows.presence.Put(a.ID.String(), row)
}

// returnDigest returns the digest of a guest's return code, which this node or another knows; "" for others. The
// caller holds Lobby.mu, which guards known.
func (u *user) returnDigest(known *guestCodes) string {
	if digest := known.digest(u.Account().ID); digest != "" {
		return digest
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.presence.ReturnDigest()
}

// diedAt is Node.DiedAt. While the node opens, all others count as alive.
func (f follower) diedAt(node string) time.Time {
	if f.l.node == nil {
		return time.Time{}
	}
	return f.l.node.DiedAt(node)
}

// here returns the number of the user's sessions on this node, and when the last one ended if there is none.
func (u *user) here() (sessions int, last presence.Absence) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.sessions) == 0 {
		last = u.presence.Last()
	}
	return len(u.sessions), last
}

// followPresence takes over a row of another node about a user.
func (f follower) followPresence(_ context.Context, node, accountID string, next rows.State[presence.Row]) error {
	id, ok := account.ParseID(accountID)
	if !ok {
		return nil // no node writes it
	}
	l, row := f.l, presence.Row{}
	if next.Value != nil {
		row = *next.Value
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	u := l.users.byID[id]
	switch {
	case u == nil && row.Sessions == 0:
		return nil
	case u == nil:
		u = l.users.add(account.Account{ID: id, Name: row.Name, Bot: row.Bot}, l.node.Now())
	}
	before := u.absence()
	if u.followPresence(node, row, next.At, f.diedAt(node)) {
		l.Accounts.updates.Add(id)
	}
	u.checkMatches()
	if u.absence() != before {
		l.lists.userChanged(u)
	}
	if row.Sessions == 0 {
		l.dropUser(u)
	}
	return nil
}

func (u *user) followPresence(node string, row presence.Row, at, died time.Time) (accountChanged bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.presence.Follow(node, row, at, died)
}

// FollowNodes finds out who is absent because their node has died, or present because it came back, and counts the
// spectators anew.
func (f follower) FollowNodes() {
	l := f.l
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.matches.byID {
		m.followNodes()
	}
	for _, u := range l.users.byID {
		if u.followNodes(f.diedAt) {
			u.checkMatches()
			l.lists.userChanged(u)
		}
	}
}

func (u *user) followNodes(died func(node string) time.Time) (changed bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.presence.SetNodes(died)
}

// join does what depends on which nodes are alive, after this one was opened.
func (f follower) join(ctx context.Context) (err error) {
	f.FollowNodes()
	l := f.l
	readAlive := func(ctx context.Context) (isAlive func(node string) bool, err error) {
		nodes, err := cluster.ReadNodes(ctx, l.rows.Store, l.node.Now())
		return func(name string) bool {
			return slices.ContainsFunc(nodes, func(s cluster.Status) bool { return s.Name == name && s.IsAlive })
		}, err
	}
	l.guestNames, err = takeGuestSlot(ctx, &l.rows.slots, l.rows.Node, readAlive)
	return err
}
