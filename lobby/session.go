package lobby

import (
	"maps"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// person is somebody who is here, or who sits at a match that is. Several sessions may be his.
type person struct {
	account atomic.Pointer[Account]
	blocks  atomic.Pointer[map[AccountID]Block] // never changed, only replaced, under mu
	deleted atomic.Bool                         // the account was deleted, or is about to be

	starting int // matches with the person that are being recorded; guarded by Lobby.mu

	// For the list of people; guarded by Lobby.mu.
	listed bool     // he stands in it
	key    string   // his name, letter case aside
	keyOf  *Account // of which it is the name

	mu        sync.Mutex
	sessions  map[*Session]struct{}
	matches   []*Match // those in memory in which he has a seat, oldest first
	gone      time.Time
	dropped   bool
	events    []TableEvent // never changed, only replaced
	lastEvent uint64       // the number of the newest of them
	chat      bucket
	acts      bucket
}

// Account returns who it is.
func (p *person) Account() Account { return *p.account.Load() }

// poke wakes all sessions of the person.
func (p *person) poke() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s := range p.sessions {
		s.poke()
	}
}

// absent returns since when the person has no session, and whether the last one broke; the zero
// time: he is here.
func (p *person) absent() (since time.Time, dropped bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.gone, p.dropped
}

// goneFor reports whether the person has had no session for at least that long.
func (p *person) goneFor(now time.Time, d time.Duration) bool {
	since, _ := p.absent()
	return !since.IsZero() && now.Sub(since) >= d
}

// here returns how many sessions the person has.
func (p *person) here() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.sessions)
}

func (p *person) add(m *Match) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.matches = append(p.matches[:len(p.matches):len(p.matches)], m)
}

func (p *person) remove(m *Match) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.matches = slices.DeleteFunc(slices.Clone(p.matches), func(o *Match) bool { return o == m })
}

// seated returns the person's matches in memory; the slice is shared and never changed.
func (p *person) seated() []*Match {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.matches
}

// playing returns in how many matches the person plays that go on.
func (p *person) playing() int {
	n := 0
	for _, m := range p.seated() {
		if !m.live.Load().Over() {
			n++
		}
	}
	return n
}

// busy returns in how many matches the person plays that go on or begin. Lobby.mu must be held.
func (p *person) busy() int { return p.playing() + p.starting }

// arrive and depart keep the person's sessions; depart reports whether it was the last.
func (p *person) arrive(s *Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.firstEvent = p.lastEvent
	p.sessions[s] = struct{}{}
	p.gone = time.Time{}
}

func (p *person) depart(s *Session, dropped bool) (last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.sessions, s)
	if len(p.sessions) == 0 {
		p.gone, p.dropped = time.Now(), dropped
		return true
	}
	return false
}

// person returns the entry of an account, new or old. mu must be held.
func (l *Lobby) person(a Account) *person {
	p := l.people[a.ID]
	if p == nil {
		p = &person{sessions: make(map[*Session]struct{}), gone: time.Now(), dropped: true}
		p.account.Store(&a)
		l.people[a.ID] = p
	}
	return p
}

// dropPerson forgets somebody who has neither a session nor a match nor a table here. mu must be held.
func (l *Lobby) dropPerson(p *person) {
	p.mu.Lock()
	needed := len(p.sessions) > 0 || len(p.matches) > 0
	p.mu.Unlock()
	if needed {
		return
	}
	for _, t := range l.tables {
		if t.to == p || slices.Contains(t.seated, p) {
			return
		}
	}
	delete(l.people, p.Account().ID)
	for _, codes := range []map[string]AccountID{l.returns, l.earlier} {
		maps.DeleteFunc(codes, func(_ string, id AccountID) bool { return id == p.Account().ID })
	}
}

// Session is one person at one screen or program. It is woken when something it may look at has
// changed, and then reads what it wants. Its methods may be called from any goroutine.
type Session struct {
	l      *Lobby
	person *person
	wake   chan struct{}
	lag    func() time.Duration
	idle   atomic.Bool // does not look at the lobby's lists

	firstEvent uint64      // the number of the person's last event before the session; never changed
	staff      atomic.Bool // a moderator's

	mu      sync.Mutex // guards what follows
	from    netip.Prefix
	closed  bool
	watched map[*Match]struct{}
}

