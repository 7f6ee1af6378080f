package lobby

import (
	"time"

	"ayumu/lobby/table"
)

// waveInterval is the time between two waves, in which the quick matches are paired.
const waveInterval = 3 * time.Second

// runWaves removes absent users from tables and pairs quick matches at every interval until the lobby
// closes.
func (ts *tables) runWaves() {
	tick := time.NewTicker(waveInterval)
	defer tick.Stop()
	for {
		select {
		case <-ts.l.ctx.Done():
			return
		case <-tick.C:
			ts.l.report.recoverPanic("expire tables", func() { ts.expire(ts.l.node.Now()) })
			ts.l.report.recoverPanic("wave", ts.runWave)
		}
	}
}

// expire removes users who have been absent for too long from live tables, and closes live challenges to
// such users.
func (ts *tables) expire(now time.Time) {
	ts.l.mu.Lock()
	defer ts.l.mu.Unlock()
	ts.changeAll(func(t table.State) table.Change { return t.Expire(ts.user, now) })
}

// runWave lets each quick match, oldest first, join the oldest table that fits.
func (ts *tables) runWave() {
	for _, id := range ts.quickMatches() {
		ts.l.report.recoverPanic("quick match", func() { ts.pair(id) })
	}
}

// quickMatches returns the ids of the quick matches, oldest first.
func (ts *tables) quickMatches() (ids []string) {
	ts.l.mu.Lock()
	defer ts.l.mu.Unlock()
	for _, t := range ts.byAge() {
		if t.CanPair() {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// pair lets a quick match join a table, and starts the match if it can.
func (ts *tables) pair(id string) {
	if c := ts.joinPartner(id); c.Next.IsStarting() {
		// A failure has been reported; the quick match stays open for the next wave.
		_, _ = ts.startMatch(ts.l.ctx, c.Next)
	}
}

// joinPartner lets a quick match join a table and returns the change of that table, or counts a wave that
// the quick match has waited and returns the zero value.
func (ts *tables) joinPartner(id string) (c table.Change) {
	ts.l.mu.Lock()
	defer ts.l.mu.Unlock()
	q := ts.byID[id]
	if q == nil || !q.CanPair() {
		return c
	}
	c, found := q.Pair(ts.byAge(), ts.user, ts.rules())
	if !found {
		waited := q.Waited().Next
		ts.byID[id] = &waited
		return c
	}
	delete(ts.byID, id)
	ts.apply(c)
	return c
}
