package limit

import (
	"net/netip"
	"time"
)

// The rates of direct challenges. Accepted challenges do not count. The last rate allows three addresses
// that each use all of theirs.
var (
	pairChallenges    = Rate{Refill: 5.0 / 60, Burst: 5}   // from one user to another
	addressChallenges = Rate{Refill: 10.0 / 60, Burst: 10} // from one address to one user
	ownChallenges     = Rate{Refill: 30.0 / 60, Burst: 30} // from one user
	targetChallenges  = Rate{Refill: 30.0 / 60, Burst: 30} // to one user
)

// Challenges limits direct challenges, each of which rings the terminal bell of its target. Users are named by the ids
// of their accounts. NewChallenges is the constructor; any goroutine may use it.
type Challenges struct {
	pairs     *Buckets[[2]int64]
	addresses *Buckets[addressTarget]
	own       *Buckets[int64]
	targets   *Buckets[int64]
}

// addressTarget is an origin and the user whom it challenges.
type addressTarget struct {
	from netip.Prefix
	to   int64
}

// NewChallenges returns Challenges of which none has been made.
func NewChallenges() Challenges {
	return Challenges{
		NewBuckets[[2]int64](pairChallenges), NewBuckets[addressTarget](addressChallenges),
		NewBuckets[int64](ownChallenges), NewBuckets[int64](targetChallenges),
	}
}

// Take counts a challenge by one user, from an origin, to another, or returns false if one of the rates is exceeded.
// For bots the rate of all challenges to one user does not hold.
func (c Challenges) Take(by int64, from netip.Prefix, to int64, toBot bool, now time.Time) bool {
	if !c.pairs.Take([2]int64{by, to}, now, 1) || !c.own.Take(by, now, 1) {
		return false
	}
	if from.IsValid() && !c.addresses.Take(addressTarget{from, to}, now, 1) {
		return false
	}
	return toBot || c.targets.Take(to, now, 1)
}

// Accepted refunds a challenge that has become a match.
func (c Challenges) Accepted(by int64, from netip.Prefix, to int64, now time.Time) {
	c.pairs.GiveBack([2]int64{by, to}, now, 1)
	c.own.GiveBack(by, now, 1)
	c.addresses.GiveBack(addressTarget{from, to}, now, 1)
	c.targets.GiveBack(to, now, 1)
}
