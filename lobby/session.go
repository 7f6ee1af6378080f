package lobby

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/table"
)

// dropUser removes a user without a session, a match in memory and a table. The caller holds l.mu.
func (l *Lobby) dropUser(p *user) {
	p.mu.Lock()
	needed := len(p.sessions) > 0 || len(p.matches) > 0
	p.mu.Unlock()
	if needed || l.tables.concern(p.Account().ID) {
		return
	}
	delete(l.users, p.Account().ID)
	l.guests.forget(p.Account().ID)
}

// Session is one use of the lobby by one user: by screens, line mode, a program or a bot. It is woken when
// something it may display has changed, and then reads what it needs. Enter is the constructor; the caller
// must Close it. Its methods may be called from any goroutine.
type Session struct {
	l            *Lobby
	user         *user
	wakeups      chan struct{}
	lag          func() time.Duration
	ignoresLists atomic.Bool // is not woken for the lobby's lists

	firstEvent  uint64      // the user's last event before the session; never changed
	isModerator atomic.Bool // its chat lines are a moderator's

	mu         sync.Mutex // guards the fields below
	addrOrigin netip.Prefix
	closed     bool
	watched    map[*Match]struct{}
}

// Enter starts a session of an account. lag returns the connection's measured round-trip time; nil:
// unknown. lag may be called from any goroutine.
func (l *Lobby) Enter(a Account, lag func() time.Duration) (*Session, error) {
	if lag == nil {
		lag = func() time.Duration { return 0 }
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errcode.Errorf(errcode.Unavailable, "the server is restarting; try again in a moment")
	}
	if _, deleted := l.deleted[a.ID]; deleted {
		return nil, errDeleted
	}
	p := l.users.add(a)
	if n := p.sessionCount(); n >= l.limits.Load().SessionsPerUser && !a.Bot {
		return nil, l.limitError(HitSessionsPerUser, "you already have %d sessions; close one first", n)
	}
	p.account.Store(&a)
	p.setBlocks(a)
	s := &Session{l: l, user: p, wakeups: make(chan struct{}, 1), lag: lag}
	p.addSession(s)
	l.sessions[s] = struct{}{}
	for _, m := range p.seatedMatches() {
		m.presenceChanged()
	}
	l.lists.changed()
	return s, nil
}

// Close ends the session. It may be called more than once. dropped means that the connection broke, which
// gives the user the longer grace.
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
	l.lists.changed()
}

func (s *Session) wake() {
	select {
	case s.wakeups <- struct{}{}:
	default:
	}
}

// Wakeups returns the channel that is signalled after something that the session may display has changed.
// It holds one signal, so that several changes can cause one.
func (s *Session) Wakeups() <-chan struct{} { return s.wakeups }

// WakeSelf wakes the session as if something had changed.
func (s *Session) WakeSelf() { s.wake() }

// Account returns the current account of the session's user.
func (s *Session) Account() Account { return s.user.Account() }

// Lobby returns the session's lobby.
func (s *Session) Lobby() *Lobby { return s.l }

// IgnoreLists sets whether the session displays none of the lobby's lists at present and need not be woken
// for them.
func (s *Session) IgnoreLists(ignore bool) { s.ignoresLists.Store(ignore) }

// SetModerator marks the session as a moderator's, whose chat lines also reach users who have blocked them.
func (s *Session) SetModerator() { s.isModerator.Store(true) }

// SetAddr sets the address of the session's connection. The tables and matches that the session opens count
// for it. Without an address they count for none.
func (s *Session) SetAddr(a netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addrOrigin = limit.Origin(a)
}

func (s *Session) origin() netip.Prefix {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addrOrigin
}

// Say posts a line in the lobby's room.
func (s *Session) Say(text string) error {
	return s.postChat(LobbyRoom, &s.l.Chat, text, s.l.lists.changed)
}

