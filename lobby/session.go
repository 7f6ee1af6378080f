package lobby

import (
	"maps"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// user is somebody who is here, or who sits at a match that is. Several sessions may be his.
type user struct {
	account atomic.Pointer[Account]
	blocks  atomic.Pointer[map[AccountID]Block] // never changed, only replaced, under mu
	deleted atomic.Bool                         // the account was deleted, or is about to be

	starting int // matches with the person that are being recorded; guarded by Lobby.mu

	// For the list of people; guarded by Lobby.mu.
	listed    bool     // he stands in it
	nameKey   string   // his name, letter case aside
	nameKeyOf *Account // of which it is the name

	mu           sync.Mutex
	sessions     map[*Session]struct{}
	matches      []*Match // those in memory in which he has a seat, oldest first
	absentSince  time.Time
	dropped      bool
	events       []TableEvent // never changed, only replaced
	lastEvent    uint64       // the number of the newest of them
	chatBucket   tokenBucket
	actionBucket tokenBucket
}

// Account returns who it is.
func (p *user) Account() Account { return *p.account.Load() }

// wake wakes all sessions of the person.
func (p *user) wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s := range p.sessions {
		s.wake()
	}
}

// absent returns since when the person has no session, and whether the last one broke; the zero
// time: he is here.
func (p *user) absent() (since time.Time, dropped bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.absentSince, p.dropped
}

// absentFor reports whether the person has had no session for at least that long.
func (p *user) absentFor(now time.Time, d time.Duration) bool {
	since, _ := p.absent()
	return !since.IsZero() && now.Sub(since) >= d
}

// sessionCount returns how many sessions the person has.
func (p *user) sessionCount() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.sessions)
}

func (p *user) addMatch(m *Match) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.matches = append(p.matches[:len(p.matches):len(p.matches)], m)
}

func (p *user) removeMatch(m *Match) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.matches = slices.DeleteFunc(slices.Clone(p.matches), func(o *Match) bool { return o == m })
}

// seatedMatches returns the person's matches in memory; the slice is shared and never changed.
func (p *user) seatedMatches() []*Match {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.matches
}

// unfinishedCount returns in how many matches the person plays that go on.
func (p *user) unfinishedCount() int {
	n := 0
	for _, m := range p.seatedMatches() {
		if !m.liveSnapshot.Load().IsOver() {
			n++
		}
	}
	return n
}

// busy returns in how many matches the person plays that go on or begin. Lobby.mu must be held.
func (p *user) busy() int { return p.unfinishedCount() + p.starting }

// addSession and depart keep the person's sessions; depart reports whether it was the last.
func (p *user) addSession(s *Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.firstEvent = p.lastEvent
	p.sessions[s] = struct{}{}
	p.absentSince = time.Time{}
}

func (p *user) removeSession(s *Session, dropped bool) (last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.sessions, s)
	if len(p.sessions) == 0 {
		p.absentSince, p.dropped = time.Now(), dropped
		return true
	}
	return false
}

// user returns the entry of an account, new or old. mu must be held.
func (l *Lobby) user(a Account) *user {
	p := l.users[a.ID]
	if p == nil {
		p = &user{sessions: make(map[*Session]struct{}), absentSince: time.Now(), dropped: true}
		p.account.Store(&a)
		l.users[a.ID] = p
	}
	return p
}

// dropUser forgets somebody who has neither a session nor a match nor a table here. mu must be held.
func (l *Lobby) dropUser(p *user) {
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
	delete(l.users, p.Account().ID)
	for _, codes := range []map[string]AccountID{l.guestByCode, l.guestByDigest} {
		maps.DeleteFunc(codes, func(_ string, id AccountID) bool { return id == p.Account().ID })
	}
}

// Session is one person at one screen or program. It is woken when something it may look at has
// changed, and then reads what it wants. Its methods may be called from any goroutine.
type Session struct {
	l            *Lobby
	user         *user
	wakeups      chan struct{}
	lag          func() time.Duration
	ignoresLists atomic.Bool // does not look at the lobby's lists

	firstEvent  uint64      // the number of the person's last event before the session; never changed
	isModerator atomic.Bool // a moderator's

	mu         sync.Mutex // guards what follows
	addrOrigin netip.Prefix
	closed     bool
	watched    map[*Match]struct{}
}

