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

	people  []AccountID           // seated, then the one challenged
	shut    []map[AccountID]Block // whom those who are seated have blocked
	private string                // the code
}

// Concerns reports whether somebody sits at the table or is challenged by it.
func (t *Table) Concerns(id AccountID) bool { return slices.Contains(t.people, id) }

// shutTo reports whether one who sits at the table has blocked somebody.
func (t *Table) shutTo(id AccountID) bool {
	for _, m := range t.shut {
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
		return t.private
	}
	return ""
}

// table is the changing thing behind a Table; the lobby's mutex guards it.
type table struct {
	proposal
	id       string
	quick    bool
	wants    Proposal // of a quick request: which of its values are binding
	waves    int      // that a quick request has waited
	to       *person
	seated   []*person
	ready    map[*person]bool
	opened   time.Time
	starting bool // its match is being recorded: nobody joins or leaves
}

func (t *table) owner() *person { return t.seated[0] }

// pool returns whose ratings are compared at the table.
func (t *table) pool() string {
	_, most := t.options.Seats()
	return Pool(t.game, most)
}

func (t *table) show() *Table {
	s := &Table{
		ID: t.id, Game: t.game, Options: t.options, Control: t.control, Rated: t.rated, Private: t.private,
		Quick: t.quick, Owner: t.owner().Account().Name, Opened: t.opened, Delay: t.delay, private: t.code,
	}
	if r, ok := t.owner().Account().Rating(t.pool()); ok {
		s.Rating = &r
	}
	for _, p := range t.seated {
		a := p.Account()
		s.Seated, s.people = append(s.Seated, a.Name), append(s.people, a.ID)
		if t.ready[p] {
			s.Ready = append(s.Ready, a.Name)
		}
		if all := p.blocks.Load(); all != nil && len(*all) > 0 {
			s.shut = append(s.shut, *all)
		}
	}
	if t.to != nil {
		s.To, s.people = t.to.Account().Name, append(s.people, t.to.Account().ID)
	}
	return s
}

// Open opens a table, or a quick request, and returns it. A quick request that fits an open table
// joins it in the next wave.
func (s *Session) Open(ctx context.Context, p Proposal) (*Table, error) {
	if err := s.mayAct(); err != nil {
		return nil, err
	}
	if err := s.Spend(WorkOpen); err != nil {
		return nil, err
	}
	t, err := s.propose(p)
	if err != nil {
		return nil, err
	}
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.To != "" {
		if t.to = l.find(p.To); t.to == nil {
			return nil, fail(BadRequest, "nobody called %q is here", CleanText(p.To, MaxName))
		}
		if t.to == s.person {
			return nil, fail(BadRequest, "you cannot challenge yourself")
		}
		switch who := t.to.Account(); {
		case s.person.shuns(who.ID):
			return nil, fail(NotAllowed, "you have blocked %s; lift that first, in the account screen", who.Name)
		case t.to.shuns(s.Account().ID):
			return nil, fail(NotAllowed, "%s takes no challenges at present; an open table finds you somebody", who.Name)
		}
		if t.rated && t.to.Account().Guest() {
			return nil, fail(NotAllowed, "guests play casual games; offer one that is not rated")
		}
		if l.challenged(t) {
			return nil, fail(NotAllowed, "%s has this challenge of yours already; wait for the answer, or withdraw it", t.to.Account().Name)
		}
	}
	if err := l.roomFor(s.person, t.from); err != nil {
		return nil, err
	}
	if t.to != nil {
		if err := l.mayChallenge(t); err != nil {
			return nil, err
		}
	}
	t.id = l.newID()
	l.tables[t.id] = t
	l.changed()
	if t.to != nil {
		t.to.poke() // also where he looks away from the lists
	}
	return t.show(), nil
}

// challenged reports whether the owner of a table has another one with the same challenge to the
// same person. mu must be held.
func (l *Lobby) challenged(t *table) bool {
	for _, o := range l.tables {
		if o.owner() == t.owner() && o.to == t.to && o.game == t.game && o.options == t.options && o.control == t.control && o.rated == t.rated {
			return true
		}
	}
	return false
}

