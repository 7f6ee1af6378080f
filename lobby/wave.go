package lobby

import (
	"context"
	"time"

	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/table"
)

// runWaves runs a wave at every table.WaveInterval until the lobby closes. Of several nodes the one with the lease does
// it. If two do, nothing happens twice.
func (l *Lobby) runWaves() {
	tick := time.NewTicker(table.WaveInterval)
	defer tick.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return
		case <-tick.C:
			if l.acquireWaves() {
				l.runWave(l.ctx)
			}
		}
	}
}

// acquireWaves reports whether this node has the lease to run waves.
func (l *Lobby) acquireWaves() bool {
	ctx, cancel := context.WithTimeout(l.ctx, storeTimeout)
	defer cancel()
	acquired, err := l.rows.leases.Acquire(ctx, "waves")
	return acquired && err == nil // the store reports its errors
}

// runWave removes absent users from tables, lets each quick match, oldest first, join the oldest table that fits, and
// cleans up. A panic in one of these is reported and does not stop the others.
func (l *Lobby) runWave(ctx context.Context) {
	now := l.node.Now()
	l.report.RecoverPanic("expire tables", func() { l.expireTables(ctx, now) })
	for _, id := range l.quickMatches() {
		l.report.RecoverPanic("quick match", func() { l.pairQuickMatch(ctx, id, now) })
	}
	l.report.RecoverPanic("clean up tables", func() { l.cleanTables(ctx, now) })
}

// expireTables removes users who have been absent for too long from live tables, and closes live challenges to such
// users.
func (l *Lobby) expireTables(ctx context.Context, now time.Time) {
	l.changeTables(ctx, func(t table.State) table.Change { return t.Expire(l.tableUser, now) })
}

// quickMatches returns the ids of the quick matches, oldest first.
func (l *Lobby) quickMatches() (ids []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.tables.Open() {
		if t.CanPair() {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// pairQuickMatch lets a quick match join the oldest table that fits, and starts the match if it can. If another change
// came before, or the match cannot be started, which has been reported, the quick match stays open for the next wave.
func (l *Lobby) pairQuickMatch(ctx context.Context, id string, now time.Time) {
	both, found := l.findPartner(id, now)
	if found && l.writeTables(ctx, both[0].Next, both[1].Next) == nil && both[1].Next.IsStarting() {
		_, _ = l.startTable(ctx, &both[1].Next)
	}
}

// findPartner returns the changes by which a quick match joins a table.
func (l *Lobby) findPartner(id string, now time.Time) (both [2]table.Change, found bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	q := l.tables.Get(id)
	if q == nil || !q.CanPair() {
		return both, false
	}
	return q.Pair(l.tables.Open(), l.tableUser, l.tableRules(), now)
}

// cleanBatch is the number of rows of closed tables that are deleted at once.
const cleanBatch = 100

// cleanTables opens the tables again whose nodes have not started their matches, and deletes the rows of tables that
// closed some time ago.
func (l *Lobby) cleanTables(ctx context.Context, now time.Time) {
	stale, closed := l.leftoverTables(now)
	for _, t := range stale {
		l.reopenTable(ctx, t)
	}
	if len(closed) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	_, _ = l.rows.tables.Write(ctx, closed...) // what fails is deleted in the next wave
}

// leftoverTables returns the tables whose matches should have started, and the deletions of closed ones.
func (l *Lobby) leftoverTables(now time.Time) (stale []*table.State, closed []rows.Change[table.State]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tables.Stale(now), l.tables.Deletions(now, cleanBatch)
}
