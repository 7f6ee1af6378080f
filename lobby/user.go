package lobby

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/limit"
	"ayumu/lobby/presence"
	"ayumu/lobby/table"
)

// user is an account or guest with a session, a seat of a match in memory or a place at a table. Lobby.mu
// guards membership in Lobby.users.
type user struct {
	account atomic.Pointer[account.Account]
	blocks  account.Blocks
	deleted atomic.Bool // the account has been deleted or is being deleted

	starting int // matches of the user that are being recorded; guarded by Lobby.mu

	changes int // of the account in the store, by sessions of this node; guarded by Lobby.mu

	listed *UserListing // in lists.users; nil: it is not. Guarded by Lobby.mu

	mu           sync.Mutex
	sessions     map[*Session]struct{}
	commands     map[*Session]struct{} // sessions of EnterForCommand, which do not count as presence; nil: none
	matches      []*Match              // in memory, with a seat of the user, oldest first; replaced, never modified
	presence     presence.User         // as other nodes know it, and when the user was last on any
	events       []TableEvent          // replaced, never modified
	lastEvent    uint64                // the Seq of the newest event
	chatBucket   limit.Bucket
	actionBucket limit.Bucket
}

// Account returns the user's current account.
func (u *user) Account() account.Account { return *u.account.Load() }

// wake wakes all sessions of the user. It never blocks.
func (u *user) wake() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for s := range u.sessions {
		s.wake()
	}
	for s := range u.commands {
		s.wake()
	}
}

// absence returns the user's absence on all nodes, by the store's clock.
func (u *user) absence() presence.Absence {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.sessions) > 0 {
		return presence.Absence{}
	}
	return u.presence.Absence()
}

// sessionCount returns the user's number of sessions on all nodes.
func (u *user) sessionCount() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.sessions) + u.presence.Sessions()
}

// commandCount returns the number of the user's sessions of EnterForCommand on this node.
func (u *user) commandCount() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.commands)
}

// addMatch adds a match, of which the user can have several seats.
func (u *user) addMatch(m *Match) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if n := len(u.matches); n > 0 && u.matches[n-1] == m {
		return
	}
	u.matches = append(u.matches[:len(u.matches):len(u.matches)], m)
}

func (u *user) removeMatch(m *Match) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.matches = slices.DeleteFunc(slices.Clone(u.matches), func(o *Match) bool { return o == m })
}

// seatedMatches returns the user's matches in memory. The slice is shared and never changed.
func (u *user) seatedMatches() []*Match {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.matches
}

// unfinishedCount returns the number of running matches of the user, without games of tournaments.
func (u *user) unfinishedCount() int {
	n := 0
	for _, m := range u.seatedMatches() {
		if !m.Info.IsOfTournament() && !m.playerSnapshot.Load().IsOver() {
			n++
		}
	}
	return n
}

// matchCount returns the number of running and starting matches of the user. The caller holds Lobby.mu.
func (u *user) matchCount() int { return u.unfinishedCount() + u.starting }

// isOnlyHere reports whether the user has a session on this node and on no other.
func (u *user) isOnlyHere() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.sessions) > 0 && u.presence.Sessions() == 0
}

// hasSessionHere reports whether the user has a session on this node, or one of EnterForCommand.
func (u *user) hasSessionHere() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.sessions)+len(u.commands) > 0
}

// addSession adds a session of the user. The caller holds Lobby.mu.
func (u *user) addSession(s *Session) {
	u.mu.Lock()
	defer u.mu.Unlock()
	s.firstEvent = u.lastEvent
	if !s.isCommand {
		u.sessions[s] = struct{}{}
		return
	}
	if u.commands == nil {
		u.commands = make(map[*Session]struct{})
	}
	u.commands[s] = struct{}{}
}

// removeCommand removes a session of EnterForCommand that ends now.
func (u *user) removeCommand(s *Session) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.commands, s)
}

// removeSession removes a session, and reports whether it was the last one on this node, after which the user has
// that absence. The caller holds Lobby.mu.
func (u *user) removeSession(s *Session, absence presence.Absence) (last bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.sessions, s)
	if len(u.sessions) == 0 {
		u.presence.MarkAbsent(absence)
		return true
	}
	return false
}

// atTable returns what a table has to know of the user, with the origins if they are needed. The caller
// holds Lobby.mu.
func (u *user) atTable(origins bool) table.User {
	known := table.User{
		Account: u.Account(), Absent: u.absence().Since, Running: u.unfinishedCount(), Starting: u.starting, Blocked: u.blocks.All(),
	}
	if origins {
		known.Origins = u.origins()
	}
	return known
}

// users are the users in memory. newUsers is the constructor. Lobby.mu guards it.
type users struct {
	byID   map[account.ID]*user
	guests map[string]*user // by name
}

func newUsers() users { return users{make(map[account.ID]*user), make(map[string]*user)} }

// add returns the user of an account, and adds it if necessary, as one who is absent since now.
func (us users) add(a account.Account, now time.Time) *user {
	u := us.byID[a.ID]
	if u == nil {
		u = &user{sessions: make(map[*Session]struct{}), presence: presence.NewUser(now)}
		u.account.Store(&a)
		us.byID[a.ID] = u
		if a.IsGuest() {
			us.guests[a.Name] = u
		}
	}
	return u
}

// remove removes a user.
func (us users) remove(u *user) {
	a := u.Account()
	delete(us.byID, a.ID)
	if us.guests[a.Name] == u {
		delete(us.guests, a.Name)
	}
}

// freeGuestName returns the name of a new guest, which no user has, out of those that this node may give.
func (us users) freeGuestName(names guestSlot) string {
	for {
		if name := names.name(RandomCode(20)); us.guests[name] == nil {
			return name
		}
	}
}

// dropUser removes a user without a session on any node, a match in memory and a table. The caller holds l.mu.
func (l *Lobby) dropUser(u *user) {
	u.mu.Lock()
	needed := len(u.sessions) > 0 || len(u.commands) > 0 || len(u.matches) > 0 || u.presence.IsOnOtherNode()
	u.mu.Unlock()
	if id := u.Account().ID; needed || l.tables.Involves(id) || l.Tournaments.isEntrant(id) {
		return
	}
	l.users.remove(u)
	l.guests.forget(u.Account().ID)
	l.rows.presence.Put(u.Account().ID.String(), nil)
}
