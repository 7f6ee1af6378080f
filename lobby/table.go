package lobby

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"net/netip"
	"slices"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/engine/games"
	"ayumu/lobby/clock"
)

// ownerGrace is how long a live table waits for an owner, and a live challenge for the challenged
// player, whose last session ended.
const ownerGrace = 10 * time.Second

// maxOptions bounds a proposal's options, in bytes.
const maxOptions = 1024

// Proposal is what somebody wants to play.
type Proposal struct {
	Game    string
	Options json.RawMessage // as the game reads them; nil: defaults, or in a quick match: any
	Clock   *clock.Control  // nil: no clock, or in a quick match: any
	Rated   *bool           // nil: casual, or in a quick match: any
	Private bool
	To      string // a direct challenge to that person
	Quick   bool   // be matched in the next waves
	Delay   int    // turns that watchers see the match late, 0 to MaxDelay
}

// MaxDelay is the longest delay of a match for its watchers, in turns.
const MaxDelay = 20

// Table is an open table as others see it: immutable.
type Table struct {
	ID      string
	Game    string
	Options engine.Options
	Control clock.Control
	Rated   bool
	Private bool
	Quick   bool
	To      string // the name of who is challenged, or empty
	Owner   string
	Seated  []string // the owner first
	Ready   []string // of those
	Rating  *Rating  // the owner's in this game; nil for a guest
	Opened  time.Time
	Delay   int // turns that watchers will see the match late

	users    []AccountID           // seated, then the one challenged
	blockers []map[AccountID]Block // whom those who are seated have blocked
	code     string                // the code
}

// Concerns reports whether somebody sits at the table or is challenged by it.
func (t *Table) Concerns(id AccountID) bool { return slices.Contains(t.users, id) }

// hasBlocked reports whether one who sits at the table has blocked somebody.
func (t *Table) hasBlocked(id AccountID) bool {
	for _, m := range t.blockers {
		if _, blocked := m[id]; blocked {
			return true
		}
	}
	return false
}

// Equal reports whether two states of a table show the same.
func (t *Table) Equal(o *Table) bool {
	return t.ID == o.ID && t.To == o.To && t.Options == o.Options && t.Control == o.Control && t.Rated == o.Rated &&
		slices.Equal(t.Seated, o.Seated) && slices.Equal(t.Ready, o.Ready)
}

// Code returns what lets people join a private table, to those who sit there; otherwise "".
func (t *Table) Code(id AccountID) string {
	if t.Concerns(id) {
		return t.code
	}
	return ""
}

// tableState is the changing thing behind a Table; the lobby's mutex guards it.
type tableState struct {
	terms
	id       string
	quick    bool
	request  Proposal // of a quick request: which of its values are binding
	waves    int      // that a quick request has waited
	to       *user
	seated   []*user
	ready    map[*user]bool
	opened   time.Time
	starting bool // its match is being recorded: nobody joins or leaves
}

func (t *tableState) owner() *user { return t.seated[0] }

// pool returns whose ratings are compared at the table.
func (t *tableState) pool() string {
	_, limit := t.options.Seats()
	return Pool(t.game, limit)
}

func (t *tableState) snapshot() *Table {
	s := &Table{
		ID: t.id, Game: t.game, Options: t.options, Control: t.control, Rated: t.rated, Private: t.private,
		Quick: t.quick, Owner: t.owner().Account().Name, Opened: t.opened, Delay: t.delay, code: t.code,
	}
	if r, ok := t.owner().Account().Rating(t.pool()); ok {
		s.Rating = &r
	}
	for _, p := range t.seated {
		a := p.Account()
		s.Seated, s.users = append(s.Seated, a.Name), append(s.users, a.ID)
		if t.ready[p] {
			s.Ready = append(s.Ready, a.Name)
		}
		if all := p.blocks.Load(); all != nil && len(*all) > 0 {
			s.blockers = append(s.blockers, *all)
		}
	}
	if t.to != nil {
		s.To, s.users = t.to.Account().Name, append(s.users, t.to.Account().ID)
	}
	return s
}