// Enter lets somebody in. lag returns the connection's measured round trip; nil: none is known.
func (l *Lobby) Enter(a Account, lag func() time.Duration) (*Session, error) {
	if lag == nil {
		lag = func() time.Duration { return 0 }
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, fail(Unavailable, "the server is closing; come back in a moment")
	}
	if _, deleted := l.deleted[a.ID]; deleted {
		return nil, errDeleted
	}
	p := l.person(a)
	if n := p.here(); n >= l.limits.Load().Sessions && !a.Bot {
		return nil, l.full(HitSessions, "you are here %d times already; leave somewhere first", n)
	}
	p.account.Store(&a)
	p.setBlocks(a)
	s := &Session{l: l, person: p, wake: make(chan struct{}, 1), lag: lag}
	p.arrive(s)
	l.sessions[s] = struct{}{}
	for _, m := range p.seated() {
		m.notice()
	}
	l.changed()
	return s, nil
}

// Close ends the session; it may be called more than once. dropped: the connection broke, so
// that the longer grace holds.
func (s *Session) Close(dropped bool) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	watched := s.watched
	s.watched = nil
	s.mu.Unlock()
	for m := range watched {
		m.unwatch(s)
	}
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.sessions, s)
	if s.person.depart(s, dropped) {
		for _, m := range s.person.seated() {
			m.notice()
		}
		l.dropPerson(s.person)
	}
	l.changed()
}

// notice tells the match that the presence of a player changed. It never waits.
func (m *Match) notice() {
	select {
	case m.poke <- struct{}{}:
	default:
	}
}

func (s *Session) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Wake is signalled after anything the session may look at has changed. Signals run together.
func (s *Session) Wake() <-chan struct{} { return s.wake }

// Look wakes the session itself, as if something had changed.
func (s *Session) Look() { s.poke() }

// Account returns who the session belongs to, as of now.
func (s *Session) Account() Account { return s.person.Account() }

// Lobby returns the lobby.
func (s *Session) Lobby() *Lobby { return s.l }

// LookAway tells whether the session shows none of the lobby's lists at present, so that their
// changes need not wake it.
func (s *Session) LookAway(away bool) { s.idle.Store(away) }

// Moderates says that the session is a moderator's, whose words reach those too who have blocked
// him.
func (s *Session) Moderates() { s.staff.Store(true) }

// ComesFrom says from which address the session's person has come, so that what he opens and
// begins takes from that address's share. Without it, it takes from nobody's.
func (s *Session) ComesFrom(a netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.from = Origin(a)
}

func (s *Session) origin() netip.Prefix {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.from
}

// Say speaks in the lobby.
func (s *Session) Say(text string) error {
	return s.say(LobbyRoom, &s.l.Chat, text, s.l.changed)
}

func (s *Session) say(kind Room, room *Chat, text string, then func()) error {
	clean := CleanText(text, MaxChat)
	if clean == "" {
		return fail(BadRequest, "there is nothing in that to say")
	}
	if s.person.deleted.Load() {
		return errDeleted
	}
	if err := s.l.speak(s.Account(), kind); err != nil {
		return err
	}
	now := time.Now()
	s.person.mu.Lock()
	limits := s.l.limits.Load()
	ok := s.person.chat.take(now, limits.ChatRate, limits.ChatBurst)
	s.person.mu.Unlock()
	if !ok {
		s.l.Hits.Add(HitChat)
		return fail(RateLimited, "that was a lot of talk; wait a few seconds")
	}
	a := s.Account()
	room.add(ChatLine{At: now, From: a.Name, Text: clean, Who: a.ID, Staff: s.staff.Load()})
	then()
	return nil
}

// Seated returns the person's matches that are in memory, oldest first, finished ones included
// for a while. The slice is shared and must not be changed.
func (s *Session) Seated() []*Match { return s.person.seated() }

