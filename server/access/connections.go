package access

import (
	"context"
	"net/netip"
	"sync"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby"
)

// Connection is one session of somebody who was let in.
type Connection struct {
	Key  ssh.PublicKey // nil: a guest
	From netip.Addr
	Role Role
	End  func(notice string) // ends it; it does not wait

	account lobby.Account // the zero account until he has entered the lobby; under Presence.mu
}

// Connections is who is here. Its zero value is nobody; any goroutine may use it.
type Connections struct {
	mu    sync.Mutex
	conns map[*Connection]struct{}
}

// Add takes a stay in; the function that it returns takes it out.
func (p *Connections) Add(s *Connection) (leave func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conns == nil {
		p.conns = make(map[*Connection]struct{})
	}
	p.conns[s] = struct{}{}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.conns, s)
	}
}

// SetAccount says as whom somebody has entered the lobby.
func (p *Connections) SetAccount(s *Connection, a lobby.Account) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.account = a
}

// end ends all stays that which chooses, and returns how many they were.
func (p *Connections) end(notice string, which func(s *Connection, account lobby.Account) bool) int {
	p.mu.Lock()
	var chosen []*Connection
	for s := range p.conns {
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
	_ = m.Authorizer.reloadSanctions(context.WithoutCancel(ctx)) // the store reports its failures
	m.Connections.end(lobby.AccountDeleted, func(_ *Connection, account lobby.Account) bool { return account.ID == id })
}