// Open opens a table, or a quick request, and returns it. A quick request that fits an open table
// joins it in the next wave.
func (s *Session) Open(ctx context.Context, p Proposal) (*Table, error) {
	if err := s.checkActionRate(); err != nil {
		return nil, err
	}
	if err := s.Spend(WorkOpen); err != nil {
		return nil, err
	}
	t, err := s.newTable(p)
	if err != nil {
		return nil, err
	}
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.To != "" {
		if t.to = l.userByName(p.To); t.to == nil {
			return nil, errorf(CodeBadRequest, "nobody called %q is here", CleanText(p.To, MaxName))
		}
		if t.to == s.user {
			return nil, errorf(CodeBadRequest, "you cannot challenge yourself")
		}
		switch who := t.to.Account(); {
		case s.user.hasBlocked(who.ID):
			return nil, errorf(CodeNotAllowed, "you have blocked %s; lift that first, in the account screen", who.Name)
		case t.to.hasBlocked(s.Account().ID):
			return nil, errorf(CodeNotAllowed, "%s takes no challenges at present; an open table finds you somebody", who.Name)
		}
		if t.rated && t.to.Account().IsGuest() {
			return nil, errorf(CodeNotAllowed, "guests play casual games; offer one that is not rated")
		}
		if l.challenged(t) {
			return nil, errorf(CodeNotAllowed, "%s has this challenge of yours already; wait for the answer, or withdraw it", t.to.Account().Name)
		}
	}
	if err := l.checkTableLimits(s.user, t.origin); err != nil {
		return nil, err
	}
	if t.to != nil {
		if err := l.mayChallenge(t); err != nil {
			return nil, err
		}
	}
	t.id = l.newID()
	l.tables[t.id] = t
	l.listsChanged()
	if t.to != nil {
		t.to.wake() // also where he looks away from the lists
	}
	return t.snapshot(), nil
}

// challenged reports whether the owner of a table has another one with the same challenge to the
// same person. mu must be held.
func (l *Lobby) challenged(t *tableState) bool {
	for _, o := range l.tables {
		if o.owner() == t.owner() && o.to == t.to && o.game == t.game && o.options == t.options && o.control == t.control && o.rated == t.rated {
			return true
		}
	}
	return false
}

// StartAgainst starts a match at once with others who are known to be willing, such as bots.
func (s *Session) StartAgainst(ctx context.Context, p Proposal, others ...*Session) (match string, err error) {
	if err := s.Spend(WorkBot); err != nil {
		return "", err
	}
	t, err := s.newTable(p)
	if err != nil {
		return "", err
	}
	for _, o := range others {
		if err := t.checkJoin(o.user, "", s.l.limits.Load()); err != nil {
			s.l.countLimitHit(err)
			return "", err
		}
		t.seated = append(t.seated, o.user)
	}
	if minimum, limit := t.options.Seats(); len(t.seated) < minimum || len(t.seated) > limit {
		return "", errorf(CodeBadRequest, "%s has %d to %d seats", Title(t.game, t.options), minimum, limit)
	}
	if s.user.unfinishedCount() >= s.l.limits.Load().MatchesPerUser {
		return "", s.l.limitError(HitMatchesPerUser, "you play %d matches already; finish one first", s.user.unfinishedCount())
	}
	return s.l.createMatch(ctx, t.terms, shuffledSeats(t.seated))
}

// newTable makes a table of what somebody wants to play, at which he sits alone.
func (s *Session) newTable(p Proposal) (*tableState, error) {
	game, ok := games.ByName(p.Game)
	if !ok {
		return nil, errorf(CodeBadRequest, "there is no game %q here", CleanText(p.Game, 20))
	}
	if len(p.Options) > maxOptions {
		return nil, errorf(CodeBadRequest, "options have at most %d bytes", maxOptions)
	}
	options, err := game.ParseOptions(p.Options)
	if err != nil {
		return nil, errorf(CodeBadRequest, "%s", err.Error())
	}
	t := &tableState{
		terms: terms{game: p.Game, options: options, private: p.Private, delay: p.Delay, origin: s.origin()},
		quick: p.Quick, request: p, seated: []*user{s.user}, ready: map[*user]bool{s.user: p.Quick}, opened: time.Now(),
	}
	if p.Rated != nil {
		t.rated = *p.Rated
	}
	switch {
	case p.Clock != nil:
		t.control = *p.Clock
	case p.Quick:
		t.control = clock.Default
	}
	if err := s.checkOpen(t); err != nil {
		return nil, err
	}
	if p.Private {
		t.code = randomCode(accountCodeBits)
	}
	return t, nil
}

// Seats returns how many people can play what is proposed.
func (p Proposal) Seats() (int, error) {
	game, ok := games.ByName(p.Game)
	if !ok {
		return 0, errorf(CodeBadRequest, "there is no game %q here", CleanText(p.Game, 20))
	}
	options, err := game.ParseOptions(p.Options)
	if err != nil {
		return 0, errorf(CodeBadRequest, "%s", err.Error())
	}
	_, limit := options.Seats()
	return limit, nil
}

// checkOpen checks what needs no look at others.
func (s *Session) checkOpen(t *tableState) error {
	guest := s.Account().IsGuest()
	switch {
	case t.rated && guest:
		return errorf(CodeNotAllowed, "rated games need an SSH key; guests play casual games")
	case t.control.Days > 0 && guest:
		return errorf(CodeNotAllowed, "games over days need an SSH key; guests play in one sitting")
	}
	if t.delay < 0 || t.delay > MaxDelay {
		return errorf(CodeBadRequest, "the delay for watchers is 0 to %d turns", MaxDelay)
	}
	if err := t.control.Check(); err != nil {
		return errorf(CodeBadRequest, "%s", err.Error())
	}
	return nil
}

