package vacation

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"sync/atomic"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/shared"
)

// Kind is the kind of the rows with the vacations of players, by the ids of their accounts.
const Kind = "vacation"

// Set has the vacations of all players. NewSet is the constructor. Its methods may be called from any goroutine that
// holds no lock, Of also by one that does. Times are those of the store's clock.
type Set struct {
	// Store keeps the rows. It may be replaced before the first use.
	Store   shared.Store
	changed func(account.ID)
	rows    atomic.Pointer[map[account.ID]row] // replaced as a whole, since most accounts have none
}

// row is a row as it was last read or written.
type row struct {
	version int64
	all     clock.Vacations
}

// NewSet returns an empty set; Follow adds the rows of the store. changed is called after the vacations of
// a player have changed, without locks.
func NewSet(store shared.Store, changed func(account.ID)) *Set {
	s := &Set{Store: store, changed: changed}
	s.rows.Store(new(map[account.ID]row))
	return s
}

// Of returns the vacations of a player, as this node knows them.
func (s *Set) Of(id account.ID) clock.Vacations { return (*s.rows.Load())[id].all }

// Follow replaces the known row by one of the store, if that is newer.
func (s *Set) Follow(r shared.Row) { s.apply(r, false) }

// apply replaces the known row by r, if r is newer or was written by this node.
func (s *Set) apply(r shared.Row, isWritten bool) {
	number, err := strconv.ParseInt(r.ID, 10, 64)
	if err != nil {
		return
	}
	id, next := account.ID(number), row{version: r.Version}
	if !r.IsDeleted() && json.Unmarshal(r.Data, &next.all) != nil {
		next.all = nil // of a later version of the server
	}
	for {
		known := s.rows.Load()
		if r.Version <= (*known)[id].version && !isWritten {
			return
		}
		after := maps.Clone(*known)
		if after == nil {
			after = make(map[account.ID]row)
		}
		after[id] = next
		if s.rows.CompareAndSwap(known, &after) {
			s.changed(id)
			return
		}
	}
}

// Remove empties the row of a deleted account.
func (s *Set) Remove(ctx context.Context, id account.ID) error {
	if known := (*s.rows.Load())[id]; len(known.all) == 0 {
		return nil
	}
	return s.change(ctx, id, func(clock.Vacations) (clock.Vacations, error) { return clock.Vacations{}, nil })
}

// change replaces the vacations of a player by the result of do, which may be called more than once.
func (s *Set) change(ctx context.Context, id account.ID, do func(clock.Vacations) (clock.Vacations, error)) error {
	key := shared.Key{Kind: Kind, ID: strconv.FormatInt(int64(id), 10)}
	known := (*s.rows.Load())[id]
	for {
		next, err := do(known.all)
		if err != nil {
			return err
		}
		data, err := json.Marshal(next)
		if err != nil {
			return err
		}
		rows, err := s.Store.Write(ctx, shared.Write{Key: key, Replaces: known.version, Data: data, Durable: true})
		if err == nil {
			s.apply(rows[0], true)
			return nil
		}
		if !errors.Is(err, shared.ErrConflict) {
			return unavailable(err)
		}
		if rows, err = s.Store.Read(ctx, key); err != nil {
			return unavailable(err)
		}
		known = row{} // the row does not exist: a database that failed over has lost it
		for _, r := range rows {
			s.apply(r, true)
			known = (*s.rows.Load())[id]
		}
	}
}

func unavailable(cause error) error {
	return &errcode.Error{Code: errcode.Unavailable, Message: "the server cannot record that now; check your vacation before you try again", Cause: cause}
}

// Own is what a player can do with their own vacation.
type Own struct {
	Set     *Set
	Account account.ID
	Allowed int              // days in a year; 0: the server has no vacations
	Now     func() time.Time // by the store's clock
	Spend   func() error     // charges the work of a change; its error refuses it
	Changed func()           // makes other nodes read the change
}

// Status is the vacation of a player.
type Status struct {
	Until   time.Time // zero: the player is not on vacation
	Left    int       // whole days that can be used
	Allowed int       // days in a year
}

// Status returns the player's vacation now.
func (o Own) Status() Status {
	now, all := o.Now(), o.Set.Of(o.Account)
	s := Status{Allowed: o.Allowed, Left: int(max(time.Duration(o.Allowed)*day-used(all, now), 0) / day)}
	if v, ok := all.At(now); ok {
		s.Until = v.Until
	}
	return s
}

// Begin begins a vacation that ends days from now, or moves the end of the present one there.
func (o Own) Begin(ctx context.Context, days int) (Status, error) {
	return o.change(ctx, func(all clock.Vacations) (clock.Vacations, error) { return Begin(all, o.Now(), days, o.Allowed) })
}

// End ends the present vacation.
func (o Own) End(ctx context.Context) (Status, error) {
	return o.change(ctx, func(all clock.Vacations) (clock.Vacations, error) { return End(all, o.Now()) })
}

func (o Own) change(ctx context.Context, do func(clock.Vacations) (clock.Vacations, error)) (Status, error) {
	if o.Account <= 0 {
		return Status{}, errcode.Errorf(errcode.NotAllowed, "guests have no vacations; connect with an SSH key to get an account")
	}
	if err := o.Spend(); err != nil {
		return Status{}, err
	}
	if err := o.Set.change(ctx, o.Account, do); err != nil {
		return Status{}, err
	}
	o.Changed()
	return o.Status(), nil
}
