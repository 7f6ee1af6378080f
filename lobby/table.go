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
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
)

// ownerGrace is the time without a session after which a user loses a seat at a live table, and a live
// challenge to them expires.
const ownerGrace = 10 * time.Second

// maxOptions is the maximum size of a proposal's options, in bytes.
const maxOptions = 1024

// Proposal describes a table to open, or what a quick match should offer.
type Proposal struct {
	Game    string
	Options json.RawMessage // in the game's JSON form; nil: defaults, or in a quick match: any
	Clock   *clock.Control  // nil: no clock, or in a quick match: any
	Rated   *bool           // nil: casual, or in a quick match: any
	Private bool
	To      string // the name of the challenged user; empty: an open table
	Quick   bool   // a quick match: the server pairs it in its waves
	Delay   int    // turns by which spectators see the match late, 0 to MaxDelay
}

// MaxDelay is the longest delay of a match for its spectators, in turns.
const MaxDelay = 20

// Table is an immutable state of an open table.
type Table struct {
	ID      string
	Game    string
	Options engine.Options
	Control clock.Control
	Rated   bool
	Private bool
	Quick   bool
	To      string // the name of the challenged user, or empty
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

// Equal reports whether two states of a table are displayed alike.
func (t *Table) Equal(o *Table) bool {
	return t.ID == o.ID && t.To == o.To && t.Options == o.Options && t.Control == o.Control && t.Rated == o.Rated &&
		slices.Equal(t.Seated, o.Seated) && slices.Equal(t.Ready, o.Ready)
}

// Code returns the code of a private table for those whom the table concerns, and "" for others.
func (t *Table) Code(id AccountID) string {
	if t.Concerns(id) {
		return t.code
	}
	return ""
}

// tableState is the mutable state of a table. Lobby.mu guards all of it.
type tableState struct {
	terms
	id       string
	quick    bool
	request  Proposal // of a quick match: its nil fields accept any value
	waves    int      // waves in which a quick match found no partner
	to       *user    // the challenged user; nil: open to all
	seated   []*user
	ready    map[*user]bool
	opened   time.Time
	starting bool // its match is being recorded, and nobody can join or leave
}

func (t *tableState) owner() *user { return t.seated[0] }

// pool returns the rating pool of the match that the table leads to.
func (t *tableState) pool() string {
	_, maxSeats := t.options.Seats()
	return account.Pool(t.game, maxSeats)
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

// Open opens a table or starts a quick match, and returns its state. A quick match joins a fitting table in
// the next wave.
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
			return nil, errcode.Errorf(errcode.BadRequest, "%q is not online", CleanText(p.To, MaxName))
		}
		if t.to == s.user {
			return nil, errcode.Errorf(errcode.BadRequest, "you cannot challenge yourself")
		}
		switch target := t.to.Account(); {
		case s.user.hasBlocked(target.ID):
			return nil, errcode.Errorf(errcode.NotAllowed, "you have blocked %s; unblock them first, in the account screen", target.Name)
		case t.to.hasBlocked(s.Account().ID):
			return nil, errcode.Errorf(errcode.NotAllowed, "%s is not accepting challenges; open a table instead", target.Name)
		}
		if t.rated && t.to.Account().IsGuest() {
			return nil, errcode.Errorf(errcode.NotAllowed, "guests can only play casual games; offer a casual one")
		}
		if l.challenged(t) {
			return nil, errcode.Errorf(errcode.NotAllowed, "you have already sent this challenge to %s; wait for the answer, or withdraw it", t.to.Account().Name)
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
		t.to.wake() // even if the session ignores the lists
	}
	return t.snapshot(), nil
}

// challenged reports whether the owner of t has already challenged the same user to the same match. The
// caller holds l.mu.
func (l *Lobby) challenged(t *tableState) bool {
	for _, o := range l.tables {
		if o.owner() == t.owner() && o.to == t.to && o.game == t.game && o.options == t.options && o.control == t.control && o.rated == t.rated {
			return true
		}
	}
	return false
}

// StartAgainst starts a match with the users of other sessions, such as bots, without asking them, and
// returns its id.
func (s *Session) StartAgainst(ctx context.Context, p Proposal, others ...*Session) (id string, err error) {
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
	if minSeats, maxSeats := t.options.Seats(); len(t.seated) < minSeats || len(t.seated) > maxSeats {
		return "", errcode.Errorf(errcode.BadRequest, "%s has %d to %d seats", match.Title(t.options), minSeats, maxSeats)
	}
	if s.user.unfinishedCount() >= s.l.limits.Load().MatchesPerUser {
		return "", s.l.limitError(HitMatchesPerUser, "you already play %d matches; finish one first", s.user.unfinishedCount())
	}
	return s.l.createMatch(ctx, t.terms, shuffledSeats(t.seated))
}

