package bots

import (
	"time"

	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
)

// The budgets of thinking time, in milliseconds. In the long run an account may use a quarter of all workers, and an
// origin half of them; before that a burst of one minute, and three. A player of one game at a time does not notice the
// budgets; a player of hundreds slows down only their own games.
const (
	personThinkingRate   = 250 // a second, for each worker
	personThinkingBurst  = 60_000
	addressThinkingRate  = 500
	addressThinkingBurst = 180_000

	// minThinkingTime is the thinking time that a turn or a hint waits for.
	minThinkingTime = 100
)

// newThinkingTime returns the full budget of thinking time for a number of workers.
func newThinkingTime(workers int) *limit.Budget {
	w := float64(workers)
	return limit.NewBudget(
		limit.Rate{Refill: personThinkingRate * w, Burst: personThinkingBurst}, limit.Rate{Refill: addressThinkingRate * w, Burst: addressThinkingBurst})
}

// affordable returns the part of want that a payer may use now, but at least minThinkingTime.
func (b *Bots) affordable(p limit.Payer, want time.Duration) time.Duration {
	left, unlimited := b.thinkingTime.Tokens(p, time.Now())
	if unlimited {
		return want
	}
	return min(want, time.Duration(max(left, minThinkingTime))*time.Millisecond)
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