// Plays reports whether the person still plays in a match: it goes on, and the seat has not left.
func (s *Session) Plays(m *Match) bool {
	now := m.live.Load()
	seat, ok := m.Info.seat(s.Account().ID)
	return ok && !now.Over() && !now.Position.Left(seat)
}

// Snapshot returns the newest state of a match that the session may see: a player of it sees
// everything at once, anybody else as late as the match is shown.
func (s *Session) Snapshot(m *Match) *Snapshot {
	if m.Info.plays(s.Account().ID) {
		return m.live.Load()
	}
	return m.Snapshot()
}

// Sit takes the session's own seat at a match.
func (s *Session) Sit(id string) (*Player, error) {
	m, err := s.l.Match(id)
	if err != nil {
		return nil, err
	}
	seat, ok := m.Info.seat(s.Account().ID)
	if !ok {
		return nil, fail(NotAllowed, "you have no seat at match %s", id)
	}
	return &Player{m: m, s: s, seat: seat}, nil
}

// See returns the newest state of a match in memory that the session may see, without watching it:
// a player sees everything, anybody else as late as the match is shown, and a private match with its
// code.
func (s *Session) See(id, code string) (*Snapshot, error) {
	m, err := s.l.Match(id)
	switch {
	case err != nil:
		return nil, err
	case m.Info.Private && !m.Info.plays(s.Account().ID) && !s.watches(m) && !sameCode(m.live.Load().Code, code):
		return nil, fail(NotAllowed, "match %s is private; ask its players for the code", id)
	}
	return s.Snapshot(m), nil
}

func (s *Session) watches(m *Match) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, watched := s.watched[m]
	return watched
}

// Watcher is a session's view of a match at which it has no seat. It has no way to act.
type Watcher struct {
	m *Match
	s *Session
}

// Watch begins to watch a match; code opens a private one.
func (s *Session) Watch(id, code string) (*Watcher, error) {
	m, err := s.l.Match(id)
	if err != nil {
		return nil, err
	}
	if _, seated := m.Info.seat(s.Account().ID); seated {
		return &Watcher{m: m, s: s}, nil // the match wakes its players anyway, and they are no audience
	}
	if m.Info.Private && !sameCode(m.live.Load().Code, code) {
		return nil, fail(NotAllowed, "match %s is private; ask its players for the code", id)
	}
	if err := s.addWatched(m); err != nil {
		return nil, err
	}
	s.l.stirred()
	return &Watcher{m: m, s: s}, nil
}

// addWatched puts the session into the match's audience, from which Close takes it out.
func (s *Session) addWatched(m *Match) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fail(Unavailable, "the session has ended")
	}
	if _, again := s.watched[m]; !again && len(s.watched) >= s.l.limits.Load().Watched {
		return s.l.full(HitWatched, "you watch %d matches already; leave one first", len(s.watched))
	}
	if s.watched == nil {
		s.watched = make(map[*Match]struct{})
	}
	s.watched[m] = struct{}{}
	m.audience.Lock()
	defer m.audience.Unlock()
	m.watching[s] = struct{}{}
	return nil
}

// Match returns the match.
func (w *Watcher) Match() *Match { return w.m }

// Snapshot returns the newest state that a watcher may see.
func (w *Watcher) Snapshot() *Snapshot { return w.m.Snapshot() }

// Say speaks in the watchers' room.
func (w *Watcher) Say(text string) error {
	return w.s.say(GalleryRoom, &w.m.Gallery, text, w.m.wakeAll)
}

// Close ends the watching.
func (w *Watcher) Close() {
	w.s.mu.Lock()
	delete(w.s.watched, w.m)
	w.s.mu.Unlock()
	w.m.unwatch(w.s)
	w.s.l.stirred()
}

func (m *Match) unwatch(s *Session) {
	m.audience.Lock()
	defer m.audience.Unlock()
	delete(m.watching, s)
}

// Watchers returns how many sessions watch.
func (m *Match) Watchers() int {
	m.audience.Lock()
	defer m.audience.Unlock()
	return len(m.watching)
}