// Enter lets somebody in. lag returns the connection's measured round trip; nil: none is known.
func (l *Lobby) Enter(a Account, lag func() time.Duration) (*Session, error) {
	if lag == nil {
		lag = func() time.Duration { return 0 }
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errorf(CodeUnavailable, "the server is closing; come back in a moment")
	}
	if _, deleted := l.deleted[a.ID]; deleted {
		return nil, errDeleted
	}
	p := l.user(a)
	if n := p.sessionCount(); n >= l.limits.Load().SessionsPerUser && !a.Bot {
		return nil, l.limitError(HitSessionsPerUser, "you are here %d times already; leave somewhere first", n)
	}
	p.account.Store(&a)
	p.setBlocks(a)
	s := &Session{l: l, user: p, wakeups: make(chan struct{}, 1), lag: lag}
	p.addSession(s)
	l.sessions[s] = struct{}{}
	for _, m := range p.seatedMatches() {
		m.presenceChanged()
	}
	l.listsChanged()
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
		m.removeSpectator(s)
	}
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.sessions, s)
	if s.user.removeSession(s, dropped) {
		for _, m := range s.user.seatedMatches() {
			m.presenceChanged()
		}
		l.dropUser(s.user)
	}
	l.listsChanged()
}

// presenceChanged tells the match that the presence of a player changed. It never waits.
func (m *Match) presenceChanged() {
	select {
	case m.wakeups <- struct{}{}:
	default:
	}
}

func (s *Session) wake() {
	select {
	case s.wakeups <- struct{}{}:
	default:
	}
}

// Wakeups is signalled after anything the session may look at has changed. Signals run together.
func (s *Session) Wakeups() <-chan struct{} { return s.wakeups }

// WakeSelf wakes the session itself, as if something had changed.
func (s *Session) WakeSelf() { s.wake() }

// Account returns who the session belongs to, as of now.
func (s *Session) Account() Account { return s.user.Account() }

// Lobby returns the lobby.
func (s *Session) Lobby() *Lobby { return s.l }

// IgnoreLists tells whether the session shows none of the lobby's lists at present, so that their
// changes need not wake it.
func (s *Session) IgnoreLists(away bool) { s.ignoresLists.Store(away) }

// SetModerator says that the session is a moderator's, whose words reach those too who have blocked
// him.
func (s *Session) SetModerator() { s.isModerator.Store(true) }

// SetAddr says from which address the session's person has come, so that what he opens and
// begins takes from that address's share. Without it, it takes from nobody's.
func (s *Session) SetAddr(a netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addrOrigin = Origin(a)
}

func (s *Session) origin() netip.Prefix {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addrOrigin
}

// Say speaks in the lobby.
func (s *Session) Say(text string) error {
	return s.postChat(LobbyRoom, &s.l.Chat, text, s.l.listsChanged)
}

func (s *Session) postChat(kind Room, room *Chat, text string, then func()) error {
	clean := CleanText(text, MaxChat)
	if clean == "" {
		return errorf(CodeBadRequest, "there is nothing in that to say")
	}
	if s.user.deleted.Load() {
		return errDeleted
	}
	if err := s.l.checkChat(s.Account(), kind); err != nil {
		return err
	}
	now := time.Now()
	s.user.mu.Lock()
	limits := s.l.limits.Load()
	ok := s.user.chatBucket.take(now, limits.ChatRate, limits.ChatBurst)
	s.user.mu.Unlock()
	if !ok {
		s.l.LimitHits.Add(HitChat)
		return errorf(CodeRateLimited, "that was a lot of talk; wait a few seconds")
	}
	a := s.Account()
	room.add(ChatLine{At: now, Author: a.Name, Text: clean, AuthorID: a.ID, ByModerator: s.isModerator.Load()})
	then()
	return nil
}

// SeatedMatches returns the person's matches that are in memory, oldest first, finished ones included
// for a while. The slice is shared and must not be changed.
func (s *Session) SeatedMatches() []*Match { return s.user.seatedMatches() }

