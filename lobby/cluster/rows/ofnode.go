package rows

import (
	"context"
	"sync"
)

// OfNode are the rows of one kind that each node writes for itself and the others read, as JSON. Their ids are the name
// of the node, a slash and an id that the methods and functions get. A node that is alone writes none. The fields are set
// before Kinds.Add, which precedes the first use. Methods may be called from any goroutine, also with locks held, and
// never block.
type OfNode[T any] struct {
	// Name is the name of the kind.
	Name string
	// IsFrequent means that the rows change often, and are therefore written in intervals (Kinds.Slow).
	IsFrequent bool
	// Inherits means that the rows of an earlier process of this node are taken over as those of another node. Otherwise
	// they are deleted.
	Inherits bool
	// Owner returns what a row belongs to, for which it waits; "": nothing. Nil: no row belongs to anything.
	Owner func(id string) string
	// Apply takes over a row of another node, which may be known. It returns an error only if a store has failed: then
	// it is called again.
	Apply func(ctx context.Context, node, id string, next State[T]) error

	kinds *Kinds

	mu  sync.Mutex
	own map[string]struct{} // the ids of the rows that this node has put or inherited
}

func (o *OfNode[T]) join(ks *Kinds) string {
	o.kinds, o.own = ks, make(map[string]struct{})
	return o.Name
}

func (o *OfNode[T]) rowOwner(id string) string {
	if o.Owner == nil {
		return ""
	}
	_, id = splitID(id)
	return o.Owner(id)
}

// IsAlone reports whether nothing is written, because there is only one node.
func (o *OfNode[T]) IsAlone() bool { return o.kinds == nil || o.kinds.Node == "" }

// Node returns the name of this node.
func (o *OfNode[T]) Node() string { return o.kinds.Node }

// Put has a row of this node written soon. The value must not be changed any more; nil: the row is deleted if there is
// one.
func (o *OfNode[T]) Put(id string, v *T) {
	if o.IsAlone() {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	_, isOwn := o.own[id]
	switch {
	case v != nil:
		o.own[id] = struct{}{}
	case !isOwn:
		return
	default:
		delete(o.own, id)
	}
	o.put(o.kinds.Node+"/"+id, encode(v))
}

// Delete has a row deleted soon that belongs to a node, if that is this one or dead.
func (o *OfNode[T]) Delete(node, id string) {
	switch {
	case o.IsAlone():
	case node == o.kinds.Node:
		o.Put(id, nil)
	case o.kinds.mayDelete(node):
		o.put(node+"/"+id, nil)
	}
}

func (o *OfNode[T]) put(id string, data []byte) {
	box := o.kinds.Fast
	if o.IsFrequent {
		box = o.kinds.Slow
	}
	box.Put(Key{o.Name, id}, data)
}

func (o *OfNode[T]) follow(ctx context.Context, r Row) error {
	node, id := splitID(r.ID)
	if node == o.kinds.Node && !o.inherit(id, r) {
		return nil
	}
	next := State[T]{Version: r.Version, At: r.At}
	if !r.IsDeleted() {
		v, err := decode[T](r.Data)
		if err != nil {
			o.kinds.unread(r, err)
			return nil
		}
		next.Value = v
	}
	return o.Apply(ctx, node, id, next)
}

// inherit reports whether a row of this node is taken over: one of an earlier process. It has one deleted that is not.
func (o *OfNode[T]) inherit(id string, r Row) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, isOwn := o.own[id]; isOwn || r.IsDeleted() {
		return false
	}
	if !o.Inherits {
		o.put(r.ID, nil)
		return false
	}
	o.own[id] = struct{}{}
	return true
}

// followLoss does nothing: each node writes its own rows again.
func (o *OfNode[T]) followLoss(context.Context, map[string]int64) {}
