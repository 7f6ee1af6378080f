package rows

import (
	"context"
	"errors"
	"sync"
)

// Leases are the claims of nodes to do something that one node alone should do. A claim is a row with the name of the
// node that has it, until it is deleted or the node is dead. NewLeases is the constructor. A nil Leases is that of a
// node that is alone, which has every claim. Methods may be called from any goroutine.
type Leases struct {
	store   Store
	node    string
	isAlive func(node string) bool

	mu    sync.Mutex
	known map[Key]Row
}

// NewLeases returns the leases of a node. isAlive reports whether another node is alive.
func NewLeases(s Store, node string, isAlive func(node string) bool) *Leases {
	return &Leases{store: s, node: node, isAlive: isAlive, known: make(map[Key]Row)}
}

// Claim reports whether this node has the claim of a key, which it gets if no live node has it. The error is that of
// the store.
func (l *Leases) Claim(ctx context.Context, k Key) (bool, error) {
	if l == nil {
		return true, nil
	}
	known, free := l.look(k)
	if !free {
		return string(known.Data) == l.node, nil
	}
	rows, err := l.store.Write(ctx, Write{Key: k, Replaces: known.Version, Data: []byte(l.node)})
	if errors.Is(err, ErrConflict) {
		if rows, err = l.store.Read(ctx, k); err == nil && len(rows) == 0 {
			return false, nil // deleted at this moment
		}
	}
	if err != nil {
		return false, err
	}
	l.Follow(rows[0])
	return string(rows[0].Data) == l.node, nil
}

// look returns what is known of a claim, and whether this node may try to get it.
func (l *Leases) look(k Key) (known Row, free bool) {
	l.mu.Lock()
	known = l.known[k]
	l.mu.Unlock()
	holder := string(known.Data)
	return known, holder == "" || holder != l.node && !l.isAlive(holder)
}

// Follow takes over a row, unless a newer state is known.
func (l *Leases) Follow(r Row) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case r.Version <= l.known[r.Key].Version:
	case r.IsDeleted():
		delete(l.known, r.Key)
	default:
		l.known[r.Key] = r
	}
}

// Reset forgets all claims, because the store may have lost some. Those that it has follow.
func (l *Leases) Reset() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.known)
}

// Forget forgets a claim, and reports whether this node should delete its row: its own, or that of a dead node.
func (l *Leases) Forget(k Key) bool {
	if l == nil {
		return false
	}
	known, free := l.look(k)
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.known, k)
	return known.Data != nil && (free || string(known.Data) == l.node)
}