// newTable returns a table with p's terms at which only the session's user is seated. It does not add it to
// the lobby.
func (s *Session) newTable(p Proposal) (*tableState, error) {
	game, ok := s.l.games.ByName(p.Game)
	if !ok {
		return nil, errcode.Errorf(errcode.BadRequest, "there is no game %q", CleanText(p.Game, 20))
	}
	if len(p.Options) > maxOptions {
		return nil, errcode.Errorf(errcode.BadRequest, "options have at most %d bytes", maxOptions)
	}
	options, err := game.ParseOptions(p.Options)
	if err != nil {
		return nil, errcode.Errorf(errcode.BadRequest, "%s", err.Error())
	}
	if _, seats := options.Seats(); seats > engine.MaxSeats {
		return nil, errcode.Errorf(errcode.BadRequest, "a game has at most %d seats here", engine.MaxSeats)
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
		t.code = RandomCode(accountCodeBits)
	}
	return t, nil
}

// Seats returns the maximum number of players of the proposed match.
func (p Proposal) Seats(games engine.Games) (int, error) {
	game, ok := games.ByName(p.Game)
	if !ok {
		return 0, errcode.Errorf(errcode.BadRequest, "there is no game %q", CleanText(p.Game, 20))
	}
	options, err := game.ParseOptions(p.Options)
	if err != nil {
		return 0, errcode.Errorf(errcode.BadRequest, "%s", err.Error())
	}
	_, maxSeats := options.Seats()
	return maxSeats, nil
}

// checkOpen returns why the session's user cannot open the table, as far as that depends on no other user.
func (s *Session) checkOpen(t *tableState) error {
	guest := s.Account().IsGuest()
	switch {
	case t.rated && guest:
		return errcode.Errorf(errcode.NotAllowed, "rated games need an SSH key; guests can only play casual games")
	case t.control.Days > 0 && guest:
		return errcode.Errorf(errcode.NotAllowed, "correspondence games need an SSH key; guests can only play live games")
	}
	if t.delay < 0 || t.delay > MaxDelay {
		return errcode.Errorf(errcode.BadRequest, "the spectator delay is 0 to %d turns", MaxDelay)
	}
	if err := t.control.Check(); err != nil {
		return errcode.Errorf(errcode.BadRequest, "%s", err.Error())
	}
	return nil
}

// checkTableLimits returns the limit that keeps a user from opening a further table from an origin. The
// caller holds l.mu.
func (l *Lobby) checkTableLimits(p *user, from netip.Prefix) error {
	byUser, byOrigin := 0, 0
	for _, t := range l.tables {
		if t.owner() == p {
			byUser++
		}
		if from.IsValid() && t.origin == from {
			byOrigin++
		}
	}
	switch {
	case l.closed || l.draining.Load():
		return errcode.Errorf(errcode.Unavailable, "the server is restarting; try again in a moment")
	case byUser >= l.limits.Load().TablesPerUser:
		return l.limitError(HitTablesPerUser, "you already have %d open tables; cancel one first", byUser)
	case byOrigin >= l.limits.Load().tablesPerAddress():
		return l.limitError(HitTablesPerAddress, "too many tables have been opened from your address; join one of them")
	case len(l.tables) >= l.limits.Load().Tables:
		return l.limitError(HitTables, "there are too many open tables; join one of them")
	}
	return nil
}

// userByName returns the user of that name, ignoring case, who has a session; nil if there is none. The
// caller holds l.mu.
func (l *Lobby) userByName(name string) *user {
	for _, p := range l.users {
		if since, _ := p.absent(); since.IsZero() && strings.EqualFold(p.Account().Name, name) {
			return p
		}
	}
	return nil
}

// Join takes a seat at an open table. code is needed for a private table. It returns the match's id if the
// match starts.
func (s *Session) Join(ctx context.Context, id, code string) (matchID string, err error) {
	if err := s.checkActionRate(); err != nil {
		return "", err
	}
	l := s.l
	l.mu.Lock()
	t := l.tables[id]
	if t == nil || t.starting {
		l.mu.Unlock()
		return "", errcode.Errorf(errcode.UnknownTable, "there is no open table %q; its game may have started, or it was closed", CleanText(id, 20))
	}
	if err := t.checkJoin(s.user, code, l.limits.Load()); err != nil {
		l.mu.Unlock()
		l.countLimitHit(err)
		return "", err
	}
	t.seated = append(t.seated, s.user)
	matchID, err = l.startIfComplete(ctx, t)
	if err != nil {
		l.mu.Lock()
		l.removeFromTable(t, s.user, EventWithdrawn)
		l.mu.Unlock()
	}
	return matchID, err
}

