package lobby

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/table"
)

// The rates of direct challenges. Accepted challenges do not count. The last rate allows three addresses
// that each use all of theirs.
var (
	pairChallenges    = limit.Rate{Refill: 5.0 / 60, Burst: 5}   // from one user to another
	addressChallenges = limit.Rate{Refill: 10.0 / 60, Burst: 10} // from one address to one user
	ownChallenges     = limit.Rate{Refill: 30.0 / 60, Burst: 30} // from one user
	targetChallenges  = limit.Rate{Refill: 30.0 / 60, Burst: 30} // to one user
)

// challenges limits direct challenges, each of which rings the terminal bell of its target. newChallenges
// is the constructor; any goroutine may use it.
type challenges struct {
	pairs     *limit.Buckets[[2]AccountID]
	addresses *limit.Buckets[addressTarget]
	own       *limit.Buckets[AccountID]
	targets   *limit.Buckets[AccountID]
}

// addressTarget is an origin and the user whom it challenges.
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

// take counts a challenge, or returns false if one of the rates is exceeded. Challenges to bots do not
// count in targets.
func (c challenges) take(by Account, from netip.Prefix, to Account, now time.Time) bool {
	if !c.pairs.Take([2]AccountID{by.ID, to.ID}, now, 1) || !c.own.Take(by.ID, now, 1) {
		return false
	}
	if from.IsValid() && !c.addresses.Take(addressTarget{from, to.ID}, now, 1) {
		return false
	}
	return to.Bot || c.targets.Take(to.ID, now, 1)
}

// accepted refunds a challenge that has become a match.
func (c challenges) accepted(by AccountID, from netip.Prefix, to AccountID, now time.Time) {
	c.pairs.GiveBack([2]AccountID{by, to}, now, 1)
	c.own.GiveBack(by, now, 1)
	c.addresses.GiveBack(addressTarget{from, to}, now, 1)
	c.targets.GiveBack(to, now, 1)
}

// CheckChallenge returns the name of an online user, as the user writes it, whom the session's user can challenge
// to a casual game, or why they cannot. A challenge can still be refused for its terms, or for a limit.
func (st SessionTables) CheckChallenge(ctx context.Context, name string) (string, error) {
	if err := st.s.checkActionRate(); err != nil {
		return "", err
	}
	to, err := st.checkChallenge(name)
	if to != "" || err != nil {
		return to, err
	}
	switch a, err := st.s.l.store.AccountByName(ctx, name); {
	case errors.Is(err, ErrNotFound):
		return "", errcode.Errorf(errcode.BadRequest, "there is no player %q; check the name", sanitize.Line(name, MaxName))
	case err != nil:
		return "", err
	default:
		return "", errcode.Errorf(errcode.BadRequest, "%s is not online; open a table instead, or wait", a.Name)
	}
}

// checkChallenge is CheckChallenge for users who are online; "" for others.
func (st SessionTables) checkChallenge(name string) (string, error) {
	l := st.s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	to := l.users.byName(name)
	if to == nil {
		return "", nil
	}
	me := st.s.user.atTable(false)
	_, err := table.State{Seating: table.Seating{Seated: []AccountID{me.ID}}}.Challenge(me, to.atTable(false))
	return to.Account().Name, err
}

// checkChallengeRate counts the challenge of a table, or returns a CodeRateLimited error. The caller holds l.mu.
func (l *Lobby) checkChallengeRate(t *table.State, by, to Account) error {
	if l.challenges.take(by, t.Origin, to, time.Now()) {
		return nil
	}
	l.LimitHits.Add(HitChallenges)
	return errcode.Errorf(errcode.RateLimited, "%s has received too many challenges; wait a minute, or open a public table", to.Name)
}