func (s *Session) postChat(kind Room, room *Chat, text string, then func()) error {
	clean := sanitize.Line(text, MaxChat)
	if clean == "" {
		return errcode.Errorf(errcode.BadRequest, "the message is empty")
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
	ok := s.user.chatBucket.Take(now, 1, limit.Rate{Refill: limits.ChatRate, Burst: limits.ChatBurst})
	s.user.mu.Unlock()
	if !ok {
		s.l.LimitHits.Add(HitChat)
		return errcode.Errorf(errcode.RateLimited, "too many chat messages; wait a few seconds")
	}
	a := s.Account()
	room.add(ChatLine{At: now, Author: a.Name, Text: clean, AuthorID: a.ID, ByModerator: s.isModerator.Load()})
	then()
	return nil
}

// SeatedMatches returns the user's matches in memory, oldest first, including recently finished ones. The
// slice is shared and must not be changed.
func (s *Session) SeatedMatches() []*Match { return s.user.seatedMatches() }

// IsPlaying reports whether the match is running and the user's seat has not left it.
func (s *Session) IsPlaying(m *Match) bool {
	snap := m.liveSnapshot.Load()
	seat, ok := m.Info.SeatOf(s.Account().ID)
	return ok && !snap.IsOver() && !snap.Position.HasLeft(seat)
}

// Snapshot returns the newest state of a match that the session may see: without the delay if the user has
// a seat in it.
func (s *Session) Snapshot(m *Match) *Snapshot {
	if m.Info.HasPlayer(s.Account().ID) {
		return m.liveSnapshot.Load()
	}
	return m.Snapshot()
}

// Sit returns the user's seat at a match in memory.
func (s *Session) Sit(id string) (*Player, error) {
	m, err := s.l.Match(id)
	if err != nil {
		return nil, err
	}
	seat, ok := m.Info.SeatOf(s.Account().ID)
	if !ok {
		return nil, errcode.Errorf(errcode.NotAllowed, "you have no seat at match %s", id)
	}
	return &Player{m: m, s: s, seat: seat}, nil
}

// SnapshotOf returns the newest state of a match in memory that the session may see, without watching it. A
// private match needs its code, unless the user plays or watches it.
func (s *Session) SnapshotOf(id, code string) (*Snapshot, error) {
	m, err := s.l.Match(id)
	switch {
	case err != nil:
		return nil, err
	case m.Info.Private && !m.Info.HasPlayer(s.Account().ID) && !s.watches(m) && !table.CodesEqual(m.liveSnapshot.Load().Code, code):
		return nil, errcode.Errorf(errcode.NotAllowed, "match %s is private; ask its players for the code", id)
	}
	return s.Snapshot(m), nil
}

func (s *Session) watches(m *Match) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, watched := s.watched[m]
	return watched
}

// Spectator is a session's view of a match in which it has no seat. It has no methods that act in the
// match.
type Spectator struct {
	m *Match
	s *Session
}

// Watch starts watching a match; a private one needs its code. The caller must Close the Spectator.
func (s *Session) Watch(id, code string) (*Spectator, error) {
	m, err := s.l.Match(id)
	if err != nil {
		return nil, err
	}
	if _, seated := m.Info.SeatOf(s.Account().ID); seated {
		return &Spectator{m: m, s: s}, nil // players are woken anyway, and are not counted as spectators
	}
	if m.Info.Private && !table.CodesEqual(m.liveSnapshot.Load().Code, code) {
		return nil, errcode.Errorf(errcode.NotAllowed, "match %s is private; ask its players for the code", id)
	}
	if err := s.addSpectator(m); err != nil {
		return nil, err
	}
	s.l.lists.matchChanged()
	return &Spectator{m: m, s: s}, nil
}

// addSpectator adds the session to the match's spectators; Spectator.Close and Session.Close remove it.
func (s *Session) addSpectator(m *Match) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errcode.Errorf(errcode.Unavailable, "the session has ended")
	}
	if _, known := s.watched[m]; !known && len(s.watched) >= s.l.limits.Load().WatchedPerSession {
		return s.l.limitError(HitWatchedPerSession, "you already watch %d matches; stop watching one first", len(s.watched))
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

// Snapshot returns the newest state that spectators may see.
func (w *Spectator) Snapshot() *Snapshot { return w.m.Snapshot() }

// Say posts a line in the spectators' room.
func (w *Spectator) Say(text string) error {
	return w.s.postChat(SpectatorRoom, &w.m.SpectatorChat, text, w.m.wakeAll)
}

// Close ends watching. It may be called more than once.
func (w *Spectator) Close() {
	w.s.mu.Lock()
	delete(w.s.watched, w.m)
	w.s.mu.Unlock()
	w.m.removeSpectator(w.s)
	w.s.l.lists.matchChanged()
}

func (m *Match) removeSpectator(s *Session) {
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	delete(m.spectators, s)
}

// SpectatorCount returns the number of sessions that watch the match.
func (m *Match) SpectatorCount() int {
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	return len(m.spectators)
}
