package tables

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/shared"
	"ayumu/lobby/table"
)

// Kind is the kind of the rows of tables, by their ids.
const Kind = "table"

const (
	attempts     = 10               // how often a change is computed again because another came before it
	storeTimeout = 10 * time.Second // for one change
)

// ErrBusy is the error of a change before which others come again and again.
var ErrBusy = errcode.Errorf(errcode.Unavailable, "too many players use this table at once; try again in a moment")

// Host is the lobby of tables.
type Host interface {
	// User returns what a table has to know of a user, and Rules the limits. They are called with the lock held, as
	// are the next three.
	User(id account.ID) table.User
	Rules() table.Rules
	// HasUser reports whether the user is in memory, and AddUser adds the user of an account.
	HasUser(id account.ID) bool
	AddUser(a account.Account)
	// TableChanged does what follows from the change of a table from one state to another. before is nil if the table was
	// unknown or being opened, after if it does not exist any more. One of them is not nil.
	TableChanged(before, after *table.State)

	// Account reads an account, or returns one without a name if there is none. It is called without the lock, as
	// are the next four.
	Account(ctx context.Context, id account.ID) (account.Account, error)
	// Start starts the match of a table in a starting state, which Starting and Recorded close, and returns its id.
	Start(ctx context.Context, t *table.State) (matchID string, err error)
	// Now returns the time by the clock of the store.
	Now() time.Time
	// Changed notifies other nodes that rows have changed. It never blocks.
	Changed()
	// Report reports an internal error to the operator. It must not block.
	Report(msg string, keyvals ...any)
}

// Tables are the tables of a lobby. Its methods may be called from any goroutine, which must not hold the lock.
type Tables struct {
	Host  Host
	Games engine.Games
	Store shared.Store
	// Lock guards Set and is the lock that the methods of Host are called with. It is not held while the store is
	// called.
	Lock sync.Locker
	Set  table.Set
}

// Open records a table that Set has as being opened.
func (ts *Tables) Open(ctx context.Context, t table.State) error {
	err := ts.write(ctx, t.Opening())
	if err != nil {
		ts.forget(t.ID)
	}
	return err
}

// Update changes an open table. It returns the match's id if the match starts with the change. If the match
// cannot be created, the table stays open as it was. change is called with the lock held, and again if another change
// comes before.
func (ts *Tables) Update(ctx context.Context, id string, change func(table.State) (table.Change, error)) (matchID string, err error) {
	c, err := ts.change(ctx, id, change)
	if err != nil || !c.Next.IsStarting() {
		return "", err
	}
	return ts.start(ctx, &c.Next)
}

func (ts *Tables) change(ctx context.Context, id string, change func(table.State) (table.Change, error)) (table.Change, error) {
	for range attempts {
		c, err := ts.plan(id, change)
		if err != nil || !c.Changed() {
			return c, err
		}
		if err := ts.write(ctx, c.Next); !errors.Is(err, shared.ErrConflict) {
			return c, err
		}
	}
	return table.Change{}, ErrBusy
}

// plan computes a change of an open table.
func (ts *Tables) plan(id string, change func(table.State) (table.Change, error)) (table.Change, error) {
	ts.Lock.Lock()
	defer ts.Lock.Unlock()
	t := ts.Set.Get(id)
	if id == "" {
		return table.Change{}, errcode.Errorf(errcode.UnknownTable, "no table is named; the list of open tables has their ids")
	}
	if t == nil || !t.IsOpen() {
		return table.Change{}, errcode.Errorf(errcode.UnknownTable, "there is no open table %q; its game may have started, or it was closed", sanitize.Line(id, 20))
	}
	return change(*t)
}

// ChangeAll changes all open tables for which change, which is called with the lock held, returns a change.
func (ts *Tables) ChangeAll(ctx context.Context, change func(table.State) table.Change) {
	for _, id := range ts.concerned(change) {
		// Failures have been reported. A table that has closed meanwhile is none.
		_, _ = ts.change(ctx, id, func(t table.State) (table.Change, error) { return change(t), nil })
	}
}

