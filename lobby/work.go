package lobby

import (
	"net/netip"
	"time"

	"ayumu/lobby/limit"
)

// Work is a kind of work that costs the server much more than it costs to ask for. Each has a
// budget for every person and every address, over all their connections.
type Work int

// The kinds of work.
const (
	WorkRecord  Work = iota // a game record, by the entries of the log
	WorkHistory             // earlier turns of a match, by the entries of the log
	WorkArchive             // finished games, profiles and ratings, by the number of games
	WorkOpen                // an open table, a challenge or a quick request
	WorkCancel              // a table that is closed, or left
	WorkBot                 // a game with bots that begins
	WorkUndo                // a turn that is taken back, by the entries of the log
	WorkRematch             // a rematch that is offered
	WorkHint                // a hint
	WorkLegal               // a list of legal actions, by its bytes
	WorkAnswer              // answers of the interface for programs, by their bytes
	WorkAccount             // a change of an account that is stored
	WorkRedraw              // screens that are drawn, by their cells
	workKinds
)

// workRule is how much of one kind of work a person and an address may have.
type workRule struct {
	hit             string // its identifier in LimitHits
	person, address limit.Rate
	base            int // tokens of each piece of work
	unit            int // size for which one token more is charged; 0: the size does not matter
}

// The usual rates of costly work: 5 times a second, 50 times at once, and four times that from one
// address, so that 4 people who ask without end do not slow down a fifth. An address may have
// bursts that a load test of some hundred clients on one machine needs. tenths are the same where a
// piece of work has 1 to 10 tokens.
var (
	fewPerson, fewAddress       = limit.Rate{Refill: 5, Burst: 50}, limit.Rate{Refill: 20, Burst: 500}
	tenthsPerson, tenthsAddress = limit.Rate{Refill: 50, Burst: 500}, limit.Rate{Refill: 200, Burst: 2000}
)

// workRules have the budgets. A record of a match of 291 turns of Mu took 4 ms, and all its turns as
// events 8 ms: with these a person who asks without end takes 7 % of a core at most.
var workRules = [workKinds]workRule{
	WorkRecord:  {"records", tenthsPerson, tenthsAddress, 1, 64},
	WorkHistory: {"history", tenthsPerson, tenthsAddress, 1, 64},
	WorkArchive: {"archive", tenthsPerson, tenthsAddress, 1, 25},
	WorkOpen:    {"tables_opened", fewPerson, fewAddress, 1, 0},
	WorkCancel:  {"tables_cancelled", fewPerson, fewAddress, 1, 0},
	WorkBot:     {"bot_games", fewPerson, fewAddress, 1, 0},
	WorkUndo:    {"undos", tenthsPerson, tenthsAddress, 1, 64},
	// Many pairs on one machine play rematches without end where programs are tested.
	WorkRematch: {"rematches", fewPerson, limit.Rate{Refill: 200, Burst: 2000}, 1, 0},
	WorkHint:    {"hints", fewPerson, fewAddress, 1, 0},
	// 220 lists a second of up to 4 KiB, the rate of requests that is always allowed; of 64 KiB 13.
	WorkLegal: {"legal_actions", limit.Rate{Refill: 220, Burst: 450}, limit.Rate{Refill: 880, Burst: 1800}, 1, 4 << 10},
	// 8 MiB a second for a person, 32 MiB for an address.
	WorkAnswer: {"api_answers", limit.Rate{Refill: 8 << 10, Burst: 32 << 10}, limit.Rate{Refill: 32 << 10, Burst: 128 << 10}, 0, 1 << 10},
	// A screen of 500×200 takes some 5 ms: 20 a second for a person, of 80×24 some thousand.
	WorkRedraw: {"redraws", limit.Rate{Refill: 2000, Burst: 4000}, limit.Rate{Refill: 4000, Burst: 8000}, 0, 1 << 10},
	// Each is a write, which a commit shares with others. A program may copy a whole list of blocks.
	WorkAccount: {"account_changes", limit.Rate{Refill: 50, Burst: 450}, limit.Rate{Refill: 200, Burst: 1800}, 1, 0},
}