// IsPlaying reports whether the person still plays in a match: it goes on, and the seat has not left.
func (s *Session) IsPlaying(m *Match) bool {
	now := m.liveSnapshot.Load()
	seat, ok := m.Info.seatOf(s.Account().ID)
	return ok && !now.IsOver() && !now.Position.HasLeft(seat)
}

// Snapshot returns the newest state of a match that the session may see: a player of it sees
// everything at once, anybody else as late as the match is shown.
func (s *Session) Snapshot(m *Match) *Snapshot {
	if m.Info.hasPlayer(s.Account().ID) {
		return m.liveSnapshot.Load()
	}
	return m.Snapshot()
}

// Sit takes the session's own seat at a match.
func (s *Session) Sit(id string) (*Player, error) {
	m, err := s.l.Match(id)
	if err != nil {
		return nil, err
	}
	seat, ok := m.Info.seatOf(s.Account().ID)
	if !ok {
		return nil, errorf(CodeNotAllowed, "you have no seat at match %s", id)
	}
	return &Player{m: m, s: s, seat: seat}, nil
}

// SnapshotOf returns the newest state of a match in memory that the session may see, without watching it:
// a player sees everything, anybody else as late as the match is shown, and a private match with its
// code.
func (s *Session) SnapshotOf(id, code string) (*Snapshot, error) {
	m, err := s.l.Match(id)
	switch {
	case err != nil:
		return nil, err
	case m.Info.Private && !m.Info.hasPlayer(s.Account().ID) && !s.watches(m) && !codesEqual(m.liveSnapshot.Load().Code, code):
		return nil, errorf(CodeNotAllowed, "match %s is private; ask its players for the code", id)
	}
	return s.Snapshot(m), nil
}

func (s *Session) watches(m *Match) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, watched := s.watched[m]
	return watched
}

// Spectator is a session's view of a match at which it has no seat. It has no way to act.
type Spectator struct {
	m *Match
	s *Session
}

// Watch begins to watch a match; code opens a private one.
func (s *Session) Watch(id, code string) (*Spectator, error) {
	m, err := s.l.Match(id)
	if err != nil {
		return nil, err
	}
	if _, seated := m.Info.seatOf(s.Account().ID); seated {
		return &Spectator{m: m, s: s}, nil // the match wakes its players anyway, and they are no audience
	}
	if m.Info.Private && !codesEqual(m.liveSnapshot.Load().Code, code) {
		return nil, errorf(CodeNotAllowed, "match %s is private; ask its players for the code", id)
	}
	if err := s.addSpectator(m); err != nil {
		return nil, err
	}
	s.l.matchChanged()
	return &Spectator{m: m, s: s}, nil
}

// addSpectator puts the session into the match's audience, from which Close takes it out.
func (s *Session) addSpectator(m *Match) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errorf(CodeUnavailable, "the session has ended")
	}
	if _, again := s.watched[m]; !again && len(s.watched) >= s.l.limits.Load().WatchedPerSession {
		return s.l.limitError(HitWatchedPerSession, "you watch %d matches already; leave one first", len(s.watched))
	}
	if s.watched == nil {
		s.watched = make(map[*Match]struct{})
	}
	s.watched[m] = struct{}{}
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	m.spectators[s] = struct{}{}
	return nil
}

// Match returns the match.
func (w *Spectator) Match() *Match { return w.m }

// Snapshot returns the newest state that a watcher may see.
func (w *Spectator) Snapshot() *Snapshot { return w.m.Snapshot() }

// Say speaks in the watchers' room.
func (w *Spectator) Say(text string) error {
	return w.s.postChat(SpectatorRoom, &w.m.SpectatorChat, text, w.m.wakeAll)
}

// Close ends the watching.
func (w *Spectator) Close() {
	w.s.mu.Lock()
	delete(w.s.watched, w.m)
	w.s.mu.Unlock()
	w.m.removeSpectator(w.s)
	w.s.l.matchChanged()
}

func (m *Match) removeSpectator(s *Session) {
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	delete(m.spectators, s)
}

// SpectatorCount returns how many sessions watch.
func (m *Match) SpectatorCount() int {
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	return len(m.spectators)
}
