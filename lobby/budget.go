package lobby

import (
	"net/netip"

	"ayumu/lobby/account"
	"ayumu/lobby/limit"
)

// NewPayer returns the payer for an account (0 or less: a guest) at an address.
func NewPayer(id account.ID, from netip.Addr) limit.Payer {
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

// Payer returns the payer for the session's work. Without an address (SetAddr) a guest is a payer of their
// own.
func (s *Session) Payer() limit.Payer {
	p := limit.Payer{Account: int64(s.Account().ID), Origin: s.origin()}
	if p.Origin.IsValid() {
		p.Account = max(p.Account, 0)
	}
	return p
}

// Spend charges a piece of work to the session's user and origin, or returns an errcode.RateLimited error if one
// of their budgets is used up. Built-in players are not charged.
func (s *Session) Spend(w limit.Work) error {
	if s.isBuiltIn() {
		return nil
	}
	return s.l.Budgets.Spend(s.Payer(), w)
}

// SpendMore charges what the size of a piece of work costs in addition to Spend.
func (s *Session) SpendMore(w limit.Work, size int) error {
	if s.isBuiltIn() {
		return nil
	}
	return s.l.Budgets.SpendMore(s.Payer(), w, size)
}

// Charge charges work that has been done and whose size was not known before. It can leave a debt.
func (s *Session) Charge(w limit.Work, size int) {
	s.l.Budgets.Charge(s.Payer(), w, size)
}

// CheckDebt returns an errcode.RateLimited error while the session's user or origin owes work of a kind.
func (s *Session) CheckDebt(w limit.Work) error {
	return s.l.Budgets.CheckDebt(s.Payer(), w)
}

// isBuiltIn reports whether the session is a built-in player's, which has no address.
func (s *Session) isBuiltIn() bool { return s.Account().Bot && !s.origin().IsValid() }
