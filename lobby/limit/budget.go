package limit

import (
	"net/netip"
	"time"
)

// Payer is whom work is charged to.
type Payer struct {
	// Account is the person, over all their sessions; 0: a guest, who shares one person's budget
	// with all other guests from the address.
	Account int64
	// Origin is the address, over everybody who comes from it; invalid: no address is charged.
	Origin netip.Prefix
}

// person returns the key of the person's bucket; false: there is nobody to charge.
func (p Payer) person() (Payer, bool) {
	if p.Account != 0 {
		p.Origin = netip.Prefix{}
	}
	return p, p != Payer{}
}

// Budget bounds one kind of work for each person and for each address. Its methods may be called
// from any goroutine. NewBudget makes one.
type Budget struct {
	persons   *Buckets[Payer]
	addresses *Buckets[netip.Prefix]
}

// NewBudget returns a budget with these rates for each person and for each address.
func NewBudget(person, address Rate) *Budget {
	return &Budget{NewBuckets[Payer](person), NewBuckets[netip.Prefix](address)}
}

// Take charges n tokens to the person and to the address, or returns false if one of them has not
// as many. The address is not charged for what the person may not have.
func (b *Budget) Take(p Payer, now time.Time, n int) bool {
	person, known := p.person()
	if known && !b.persons.Take(person, now, n) {
		return false
	}
	if p.Origin.IsValid() && !b.addresses.Take(p.Origin, now, n) {
		if known {
			b.persons.GiveBack(person, now, n)
		}
		return false
	}
	return true
}

// GiveBack returns n tokens that were taken for something that did not count in the end.
func (b *Budget) GiveBack(p Payer, now time.Time, n int) {
	if person, known := p.person(); known {
		b.persons.GiveBack(person, now, n)
	}
	if p.Origin.IsValid() {
		b.addresses.GiveBack(p.Origin, now, n)
	}
}

// Charge charges n tokens for work that is done, whether they are there or not.
func (b *Budget) Charge(p Payer, now time.Time, n int) {
	if person, known := p.person(); known {
		b.persons.Charge(person, now, n)
	}
	if p.Origin.IsValid() {
		b.addresses.Charge(p.Origin, now, n)
	}
}

// Tokens returns how many tokens both the person and the address have; negative: one of them owes
// that many. unlimited: there is nobody to charge.
func (b *Budget) Tokens(p Payer, now time.Time) (n float64, unlimited bool) {
	unlimited = true
	if person, known := p.person(); known {
		n, unlimited = b.persons.Tokens(person, now), false
	}
	if p.Origin.IsValid() {
		if a := b.addresses.Tokens(p.Origin, now); unlimited || a < n {
			n, unlimited = a, false
		}
	}
	return n, unlimited
}

// Wait returns how long it takes until both have n tokens; 0: they have.
func (b *Budget) Wait(p Payer, now time.Time, n int) time.Duration {
	var wait time.Duration
	if person, known := p.person(); known {
		wait = b.persons.Wait(person, now, n)
	}
	if p.Origin.IsValid() {
		wait = max(wait, b.addresses.Wait(p.Origin, now, n))
	}
	return wait
}
