package access

import (
	"context"
	"net/netip"
	"sync"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby"
)

// Connection is one admitted session.
type Connection struct {
	Key  ssh.PublicKey // nil: a guest
	From netip.Addr
	Role Role
	End  func(notice string) // ends the session; it must not block

	account lobby.Account // zero until the session has entered the lobby; guarded by Connections.mu
}

// Connections are the admitted sessions. The zero value is empty. Any goroutine may use it; its mutex is a
// leaf.
type Connections struct {
	mu    sync.Mutex
	conns map[*Connection]struct{}
}

// Add adds a session and returns the function that removes it.
func (p *Connections) Add(s *Connection) (remove func()) {
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

// SetAccount sets the account as which a session has entered the lobby.
func (p *Connections) SetAccount(s *Connection, a lobby.Account) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.account = a
}

// end ends all sessions that match selects, and returns their number. match runs with p.mu held; the
// sessions are ended without it.
func (p *Connections) end(notice string, match func(s *Connection, account lobby.Account) bool) int {
	p.mu.Lock()
	var chosen []*Connection
	for s := range p.conns {
		if match(s, s.account) {
			chosen = append(chosen, s)
		}
	}
	p.mu.Unlock()
	for _, s := range chosen {
		s.End(notice)
	}
	return len(chosen)
}

// AccountDeleted ends all sessions of a deleted account and reloads the sanctions, which from now on hold
// for its keys. It is used as lobby.Config.Deleted.
func (m *Moderation) AccountDeleted(ctx context.Context, id lobby.AccountID) {
	_ = m.Authorizer.reloadSanctions(context.WithoutCancel(ctx)) // the store reports its failures
	m.Connections.end(lobby.AccountDeleted, func(_ *Connection, account lobby.Account) bool { return account.ID == id })
}
