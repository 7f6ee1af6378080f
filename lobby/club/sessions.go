package club

import (
	"net/netip"
	"sync"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/limit"
)

// Session is one admitted session.
type Session struct {
	Key  []byte // in SSH wire format; nil: a guest
	From netip.Addr
	Role Role
	End  func(notice string) // ends the session; it must not block

	began   time.Time       // when it was added
	account account.Account // zero until the session has entered the lobby; guarded by Sessions.mu
	before  time.Time       // when the account was online before, as far as that is not stored; guarded by Sessions.mu
	wake    func()          // of SetWake; guarded by Sessions.mu
}

// Sessions are the admitted sessions. The zero value is empty. Any goroutine may use it; its mutex is a
// leaf.
type Sessions struct {
	mu     sync.Mutex
	all    map[*Session]struct{}
	visits map[account.ID]time.Time // when accounts were last online, since the last takeVisits
}

// Add adds a session and returns the function that removes it.
func (p *Sessions) Add(s *Session) (remove func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = make(map[*Session]struct{})
	}
	s.began = time.Now()
	p.all[s] = struct{}{}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.all, s)
		p.visited(s.account)
	}
}

// SetWake sets the function that has a session look at the club's bulletin again. It must not block.
func (p *Sessions) SetWake(s *Session, wake func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.wake = wake
}

// wakeAll wakes the sessions of a role or a higher one.
func (p *Sessions) wakeAll(from Role) {
	var wakes []func()
	p.find(func(s *Session, _ account.Account) bool {
		if s.wake != nil && s.Role >= from {
			wakes = append(wakes, s.wake)
		}
		return false
	})
	for _, wake := range wakes {
		wake()
	}
}

// wakeAccounts wakes the sessions of some accounts.
func (p *Sessions) wakeAccounts(ids map[account.ID]bool) {
	if len(ids) == 0 {
		return
	}
	var wakes []func()
	p.find(func(s *Session, a account.Account) bool {
		if s.wake != nil && ids[a.ID] {
			wakes = append(wakes, s.wake)
		}
		return false
	})
	for _, wake := range wakes {
		wake()
	}
}

// visited notes that an account is online. The caller holds p.mu.
func (p *Sessions) visited(a account.Account) {
	if a.ID <= 0 {
		return
	}
	if p.visits == nil {
		p.visits = make(map[account.ID]time.Time)
	}
	p.visits[a.ID] = time.Now()
}

// takeVisits returns when accounts were last online, of those that were since the last call.
func (p *Sessions) takeVisits() map[account.ID]time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.visits
	p.visits = nil
	return all
}

// lastSeen returns the current time if an account has a session on this node, else when it last had one if that is not
// stored yet; zero: neither.
func (p *Sessions) lastSeen(id account.ID) time.Time {
	if len(p.find(func(_ *Session, a account.Account) bool { return a.ID == id })) > 0 {
		return time.Now()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.visits[id]
}

// SetAccount sets the account as which a session has entered the lobby.
func (p *Sessions) SetAccount(s *Session, a account.Account) {
	others := p.find(func(o *Session, of account.Account) bool { return o != s && of.ID == a.ID })
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.before = p.visits[a.ID]; len(others) > 0 {
		s.before = time.Now()
	}
	s.account = a
	p.visited(a)
}

// end ends all sessions that match selects, and returns their number. match runs with p.mu held; the
// sessions are ended without it.
func (p *Sessions) end(notice string, match func(s *Session, account account.Account) bool) int {
	chosen := p.find(match)
	for _, s := range chosen {
		s.End(notice)
	}
	return len(chosen)
}

// find returns all sessions that match selects. match runs with p.mu held.
func (p *Sessions) find(match func(s *Session, account account.Account) bool) (all []*Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s := range p.all {
		if match(s, s.account) {
			all = append(all, s)
		}
	}
	return all
}

// guest returns the id of an online guest and the origin of one of their sessions; ok is false if there is
// none of that name.
func (p *Sessions) guest(name string) (id account.ID, origin netip.Prefix, ok bool) {
	p.find(func(s *Session, account account.Account) bool {
		if account.ID < 0 && account.Name == name {
			id, origin, ok = account.ID, limit.Origin(s.From), true
		}
		return false
	})
	return id, origin, ok
}

// origins returns the origins of an account's sessions.
func (p *Sessions) origins(id account.ID) (all []netip.Prefix) {
	for _, s := range p.find(func(_ *Session, account account.Account) bool { return account.ID == id }) {
		all = append(all, limit.Origin(s.From))
	}
	return all
}
