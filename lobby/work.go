package lobby

import (
	"context"
	"net/netip"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
)

// Work is a kind of request that costs the server much more than the client. Each has a budget for every
// account and every origin, over all their connections.
type Work int

// The kinds of work. The size is what SpendMore, Charge and Await count.
const (
	WorkRecord  Work = iota // a game record; size: entries of the log
	WorkHistory             // earlier turns of a match; size: entries of the log
	WorkArchive             // finished games, profiles and ratings; size: number of games
	WorkOpen                // an open table, a challenge or a quick match
	WorkCancel              // closing or leaving a table
	WorkBot                 // starting a game against bots
	WorkUndo                // a takeback; size: entries of the log
	WorkRematch             // an offer of a rematch
	WorkHint                // a hint
	WorkLegal               // a list of legal actions; size: bytes
	WorkAnswer              // answers of the API; size: bytes
	WorkAccount             // a stored change of an account
	WorkRedraw              // drawing a screen; size: cells
	WorkRequest             // requests of the API and lines of line mode; size: their number
	workKinds
)

// workRule is the budget of one kind of work.
type workRule struct {
	hit             string // identifier in LimitHits
	account, origin limit.Rate
	base            int // tokens for each piece of work
	unit            int // size that costs one more token; 0: the size does not count
}

// The default rates: 5 a second and 50 at once for an account, and four times that for an origin, so that
// four users with endless requests do not slow down a fifth. An origin's bursts allow a load test with some
// hundred clients on one machine. The tenths are the same rates for work of 1 to 10 tokens.
var (
	fewAccount, fewOrigin       = limit.Rate{Refill: 5, Burst: 50}, limit.Rate{Refill: 20, Burst: 500}
	tenthsAccount, tenthsOrigin = limit.Rate{Refill: 50, Burst: 500}, limit.Rate{Refill: 200, Burst: 2000}
)

// workRules are the budgets. A record of a match of 291 long turns took 4 ms, and all its turns as events
// 8 ms: with these rates one user takes at most 7 % of a core.
var workRules = [workKinds]workRule{
	WorkRecord:  {"records", tenthsAccount, tenthsOrigin, 1, 64},
	WorkHistory: {"history", tenthsAccount, tenthsOrigin, 1, 64},
	WorkArchive: {"archive", tenthsAccount, tenthsOrigin, 1, 25},
	WorkOpen:    {"tables_opened", fewAccount, fewOrigin, 1, 0},
	WorkCancel:  {"tables_cancelled", fewAccount, fewOrigin, 1, 0},
	WorkBot:     {"bot_games", fewAccount, fewOrigin, 1, 0},
	WorkUndo:    {"undos", tenthsAccount, tenthsOrigin, 1, 64},
	// Tests of programs play endless rematches with many pairs on one machine.
	WorkRematch: {"rematches", fewAccount, limit.Rate{Refill: 200, Burst: 2000}, 1, 0},
	WorkHint:    {"hints", fewAccount, fewOrigin, 1, 0},
	// 220 lists of up to 4 KiB a second, the rate of requests that is always allowed; 13 of 64 KiB.
	WorkLegal: {"legal_actions", limit.Rate{Refill: 220, Burst: 450}, limit.Rate{Refill: 880, Burst: 1800}, 1, 4 << 10},
	// 8 MiB a second for an account, 32 MiB for an origin.
	WorkAnswer: {"api_answers", limit.Rate{Refill: 8 << 10, Burst: 32 << 10}, limit.Rate{Refill: 32 << 10, Burst: 128 << 10}, 0, 1 << 10},
	// A screen of 500×200 takes about 5 ms: 20 a second for an account; about a thousand of 80×24.
	WorkRedraw: {"redraws", limit.Rate{Refill: 2000, Burst: 4000}, limit.Rate{Refill: 4000, Burst: 8000}, 0, 1 << 10},
	// Each change is a write, which shares a commit with others. A program may copy a list of blocks.
	WorkAccount: {"account_changes", limit.Rate{Refill: 50, Burst: 450}, limit.Rate{Refill: 200, Burst: 1800}, 1, 0},
	// The rates are those of Limits.UserRequestRate.
	WorkRequest: {hit: "requests_per_person", unit: 1},
}

// tokens returns what a piece of work of that size costs, at least one token.
func (r *workRule) tokens(size int) int {
	n := r.base
	if r.unit > 0 {
		n += size / r.unit
	}
	return max(n, 1)
}

// Budgets limits costly work, a budget for each kind. It is a field of the Lobby.
type Budgets struct {
	byWork [workKinds]*limit.Budget
	hits   *limit.Hits // counts of exceeded limits
}

func (bs *Budgets) init(hits *limit.Hits) {
	bs.hits = hits
	for w, r := range workRules {
		bs.byWork[w] = limit.NewBudget(r.account, r.origin)
	}
}

// setLimits sets the rates of WorkRequest.
func (bs *Budgets) setLimits(limits *Limits) {
	bs.byWork[WorkRequest].SetRates(
		limit.Rate{Refill: limits.UserRequestRate, Burst: limits.UserRequestBurst},
		limit.Rate{Refill: 4 * limits.UserRequestRate, Burst: 4 * limits.UserRequestBurst},
	)
}

