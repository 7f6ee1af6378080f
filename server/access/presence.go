package access

import (
	"context"
	"net/netip"
	"sync"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby"
)

// Stay is one session of somebody who was let in.
type Stay struct {
	Key  ssh.PublicKey // nil: a guest
	From netip.Addr
	Role Role
	End  func(notice string) // ends it; it does not wait

	account lobby.Account // the zero account until he has entered the lobby; under Presence.mu
}

// Presence is who is here. Its zero value is nobody; any goroutine may use it.
type Presence struct {
	mu    sync.Mutex
	stays map[*Stay]struct{}
}

// Add takes a stay in; the function that it returns takes it out.
func (p *Presence) Add(s *Stay) (leave func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stays == nil {
		p.stays = make(map[*Stay]struct{})
	}
	p.stays[s] = struct{}{}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.stays, s)
	}
}

// Entered says as whom somebody has entered the lobby.
func (p *Presence) Entered(s *Stay, a lobby.Account) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.account = a
}

// end ends all stays that which chooses, and returns how many they were.
func (p *Presence) end(notice string, which func(s *Stay, account lobby.Account) bool) int {
	p.mu.Lock()
	var chosen []*Stay
	for s := range p.stays {
		if which(s, s.account) {
			chosen = append(chosen, s)
		}
	}
	p.mu.Unlock()
	for _, s := range chosen {
		s.End(notice)
	}
	return len(chosen)
}

// AccountDeleted ends all sessions of an account that was deleted. It is lobby.Config.Deleted. The
// sanctions of the account's keys hold from then on without it.
func (m *Moderation) AccountDeleted(ctx context.Context, id lobby.AccountID) {
	_ = m.Gate.refresh(context.WithoutCancel(ctx)) // the store reports its failures
	m.Presence.end(lobby.AccountDeleted, func(_ *Stay, account lobby.Account) bool { return account.ID == id })
}
