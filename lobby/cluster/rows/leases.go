package rows

import (
	"context"
	"errors"
)

// Leases are the rights of nodes to do something that one node alone should do. The value of a row is the name of the
// node that has the lease, until the row is deleted or the node is dead. Kinds.Add precedes the first use. A node that is
// alone has every lease.
//
// A node can lose a lease while it works: it may count as dead for others before it knows. So what two nodes do at once
// must happen once all the same, and a node acquires the lease again before each piece of work.
type Leases struct{ Shared[string] }

// Acquire reports whether this node has a lease, which it gets if no node that is alive has it. The error is that of
// the store.
func (l *Leases) Acquire(ctx context.Context, id string) (bool, error) {
	if l.kinds.Node == "" {
		return true, nil
	}
	known, isFree := l.look(id)
	if isFree {
		_, err := l.Write(ctx, Change[string]{id, known.Version, &l.kinds.Node})
		if err != nil && !errors.Is(err, ErrConflict) {
			return false, err
		}
		known = l.Get(id)
	}
	return known.Value != nil && *known.Value == l.kinds.Node, nil
}

// look returns what is known of a lease, and whether this node may try to get it.
func (l *Leases) look(id string) (known State[string], isFree bool) {
	known = l.Get(id)
	return known, known.Value == nil || *known.Value != l.kinds.Node && !l.kinds.IsAlive(*known.Value)
}

// Release deletes a lease that is of no use any more, soon, if it is this node's or that of a dead node. It never blocks.
func (l *Leases) Release(id string) {
	known, isFree := l.look(id)
	if l.kinds.Fast != nil && known.Value != nil && (isFree || *known.Value == l.kinds.Node) {
		l.kinds.Fast.Put(Key{l.Name, id}, nil)
	}
}
