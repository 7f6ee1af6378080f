package rows

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	// slowInterval is the minimum time between two writes of kinds that change often.
	slowInterval = 250 * time.Millisecond
	// orphanAge is the age of a row from which an owner that is not known counts as gone.
	orphanAge = time.Hour
)

// Config configures Kinds.
type Config struct {
	Store Store
	// Node is the name of this node; "": it is alone, and writes no rows of its own, because nobody would read them.
	Node string
	// IsAlive reports whether another node is alive.
	IsAlive func(node string) bool
	// Wrote is called after each write that has succeeded. It must not block; nil: nothing is called.
	Wrote func()
	// HasOwner reports whether this node has what a row belongs to: a match. It may take locks, as may the functions that
	// kinds with owners call; Adopt must be called without them. Nil: there are no owners.
	HasOwner func(owner string) bool
	// Report reports rows that cannot be read. It must not block; nil discards them.
	Report func(msg string, keyvals ...any)
}

// Kinds are all kinds of rows that nodes share. It passes each row that a node reads to its kind, and keeps rows whose
// owner is not known yet: rows are read before the matches that start at the same time, and when a node starts before
// all matches. NewKinds is the constructor, and Add follows for each kind. Methods may be called from any goroutine.
type Kinds struct {
	Config
	Fast, Slow *Outbox // of the rows of this node; the caller runs both. Nil if it is alone

	byName map[string]Kind

	mu      sync.Mutex             // held while rows with owners are applied
	waiting map[string]map[Key]Row // by owner
}

// Kind is one kind of rows: a Shared, Leases or an OfNode.
type Kind interface {
	// join makes the kind one of ks, and returns its name.
	join(ks *Kinds) string
	// rowOwner returns the owner of a row; "" if it has none.
	rowOwner(id string) string
	// follow takes over a row of the store. It returns an error only if a store has failed: then it is called again.
	follow(ctx context.Context, r Row) error
	// followLoss takes over that the store may have lost changes. It has these versions of all rows of the kind; follow
	// is called for each of them.
	followLoss(ctx context.Context, versions map[string]int64)
}

// NewKinds returns the kinds of a node.
func NewKinds(c Config) *Kinds {
	ks := &Kinds{Config: c, byName: make(map[string]Kind), waiting: make(map[string]map[Key]Row)}
	if c.Node != "" {
		ks.Fast, ks.Slow = NewOutbox(c.Store, c.Wrote), NewOutbox(c.Store, c.Wrote)
		ks.Slow.Interval = slowInterval
	}
	return ks
}

// Add adds kinds, before the first row is followed. It panics if there is one of the same name.
func (ks *Kinds) Add(all ...Kind) {
	for _, k := range all {
		name := k.join(ks)
		if ks.byName[name] != nil {
			panic("two kinds of rows have the name " + name)
		}
		ks.byName[name] = k
	}
}

// Follow takes over a row of the store, which may be known, or keeps it until its owner is known. It returns an error
// only if a store has failed: then it is to be called again.
func (ks *Kinds) Follow(ctx context.Context, r Row) error {
	k := ks.byName[r.Kind]
	if k == nil {
		return nil // of another version of the program, or one that only tools read
	}
	owner := k.rowOwner(r.ID)
	if owner == "" {
		return k.follow(ctx, r)
	}
	ks.mu.Lock()
	defer ks.mu.Unlock()
	switch {
	case ks.HasOwner(owner):
		ks.adopt(ctx, owner)
	case !r.IsDeleted():
		ks.wait(owner, r)
		return nil
	default:
		ks.forget(owner, r.Key)
	}
	return k.follow(ctx, r)
}

