package lobby

import (
	"context"
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/table"
)

// Table is an immutable state of an open table, as sessions see it.
type Table struct {
	ID      string
	Game    string
	Options engine.Options
	Control clock.Control
	Rated   bool
	Private bool
	Quick   bool
	Any     AnyTerms // what a quick match accepts any value of; Game and the others then have the defaults
	First   First    // who moves first in a match of two
	To      string   // the name of the challenged user, or empty
	Owner   string
	Seated  []string // the owner first
	Ready   []string // names of those of Seated who are ready
	Rating  *Rating  // the owner's in this pool; nil for a guest
	Opened  time.Time
	Delay   int // turns by which spectators will see the match late

	users    []AccountID           // the seated users, then the challenged one
	blockers []map[AccountID]Block // the blocks of each seated user who has any
	code     string                // of a private table; empty otherwise
}

// Concerns reports whether the account has a seat at the table or is challenged by it.
func (t *Table) Concerns(id AccountID) bool { return slices.Contains(t.users, id) }

// hasBlocked reports whether a seated user has blocked the account.
func (t *Table) hasBlocked(id AccountID) bool {
	for _, m := range t.blockers {
		if _, blocked := m[id]; blocked {
			return true
		}
	}
	return false
}

// FreeSeats returns the number of seats that nobody has, without the one of a challenged user.
func (t *Table) FreeSeats() int {
	_, limit := t.Options.Seats()
	free := limit - len(t.Seated)
	if t.To != "" && !slices.Contains(t.Seated, t.To) {
		free--
	}
	return free
}

// AnyTerms states of which terms a quick match accepts any value.
type AnyTerms struct{ Game, Options, Clock, Rated bool }

// Equal reports whether two states of a table are displayed alike.
func (t *Table) Equal(o *Table) bool {
	return t.ID == o.ID && t.To == o.To && t.Options == o.Options && t.Control == o.Control && t.Rated == o.Rated &&
		t.First == o.First && slices.Equal(t.Seated, o.Seated) && slices.Equal(t.Ready, o.Ready)
}

// Code returns the code of a private table for those whom the table concerns, and "" for others.
func (t *Table) Code(id AccountID) string {
	if t.Concerns(id) {
		return t.code
	}
	return ""
}

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
	l := st.s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	t, err := st.newTable(p)
	if err != nil {
		return nil, err
	}
	var to *user
	if p.To != "" {
		if to = l.users.byName(p.To); to == nil {
			return nil, errcode.Errorf(errcode.BadRequest, "%q is not online", sanitize.Line(p.To, MaxName))
		}
		if t, err = t.Challenge(st.s.user.atTable(false), to.atTable(false)); err != nil {
			return nil, err
		}
		if l.tables.hasChallenge(&t) {
			return nil, errcode.Errorf(errcode.NotAllowed, "you have already sent this challenge to %s; wait for the answer, or withdraw it", to.Account().Name)
		}
	}
	if err := l.tables.checkLimits(&t); err != nil {
		return nil, err
	}
	if to != nil {
		if err := l.checkChallengeRate(&t, st.s.Account(), to.Account()); err != nil {
			return nil, err
		}
	}
	t.ID = l.newID()
	l.tables.byID[t.ID] = &t
	l.lists.changed()
	if to != nil {
		to.wake() // even if the session ignores the lists
	}
	return l.tables.view(&t), nil
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
	code := ""
	if p.Private {
		code = RandomCode(accountCodeBits)
	}
	t, err := table.New(p, game, st.s.user.atTable(false), code, time.Now())
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
	return st.s.l.matches.create(ctx, t.Terms, "", seatOrder(t.First, users))
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
	tables := &st.s.l.tables
	return tables.update(ctx, id, func(t table.State) (table.Change, error) {
		rules := tables.rules()
		users := make([]table.User, len(bots))
		for i, b := range bots {
			users[i] = b.user.atTable(rules.DistinctOrigins)
		}
		return t.AddBots(st.s.Account().ID, users, n, tables.user, rules)
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
	rules := l.tables.rules()
	users := make([]table.User, len(others))
	for i, o := range others {
		users[i] = o.user.atTable(rules.DistinctOrigins)
	}
	return t.With(users, l.tables.user, rules)
}

// Join takes a seat at an open table. code is needed for a private table. It returns the match's id if the
// match starts.
func (st SessionTables) Join(ctx context.Context, id, code string) (matchID string, err error) {
	if err := st.s.checkActionRate(); err != nil {
		return "", err
	}
	tables := &st.s.l.tables
	matchID, err = tables.update(ctx, id, func(t table.State) (table.Change, error) {
		rules := tables.rules()
		c, err := t.Join(st.s.user.atTable(rules.DistinctOrigins), code, tables.user, rules)
		st.s.l.countLimitHit(err)
		return c, err
	})
	return matchID, err
}

// Ready marks the session's user as ready to start with fewer players than there are seats. It returns the
// match's id if the match starts.
func (st SessionTables) Ready(ctx context.Context, id string) (matchID string, err error) {
	if err := st.s.checkActionRate(); err != nil {
		return "", err
	}
	return st.s.l.tables.update(ctx, id, func(t table.State) (table.Change, error) { return t.MarkReady(st.s.Account().ID) })
}

// Cancel closes the table if the session's user is its owner; otherwise it gives up their seat.
func (st SessionTables) Cancel(id string) error {
	if err := st.s.checkActionRate(); err != nil {
		return err
	}
	if err := st.s.Budget().Spend(limit.WorkCancel); err != nil {
		return err
	}
	_, err := st.s.l.tables.change(id, func(t table.State) (table.Change, error) { return t.Leave(st.s.Account().ID) })
	return err
}

// Decline declines a direct challenge and closes its table.
func (st SessionTables) Decline(id string) error {
	if err := st.s.checkActionRate(); err != nil {
		return err
	}
	_, err := st.s.l.tables.change(id, func(t table.State) (table.Change, error) { return t.Decline(st.s.Account().ID) })
	return err
}
