package lobby

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/table"
)

// OpenTable opens a table or starts a quick match, and returns its state. A quick match joins a fitting table in
// the next wave.
func (s *Session) OpenTable(ctx context.Context, p table.Proposal) (*table.View, error) {
	if err := s.checkActionRate(); err != nil {
		return nil, err
	}
	if err := s.Spend(limit.WorkOpen); err != nil {
		return nil, err
	}
	if err := s.checkOpenCooldown(ctx, &p); err != nil {
		return nil, err
	}
	t, view, err := s.prepareTable(p)
	if err == errcode.ErrNotOnline {
		err = s.notOnline(ctx, p.To)
	}
	if err != nil {
		return nil, err
	}
	if err := s.l.writeNewTable(ctx, t); err != nil {
		return nil, err
	}
	return view, nil
}

// prepareTable adds a new table to those that are being opened, and returns it also as it will be. It returns
// errcode.ErrNotOnline if the user whom it challenges is not online.
func (s *Session) prepareTable(p table.Proposal) (table.State, *table.View, error) {
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	t, err := s.newTable(p)
	if err != nil {
		return t, nil, err
	}
	var to *user
	if p.To != "" {
		if to = l.lists.user(p.To); to == nil {
			return t, nil, errcode.ErrNotOnline
		}
		if t, err = t.Challenge(s.user.atTable(false), to.atTable(false)); err != nil {
			return t, nil, err
		}
		if l.tables.HasChallenge(&t) {
			return t, nil, errcode.Errorf(errcode.NotAllowed, "you have already sent this challenge to %s; wait for the answer, or withdraw it", to.Account().Name)
		}
	}
	if err := l.checkTableLimits(&t); err != nil {
		return t, nil, err
	}
	if to != nil {
		if err := l.checkChallengeRate(&t, s.Account(), to.Account()); err != nil {
			return t, nil, err
		}
	}
	t.ID = l.newID()
	l.tables.AddOpening(t)
	return t, table.NewView(&t, l.listedUser), nil
}

// newTable returns a table with p's terms at which only the session's user is seated. It does not add it to
// the lobby. The caller holds Lobby.mu.
func (s *Session) newTable(p table.Proposal) (table.State, error) {
	game := s.l.games[0]
	if !p.Quick || p.Game != "" {
		var err error
		if game, err = s.l.Game(p.Game); err != nil {
			return table.State{}, err
		}
	}
	joinCode := ""
	if p.Private {
		joinCode = RandomCode(accountCodeBits)
	}
	t, err := table.New(p, game, s.user.atTable(false), joinCode, s.l.node.Now())
	t.Origin = s.origin()
	return t, err
}

// StartAgainst starts a match with the users of other sessions, such as bots, without asking them, and
// returns its id.
func (s *Session) StartAgainst(ctx context.Context, p table.Proposal, others ...*Session) (id string, err error) {
	if err := s.Spend(limit.WorkBot); err != nil {
		return "", err
	}
	t, err := s.tableWith(p, others)
	if err != nil {
		s.l.countLimitHit(err)
		return "", err
	}
	users := []*user{s.user}
	for _, o := range others {
		users = append(users, o.user)
	}
	return s.l.matches.create(ctx, t.Terms, "", seatOrder(&t.Terms, users), nil)
}

// AddBots gives free seats at a table of the session's user to bots, without asking them: n seats, or all if
// n is 0. bots are their sessions, of which those that are seated already are passed over. It returns the
// match's id if the match starts.
func (s *Session) AddBots(ctx context.Context, id string, n int, bots []*Session) (matchID string, err error) {
	if err := s.checkActionRate(); err != nil {
		return "", err
	}
	if err := s.Spend(limit.WorkBot); err != nil {
		return "", err
	}
	l := s.l
	return l.updateTable(ctx, id, func(t table.State) (table.Change, error) {
		rules := l.tableRules()
		users := make([]table.User, len(bots))
		for i, b := range bots {
			users[i] = b.user.atTable(rules.DistinctOrigins)
		}
		return t.AddBots(s.Account().ID, users, n, l.tableUser, rules)
	})
}

// tableWith returns a table of the session's user at which the users of other sessions are seated.
func (s *Session) tableWith(p table.Proposal, others []*Session) (table.State, error) {
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	t, err := s.newTable(p)
	if err != nil {
		return t, err
	}
	rules := l.tableRules()
	users := make([]table.User, len(others))
	for i, o := range others {
		users[i] = o.user.atTable(rules.DistinctOrigins)
	}
	return t.With(users, l.tableUser, rules)
}

