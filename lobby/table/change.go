package table

import (
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/text"
)

// Join gives a user a seat. code is needed for a private table. The match has to be started if Next is
// starting.
func (t State) Join(u User, code string, users Users, rules Rules) (Change, error) {
	if err := t.checkJoin(u, code, users, rules); err != nil {
		return Change{}, err
	}
	next := t
	next.Seated = append(slices.Clip(t.Seated), u.ID)
	return t.completed(next, nil), nil
}

// checkJoin returns why a user cannot join the table.
func (t *State) checkJoin(u User, code string, users Users, rules Rules) error {
	switch {
	case t.IsSeated(u.ID):
		return errcode.Errorf(errcode.NotAllowed, "you have already joined this table")
	case t.To != 0 && t.To != u.ID:
		return errcode.Errorf(errcode.NotAllowed, "this table is a challenge to %s", users(t.To).Name)
	case t.Private && t.To != u.ID && !t.HasCode(code):
		return errcode.Errorf(errcode.NotAllowed, "this table is private; ask %s for the code", users(t.Owner()).Name)
	}
	if err := t.checkGuest(u.IsGuest()); err != nil {
		return err
	}
	seated := make([]User, len(t.Seated), len(t.Seated)+1)
	for i, id := range t.Seated {
		seated[i] = users(id)
	}
	switch {
	case slices.ContainsFunc(seated, func(o User) bool { return u.hasBlocked(o.ID) }):
		return errcode.Errorf(errcode.NotAllowed, "a player you have blocked is at that table; unblock them first")
	case slices.ContainsFunc(seated, func(o User) bool { return o.hasBlocked(u.ID) }):
		return errcode.Errorf(errcode.NotAllowed, "you cannot join this table; choose another, or open one")
	case t.Rated && rules.DistinctOrigins && SameOrigin(append(seated, u)):
		return ErrSameOrigin
	case u.Running >= rules.MatchesPerUser && !u.Bot:
		return errcode.Errorf(errcode.Full, "you are already playing %s; finish one first", text.Plural(u.Running, "game"))
	}
	return nil
}

// completed returns the change from t to next, in which the match starts if it can. paired is the quick
// match that has been paired with the table; nil: none.
func (t State) completed(next State, paired *State) Change {
	if next.isComplete(next.Options) {
		next.start = &pendingStart{before: t, paired: paired}
	}
	return t.next(next)
}

// Started returns the change after the match of a starting table has been started: the table closes.
func (t State) Started() Change { return t.ended() }

// StartFailed returns the changes by which a starting table is open again because its match could not be started:
// that of the table, and that of the quick match with which it was paired, if any.
func (t State) StartFailed() []Change {
	before := t.start.before
	before.Events = t.Events
	all := []Change{t.next(before)}
	if paired := t.start.paired; paired != nil {
		closed := paired.ended().Next
		all = append(all, closed.next(*paired))
	}
	return all
}

// With returns the table with further users in seats, without asking them, or why they cannot play. The
// number of players must be one that the game allows.
func (t State) With(others []User, users Users, rules Rules) (State, error) {
	for _, u := range others {
		open := t // the owner seats them, so that they need no code
		open.Private = false
		if err := open.checkJoin(u, "", users, rules); err != nil {
			return State{}, err
		}
		t.Seated = append(slices.Clip(t.Seated), u.ID)
	}
	if minSeats, maxSeats := t.Options.Seats(); len(t.Seated) < minSeats || len(t.Seated) > maxSeats {
		return State{}, errcode.Errorf(errcode.BadRequest, "%s has %d to %d seats", match.Title(t.Options), minSeats, maxSeats)
	}
	if owner := users(t.Owner()); owner.Running >= rules.MatchesPerUser {
		return State{}, errcode.Errorf(errcode.Full, "you are already playing %s; finish one first", text.Plural(owner.Running, "game"))
	}
	return t, nil
}

// AddBots gives seats to bots on behalf of the table's owner: n of them, or if n is 0 as many as there are free
// seats. Those of the bots that are seated already are passed over. A seat stays free for a challenged user.
// Bots are ready to start with fewer players. The match has to be started if Next is starting.
func (t State) AddBots(owner account.ID, bots []User, n int, users Users, rules Rules) (Change, error) {
	_, maxSeats := t.Options.Seats()
	free := maxSeats - len(t.Seated)
	if t.To != 0 && !t.IsSeated(t.To) {
		free--
	}
	switch {
	case t.Owner() != owner:
		return Change{}, errcode.Errorf(errcode.NotAllowed, "only the owner of a table can add bots to it")
	case t.Request.Quick:
		return Change{}, errcode.Errorf(errcode.NotAllowed, "a quick match finds a person; cancel it to play a bot")
	case t.Rated:
		return Change{}, errcode.Errorf(errcode.NotAllowed, "bots cannot be added to rated games; open a casual table")
	case n < 0 || n > free || free == 0:
		return Change{}, errcode.Errorf(errcode.NotAllowed, "the table has only %s", text.Plural(free, "free seat"))
	case n == 0:
		n = free
	}
	public := t // so that checkJoin neither asks for a code nor for the challenged user
	public.To, public.Private = 0, false
	next := t
	next.Seated, next.Ready = slices.Clip(t.Seated), slices.Clip(t.Ready)
	for _, bot := range bots {
		if n == 0 || t.IsSeated(bot.ID) {
			continue
		}
		if err := public.checkJoin(bot, "", users, rules); err != nil {
			return Change{}, err
		}
		next.Seated, next.Ready = append(next.Seated, bot.ID), append(next.Ready, bot.ID)
		n--
	}
	if n > 0 {
		return Change{}, errcode.Errorf(errcode.NotAllowed, "there are not enough bots for all seats")
	}
	return t.completed(next, nil), nil
}

