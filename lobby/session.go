package lobby

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/presence"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/table"
	"ayumu/lobby/text"
)

// Session is one use of the lobby by one user: by screens, line mode, a program or a bot. It is woken when
// something it may display has changed, and then reads what it needs. Enter is the constructor; the caller
// must Close it. All methods may be called from any goroutine. Those for the user's account, tables, matches,
// vacation and budget stand in the files of these concerns.
type Session struct {
	l            *Lobby
	user         *user
	wakeups      chan struct{}
	onWake       atomic.Pointer[func()] // of OnWake; nil: wakeups is signalled
	lag          func() time.Duration
	ignoresLists atomic.Bool // is not woken for the lobby's lists
	isCommand    bool        // of EnterForCommand; never changed

	tournament atomic.Pointer[followedTournament] // of FollowTournament; nil: none

	looksAt    string // the id of the match that it displays; "": none. Guarded by user.mu
	looksAtAll bool   // it displays all matches of its user; guarded by user.mu

	firstEvent  uint64      // the user's last event before the session; never changed
	isModerator atomic.Bool // its chat lines are a moderator's

	mu         sync.Mutex // guards the fields below
	addrOrigin netip.Prefix
	closed     bool
	watched    map[*Match]struct{}
}

// Enter starts a session of an account. lag returns the connection's measured round-trip time; nil:
// unknown. lag may be called from any goroutine.
func (l *Lobby) Enter(a account.Account, lag func() time.Duration) (*Session, error) {
	if lag == nil {
		lag = func() time.Duration { return 0 }
	}
	return l.enter(a, &Session{l: l, lag: lag})
}

// EnterForCommand starts a session of an account at an address for one command, whose work is charged to both. It does
// not count as the user's presence: neither its beginning nor its end changes whether they are absent, or since when.
func (l *Lobby) EnterForCommand(a account.Account, from netip.Addr) (*Session, error) {
	s := &Session{l: l, lag: func() time.Duration { return 0 }, addrOrigin: limit.Origin(from), isCommand: true}
	s.ignoresLists.Store(true)
	return l.enter(a, s)
}

// IsCommand reports whether the session is one of EnterForCommand.
func (s *Session) IsCommand() bool { return s.isCommand }

// enter completes a new session with the user of an account.
func (l *Lobby) enter(a account.Account, s *Session) (*Session, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errcode.Errorf(errcode.Unavailable, "the server is restarting; try again in a moment")
	}
	if _, deleted := l.Accounts.deleted[a.ID]; deleted {
		return nil, errDeleted
	}
	isSeated := l.users.byID[a.ID] != nil && l.tables.Involves(a.ID)
	u := l.users.add(a, l.node.Now())
	if n := u.sessionCount() + u.commandCount(); n >= l.limits.Load().SessionsPerUser && !a.Bot {
		return nil, l.limitError(limit.HitSessionsPerUser, "you already have %s; close one first", text.Plural(n, "session"))
	}
	l.Accounts.adopt(u, a)
	if !a.IsGuest() && (u.sessionCount() == 0 || !u.blocks.AreRead()) {
		_, _ = u.blocks.Read(func() ([]account.Block, error) { return a.Blocks, nil })
	}
	s.user, s.wakeups = u, make(chan struct{}, 1)
	u.addSession(s)
	if s.isCommand {
		return s, nil
	}
	l.sessions[s] = struct{}{}
	u.checkMatches()
	l.Tournaments.userCame(a.ID)
	l.writePresence(u)
	l.lists.userChanged(u)
	if isSeated { // the account may have changed meanwhile
		l.lists.tablesChanged()
	}
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
	if s.isCommand {
		s.user.removeCommand(s)
		l.dropUser(s.user)
		return
	}
	delete(l.sessions, s)
	last := s.user.removeSession(s, presence.Absence{Since: l.node.Now(), Dropped: dropped, Excused: l.draining.Load()})
	l.writePresence(s.user)
	s.user.checkMatches()
	if last {
		l.lists.userChanged(s.user)
		l.dropUser(s.user)
	}
}

func (s *Session) wake() {
	f := s.onWake.Load()
	if f == nil {
		signal(s.wakeups)
		f = s.onWake.Load() // OnWake may have looked for the signal before
	}
	if f != nil {
		(*f)()
	}
}

// Wakeups returns the channel that is signalled after something that the session may display has changed.
// It holds one signal, so that several changes can cause one.
func (s *Session) Wakeups() <-chan struct{} { return s.wakeups }

// OnWake has f called instead of the signal of Wakeups, also for a signal that has not been received. f may be called
// from any goroutine, by several at once, and with locks of the lobby held: it must not block or call the lobby.
func (s *Session) OnWake(f func()) {
	s.onWake.Store(&f)
	select {
	case <-s.wakeups:
		f()
	default:
	}
}

// WakeSelf wakes the session as if something had changed.
func (s *Session) WakeSelf() { s.wake() }

// Account returns the current account of the session's user.
func (s *Session) Account() account.Account { return s.user.Account() }

// Lobby returns the session's lobby.
func (s *Session) Lobby() *Lobby { return s.l }

// IgnoreLists sets whether the session displays none of the lobby's lists now and need not be woken
// for them.
func (s *Session) IgnoreLists(ignore bool) { s.ignoresLists.Store(ignore) }

// SetModerator marks the session as a moderator's, whose chat lines also reach users who have blocked them.
func (s *Session) SetModerator() { s.isModerator.Store(true) }

// SetAddr sets the address of the session's connection. The tables and matches that the session opens count
// for it. Without an address they count for none.
func (s *Session) SetAddr(a netip.Addr) {
	s.setOrigin(limit.Origin(a))
	if s.l.node != nil {
		s.l.mu.Lock()
		defer s.l.mu.Unlock()
		s.l.writePresence(s.user)
	}
}

func (s *Session) setOrigin(from netip.Prefix) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addrOrigin = from
}

func (s *Session) origin() netip.Prefix {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addrOrigin
}

// Say posts a line in the lobby's room.
func (s *Session) Say(text string) error {
	return s.postChat(LobbyRoom, lobbyRoomID, &s.l.Chat, text, s.l.lists.chatChanged)
}

// postChat posts a line in a room, whose id is that among the rows of chat lines, and calls then.
func (s *Session) postChat(kind Room, id string, room *Chat, text string, then func()) error {
	clean := sanitize.Line(text, MaxChat+1) // one more, to see whether it is too long
	switch {
	case clean == "":
		return errcode.Errorf(errcode.BadRequest, "the message is empty")
	case utf8.RuneCountInString(clean) > MaxChat:
		return errcode.Errorf(errcode.BadRequest, "a message has at most %d characters; shorten it", MaxChat)
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
		s.l.LimitHits.Add(limit.HitChat)
		return errcode.Errorf(errcode.RateLimited, "too many chat messages; wait a few seconds")
	}
	a := s.Account()
	s.l.chats.add(id, room, ChatLine{At: s.l.node.Now(), Author: a.Name, Text: clean, AuthorID: a.ID, ByModerator: s.isModerator.Load()})
	then()
	return nil
}

// FindByCode returns the id of the open private table or of the running private match with this code; both
// are empty if there is none. A code has 50 random bits, so that guessing finds nothing.
func (s *Session) FindByCode(code string) (tableID, matchID string) {
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.tables.Open() {
		if t.HasCode(code) {
			return t.ID, ""
		}
	}
	for id, m := range l.matches.byID {
		if m.Info.Private && table.CodesEqual(m.playerSnapshot.Load().Code, code) {
			matchID = id
		}
	}
	return "", matchID
}