// checkTableLimits returns why a person can open no further table from an origin. mu must be held.
func (l *Lobby) checkTableLimits(p *user, from netip.Prefix) error {
	own, near := 0, 0
	for _, t := range l.tables {
		if t.owner() == p {
			own++
		}
		if from.IsValid() && t.origin == from {
			near++
		}
	}
	switch {
	case l.closed || l.draining.Load():
		return errorf(CodeUnavailable, "the server is closing; come back in a moment")
	case own >= l.limits.Load().TablesPerUser:
		return l.limitError(HitTablesPerUser, "you have %d open tables already; cancel one first", own)
	case near >= l.limits.Load().tablesPerAddress():
		return l.limitError(HitTablesPerAddress, "as many tables are open as may be from one address; join one of them")
	case len(l.tables) >= l.limits.Load().Tables:
		return l.limitError(HitTables, "the lobby has no room for more tables; join one of them")
	}
	return nil
}

// userByName returns somebody who is here by name. mu must be held.
func (l *Lobby) userByName(name string) *user {
	for _, p := range l.users {
		if since, _ := p.absent(); since.IsZero() && strings.EqualFold(p.Account().Name, name) {
			return p
		}
	}
	return nil
}

// Join takes a seat at an open table. If that starts the match, its id is returned.
func (s *Session) Join(ctx context.Context, id, code string) (match string, err error) {
	if err := s.checkActionRate(); err != nil {
		return "", err
	}
	l := s.l
	l.mu.Lock()
	t := l.tables[id]
	if t == nil || t.starting {
		l.mu.Unlock()
		return "", errorf(CodeUnknownTable, "there is no open table %q; it may just have begun or been closed", CleanText(id, 20))
	}
	if err := t.checkJoin(s.user, code, l.limits.Load()); err != nil {
		l.mu.Unlock()
		l.countLimitHit(err)
		return "", err
	}
	t.seated = append(t.seated, s.user)
	match, err = l.startIfComplete(ctx, t)
	if err != nil {
		l.mu.Lock()
		l.removeFromTable(t, s.user, EventWithdrawn)
		l.mu.Unlock()
	}
	return match, err
}

// checkJoin returns why somebody cannot sit down at a table within the limits. mu must be held.
func (t *tableState) checkJoin(p *user, code string, limits *Limits) error {
	a := p.Account()
	switch {
	case slices.Contains(t.seated, p):
		return errorf(CodeNotAllowed, "you sit at this table already")
	case t.to != nil && t.to != p:
		return errorf(CodeNotAllowed, "this table is a challenge to %s", t.to.Account().Name)
	case t.private && t.to != p && !codesEqual(t.code, code):
		return errorf(CodeNotAllowed, "this table is private; ask %s for the code", t.owner().Account().Name)
	case t.rated && a.IsGuest():
		return errorf(CodeNotAllowed, "rated games need an SSH key; guests play casual games")
	case t.control.Days > 0 && a.IsGuest():
		return errorf(CodeNotAllowed, "games over days need an SSH key; guests play in one sitting")
	case slices.ContainsFunc(t.seated, func(o *user) bool { return p.hasBlocked(o.Account().ID) }):
		return errorf(CodeNotAllowed, "somebody sits there whom you have blocked; lift that first, in the account screen")
	case slices.ContainsFunc(t.seated, func(o *user) bool { return o.hasBlocked(a.ID) }):
		return errorf(CodeNotAllowed, "you cannot sit down at this table; choose another, or open one")
	case t.rated && limits.RatedDistinctAddresses && sameAddress(append(slices.Clip(t.seated), p)):
		return errSameAddress
	case p.unfinishedCount() >= limits.MatchesPerUser && !a.Bot:
		return errorf(CodeFull, "you play %d matches already; finish one first", p.unfinishedCount())
	}
	return nil
}

// startIfComplete starts the match of a table if it is complete. mu must be held; it is released. After an
// error the table is as it was.
func (l *Lobby) startIfComplete(ctx context.Context, t *tableState) (string, error) {
	if !t.isComplete() {
		l.mu.Unlock()
		l.listsChanged()
		return "", nil
	}
	t.starting = true
	seats := shuffledSeats(t.seated)
	l.mu.Unlock()
	id, err := l.createMatch(ctx, t.terms, seats)
	l.mu.Lock()
	if err != nil {
		t.starting = false
	} else {
		delete(l.tables, t.id)
		if t.to != nil {
			l.challenges.accepted(t.owner().Account().ID, t.origin, t.to.Account().ID, time.Now())
		}
	}
	l.mu.Unlock()
	l.listsChanged()
	return id, err
}

