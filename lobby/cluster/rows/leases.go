package rows

import (
	"context"
	"errors"
)

// Leases are the claims of nodes to do something that one node alone should do. The value of a row is the name of the
// node that has the claim, until the row is deleted or the node is dead. Kinds.Add precedes the first use. A node that is
// alone has every claim.
type Leases struct{ Shared[string] }

// Claim reports whether this node has a claim, which it gets if no live node has it. The error is that of the store.
func (l *Leases) Claim(ctx context.Context, id string) (bool, error) {
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

// look returns what is known of a claim, and whether this node may try to get it.
func (l *Leases) look(id string) (known State[string], isFree bool) {
	known = l.Get(id)
	return known, known.Value == nil || *known.Value != l.kinds.Node && !l.kinds.IsAlive(*known.Value)
}

// Forget deletes a claim that is of no use any more, soon, if it is this node's or that of a dead node. It never blocks.
func (l *Leases) Forget(id string) {
	known, isFree := l.look(id)
	if l.kinds.Fast != nil && known.Value != nil && (isFree || *known.Value == l.kinds.Node) {
		l.kinds.Fast.Put(Key{l.Name, id}, nil)
	}
}