// newBudgets returns the budgets of a lobby, all full.
func newBudgets() (all [workKinds]*limit.Budget) {
	for w, r := range workRules {
		all[w] = limit.NewBudget(r.person, r.address)
	}
	return all
}

// PayerOf returns whom work is charged to: an account (0 or less: a guest) at an address.
func PayerOf(id AccountID, from netip.Addr) limit.Payer {
	return limit.Payer{Account: int64(max(id, 0)), Origin: Origin(from)}
}

// Payer returns whom work of bots for the match is charged to: the first of its players who is not a
// bot, and the address that began it, which is not known after a restart. A guest without an address
// is a person of their own.
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

// Payer returns whom work for the session is charged to. Without an address (ComesFrom) a guest is
// a person of their own.
func (s *Session) Payer() limit.Payer {
	p := limit.Payer{Account: int64(s.Account().ID), Origin: s.origin()}
	if p.Origin.IsValid() {
		p.Account = max(p.Account, 0)
	}
	return p
}

// Spend charges a piece of work to whoever asks for it, or returns a RateLimited error if their
// budget is used up.
func (l *Lobby) Spend(p limit.Payer, w Work) error {
	return l.spend(p, w, workRules[w].base)
}

// SpendMore charges what a piece of work costs in addition because of its size, in the units of the
// kind of work.
func (l *Lobby) SpendMore(p limit.Payer, w Work, size int) error {
	return l.spend(p, w, size/workRules[w].unit)
}

func (l *Lobby) spend(p limit.Payer, w Work, tokens int) error {
	if l.budgets[w].Take(p, time.Now(), min(tokens, workRules[w].person.Burst)) {
		return nil
	}
	return l.tooMuch(w)
}

// tooMuch counts a refusal and returns its error.
func (l *Lobby) tooMuch(w Work) error {
	l.LimitHits.Add(workRules[w].hit)
	return errorf(CodeRateLimited, "too many requests of this kind from you or your address; wait a second")
}

// Spend charges a piece of work to the session's person and address, or returns a RateLimited error
// if the budget of one of them is used up. Built-in players are not charged.
func (s *Session) Spend(w Work) error {
	if s.builtIn() {
		return nil
	}
	return s.l.Spend(s.Payer(), w)
}

// SpendMore charges what a piece of work costs in addition because of its size.
func (s *Session) SpendMore(w Work, size int) error {
	if s.builtIn() {
		return nil
	}
	return s.l.SpendMore(s.Payer(), w, size)
}

// Charge charges work that is done, of which the size was not known before, and may leave a debt.
func (s *Session) Charge(w Work, size int) {
	s.l.budgets[w].Charge(s.Payer(), time.Now(), size/workRules[w].unit)
}

// InDebt returns a RateLimited error while the session's person or address owes work of a kind.
func (s *Session) InDebt(w Work) error {
	if n, unlimited := s.l.budgets[w].Tokens(s.Payer(), time.Now()); !unlimited && n < 0 {
		return s.l.tooMuch(w)
	}
	return nil
}

// builtIn reports whether the session is a built-in player's, which comes from no address.
func (s *Session) builtIn() bool { return s.Account().Bot && !s.origin().IsValid() }

// Redrawn charges a screen of so many cells that was drawn.
func (l *Lobby) Redrawn(p limit.Payer, cells int) {
	l.budgets[WorkRedraw].Charge(p, time.Now(), max(cells/workRules[WorkRedraw].unit, 1))
}

// RedrawWait returns how long whoever asks for another screen has to wait; 0: not at all.
func (l *Lobby) RedrawWait(p limit.Payer) time.Duration {
	wait := l.budgets[WorkRedraw].Wait(p, time.Now(), 0)
	if wait > 0 {
		l.LimitHits.Add(workRules[WorkRedraw].hit)
	}
	return wait
}
