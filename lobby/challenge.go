package lobby

import (
	"net/netip"
	"time"

	"ayumu/lobby/limit"
)

// The rates of direct challenges, of which those that are accepted do not count: from one person to
// another, from everybody at one address to one person, of one person, and to one person from
// everywhere. The last one has room for three addresses that do what one may.
var (
	pairChallenges    = limit.Rate{Refill: 5.0 / 60, Burst: 5}
	addressChallenges = limit.Rate{Refill: 10.0 / 60, Burst: 10}
	ownChallenges     = limit.Rate{Refill: 30.0 / 60, Burst: 30}
	targetChallenges  = limit.Rate{Refill: 30.0 / 60, Burst: 30}
)

// challenges bounds direct challenges, each of which rings a bell. newChallenges makes one.
type challenges struct {
	pairs     *limit.Buckets[[2]AccountID]
	addresses *limit.Buckets[addressTarget]
	own       *limit.Buckets[AccountID]
	targets   *limit.Buckets[AccountID]
}

// addressTarget is an address that challenges and who is challenged.
type addressTarget struct {
	from netip.Prefix
	to   AccountID
}

func newChallenges() challenges {
	return challenges{
		limit.NewBuckets[[2]AccountID](pairChallenges), limit.NewBuckets[addressTarget](addressChallenges),
		limit.NewBuckets[AccountID](ownChallenges), limit.NewBuckets[AccountID](targetChallenges),
	}
}

// take counts a challenge, or returns false if one of the rates is exceeded. Nobody needs to be
// spared who is a program.
func (c challenges) take(by Account, from netip.Prefix, to Account, now time.Time) bool {
	if !c.pairs.Take([2]AccountID{by.ID, to.ID}, now, 1) || !c.own.Take(by.ID, now, 1) {
		return false
	}
	if from.IsValid() && !c.addresses.Take(addressTarget{from, to.ID}, now, 1) {
		return false
	}
	return to.Bot || c.targets.Take(to.ID, now, 1)
}

// accepted gives back what was counted for a challenge that has become a match.
func (c challenges) accepted(by AccountID, from netip.Prefix, to AccountID, now time.Time) {
	c.pairs.GiveBack([2]AccountID{by, to}, now, 1)
	c.own.GiveBack(by, now, 1)
	c.addresses.GiveBack(addressTarget{from, to}, now, 1)
	c.targets.GiveBack(to, now, 1)
}

// mayChallenge counts the challenge of a table, or says why there are too many.
func (l *Lobby) mayChallenge(t *tableState) error {
	to := t.to.Account()
	if l.challenges.take(t.owner().Account(), t.origin, to, time.Now()) {
		return nil
	}
	l.LimitHits.Add(HitChallenges)
	return errorf(CodeRateLimited, "%s has had many challenges from you or others just now; wait a minute, or open a table for everybody", to.Name)
}
