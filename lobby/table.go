package lobby

import (
	"context"
	"errors"

	"ayumu/engine"
	"ayumu/lobby/code"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/table"
)

// SessionTables is what a session can do at open tables. Session.Tables returns it.
type SessionTables struct{ s *Session }

// Tables returns what the session can do at open tables.
func (s *Session) Tables() SessionTables { return SessionTables{s} }

// Open opens a table or starts a quick match, and returns its state. A quick match joins a fitting table in
// the next wave.
func (st SessionTables) Open(ctx context.Context, p Proposal) (*Table, error) {
	if err := st.s.checkActionRate(); err != nil {
		return nil, err
	}
	if err := st.s.Budget().Spend(limit.WorkOpen); err != nil {
		return nil, err
	}
	if err := st.checkOpenCooldown(ctx, &p); err != nil {
		return nil, err
	}
	t, view, err := st.prepare(p)
	if err == errNotOnline {
		err = st.s.l.notOnline(ctx, p.To)
	}
	if err != nil {
		return nil, err
	}
	if err := st.s.l.openTable(ctx, t); err != nil {
		return nil, err
	}
	return view, nil
}

var errNotOnline = errors.New("the challenged user is not online")

// prepare adds a new table to those that are being opened, and returns it also as it will be. It returns errNotOnline if the
// user whom it challenges is not online.
func (st SessionTables) prepare(p Proposal) (table.State, *Table, error) {
	l := st.s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	t, err := st.newTable(p)
	if err != nil {
		return t, nil, err
	}
	var to *user
	if p.To != "" {
		if to = l.lists.user(p.To); to == nil {
			return t, nil, errNotOnline
		}
		if t, err = t.Challenge(st.s.user.atTable(false), to.atTable(false)); err != nil {
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
		if err := l.checkChallengeRate(&t, st.s.Account(), to.Account()); err != nil {
			return t, nil, err
		}
	}
	t.ID = l.newID()
	l.tables.Opening(t)
	return t, table.NewView(&t, l.listedUser), nil
}

// newTable returns a table with p's terms at which only the session's user is seated. It does not add it to
// the lobby. The caller holds Lobby.mu.
func (st SessionTables) newTable(p Proposal) (table.State, error) {
	game := st.s.l.games[0]
	if !p.Quick || p.Game != "" {
		var err error
		if game, err = st.s.l.Game(p.Game); err != nil {
			return table.State{}, err
		}
	}
	joinCode := ""
	if p.Private {
		joinCode = code.Random(accountCodeBits)
	}
	t, err := table.New(p, game, st.s.user.atTable(false), joinCode, st.s.l.node.Now())
	t.Origin = st.s.origin()
	return t, err
}

// Game returns the game with this name, or a CodeBadRequest error.
func (l *Lobby) Game(name string) (engine.Game, error) {
	game, ok := l.games.ByName(name)
	if !ok {
		return nil, errcode.Errorf(errcode.BadRequest, "there is no game %q", sanitize.Line(name, 20))
	}
	return game, nil
}

// StartAgainst starts a match with the users of other sessions, such as bots, without asking them, and
// returns its id.
func (st SessionTables) StartAgainst(ctx context.Context, p Proposal, others ...*Session) (id string, err error) {
	if err := st.s.Budget().Spend(limit.WorkBot); err != nil {
		return "", err
	}
	t, err := st.tableWith(p, others)
	if err != nil {
		st.s.l.countLimitHit(err)
		return "", err
	}
	users := []*user{st.s.user}
	for _, o := range others {
		users = append(users, o.user)
	}
	return st.s.l.matches.create(ctx, t.Terms, "", seatOrder(&t.Terms, users), nil)
}

// AddBots gives free seats at a table of the session's user to bots, without asking them: n seats, or all if
// n is 0. bots are their sessions, of which those that are seated already are passed over. It returns the
// match's id if the match starts.
func (st SessionTables) AddBots(ctx context.Context, id string, n int, bots []*Session) (matchID string, err error) {
	if err := st.s.checkActionRate(); err != nil {
		return "", err
	}
	if err := st.s.Budget().Spend(limit.WorkBot); err != nil {
		return "", err
	}
	l := st.s.l
	return l.updateTable(ctx, id, func(t table.State) (table.Change, error) {
		rules := l.tableRules()
		users := make([]table.User, len(bots))
		for i, b := range bots {
			users[i] = b.user.atTable(rules.DistinctOrigins)
		}
		return t.AddBots(st.s.Account().ID, users, n, l.tableUser, rules)
	})
}

// tableWith returns a table of the session's user at which the users of other sessions are seated.
func (st SessionTables) tableWith(p Proposal, others []*Session) (table.State, error) {
	l := st.s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	t, err := st.newTable(p)
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

// Join takes a seat at an open table. code is needed for a private table. It returns the match's id if the
// match starts.
func (st SessionTables) Join(ctx context.Context, id, code string) (matchID string, err error) {
	if err := st.s.checkActionRate(); err != nil {
		return "", err
	}
	if err := st.checkJoinCooldown(ctx, id); err != nil {
		return "", err
	}
	l := st.s.l
	return l.updateTable(ctx, id, func(t table.State) (table.Change, error) {
		rules := l.tableRules()
		c, err := t.Join(st.s.user.atTable(rules.DistinctOrigins), code, l.tableUser, rules)
		l.countLimitHit(err)
		return c, err
	})
}

// Ready marks the session's user as ready to start with fewer players than there are seats. It returns the
// match's id if the match starts.
func (st SessionTables) Ready(ctx context.Context, id string) (matchID string, err error) {
	if err := st.s.checkActionRate(); err != nil {
		return "", err
	}
	return st.s.l.updateTable(ctx, id, func(t table.State) (table.Change, error) { return t.MarkReady(st.s.Account().ID) })
}

// Cancel closes the table if the session's user is its owner; otherwise it gives up their seat.
func (st SessionTables) Cancel(id string) error {
	if err := st.s.checkActionRate(); err != nil {
		return err
	}
	if err := st.s.Budget().Spend(limit.WorkCancel); err != nil {
		return err
	}
	_, err := st.s.l.updateTable(st.s.l.ctx, id, func(t table.State) (table.Change, error) { return t.Leave(st.s.Account().ID) })
	return err
}

// Decline declines a direct challenge and closes its table.
func (st SessionTables) Decline(id string) error {
	if err := st.s.checkActionRate(); err != nil {
		return err
	}
	_, err := st.s.l.updateTable(st.s.l.ctx, id, func(t table.State) (table.Change, error) { return t.Decline(st.s.Account().ID) })
	return err
}
