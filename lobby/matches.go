package lobby

import (
	"context"
	"errors"
	mathrand "math/rand/v2"
	"net/netip"
	"slices"

	"ayumu/lobby/account"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/table"
	"ayumu/lobby/text"
)

// matches has the matches in memory, starts new ones and forgets old ones. Lobby.mu guards its fields; add,
// create, finish and forget take it, and do not hold it while a match is recorded.
type matches struct {
	l        *Lobby
	byID     map[string]*Match
	starting int                  // matches that are being recorded
	evicting int                  // matches that are being evicted
	creating map[string]bool      // matches that are being recorded, by id; true: the follower has found it in the store
	byOrigin map[netip.Prefix]int // number of running and starting matches by the origin that started them
}

// add adds a match to the lobby and starts its goroutine, unless the match is in memory: a command and the follower can
// learn of it at once. from is the origin that it counts for; resumed means that it was restored from the store at the
// start.
func (ms *matches) add(info *match.Info, log []match.Entry, from netip.Prefix, resumed bool) error {
	err := ms.put(info, log, from, resumed)
	if err == nil {
		ms.l.rows.Adopt(info.ID)
	}
	return err
}

// get returns the match in memory with an id; nil if there is none.
func (ms *matches) get(id string) *Match {
	ms.l.mu.Lock()
	defer ms.l.mu.Unlock()
	return ms.byID[id]
}

// put adds a match to those in memory and starts its goroutine. The rows that other nodes have written about it wait for add.
func (ms *matches) put(info *match.Info, log []match.Entry, from netip.Prefix, resumed bool) error {
	l := ms.l
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return errcode.Errorf(errcode.Unavailable, "the server is restarting; try again in a moment")
	}
	if ms.byID[info.ID] != nil {
		return nil
	}
	seats := l.seatUsers(info)
	r, err := newMatch(l, info, seats, log)
	if err != nil {
		return l.InternalError("match not opened", err, "match", info.ID)
	}
	r.origin, r.resumed = from, resumed
	ms.byID[info.ID] = r.Match
	for _, u := range seats {
		u.addMatch(r.Match)
	}
	l.wg.Go(func() {
		defer guard.Recover(l.report.PanicIn("match " + info.ID))
		r.run(l.ctx)
	})
	return nil
}

// create records a new match between seats, in this order, starts it and returns its id. rematchOf is the id
// of the previous match, or empty; if that has a rematch already, create returns its id. from is the table of the
// match, which closes with it, or nil. The players leave their other live tables. The caller must not hold a lock.
func (ms *matches) create(ctx context.Context, t table.Terms, rematchOf string, seats []*user, from *table.State) (string, error) {
	info, err := ms.reserve(t, rematchOf, seats)
	if err != nil {
		return "", err
	}
	return ms.start(ctx, info, t.Origin, seats, from)
}

// start records a match that was reserved for an origin and users, starts it and returns its id. It is the rest of create.
func (ms *matches) start(ctx context.Context, info *match.Info, origin netip.Prefix, seats []*user, from *table.State) (string, error) {
	err := ms.record(ctx, info, from)
	if err == nil {
		err = ms.add(info, nil, origin, false)
	}
	found := ms.release(info.ID, origin, seats, err == nil)
	if found {
		ms.followPassedOver(info.ID)
	}
	if err != nil {
		return ms.notCreated(ctx, info, err)
	}
	for _, u := range seats {
		u.wake()
	}
	ms.l.lists.matchStarted()
	ms.l.node.Changed()
	return info.ID, nil
}

// followPassedOver follows a match that the follower has found in the store while it was being created, and passed over:
// it can be recorded although its recording returned an error, and others can have played in it on another node.
func (ms *matches) followPassedOver(id string) {
	if m, err := ms.l.Match(id); err == nil {
		m.followLog()
		return
	}
	ms.l.node.RetryMatch(id)
}

// record stores a new match together with the changes of the tables that it closes or takes players from
// (Lobby.planStart). If others have changed these tables, it tries again, unless from has changed.
func (ms *matches) record(ctx context.Context, info *match.Info, from *table.State) error {
	l := ms.l
	for range tableAttempts {
		states, err := l.planStart(info, from)
		if err != nil {
			return err
		}
		_, err = l.rows.tables.Record(ctx, table.Changes(states), func(writes []rows.Write) ([]rows.Row, error) {
			return nil, l.store.CreateMatch(ctx, info, MatchStart{MaxUnfinished: l.limits.Load().MatchesPerUser, Rows: writes})
		})
		if !errors.Is(err, rows.ErrConflict) {
			return err
		}
	}
	return errTableBusy
}

// notCreated returns the error for players of a match that could not be created, or the id of the rematch that there
// is instead.
func (ms *matches) notCreated(ctx context.Context, info *match.Info, err error) (string, error) {
	var refusal *errcode.Error
	var unfinished *UnfinishedError
	var again *RematchError
	switch {
	case errors.As(err, &refusal):
		return "", err
	case errors.As(err, &unfinished):
		seat, _ := info.SeatOf(unfinished.Account)
		return "", ms.l.limitError(limit.HitMatchesPerUser, "%s is already playing %s; one of them has to end first", info.Seats[seat].Name, text.Plural(unfinished.Count, "game"))
	case errors.As(err, &again):
		var log []match.Entry
		if info, log, err = ms.l.store.Match(ctx, again.ID); err == nil {
			ms.follow(info, log)
			return info.ID, nil
		}
	}
	return "", &errcode.Error{Code: errcode.Unavailable, Message: "the server could not record the new game; try again in a moment", Cause: err}
}

