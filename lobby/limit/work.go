package limit

import (
	"context"
	"time"

	"ayumu/lobby/errcode"
)

// Work is a kind of request that costs the server much more than the client. Each has a budget for every
// account and every origin, over all their connections.
type Work int

// The kinds of work. The size is what SpendMore, Charge and Await count.
const (
	WorkRecord           Work = iota // a game record; size: entries of the log
	WorkHistory                      // earlier turns of a match; size: entries of the log
	WorkArchive                      // finished games, profiles and ratings; size: number of games
	WorkOpen                         // an open table, a challenge or a quick match
	WorkCancel                       // closing or leaving a table
	WorkBot                          // starting a game against bots
	WorkUndo                         // a takeback; size: entries of the log
	WorkRematch                      // an offer of a rematch
	WorkHint                         // a hint
	WorkCondition                    // reading or changing conditional moves
	WorkPuzzle                       // choosing a puzzle, or checking an answer to one
	WorkFind                         // looking in the store for a match that is not in memory
	WorkLegal                        // a list of legal actions; size: bytes
	WorkAnswer                       // answers of the API; size: bytes
	WorkAccount                      // a stored change of an account
	WorkVacation                     // beginning or ending a vacation, or moving its end
	WorkRedraw                       // drawing a screen; size: cells
	WorkTournament                   // the state of a tournament
	WorkTournamentChange             // a change of a tournament
	WorkRequest                      // requests of the API and lines of line mode; size: their number
	workKinds
)

// workRule is the budget of one kind of work.
type workRule struct {
	hit             string // identifier in Hits
	account, origin Rate
	base            int // tokens for each piece of work
	unit            int // size that costs one more token; 0: the size does not count
}