// PayerOf returns the payer for an account (0 or less: a guest) at an address.
func PayerOf(id AccountID, from netip.Addr) limit.Payer {
	return limit.Payer{Account: int64(max(id, 0)), Origin: limit.Origin(from)}
}

// Payer returns the payer for the work of bots in the match: its first player who is not a bot, and the
// origin that started it, which is unknown after a restart. Without an origin a guest is a payer of their
// own.
func (p *Player) Payer() limit.Payer { return p.m.payer() }

func (m *Match) payer() limit.Payer {
	p := limit.Payer{Origin: m.origin}
	for _, seat := range m.Info.Seats {
		if !seat.Bot {
			p.Account = int64(seat.Account)
			break
		}
	}
	if p.Origin.IsValid() {
		p.Account = max(p.Account, 0)
	}
	return p
}

// SessionBudget charges work to a session's user and origin. Session.Budget returns it.
type SessionBudget struct{ s *Session }

// Budget returns the budget of the session's user and origin.
func (s *Session) Budget() SessionBudget { return SessionBudget{s} }

// Payer returns the payer for the session's work. Without an address (SetAddr) a guest is a payer of their
// own.
func (b SessionBudget) Payer() limit.Payer {
	p := limit.Payer{Account: int64(b.s.Account().ID), Origin: b.s.origin()}
	if p.Origin.IsValid() {
		p.Account = max(p.Account, 0)
	}
	return p
}

// Spend charges a piece of work to p, or returns a CodeRateLimited error if p's budget is used up.
func (bs *Budgets) Spend(p limit.Payer, w Work) error {
	return bs.spend(p, w, workRules[w].base)
}

// SpendMore charges what the size of a piece of work costs in addition to Spend, in the unit of its kind.
// It returns a CodeRateLimited error if p's budget is used up.
func (bs *Budgets) SpendMore(p limit.Payer, w Work, size int) error {
	return bs.spend(p, w, size/workRules[w].unit)
}

func (bs *Budgets) spend(p limit.Payer, w Work, tokens int) error {
	if bs.byWork[w].Take(p, time.Now(), min(tokens, workRules[w].account.Burst)) {
		return nil
	}
	return bs.budgetError(w)
}

// budgetError counts the hit and returns the error of a budget that is used up.
func (bs *Budgets) budgetError(w Work) error {
	bs.hits.Add(workRules[w].hit)
	return errcode.Errorf(errcode.RateLimited, "too many requests of this kind from you or your address; wait a second")
}

// Spend charges a piece of work to the session's user and origin, or returns a CodeRateLimited error if one
// of their budgets is used up. Built-in players are not charged.
func (b SessionBudget) Spend(w Work) error {
	if b.builtIn() {
		return nil
	}
	return b.s.l.Budgets.Spend(b.Payer(), w)
}

// SpendMore charges what the size of a piece of work costs in addition to Spend.
func (b SessionBudget) SpendMore(w Work, size int) error {
	if b.builtIn() {
		return nil
	}
	return b.s.l.Budgets.SpendMore(b.Payer(), w, size)
}

// Charge charges work that has been done and whose size was not known before. It can leave a debt.
func (b SessionBudget) Charge(w Work, size int) {
	b.s.l.Budgets.byWork[w].Charge(b.Payer(), time.Now(), size/workRules[w].unit)
}

// CheckDebt returns a CodeRateLimited error while the session's user or origin owes work of a kind.
func (b SessionBudget) CheckDebt(w Work) error {
	if n, unlimited := b.s.l.Budgets.byWork[w].Tokens(b.Payer(), time.Now()); !unlimited && n < 0 {
		return b.s.l.Budgets.budgetError(w)
	}
	return nil
}

// builtIn reports whether the session is a built-in player's, which has no address.
func (b SessionBudget) builtIn() bool { return b.s.Account().Bot && !b.s.origin().IsValid() }

// Await charges work before it is done, and waits until p's budget allows it. Those who wait for the same
// budget queue. Before it waits it calls onWait, if that is not nil. If ctx ends before, the charge is taken
// back and Await returns the error of ctx.
func (bs *Budgets) Await(ctx context.Context, p limit.Payer, w Work, size int, onWait func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	tokens := workRules[w].tokens(size)
	wait := bs.byWork[w].Reserve(p, time.Now(), tokens)
	if wait <= 0 {
		return nil
	}
	bs.hits.Add(workRules[w].hit)
	if onWait != nil {
		onWait()
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		bs.byWork[w].GiveBack(p, time.Now(), tokens)
		return ctx.Err()
	}
}

// ChargeRedraw charges the drawing of a screen with that number of cells, which could not wait.
func (bs *Budgets) ChargeRedraw(p limit.Payer, cells int) {
	bs.byWork[WorkRedraw].Charge(p, time.Now(), workRules[WorkRedraw].tokens(cells))
}