// reserve counts a match as starting and returns its description, or why it cannot start. It counts before
// the match is recorded, so that parallel requests cannot exceed a limit. release has to follow.
func (ms *matches) reserve(t table.Terms, rematchOf string, seats []*user) (*match.Info, error) {
	ms.l.mu.Lock()
	defer ms.l.mu.Unlock()
	if err := ms.check(t, seats); err != nil {
		return nil, err
	}
	ms.starting++
	ms.count(t.Origin, 1)
	info := t.NewInfo(len(seats))
	info.ID, info.RematchOf, info.Started = ms.l.newID(), rematchOf, ms.l.node.Now()
	ms.creating[info.ID] = false
	for _, u := range seats {
		u.starting++
		a := u.Account()
		seat := match.Seat{Account: a.ID, Name: a.Name, Bot: a.Bot, ReturnDigest: u.returnDigest(&ms.l.guests)}
		if r, ok := a.Rating(account.Pool(t.Game, len(seats))); ok {
			seat.Rating = &r
		}
		info.Seats = append(info.Seats, seat)
	}
	return info, nil
}

// release counts a match as started, or as not started. It follows reserve, and reports whether the follower has found
// the match in the store meanwhile.
func (ms *matches) release(id string, from netip.Prefix, seats []*user, started bool) (found bool) {
	ms.l.mu.Lock()
	defer ms.l.mu.Unlock()
	ms.starting--
	found = ms.creating[id]
	delete(ms.creating, id)
	for _, u := range seats {
		u.starting--
	}
	if !started {
		ms.count(from, -1)
	}
	return found
}

// check returns why a match cannot start. If the server is full it makes room. The caller holds Lobby.mu.
func (ms *matches) check(t table.Terms, seats []*user) error {
	l, limits := ms.l, ms.l.limits.Load()
	switch {
	case l.draining.Load():
		return errcode.Errorf(errcode.Unavailable, "the server is restarting and starts no new games; try again in a moment")
	case slices.ContainsFunc(seats, func(u *user) bool { return u.deleted.Load() }):
		return errDeleted
	case t.Rated && limits.RatedDistinctAddresses && sameOrigin(seats):
		return table.ErrSameOrigin
	case ms.byOrigin[t.Origin] >= limits.MatchesFromAddress():
		return l.limitError(limit.HitMatchesPerAddress, "too many games have been started from your address; finish one of yours first")
	case len(ms.byID)-ms.evicting+ms.starting >= limits.Matches && !ms.evict():
		return l.limitError(limit.HitMatches, "the server is full; try again in a few minutes")
	}
	for _, u := range seats {
		if n := u.matchCount(); n >= limits.MatchesPerUser && !u.Account().Bot {
			return l.limitError(limit.HitMatchesPerUser, "%s is already playing %s; one of them has to end first", u.Account().Name, text.Plural(n, "game"))
		}
	}
	return nil
}

// snapshots returns the newest states of a match in memory, for its players and for everybody else; nil if it is not in
// memory, or has a deleted account, whose name only the store does not have.
func (ms *matches) snapshots(id string) (players, public *match.Snapshot) {
	m, err := ms.l.Match(id)
	if err != nil || m.hasDeletedAccount() {
		return nil, nil
	}
	return m.playerSnapshot.Load(), m.Snapshot()
}

// count adds n to the matches of an origin. The caller holds Lobby.mu.
func (ms *matches) count(from netip.Prefix, n int) {
	if !from.IsValid() {
		return
	}
	if ms.byOrigin[from] += n; ms.byOrigin[from] == 0 {
		delete(ms.byOrigin, from)
	}
}

// seatOrder returns a copy of the users of a table, its owner first, in the order of the seats, which is
// random unless the terms state who moves first. There are as many users as seats.
func seatOrder(t *table.Terms, users []*user) []*user {
	seats := slices.Clone(users)
	mathrand.Shuffle(len(seats), func(i, j int) { seats[i], seats[j] = seats[j], seats[i] })
	first := users[0]
	switch t.First {
	case table.FirstRandom:
		return seats
	case table.FirstOpponent:
		first = users[1]
	}
	i, mover := slices.Index(seats, first), t.Options.Game().New(t.Options).Turn()
	seats[i], seats[mover] = seats[mover], seats[i]
	return seats
}

// finish updates the lobby after the end of a match, reads the accounts of its seats anew that it has changed and returns
// the changes of their ratings, or why there are none. Only the match's goroutine calls it, once.
func (ms *matches) finish(m *Match) ([]rating.Change, match.UnratedReason) {
	l := ms.l
	l.mu.Lock()
	ms.count(m.origin, -1)
	if l.lists.featured == m.Info.ID {
		l.lists.featured = ""
	}
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(l.ctx, storeTimeout)
	defer cancel()
	changes, unrated := l.Archive.Rated(ctx, m.Info)
	for _, u := range m.seats {
		if a := u.Account(); a.IsGuest() || changes == nil && a.HasPlayed {
			continue
		}
		if _, err := l.Accounts.reload(ctx, u); err != nil {
			break
		}
		if changes != nil {
			l.lists.accountChanged(u)
		}
	}
	return changes, unrated
}

// forget removes a match from memory. Only the match's goroutine calls it, before it returns.
func (ms *matches) forget(m *Match) {
	l := ms.l
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(ms.byID, m.Info.ID)
	m.forgetRows()
	if !m.playerSnapshot.Load().IsOver() { // frozen, so finish was not called
		ms.count(m.origin, -1)
	}
	if m.evicting {
		ms.evicting--
	}
	for i, u := range m.seats {
		u.removeMatch(m)
		if m.Info.Seats[i].Bot {
			u.wake() // it leaves the lobby if it is a further built-in player without another seat
		}
		l.dropUser(u)
	}
}