// concerned returns the ids of the open tables that a function changes.
func (ts *Tables) concerned(change func(table.State) table.Change) (ids []string) {
	ts.Lock.Lock()
	defer ts.Lock.Unlock()
	for _, t := range ts.Set.All() {
		if c := change(*t); t.IsOpen() && c.Changed() {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// start starts the match of a table in a starting state, or opens the table again.
func (ts *Tables) start(ctx context.Context, t *table.State) (matchID string, err error) {
	if matchID, err = ts.Host.Start(ctx, t); err != nil {
		ts.reopen(context.WithoutCancel(ctx), t)
	}
	return matchID, err
}

// reopen opens a table again whose match could not be started, and that with which it was paired. If it fails, a
// wave repeats it.
func (ts *Tables) reopen(ctx context.Context, t *table.State) {
	var back []table.State
	for _, c := range t.StartFailed() {
		back = append(back, c.Next)
	}
	_ = ts.write(ctx, back...)
}

// Record starts a match between users, other than bots: record is to store the match together with the changes of rows
// by which its table from, unless that is nil, closes, and its players leave their other live tables if the match is
// live. If that returns shared.ErrConflict, it is called again with others, unless from has changed.
func (ts *Tables) Record(ctx context.Context, from *table.State, isLive bool, users []account.ID, record func([]shared.Write) error) error {
	for range attempts {
		states, err := ts.planStart(from, isLive, users)
		if err != nil {
			return err
		}
		rows, err := table.Writes(Kind, states)
		if err != nil {
			return ts.internalError(err)
		}
		if err = ts.written(ctx, record(rows), states); !errors.Is(err, shared.ErrConflict) {
			return err
		}
	}
	return ErrBusy
}

// planStart returns the states of the tables that change with the start of a match.
func (ts *Tables) planStart(from *table.State, isLive bool, users []account.ID) (next []table.State, err error) {
	ts.Lock.Lock()
	defer ts.Lock.Unlock()
	if from != nil {
		if ts.Set.Version(from.ID) != from.Version {
			return nil, errcode.Errorf(errcode.UnknownTable, "a player at that table has just started another game")
		}
		next = append(next, from.Started().Next)
	}
	if !isLive {
		return next, nil
	}
	for _, t := range ts.Set.All() {
		if t.Version == 0 || from != nil && t.ID == from.ID {
			continue
		}
		for _, c := range t.StartElsewhere(users) {
			next = append(next, c.Next)
		}
	}
	return next, nil
}

// write records new states of tables, all or none, and takes them over. After shared.ErrConflict the newest states
// of these tables are known.
func (ts *Tables) write(ctx context.Context, states ...table.State) error {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	rows, err := table.Writes(Kind, states)
	if err != nil {
		return ts.internalError(err)
	}
	_, err = ts.Store.Write(ctx, rows...)
	if err = ts.written(ctx, err, states); err == nil || errors.Is(err, shared.ErrConflict) {
		return err
	}
	return &errcode.Error{Code: errcode.Unavailable, Message: "the server could not record that; try again in a moment", Cause: err}
}

func (ts *Tables) internalError(err error) error {
	ts.Host.Report("table not recorded", "err", err)
	return errcode.Internal(err)
}

// written takes over the states that have been recorded, or after shared.ErrConflict those that others have. It
// returns err, or why the others could not be read.
func (ts *Tables) written(ctx context.Context, err error, states []table.State) error {
	switch {
	case err == nil:
		ts.replace(states, nil)
		ts.Host.Changed()
	case errors.Is(err, shared.ErrConflict):
		if readErr := ts.refresh(ctx, states); readErr != nil {
			return readErr
		}
	}
	return err
}

// refresh reads the newest states of tables.
func (ts *Tables) refresh(ctx context.Context, states []table.State) error {
	missing := make(map[shared.Key]bool)
	for i := range states {
		missing[shared.Key{Kind: Kind, ID: states[i].ID}] = true
	}
	rows, err := ts.Store.Read(ctx, slices.Collect(maps.Keys(missing))...)
	if err != nil {
		return err
	}
	for _, r := range rows {
		delete(missing, r.Key)
		if err := ts.Follow(ctx, r); err != nil {
			return err
		}
	}
	for key := range missing {
		ts.forget(key.ID)
	}
	return nil
}

// Follow takes over the row of a table, which may be known. It returns an error of the store.
func (ts *Tables) Follow(ctx context.Context, r shared.Row) error {
	switch {
	case r.IsDeleted():
		ts.forget(r.ID)
		return nil
	case ts.knows(r):
		return nil
	}
	t, err := table.Decode(r.ID, r.Data, ts.Games)
	if err != nil {
		ts.Host.Report("table left out", "err", err)
		return nil
	}
	var accounts []account.Account
	for _, id := range ts.unknownUsers(&t) {
		a, err := ts.Host.Account(ctx, id)
		if err != nil {
			return err
		}
		accounts = append(accounts, a)
	}
	ts.replace([]table.State{t}, accounts)
	return nil
}

// FollowLoss forgets the tables of which the store has lost changes. rows are all rows that exist; Follow follows for
// those of tables.
func (ts *Tables) FollowLoss(rows []shared.Row) {
	stored := make(map[string]int64)
	for _, r := range rows {
		if r.Kind == Kind {
			stored[r.ID] = r.Version
		}
	}
	ts.Lock.Lock()
	defer ts.Lock.Unlock()
	for id, version := range ts.Set.Versions() {
		if stored[id] < version {
			if before := ts.Set.Forget(id); before != nil {
				ts.Host.TableChanged(before, nil)
			}
		}
	}
}

func (ts *Tables) knows(r shared.Row) bool {
	ts.Lock.Lock()
	defer ts.Lock.Unlock()
	return ts.Set.Version(r.ID) >= r.Version
}

// unknownUsers returns the ids of the accounts at a table whose users are not in memory.
func (ts *Tables) unknownUsers(t *table.State) (ids []account.ID) {
	ts.Lock.Lock()
	defer ts.Lock.Unlock()
	for _, id := range t.Everyone() {
		if id > 0 && !ts.Host.HasUser(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// replace takes over states of tables, unless newer ones are known, and adds users for accounts.
func (ts *Tables) replace(states []table.State, accounts []account.Account) {
	ts.Lock.Lock()
	defer ts.Lock.Unlock()
	for _, a := range accounts {
		ts.Host.AddUser(a)
	}
	now := ts.Host.Now()
	for i := range states {
		if before, isNewer := ts.Set.Replace(states[i], now); isNewer {
			if before != nil && before.Version == 0 {
				before = nil
			}
			ts.Host.TableChanged(before, &states[i])
		}
	}
}

// forget removes a table whose row does not exist.
func (ts *Tables) forget(id string) {
	ts.Lock.Lock()
	defer ts.Lock.Unlock()
	if before := ts.Set.Forget(id); before != nil {
		ts.Host.TableChanged(before, nil)
	}
}