// FollowLoss takes over that the store may have lost changes. all are the rows that exist; Follow is to be called for
// each. This node writes its own again.
func (ks *Kinds) FollowLoss(ctx context.Context, all []Row) {
	versions := make(map[string]map[string]int64)
	for name := range ks.byName {
		versions[name] = make(map[string]int64)
	}
	for _, r := range all {
		if versions[r.Kind] != nil {
			versions[r.Kind][r.ID] = r.Version
		}
	}
	for name, k := range ks.byName {
		k.followLoss(ctx, versions[name])
	}
	if ks.Fast != nil {
		ks.Fast.WriteAgain()
		ks.Slow.WriteAgain()
	}
}

// wait keeps a row for its owner, instead of an earlier state of it. The caller holds ks.mu.
func (ks *Kinds) wait(owner string, r Row) {
	if ks.waiting[owner] == nil {
		ks.waiting[owner] = make(map[Key]Row)
	}
	ks.waiting[owner][r.Key] = r
}

// forget removes a row from those that wait. The caller holds ks.mu.
func (ks *Kinds) forget(owner string, k Key) {
	delete(ks.waiting[owner], k)
	if len(ks.waiting[owner]) == 0 {
		delete(ks.waiting, owner)
	}
}

// Adopt takes over the rows that have waited for an owner, which HasOwner reports from now on.
func (ks *Kinds) Adopt(owner string) {
	ks.mu.Lock()
	defer ks.mu.Unlock()
	ks.adopt(context.Background(), owner)
}

// adopt is Adopt. The caller holds ks.mu.
func (ks *Kinds) adopt(ctx context.Context, owner string) {
	for _, r := range ks.waiting[owner] {
		_ = ks.byName[r.Kind].follow(ctx, r) // kinds with owners use no store
	}
	delete(ks.waiting, owner)
}

// Prune deletes the rows whose owners are gone, which their writers have not deleted, unless those are alive. now is the
// time by the store's clock. It returns an error of the store.
func (ks *Kinds) Prune(ctx context.Context, now time.Time) error {
	for _, r := range ks.takeOrphans(now) {
		if !ks.mayDelete(RowNode(r.ID)) {
			continue
		}
		if _, err := ks.Store.Write(ctx, Write{Key: r.Key, Replaces: r.Version}); err != nil && !errors.Is(err, ErrConflict) {
			return err // the others are deleted after the next start of a node
		}
	}
	return nil
}

// takeOrphans removes the rows that have waited for their owners for too long.
func (ks *Kinds) takeOrphans(now time.Time) (all []Row) {
	ks.mu.Lock()
	defer ks.mu.Unlock()
	for owner, waiting := range ks.waiting {
		for _, r := range waiting {
			if now.Sub(r.At) > orphanAge {
				all = append(all, r)
				ks.forget(owner, r.Key)
			}
		}
	}
	return all
}

// mayDelete reports whether this node may delete a row of a node: its own, that of a dead one, or of none ("").
func (ks *Kinds) mayDelete(node string) bool {
	return node == "" || node == ks.Node || !ks.IsAlive(node)
}

// unread reports a row that cannot be read: another version of the program has written it.
func (ks *Kinds) unread(r Row, err error) {
	if ks != nil && ks.Report != nil {
		ks.Report("row not read", "kind", r.Kind, "row", r.ID, "err", err)
	}
}

// splitID splits the id of a row into the name of the node that writes it and the rest; node is "" if it belongs to
// no node.
func splitID(row string) (node, id string) {
	if node, id, owned := strings.Cut(row, "/"); owned {
		return node, id
	}
	return "", row
}

// RowNode returns the name of the node whose own row has an id; "" if any node may replace it.
func RowNode(row string) string {
	node, _ := splitID(row)
	return node
}

// encode returns a value as JSON; nil for no value.
func encode[T any](v *T) []byte {
	if v == nil {
		return nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Errorf("a row of %T: %w", v, err)) // no value of a kind can fail
	}
	return data
}

// decode reads a value from JSON.
func decode[T any](data []byte) (*T, error) {
	v := new(T)
	if err := json.Unmarshal(data, v); err != nil {
		return nil, err
	}
	return v, nil
}