// checkJoin returns why a user cannot join the table. The caller holds Lobby.mu, or t is not in the lobby
// yet.
func (t *tableState) checkJoin(p *user, code string, limits *Limits) error {
	a := p.Account()
	switch {
	case slices.Contains(t.seated, p):
		return errcode.Errorf(errcode.NotAllowed, "you have already joined this table")
	case t.to != nil && t.to != p:
		return errcode.Errorf(errcode.NotAllowed, "this table is a challenge to %s", t.to.Account().Name)
	case t.private && t.to != p && !codesEqual(t.code, code):
		return errcode.Errorf(errcode.NotAllowed, "this table is private; ask %s for the code", t.owner().Account().Name)
	case t.rated && a.IsGuest():
		return errcode.Errorf(errcode.NotAllowed, "rated games need an SSH key; guests can only play casual games")
	case t.control.Days > 0 && a.IsGuest():
		return errcode.Errorf(errcode.NotAllowed, "correspondence games need an SSH key; guests can only play live games")
	case slices.ContainsFunc(t.seated, func(o *user) bool { return p.hasBlocked(o.Account().ID) }):
		return errcode.Errorf(errcode.NotAllowed, "a player you have blocked is at that table; unblock them first, in the account screen")
	case slices.ContainsFunc(t.seated, func(o *user) bool { return o.hasBlocked(a.ID) }):
		return errcode.Errorf(errcode.NotAllowed, "you cannot join this table; choose another, or open one")
	case t.rated && limits.RatedDistinctAddresses && sameAddress(append(slices.Clip(t.seated), p)):
		return errSameAddress
	case p.unfinishedCount() >= limits.MatchesPerUser && !a.Bot:
		return errcode.Errorf(errcode.Full, "you already play %d matches; finish one first", p.unfinishedCount())
	}
	return nil
}

// startIfComplete starts the match of a table that is complete and returns its id; "" if it is not
// complete. If the match cannot be created, the table stays open as it was. The caller holds l.mu;
// startIfComplete releases it, because the match is recorded without a lock.
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

// isComplete reports whether the match can start: all seats are taken, or at least the minimum and
// everybody seated is ready. The caller holds Lobby.mu.
func (t *tableState) isComplete() bool {
	minSeats, maxSeats := t.options.Seats()
	if len(t.seated) == maxSeats {
		return true
	}
	for _, p := range t.seated {
		if !t.ready[p] {
			return false
		}
	}
	return len(t.seated) >= minSeats
}

// Ready marks the session's user as ready to start with fewer players than there are seats. It returns the
// match's id if the match starts.
func (s *Session) Ready(ctx context.Context, id string) (matchID string, err error) {
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
		return "", nil // nothing changes
	}
	t.ready[s.user] = true
	return l.startIfComplete(ctx, t)
}

// tableOf returns an open table at which the user is seated, or an error. The caller holds l.mu.
func (l *Lobby) tableOf(id string, p *user) (*tableState, error) {
	t := l.tables[id]
	switch {
	case t == nil || t.starting:
		return nil, errcode.Errorf(errcode.UnknownTable, "there is no open table %q", CleanText(id, 20))
	case !slices.Contains(t.seated, p):
		return nil, errcode.Errorf(errcode.NotAllowed, "you have no seat at table %s", id)
	}
	return t, nil
}

// Cancel closes the table if the session's user is its owner; otherwise it gives up their seat.
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

// removeFromTable removes a user from a table. If the user is its owner, the table closes with the reason
// why. The caller holds l.mu.
func (l *Lobby) removeFromTable(t *tableState, p *user, why EventKind) {
	if t.owner() == p {
		l.closeTable(t, why, p)
		return
	}
	t.seated = slices.DeleteFunc(t.seated, func(o *user) bool { return o == p })
	delete(t.ready, p)
}

// closeTable closes a table and notifies its users, except by, of the reason. by is the user who caused it.
// The caller holds l.mu.
func (l *Lobby) closeTable(t *tableState, why EventKind, by *user) {
	all := slices.Clone(t.seated)
	if t.to != nil {
		all = append(all, t.to)
	}
	l.notifyTable(t, why, by, all...)
	delete(l.tables, t.id)
	for _, p := range all {
		l.dropUser(p) // they may be absent
	}
}

// Decline declines a direct challenge and closes its table.
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
		return errcode.Errorf(errcode.UnknownTable, "there is no open table %q", CleanText(id, 20))
	case t.to != s.user:
		return errcode.Errorf(errcode.NotAllowed, "table %s is not a challenge to you", id)
	}
	l.closeTable(t, EventDeclined, s.user)
	l.listsChanged()
	return nil
}

// leaveLiveTables removes users whose live match starts from all live tables.
func (l *Lobby) leaveLiveTables(users []*user) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range users {
		for _, t := range l.tables {
			if !t.starting && t.control.Days == 0 && slices.Contains(t.seated, p) {
				l.removeFromTable(t, p, EventWithdrawn)
			}
		}
	}
}

// sweepTables removes users who have been absent for longer than ownerGrace from live tables, and closes
// live challenges to such users.
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

// codesEqual compares a code with a typed text in constant time. Codes are lower-case; typed ones may not
// be. It is false for the empty code.
func codesEqual(code, typed string) bool {
	return code != "" && subtle.ConstantTimeCompare([]byte(code), []byte(strings.ToLower(typed))) == 1
}
