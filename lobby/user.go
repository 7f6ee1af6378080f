package lobby

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ayumu/lobby/limit"
	"ayumu/lobby/table"
)

// user is an account or guest with a session, a seat of a match in memory or a place at a table. Lobby.mu
// guards membership in Lobby.users.
type user struct {
	account atomic.Pointer[Account]
	blocks  atomic.Pointer[map[AccountID]Block] // replaced under mu, never modified
	deleted atomic.Bool                         // the account has been deleted or is being deleted

	starting int // matches of the user that are being recorded; guarded by Lobby.mu

	// For sorting the list of users; guarded by Lobby.mu.
	listed    bool     // in View.order
	nameKey   string   // the lower-case name
	nameKeyOf *Account // the account that nameKey was computed for

	mu           sync.Mutex
	sessions     map[*Session]struct{}
	matches      []*Match // in memory, with a seat of the user, oldest first; replaced, never modified
	absentSince  time.Time
	dropped      bool
	events       []TableEvent // replaced, never modified
	lastEvent    uint64       // the Seq of the newest event
	chatBucket   limit.Bucket
	actionBucket limit.Bucket
}

// Account returns the user's current account.
func (p *user) Account() Account { return *p.account.Load() }

// wake wakes all sessions of the user. It never blocks.
func (p *user) wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s := range p.sessions {
		s.wake()
	}
}

// absent returns the time since which the user has had no session, and whether the last connection broke.
// The zero time means that the user is present.
func (p *user) absent() (since time.Time, dropped bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.absentSince, p.dropped
}

// absentFor reports whether the user has had no session for at least d.
func (p *user) absentFor(now time.Time, d time.Duration) bool {
	since, _ := p.absent()
	return !since.IsZero() && now.Sub(since) >= d
}

// sessionCount returns the user's number of sessions.
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

// seatedMatches returns the user's matches in memory. The slice is shared and never changed.
func (p *user) seatedMatches() []*Match {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.matches
}

// unfinishedCount returns the number of running matches of the user.
func (p *user) unfinishedCount() int {
	n := 0
	for _, m := range p.seatedMatches() {
		if !m.liveSnapshot.Load().IsOver() {
			n++
		}
	}
	return n
}

// busy returns the number of running and starting matches of the user. The caller holds Lobby.mu.
func (p *user) busy() int { return p.unfinishedCount() + p.starting }

// addSession adds a session of the user. The caller holds Lobby.mu.
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

// atTable returns what a table has to know of the user, with the origins if they are needed. The caller
// holds Lobby.mu.
func (p *user) atTable(origins bool) table.User {
	since, _ := p.absent()
	u := table.User{Account: p.Account(), Absent: since, Running: p.unfinishedCount(), Starting: p.starting}
	if all := p.blocks.Load(); all != nil {
		u.Blocked = *all
	}
	if origins {
		u.Origins = p.origins()
	}
	return u
}

// updateNameKey updates the key by which the user is sorted. The caller holds Lobby.mu.
func (p *user) updateNameKey() {
	if a := p.account.Load(); p.nameKeyOf != a {
		p.nameKeyOf, p.nameKey = a, strings.ToLower(a.Name)
	}
}

// users are the users in memory by the ids of their accounts. Lobby.mu guards it.
type users map[AccountID]*user

// add returns the user of an account, and adds it if necessary.
func (us users) add(a Account) *user {
	p := us[a.ID]
	if p == nil {
		p = &user{sessions: make(map[*Session]struct{}), absentSince: time.Now(), dropped: true}
		p.account.Store(&a)
		us[a.ID] = p
	}
	return p
}

// byName returns the user of that name, ignoring case, who has a session; nil if there is none.
func (us users) byName(name string) *user {
	for _, p := range us {
		if since, _ := p.absent(); since.IsZero() && strings.EqualFold(p.Account().Name, name) {
			return p
		}
	}
	return nil
}

// freeGuestName returns the name of a new guest, which no user has.
func (us users) freeGuestName() string {
	for {
		name := "guest-" + RandomCode(20)
		taken := false
		for _, p := range us {
			taken = taken || p.Account().Name == name
		}
		if !taken {
			return name
		}
	}
}

// sortByName returns all users by name. It starts with the previous order, in which few users are out of
// place, so that sorting takes little time.
func (us users) sortByName(before []*user) []*user {
	all := make([]*user, 0, len(us))
	for _, p := range before {
		if us[p.account.Load().ID] == p {
			all = append(all, p)
		}
	}
	if len(all) < len(us) {
		for _, p := range us {
			if !p.listed {
				p.listed = true
				all = append(all, p)
			}
		}
	}
	for _, p := range all {
		p.updateNameKey()
	}
	slices.SortFunc(all, func(a, b *user) int { return cmp.Compare(a.nameKey, b.nameKey) })
	return all
}
