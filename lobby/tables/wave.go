package tables

import (
	"context"
	"time"

	"ayumu/lobby/guard"
	"ayumu/lobby/shared"
	"ayumu/lobby/table"
)

// Run runs a wave at every interval until ctx ends, as long as leads is true: of several nodes one does it at a time. If
// two did, nothing would happen twice.
func (ts *Tables) Run(ctx context.Context, leads func(context.Context) bool) {
	tick := time.NewTicker(table.WaveInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if leads(ctx) {
				ts.RunWave(ctx)
			}
		}
	}
}

// RunWave removes absent users from tables, lets each quick match, oldest first, join the oldest table that fits, and
// cleans up. A panic in one of these is reported and does not stop the others.
func (ts *Tables) RunWave(ctx context.Context) {
	w := wave{ts, ts.Host.Now()}
	w.protect("expire tables", func() { w.expire(ctx) })
	for _, id := range w.quickMatches() {
		w.protect("quick match", func() { w.pair(ctx, id) })
	}
	w.protect("clean up tables", func() { w.clean(ctx) })
}

// wave is one wave, at a time by the clock of the store.
type wave struct {
	*Tables
	now time.Time
}

func (w wave) protect(where string, do func()) {
	if err := guard.Call(do); err != nil {
		w.Host.Report("panic", "where", where, "err", err)
	}
}

// cleanBatch is the number of rows of closed tables that are deleted at once.
const cleanBatch = 100

// expire removes users who have been absent for too long from live tables, and closes live challenges to
// such users.
func (w wave) expire(ctx context.Context) {
	w.ChangeAll(ctx, func(t table.State) table.Change { return t.Expire(w.Host.User, w.now) })
}

// clean opens the tables again whose nodes have not started their matches, and deletes the rows of tables that closed
// some time ago.
func (w wave) clean(ctx context.Context) {
	stale, closed := w.leftovers()
	for _, t := range stale {
		w.reopen(ctx, t)
	}
	if len(closed) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	if _, err := w.Store.Write(ctx, closed...); err == nil { // otherwise in the next wave
		for _, row := range closed {
			w.forget(row.ID)
		}
		w.Host.Changed()
	}
}

// leftovers returns the tables whose matches should have started, and the deletions of closed ones.
func (w wave) leftovers() (stale []*table.State, closed []shared.Write) {
	w.Lock.Lock()
	defer w.Lock.Unlock()
	return w.Set.Stale(w.now), w.Set.Deletions(Kind, w.now, cleanBatch)
}

// quickMatches returns the ids of the quick matches, oldest first.
func (w wave) quickMatches() (ids []string) {
	w.Lock.Lock()
	defer w.Lock.Unlock()
	for _, t := range w.Set.Open() {
		if t.CanPair() {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// pair lets a quick match join the oldest table that fits, and starts the match if it can. If another change came
// before, or the match cannot be started, which has been reported, the quick match stays open for the next wave.
func (w wave) pair(ctx context.Context, id string) {
	both, found := w.findPartner(id)
	if found && w.write(ctx, both[0].Next, both[1].Next) == nil && both[1].Next.IsStarting() {
		_, _ = w.start(ctx, &both[1].Next)
	}
}

// findPartner returns the changes by which a quick match joins a table.
func (w wave) findPartner(id string) (both [2]table.Change, found bool) {
	w.Lock.Lock()
	defer w.Lock.Unlock()
	q := w.Set.Get(id)
	if q == nil || !q.CanPair() {
		return both, false
	}
	return q.Pair(w.Set.Open(), w.Host.User, w.Host.Rules(), w.now)
}
