package bots

import (
	"time"

	"ayumu/lobby"
	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
)

// Thinking time, in milliseconds. Of all workers together a person gets a quarter and an address
// half for as long as they like, and a minute, or three, before that: whoever plays one game at a
// time does not notice, and whoever plays hundreds slows down their own games.
const (
	personThought  = 250 // a second, for each worker
	personBurst    = 60_000
	addressThought = 500
	addressBurst   = 180_000

	// leastThought is for how much a turn or a hint waits.
	leastThought = 100
)

func newThought(workers int) *limit.Budget {
	w := float64(workers)
	return limit.NewBudget(
		limit.Rate{Refill: personThought * w, Burst: personBurst}, limit.Rate{Refill: addressThought * w, Burst: addressBurst})
}

// affordable returns how much of a time a payer may use now: what is left, and at least a little.
func (co *Bots) affordable(p limit.Payer, want time.Duration) time.Duration {
	left, unlimited := co.turnDone.Tokens(p, time.Now())
	if unlimited {
		return want
	}
	return min(want, time.Duration(max(left, leastThought))*time.Millisecond)
}

// charge charges the time since thinking began.
func (co *Bots) charge(p limit.Payer, began time.Time) {
	now := time.Now()
	co.turnDone.Charge(p, now, int(now.Sub(began).Milliseconds()))
}

// Bounds of the time after which a bot looks again whether somebody's thinking time has come back.
const (
	lookSoonest = 50 * time.Millisecond
	lookLatest  = time.Second
)

// lookAgain has a bot look at its matches again after a time, once for all of them.
func (co *Bots) lookAgain(i int, wait time.Duration) {
	co.mu.Lock()
	defer co.mu.Unlock()
	if co.again[i] {
		return
	}
	co.again[i] = true
	co.cfg.Lobby.LimitHits.Add(lobby.HitThought)
	guard.AfterFunc(min(max(wait, lookSoonest), lookLatest), co.reportPanic, func() {
		co.mu.Lock()
		co.again[i] = false
		co.mu.Unlock()
		co.sessions[i].WakeSelf()
	})
}