// MarkReady marks a user as ready to start with fewer players than there are seats, which the options must allow. It
// changes nothing if the user is ready. The match has to be started if Next is starting.
func (t State) MarkReady(id account.ID) (Change, error) {
	if err := checkSeated(&t, id); err != nil {
		return Change{}, err
	}
	if minSeats, maxSeats := t.Options.Seats(); minSeats == maxSeats {
		return Change{}, errcode.Errorf(errcode.NotAllowed, "that table needs all %d players", maxSeats)
	}
	if slices.Contains(t.Ready, id) {
		return Change{Before: t, Next: t}, nil
	}
	next := t
	next.Ready = append(slices.Clip(t.Ready), id)
	return t.completed(next, nil), nil
}

// Leave gives up the seat of a user; the table closes if the user owns it.
func (t State) Leave(id account.ID) (Change, error) {
	if err := checkSeated(&t, id); err != nil {
		return Change{}, err
	}
	return t.leave(id, EventWithdrawn), nil
}

func checkSeated(t *State, id account.ID) error {
	if !t.IsSeated(id) {
		return errcode.Errorf(errcode.NotAllowed, "you have no seat at table %s", t.ID)
	}
	return nil
}

// Decline closes a challenge to a user.
func (t State) Decline(id account.ID) (Change, error) {
	if t.To != id {
		return Change{}, errcode.Errorf(errcode.NotAllowed, "table %s is not a challenge to you", t.ID)
	}
	return t.closed(EventDeclined, id), nil
}

// Remove takes a user from the table who cannot play any more: it closes a challenge to them, and gives up
// their seat.
func (t State) Remove(id account.ID) Change {
	switch {
	case !t.IsOpen():
	case t.To == id:
		return t.closed(EventDeclined, id)
	case t.IsSeated(id):
		return t.leave(id, EventWithdrawn)
	}
	return Change{Before: t, Next: t}
}

// LeaveForMatch takes users whose live match starts from a live table, also from one whose own match is being
// recorded, which does not start then. A table that was paired with another is among the changes.
func (t State) LeaveForMatch(users []account.ID) []Change {
	if t.Closed || t.Control.IsCorrespondence() || !t.seats(users) {
		return nil
	}
	all := []Change{{Before: t, Next: t}}
	if t.IsStarting() {
		all = t.StartFailed()
	}
	for i, c := range all {
		if to := c.Next; to.seats(users) {
			to.Version = c.Before.Version
			all[i].Next = to.leaveAll(users).Next
		}
	}
	return all
}

// leaveAll returns the change by which users leave, of whom some are seated.
func (t State) leaveAll(users []account.ID) Change {
	if slices.Contains(users, t.Owner()) {
		return t.closed(EventWithdrawn, t.Owner())
	}
	next := t
	for _, id := range users {
		next.Seating = next.without(id)
	}
	return t.next(next)
}

// Separate takes a user and an account that the user has just blocked apart if the table concerns both.
func (t State) Separate(id, blocked account.ID) Change {
	switch {
	case !t.IsOpen():
	case t.To == id && t.IsSeated(blocked):
		return t.closed(EventDeclined, id)
	case t.Owner() == id && t.To == blocked:
		return t.closed(EventWithdrawn, id)
	case t.Owner() == id && t.IsSeated(blocked):
		// For the blocked user it looks as if the table had been closed.
		next := t
		next.Seating = t.without(blocked)
		return t.next(next).notified(EventWithdrawn, id, []account.ID{blocked})
	case t.IsSeated(id) && t.IsSeated(blocked):
		return t.leave(id, EventWithdrawn)
	}
	return Change{Before: t, Next: t}
}

// Expire takes users who have been absent for AbsenceLimit from a live table, and closes it if its owner or
// the challenged user is one of them.
func (t State) Expire(users Users, now time.Time) Change {
	if !t.IsOpen() || t.Control.IsCorrespondence() {
		return Change{Before: t, Next: t}
	}
	absent := func(id account.ID) bool {
		since := users(id).Absent
		return !since.IsZero() && now.Sub(since) >= AbsenceLimit
	}
	switch {
	case absent(t.Owner()):
		return t.closed(EventExpired, t.Owner())
	case t.To != 0 && absent(t.To):
		return t.closed(EventExpired, t.To)
	}
	next := t
	for _, id := range t.Seated[1:] {
		if absent(id) {
			next.Seating = next.without(id)
		}
	}
	if len(next.Seated) == len(t.Seated) {
		return Change{Before: t, Next: t}
	}
	return t.next(next)
}

// Seats returns the maximum number of players of the proposed match.
func (p Proposal) Seats(game engine.Game) (int, error) {
	options, err := p.parseOptions(game)
	if err != nil {
		return 0, err
	}
	_, maxSeats := options.Seats()
	return maxSeats, nil
}