// Against starts a match at once with others who are known to be willing, such as bots.
func (s *Session) Against(ctx context.Context, p Proposal, others ...*Session) (match string, err error) {
	if err := s.Spend(WorkBot); err != nil {
		return "", err
	}
	t, err := s.propose(p)
	if err != nil {
		return "", err
	}
	for _, o := range others {
		if err := t.mayJoin(o.person, "", s.l.limits.Load()); err != nil {
			s.l.countFull(err)
			return "", err
		}
		t.seated = append(t.seated, o.person)
	}
	if least, most := t.options.Seats(); len(t.seated) < least || len(t.seated) > most {
		return "", fail(BadRequest, "%s has %d to %d seats", Title(t.game, t.options), least, most)
	}
	if s.person.playing() >= s.l.limits.Load().OwnMatches {
		return "", s.l.full(HitOwnMatches, "you play %d matches already; finish one first", s.person.playing())
	}
	return s.l.start(ctx, t.proposal, shuffled(t.seated))
}

// propose makes a table of what somebody wants to play, at which he sits alone.
func (s *Session) propose(p Proposal) (*table, error) {
	game, ok := games.ByName(p.Game)
	if !ok {
		return nil, fail(BadRequest, "there is no game %q here", CleanText(p.Game, 20))
	}
	if len(p.Options) > maxOptions {
		return nil, fail(BadRequest, "options have at most %d bytes", maxOptions)
	}
	options, err := game.ParseOptions(p.Options)
	if err != nil {
		return nil, fail(BadRequest, "%s", err.Error())
	}
	t := &table{
		proposal: proposal{game: p.Game, options: options, private: p.Private, delay: p.Delay, from: s.origin()},
		quick:    p.Quick, wants: p, seated: []*person{s.person}, ready: map[*person]bool{s.person: p.Quick}, opened: time.Now(),
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
	if err := s.mayOpen(t); err != nil {
		return nil, err
	}
	if p.Private {
		t.code = token(codeBits)
	}
	return t, nil
}

// Seats returns how many people can play what is proposed.
func (p Proposal) Seats() (int, error) {
	game, ok := games.ByName(p.Game)
	if !ok {
		return 0, fail(BadRequest, "there is no game %q here", CleanText(p.Game, 20))
	}
	options, err := game.ParseOptions(p.Options)
	if err != nil {
		return 0, fail(BadRequest, "%s", err.Error())
	}
	_, most := options.Seats()
	return most, nil
}

// mayOpen checks what needs no look at others.
func (s *Session) mayOpen(t *table) error {
	guest := s.Account().Guest()
	switch {
	case t.rated && guest:
		return fail(NotAllowed, "rated games need an SSH key; guests play casual games")
	case t.control.Days > 0 && guest:
		return fail(NotAllowed, "games over days need an SSH key; guests play in one sitting")
	}
	if t.delay < 0 || t.delay > MaxDelay {
		return fail(BadRequest, "the delay for watchers is 0 to %d turns", MaxDelay)
	}
	if err := t.control.Check(); err != nil {
		return fail(BadRequest, "%s", err.Error())
	}
	return nil
}

// roomFor returns why a person can open no further table from an origin. mu must be held.
func (l *Lobby) roomFor(p *person, from netip.Prefix) error {
	own, near := 0, 0
	for _, t := range l.tables {
		if t.owner() == p {
			own++
		}
		if from.IsValid() && t.from == from {
			near++
		}
	}
	switch {
	case l.closed || l.draining.Load():
		return fail(Unavailable, "the server is closing; come back in a moment")
	case own >= l.limits.Load().OwnTables:
		return l.full(HitOwnTables, "you have %d open tables already; cancel one first", own)
	case near >= l.limits.Load().OriginTables:
		return l.full(HitOriginTables, "as many tables are open as may be from one address; join one of them")
	case len(l.tables) >= l.limits.Load().Tables:
		return l.full(HitTables, "the lobby has no room for more tables; join one of them")
	}
	return nil
}

// find returns somebody who is here by name. mu must be held.
func (l *Lobby) find(name string) *person {
	for _, p := range l.people {
		if since, _ := p.absent(); since.IsZero() && strings.EqualFold(p.Account().Name, name) {
			return p
		}
	}
	return nil
}

// Join takes a seat at an open table. If that starts the match, its id is returned.
func (s *Session) Join(ctx context.Context, id, code string) (match string, err error) {
	if err := s.mayAct(); err != nil {
		return "", err
	}
	l := s.l
	l.mu.Lock()
	t := l.tables[id]
	if t == nil || t.starting {
		l.mu.Unlock()
		return "", fail(UnknownTable, "there is no open table %q; it may just have begun or been closed", CleanText(id, 20))
	}
	if err := t.mayJoin(s.person, code, l.limits.Load()); err != nil {
		l.mu.Unlock()
		l.countFull(err)
		return "", err
	}
	t.seated = append(t.seated, s.person)
	match, err = l.begin(ctx, t)
	if err != nil {
		l.mu.Lock()
		l.stand(t, s.person, EventWithdrawn)
		l.mu.Unlock()
	}
	return match, err
}

// mayJoin returns why somebody cannot sit down at a table within the limits. mu must be held.
func (t *table) mayJoin(p *person, code string, limits *Limits) error {
	a := p.Account()
	switch {
	case slices.Contains(t.seated, p):
		return fail(NotAllowed, "you sit at this table already")
	case t.to != nil && t.to != p:
		return fail(NotAllowed, "this table is a challenge to %s", t.to.Account().Name)
	case t.private && t.to != p && !sameCode(t.code, code):
		return fail(NotAllowed, "this table is private; ask %s for the code", t.owner().Account().Name)
	case t.rated && a.Guest():
		return fail(NotAllowed, "rated games need an SSH key; guests play casual games")
	case t.control.Days > 0 && a.Guest():
		return fail(NotAllowed, "games over days need an SSH key; guests play in one sitting")
	case slices.ContainsFunc(t.seated, func(o *person) bool { return p.shuns(o.Account().ID) }):
		return fail(NotAllowed, "somebody sits there whom you have blocked; lift that first, in the account screen")
	case slices.ContainsFunc(t.seated, func(o *person) bool { return o.shuns(a.ID) }):
		return fail(NotAllowed, "you cannot sit down at this table; choose another, or open one")
	case t.rated && limits.RatedApart && shareAddress(append(slices.Clip(t.seated), p)):
		return errOneAddress
	case p.playing() >= limits.OwnMatches && !a.Bot:
		return fail(Full, "you play %d matches already; finish one first", p.playing())
	}
	return nil
}

// begin starts the match of a table if it is complete. mu must be held; it is released. After an
// error the table is as it was.
func (l *Lobby) begin(ctx context.Context, t *table) (string, error) {
	if !t.complete() {
		l.mu.Unlock()
		l.changed()
		return "", nil
	}
	t.starting = true
	seats := shuffled(t.seated)
	l.mu.Unlock()
	id, err := l.start(ctx, t.proposal, seats)
	l.mu.Lock()
	if err != nil {
		t.starting = false
	} else {
		delete(l.tables, t.id)
		if t.to != nil {
			l.challenges.accepted(t.owner().Account().ID, t.from, t.to.Account().ID, time.Now())
		}
	}
	l.mu.Unlock()
	l.changed()
	return id, err
}

// complete reports whether the match can start: all seats are taken, or enough of them and all
// who sit there are ready.
func (t *table) complete() bool {
	least, most := t.options.Seats()
	if len(t.seated) == most {
		return true
	}
	for _, p := range t.seated {
		if !t.ready[p] {
			return false
		}
	}
	return len(t.seated) >= least
}

// Ready says that somebody is willing to start a table that has its minimum but is not full. If
// that starts the match, its id is returned.
func (s *Session) Ready(ctx context.Context, id string) (match string, err error) {
	if err := s.mayAct(); err != nil {
		return "", err
	}
	l := s.l
	l.mu.Lock()
	t, err := l.seatedAt(id, s.person)
	if err != nil {
		l.mu.Unlock()
		return "", err
	}
	if t.ready[s.person] {
		l.mu.Unlock()
		return "", nil // nobody need be told again
	}
	t.ready[s.person] = true
	return l.begin(ctx, t)
}

// seatedAt finds a table at which a person sits. mu must be held.
func (l *Lobby) seatedAt(id string, p *person) (*table, error) {
	t := l.tables[id]
	switch {
	case t == nil || t.starting:
		return nil, fail(UnknownTable, "there is no open table %q", CleanText(id, 20))
	case !slices.Contains(t.seated, p):
		return nil, fail(NotAllowed, "you do not sit at table %s", id)
	}
	return t, nil
}

// Cancel closes one's own table, or stands up from another's.
func (s *Session) Cancel(id string) error {
	if err := s.mayAct(); err != nil {
		return err
	}
	if err := s.Spend(WorkCancel); err != nil {
		return err
	}
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	t, err := l.seatedAt(id, s.person)
	if err != nil {
		return err
	}
	l.stand(t, s.person, EventWithdrawn)
	l.changed()
	return nil
}

// stand takes a person off a table. If it was theirs it is closed, and why is reported to all others
// whom it concerns. mu must be held.
func (l *Lobby) stand(t *table, p *person, why EventKind) {
	if t.owner() == p {
		l.closeTable(t, why, p)
		return
	}
	t.seated = slices.DeleteFunc(t.seated, func(o *person) bool { return o == p })
	delete(t.ready, p)
}

// closeTable closes a table and reports to everybody whom it concerns, except by, why by has closed
// it. mu must be held.
func (l *Lobby) closeTable(t *table, why EventKind, by *person) {
	all := slices.Clone(t.seated)
	if t.to != nil {
		all = append(all, t.to)
	}
	l.notifyTable(t, why, by, all...)
	delete(l.tables, t.id)
	for _, p := range all {
		l.dropPerson(p) // where only the table kept them
	}
}

// Decline refuses a direct challenge, which closes its table.
func (s *Session) Decline(id string) error {
	if err := s.mayAct(); err != nil {
		return err
	}
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.tables[id]
	switch {
	case t == nil || t.starting:
		return fail(UnknownTable, "there is no open table %q", CleanText(id, 20))
	case t.to != s.person:
		return fail(NotAllowed, "table %s is not a challenge to you", id)
	}
	l.closeTable(t, EventDeclined, s.person)
	l.changed()
	return nil
}

// clearTables takes people who begin a live match off all live tables at which they wait.
func (l *Lobby) clearTables(people []*person) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range people {
		for _, t := range l.tables {
			if !t.starting && t.control.Days == 0 && slices.Contains(t.seated, p) {
				l.stand(t, p, EventWithdrawn)
			}
		}
	}
}

// sweep closes live tables whose owners have gone and live challenges to people who have gone, and
// takes others who have gone off theirs.
func (l *Lobby) sweep(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.tables {
		if t.starting || t.control.Days > 0 {
			continue
		}
		for _, p := range slices.Clone(t.seated) {
			if p.goneFor(now, ownerGrace) {
				l.stand(t, p, EventExpired)
				l.dropPerson(p)
				l.changed()
			}
		}
		if p := t.to; p != nil && l.tables[t.id] == t && p.goneFor(now, ownerGrace) {
			l.closeTable(t, EventExpired, p)
			l.changed()
		}
	}
}

// sameCode compares a code with what somebody typed, in constant time. Codes have small letters;
// typed ones may have capitals.
func sameCode(code, typed string) bool {
	return code != "" && subtle.ConstantTimeCompare([]byte(code), []byte(strings.ToLower(typed))) == 1
}