// The default rates: 5 a second and 50 at once for an account, and four times that for an origin, so that
// four users with endless requests do not slow down a fifth. An origin's bursts allow a load test with some
// hundred clients on one machine. The tenths are the same rates for work of 1 to 10 tokens.
var (
	fewAccount, fewOrigin       = Rate{Refill: 5, Burst: 50}, Rate{Refill: 20, Burst: 500}
	tenthsAccount, tenthsOrigin = Rate{Refill: 50, Burst: 500}, Rate{Refill: 200, Burst: 2000}
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
	WorkRematch: {"rematches", fewAccount, Rate{Refill: 200, Burst: 2000}, 1, 0},
	WorkHint:    {"hints", fewAccount, fewOrigin, 1, 0},
	// The screen of a match reads them after each turn.
	WorkCondition: {"conditions", fewAccount, fewOrigin, 1, 0},
	// What a wrong answer allows takes up to 10 ms.
	WorkPuzzle: {"puzzles", fewAccount, fewOrigin, 1, 0},
	WorkFind:   {"unknown_matches", fewAccount, fewOrigin, 1, 0},
	// 220 lists of up to 4 KiB a second, the rate of requests that is always allowed; 13 of 64 KiB.
	WorkLegal: {"legal_actions", Rate{Refill: 220, Burst: 450}, Rate{Refill: 880, Burst: 1800}, 1, 4 << 10},
	// 8 MiB a second for an account, 32 MiB for an origin.
	WorkAnswer: {"api_answers", Rate{Refill: 8 << 10, Burst: 32 << 10}, Rate{Refill: 32 << 10, Burst: 128 << 10}, 0, 1 << 10},
	// A screen of 500×200 takes about 5 ms: 20 a second for an account; about a thousand of 80×24.
	WorkRedraw: {"redraws", Rate{Refill: 2000, Burst: 4000}, Rate{Refill: 4000, Burst: 8000}, 0, 1 << 10},
	// Each change is a write, which shares a commit with others. A program may copy a list of blocks.
	WorkAccount: {"account_changes", Rate{Refill: 50, Burst: 450}, Rate{Refill: 200, Burst: 1800}, 1, 0},
	// A change writes a durable row and is announced to the opponents in all correspondence games.
	WorkVacation: {"vacations", PerMinute(6, 10), PerMinute(24, 100), 1, 0},
	// The standings and possible places of a thousand players take some milliseconds.
	WorkTournament:       {"tournaments", Rate{Refill: 20, Burst: 200}, Rate{Refill: 80, Burst: 800}, 1, 0},
	WorkTournamentChange: {"tournament_changes", fewAccount, fewOrigin, 1, 0},
	// The rates are those of SetRequests.
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

// Budgets limits costly work, a budget for each kind. NewBudgets is the constructor; any goroutine may use it.
type Budgets struct {
	byWork [workKinds]*Budget
	hits   *Hits // counts of exceeded limits
}

// NewBudgets returns full budgets, which count exceeded limits in hits. SetRequests has to follow.
func NewBudgets(hits *Hits) *Budgets {
	bs := &Budgets{hits: hits}
	for w, r := range workRules {
		bs.byWork[w] = NewBudget(r.account, r.origin)
	}
	return bs
}

// SetRequests sets the rate of WorkRequest for an account; four times that is the rate for an origin.
func (bs *Budgets) SetRequests(account Rate) {
	bs.byWork[WorkRequest].SetRates(account, Rate{Refill: 4 * account.Refill, Burst: 4 * account.Burst})
}

// Spend charges a piece of work to p, or returns a errcode.RateLimited error if p's budget is used up.
func (bs *Budgets) Spend(p Payer, w Work) error {
	return bs.spend(p, w, workRules[w].base)
}

// SpendMore charges what the size of a piece of work costs in addition to Spend, in the unit of its kind.
// It returns a errcode.RateLimited error if p's budget is used up.
func (bs *Budgets) SpendMore(p Payer, w Work, size int) error {
	return bs.spend(p, w, size/workRules[w].unit)
}

func (bs *Budgets) spend(p Payer, w Work, tokens int) error {
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

// Charge charges work that has been done and whose size was not known before. It can leave a debt.
func (bs *Budgets) Charge(p Payer, w Work, size int) {
	bs.byWork[w].Charge(p, time.Now(), size/workRules[w].unit)
}

// CheckDebt returns a errcode.RateLimited error while p owes work of a kind.
func (bs *Budgets) CheckDebt(p Payer, w Work) error {
	if n, unlimited := bs.byWork[w].Tokens(p, time.Now()); !unlimited && n < 0 {
		return bs.budgetError(w)
	}
	return nil
}

// Await charges work before it is done, and waits until p's budget allows it. Those who wait for the same
// budget queue. Before it waits it calls onWait, if that is not nil. If ctx ends before, the charge is taken
// back and Await returns the error of ctx.
func (bs *Budgets) Await(ctx context.Context, p Payer, w Work, size int, onWait func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	wait := bs.Reserve(p, w, size)
	if wait <= 0 {
		return nil
	}
	if onWait != nil {
		onWait()
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		bs.GiveBack(p, w, size)
		return ctx.Err()
	}
}

// Reserve charges work before it is done, as Await does, and returns how long the caller must wait before it does the
// work; 0: it may begin. If the work is not done, GiveBack takes the charge back.
func (bs *Budgets) Reserve(p Payer, w Work, size int) (wait time.Duration) {
	wait = bs.byWork[w].Reserve(p, time.Now(), workRules[w].tokens(size))
	if wait > 0 {
		bs.hits.Add(workRules[w].hit)
	}
	return max(wait, 0)
}

// GiveBack takes back the charge of Reserve for work that was not done.
func (bs *Budgets) GiveBack(p Payer, w Work, size int) {
	bs.byWork[w].GiveBack(p, time.Now(), workRules[w].tokens(size))
}

// ChargeRedraw charges the drawing of a screen with that number of cells, which could not wait.
func (bs *Budgets) ChargeRedraw(p Payer, cells int) {
	bs.byWork[WorkRedraw].Charge(p, time.Now(), workRules[WorkRedraw].tokens(cells))
}