// isComplete reports whether the match can start: all seats are taken, or enough of them and all
// who sit there are ready.
func (t *tableState) isComplete() bool {
	minimum, limit := t.options.Seats()
	if len(t.seated) == limit {
		return true
	}
	for _, p := range t.seated {
		if !t.ready[p] {
			return false
		}
	}
	return len(t.seated) >= minimum
}

// Ready says that somebody is willing to start a table that has its minimum but is not full. If
// that starts the match, its id is returned.
func (s *Session) Ready(ctx context.Context, id string) (match string, err error) {
	if err := s.checkActionRate(); err != nil {
		return "", err
	}
	l := s.l
	l.mu.Lock()
	t, err := l.tableOf(id, s.user)
	if err != nil {
		l.mu.Unlock()
		return "", err
	}
	if t.ready[s.user] {
		l.mu.Unlock()
		return "", nil // nobody need be told again
	}
	t.ready[s.user] = true
	return l.startIfComplete(ctx, t)
}

// tableOf finds a table at which a person sits. mu must be held.
func (l *Lobby) tableOf(id string, p *user) (*tableState, error) {
	t := l.tables[id]
	switch {
	case t == nil || t.starting:
		return nil, errorf(CodeUnknownTable, "there is no open table %q", CleanText(id, 20))
	case !slices.Contains(t.seated, p):
		return nil, errorf(CodeNotAllowed, "you do not sit at table %s", id)
	}
	return t, nil
}

// Cancel closes one's own table, or stands up from another's.
func (s *Session) Cancel(id string) error {
	if err := s.checkActionRate(); err != nil {
		return err
	}
	if err := s.Spend(WorkCancel); err != nil {
		return err
	}
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	t, err := l.tableOf(id, s.user)
	if err != nil {
		return err
	}
	l.removeFromTable(t, s.user, EventWithdrawn)
	l.listsChanged()
	return nil
}

// removeFromTable takes a person off a table. If it was theirs it is closed, and why is reported to all others
// whom it concerns. mu must be held.
func (l *Lobby) removeFromTable(t *tableState, p *user, why EventKind) {
	if t.owner() == p {
		l.closeTable(t, why, p)
		return
	}
	t.seated = slices.DeleteFunc(t.seated, func(o *user) bool { return o == p })
	delete(t.ready, p)
}

// closeTable closes a table and reports to everybody whom it concerns, except by, why by has closed
// it. mu must be held.
func (l *Lobby) closeTable(t *tableState, why EventKind, by *user) {
	all := slices.Clone(t.seated)
	if t.to != nil {
		all = append(all, t.to)
	}
	l.notifyTable(t, why, by, all...)
	delete(l.tables, t.id)
	for _, p := range all {
		l.dropUser(p) // where only the table kept them
	}
}

// Decline refuses a direct challenge, which closes its table.
func (s *Session) Decline(id string) error {
	if err := s.checkActionRate(); err != nil {
		return err
	}
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.tables[id]
	switch {
	case t == nil || t.starting:
		return errorf(CodeUnknownTable, "there is no open table %q", CleanText(id, 20))
	case t.to != s.user:
		return errorf(CodeNotAllowed, "table %s is not a challenge to you", id)
	}
	l.closeTable(t, EventDeclined, s.user)
	l.listsChanged()
	return nil
}

// leaveLiveTables takes people who begin a live match off all live tables at which they wait.
func (l *Lobby) leaveLiveTables(people []*user) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range people {
		for _, t := range l.tables {
			if !t.starting && t.control.Days == 0 && slices.Contains(t.seated, p) {
				l.removeFromTable(t, p, EventWithdrawn)
			}
		}
	}
}

// sweepTables closes live tables whose owners have gone and live challenges to people who have gone, and
// takes others who have gone off theirs.
func (l *Lobby) sweepTables(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.tables {
		if t.starting || t.control.Days > 0 {
			continue
		}
		for _, p := range slices.Clone(t.seated) {
			if p.absentFor(now, ownerGrace) {
				l.removeFromTable(t, p, EventExpired)
				l.dropUser(p)
				l.listsChanged()
			}
		}
		if p := t.to; p != nil && l.tables[t.id] == t && p.absentFor(now, ownerGrace) {
			l.closeTable(t, EventExpired, p)
			l.listsChanged()
		}
	}
}

// codesEqual compares a code with what somebody typed, in constant time. Codes have small letters;
// typed ones may have capitals.
func codesEqual(code, typed string) bool {
	return code != "" && subtle.ConstantTimeCompare([]byte(code), []byte(strings.ToLower(typed))) == 1
}
