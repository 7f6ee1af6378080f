package lobby

import (
	"context"
	"errors"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/table"
)

// CheckChallenge returns the name of an online user, as the user writes it, whom the session's user can challenge
// to a casual game, or why they cannot. A challenge can still be refused for its terms, or for a limit.
func (st SessionTables) CheckChallenge(ctx context.Context, name string) (string, error) {
	if err := st.s.checkActionRate(); err != nil {
		return "", err
	}
	to, err := st.checkChallenge(name)
	if to == "" && err == nil {
		err = st.s.l.notOnline(ctx, name)
	}
	return to, err
}

// notOnline returns why a user who is not online cannot be challenged.
func (l *Lobby) notOnline(ctx context.Context, name string) error {
	switch a, err := l.store.AccountByName(ctx, name); {
	case errors.Is(err, ErrNotFound):
		return errcode.Errorf(errcode.BadRequest, "there is no player %q; check the name", sanitize.Line(name, MaxName))
	case err != nil:
		return err
	default:
		return errcode.Errorf(errcode.BadRequest, "the player %s is not online; open a table instead, or wait", a.Name)
	}
}

// checkChallenge is CheckChallenge for users who are online; "" for others.
func (st SessionTables) checkChallenge(name string) (string, error) {
	l := st.s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	to := l.lists.user(name)
	if to == nil {
		return "", nil
	}
	me := st.s.user.atTable(false)
	_, err := table.State{Seating: table.Seating{Seated: []AccountID{me.ID}}}.Challenge(me, to.atTable(false))
	return to.Account().Name, err
}

// checkChallengeRate counts the challenge of a table, or returns a CodeRateLimited error. The caller holds l.mu.
func (l *Lobby) checkChallengeRate(t *table.State, by, to Account) error {
	if l.challenges.Take(int64(by.ID), t.Origin, int64(to.ID), to.Bot, time.Now()) {
		return nil
	}
	l.LimitHits.Add(HitChallenges)
	return errcode.Errorf(errcode.RateLimited, "the player %s has received too many challenges; wait a minute, or open a public table", to.Name)
}
