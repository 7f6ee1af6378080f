package limit

import (
	"net/netip"
	"time"
)

// Payer is charged for work.
type Payer struct {
	// Account is the id of an account, over all its sessions; 0: a guest, who shares one budget with all
	// other guests of the origin. Negative ids are guests with a budget of their own.
	Account int64
	// Origin is the origin of the connection, over all who use it; invalid: none is charged.
	Origin netip.Prefix
}

// accountKey returns the key of the account's bucket; ok is false if there is none to charge.
func (p Payer) accountKey() (key Payer, ok bool) {
	if p.Account != 0 {
		p.Origin = netip.Prefix{}
	}
	return p, p != Payer{}
}

// Budget limits one kind of work for each account and each origin. NewBudget is the constructor. Its
// methods may be called from any goroutine.
type Budget struct {
	accounts *Buckets[Payer]
	origins  *Buckets[netip.Prefix]
}

// NewBudget returns a budget with these rates for each account and each origin.
func NewBudget(account, origin Rate) *Budget {
	return &Budget{NewBuckets[Payer](account), NewBuckets[netip.Prefix](origin)}
}

// SetRates changes the rates of all accounts and of all origins.
func (b *Budget) SetRates(account, origin Rate) {
	b.accounts.SetRate(account)
	b.origins.SetRate(origin)
}

// Take charges n tokens to the account and to the origin, or charges neither and returns false if one of
// them has fewer.
func (b *Budget) Take(p Payer, now time.Time, n int) bool {
	account, known := p.accountKey()
	if known && !b.accounts.Take(account, now, n) {
		return false
	}
	if p.Origin.IsValid() && !b.origins.Take(p.Origin, now, n) {
		if known {
			b.accounts.GiveBack(account, now, n)
		}
		return false
	}
	return true
}

// GiveBack returns n tokens that were taken for work that was not done.
func (b *Budget) GiveBack(p Payer, now time.Time, n int) {
	if account, known := p.accountKey(); known {
		b.accounts.GiveBack(account, now, n)
	}
	if p.Origin.IsValid() {
		b.origins.GiveBack(p.Origin, now, n)
	}
}

// Charge charges n tokens for work that has been done, even if there are fewer.
func (b *Budget) Charge(p Payer, now time.Time, n int) {
	if account, known := p.accountKey(); known {
		b.accounts.Charge(account, now, n)
	}
	if p.Origin.IsValid() {
		b.origins.Charge(p.Origin, now, n)
	}
}

// Reserve charges n tokens, whether they are there or not, and returns how long to wait until neither the
// account nor the origin owes any; 0: they were there. Those who wait thus queue, in the order of their
// calls. What may be owed has no bound, so the caller must wait, or call GiveBack.
func (b *Budget) Reserve(p Payer, now time.Time, n int) (wait time.Duration) {
	if account, known := p.accountKey(); known {
		wait = b.accounts.Reserve(account, now, n)
	}
	if p.Origin.IsValid() {
		wait = max(wait, b.origins.Reserve(p.Origin, now, n))
	}
	return wait
}

// Tokens returns the lower number of tokens of the account and the origin; negative: it owes tokens.
// unlimited means that there is nothing to charge.
func (b *Budget) Tokens(p Payer, now time.Time) (n float64, unlimited bool) {
	unlimited = true
	if account, known := p.accountKey(); known {
		n, unlimited = b.accounts.Tokens(account, now), false
	}
	if p.Origin.IsValid() {
		if a := b.origins.Tokens(p.Origin, now); unlimited || a < n {
			n, unlimited = a, false
		}
	}
	return n, unlimited
}

// Wait returns the time until both have n tokens; 0 if they have.
func (b *Budget) Wait(p Payer, now time.Time, n int) time.Duration {
	var wait time.Duration
	if account, known := p.accountKey(); known {
		wait = b.accounts.Wait(account, now, n)
	}
	if p.Origin.IsValid() {
		wait = max(wait, b.origins.Wait(p.Origin, now, n))
	}
	return wait
}