// JoinTable takes a seat at an open table. code is needed for a private table. It returns the match's id if the
// match starts.
func (s *Session) JoinTable(ctx context.Context, id, code string) (matchID string, err error) {
	if err := s.checkActionRate(); err != nil {
		return "", err
	}
	if err := s.checkJoinCooldown(ctx, id); err != nil {
		return "", err
	}
	l := s.l
	return l.updateTable(ctx, id, func(t table.State) (table.Change, error) {
		rules := l.tableRules()
		c, err := t.Join(s.user.atTable(rules.DistinctOrigins), code, l.tableUser, rules)
		l.countLimitHit(err)
		return c, err
	})
}

// MarkReady marks the session's user as ready to start with fewer players than there are seats. It returns the
// match's id if the match starts.
func (s *Session) MarkReady(ctx context.Context, id string) (matchID string, err error) {
	if err := s.checkActionRate(); err != nil {
		return "", err
	}
	return s.l.updateTable(ctx, id, func(t table.State) (table.Change, error) { return t.MarkReady(s.Account().ID) })
}

// CancelTable closes the table if the session's user is its owner; otherwise it gives up their seat.
func (s *Session) CancelTable(ctx context.Context, id string) error {
	if err := s.checkActionRate(); err != nil {
		return err
	}
	if err := s.Spend(limit.WorkCancel); err != nil {
		return err
	}
	_, err := s.l.updateTable(ctx, id, func(t table.State) (table.Change, error) { return t.Leave(s.Account().ID) })
	return err
}

// DeclineChallenge declines a direct challenge and closes its table.
func (s *Session) DeclineChallenge(ctx context.Context, id string) error {
	if err := s.checkActionRate(); err != nil {
		return err
	}
	_, err := s.l.updateTable(ctx, id, func(t table.State) (table.Change, error) { return t.Decline(s.Account().ID) })
	return err
}

// CheckChallenge returns the name of an online user, as the user writes it, whom the session's user can challenge
// to a casual game, or why they cannot: an error that is errcode.ErrNotOnline if a table with days for each turn would wait
// for that user. A challenge can still be refused for its terms, or for a limit.
func (s *Session) CheckChallenge(ctx context.Context, name string) (string, error) {
	if err := s.checkActionRate(); err != nil {
		return "", err
	}
	to, err := s.checkChallenge(name)
	if to == "" && err == nil {
		err = s.notOnline(ctx, name)
	}
	return to, err
}

// notOnline returns why a user who is not online cannot be challenged, and what can be done instead.
func (s *Session) notOnline(ctx context.Context, name string) error {
	a, err := s.l.store.AccountByName(ctx, name)
	switch {
	case errors.Is(err, errcode.ErrNotFound):
		return errcode.Errorf(errcode.BadRequest, "there is no player %q; check the name", sanitize.Line(name, account.MaxName))
	case err != nil:
		return err
	case s.Account().IsGuest(): // who cannot have days for each turn
		return errcode.Errorf(errcode.BadRequest, "the player %s is not online; open a table instead, or wait", a.Name)
	}
	return &errcode.Error{Code: errcode.BadRequest, Cause: errcode.ErrNotOnline,
		Message: fmt.Sprintf("the player %s is not online; open a table with days for each turn, such as 3d, which waits for them", a.Name)}
}

// checkChallenge is CheckChallenge for users who are online; "" for others.
func (s *Session) checkChallenge(name string) (string, error) {
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	to := l.lists.user(name)
	if to == nil {
		return "", nil
	}
	me := s.user.atTable(false)
	_, err := table.State{Seating: table.Seating{Seated: []account.ID{me.ID}}}.Challenge(me, to.atTable(false))
	return to.Account().Name, err
}

// checkChallengeRate counts the challenge of a table, or returns an errcode.RateLimited error. The caller holds l.mu.
func (l *Lobby) checkChallengeRate(t *table.State, by, to account.Account) error {
	if l.challenges.Take(int64(by.ID), t.Origin, int64(to.ID), to.Bot, time.Now()) {
		return nil
	}
	l.LimitHits.Add(limit.HitChallenges)
	return errcode.Errorf(errcode.RateLimited, "the player %s has received too many challenges; wait a minute, or open a public table", to.Name)
}
