package bots

import (
	"time"

	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
)

// Thinking time, in milliseconds. An account may use a quarter of all workers without limit in time, an
// origin half, after a burst of one and three minutes. A player of one game at a time does not notice; a
// player of hundreds slows down only their own games.
const (
	personThought  = 250 // a second, for each worker
	personBurst    = 60_000
	addressThought = 500
	addressBurst   = 180_000

	// minThought is the thinking time that a turn or a hint waits for.
	minThought = 100
)

// newThought returns the full budget of thinking time for a number of workers.
func newThought(workers int) *limit.Budget {
	w := float64(workers)
	return limit.NewBudget(
		limit.Rate{Refill: personThought * w, Burst: personBurst}, limit.Rate{Refill: addressThought * w, Burst: addressBurst})
}

// affordable returns the part of want that a payer may use now, but at least minThought.
func (b *Bots) affordable(p limit.Payer, want time.Duration) time.Duration {
	left, unlimited := b.thinkingTime.Tokens(p, time.Now())
	if unlimited {
		return want
	}
	return min(want, time.Duration(max(left, minThought))*time.Millisecond)
}

// charge charges the time since began to a payer.
func (b *Bots) charge(p limit.Payer, began time.Time) {
	now := time.Now()
	b.thinkingTime.Charge(p, now, int(now.Sub(began).Milliseconds()))
}

// The bounds of the time after which a bot checks its matches again for thinking time that has come back.
const (
	minRecheckDelay = 50 * time.Millisecond
	maxRecheckDelay = time.Second
)

// scheduleRecheck wakes a bot after wait to check its matches again. At most one such timer runs for each bot.
func (b *Bots) scheduleRecheck(bt *bot, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if bt.rechecks {
		return
	}
	bt.rechecks = true
	b.cfg.Lobby.LimitHits.Add(limit.HitThought)
	guard.AfterFunc(min(max(wait, minRecheckDelay), maxRecheckDelay), b.reportPanic, func() {
		b.mu.Lock()
		bt.rechecks = false
		b.mu.Unlock()
		bt.session.WakeSelf()
	})
}
