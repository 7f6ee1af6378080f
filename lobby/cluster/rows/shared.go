package rows

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"
)

// State is a row as it was last read or written.
type State[T any] struct {
	Version int64     // 0: there is no such row
	Value   *T        // must not be changed. Nil: there is no such row, or another version of the program has written it
	At      time.Time // when it was written, by the clock of the store
}

// Change is a change of one row.
type Change[T any] struct {
	ID       string
	Replaces int64 // the version that is replaced; 0: there is no such row
	Value    *T    // nil: the row is deleted
}

// Shared are the rows of one kind that any node replaces, by compare-and-swap, and knows. The fields are set before the
// first use. Methods may be called from any goroutine. Those that get a context call the store, so that their callers
// hold no lock.
type Shared[T any] struct {
	// Name is the name of the kind.
	Name string
	// Store keeps the rows. Kinds.Add sets it, for those whose changes are followed.
	Store Store
	// IsDurable reports whether a row is durable (Write.Durable), as all states of it are. It gets nil for the state that
	// is not known. Nil: no row is.
	IsDurable func(v *T) bool
	// IsSilent means that Config.Wrote is not called: others find changes in time without it.
	IsSilent bool
	// Encode and Decode define how values are stored. Nil: as JSON.
	Encode func(v *T) []byte
	Decode func(id string, data []byte) (*T, error)
	// Owner returns what a row belongs to, for which it waits; "": nothing. Nil: no row belongs to anything.
	Owner func(id string) string
	// Apply does what follows from another state of a row, which is known already, also from one that this node has
	// written. It returns an error only if a store has failed: then the state counts as not known, and is applied again.
	// Two states of a row may be applied at once, and one state twice. Nil: nothing follows.
	Apply func(ctx context.Context, id string, next State[T]) error

	kinds *Kinds // nil: nobody follows the rows

	mu    sync.RWMutex
	known map[string]State[T]
}

func (s *Shared[T]) join(ks *Kinds) string {
	s.kinds, s.Store = ks, ks.Store
	return s.Name
}

func (s *Shared[T]) rowOwner(id string) string {
	if s.Owner == nil {
		return ""
	}
	return s.Owner(id)
}

// Get returns the state of a row, as this node knows it. It may be called with locks held.
func (s *Shared[T]) Get(id string) State[T] {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.known[id]
}

// All returns the states of all rows that exist, as this node knows them, by their ids. It may be called with locks held.
func (s *Shared[T]) All() map[string]State[T] {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return maps.Clone(s.known)
}

// Read reads rows from the store, and returns the states of those that exist by their ids. It takes over none.
func (s *Shared[T]) Read(ctx context.Context, ids ...string) (map[string]State[T], error) {
	keys := make([]Key, len(ids))
	for i, id := range ids {
		keys[i] = Key{s.Name, id}
	}
	found, err := s.Store.Read(ctx, keys...)
	if err != nil {
		return nil, err
	}
	all := make(map[string]State[T])
	for _, r := range found {
		all[r.ID] = s.state(r)
	}
	return all, nil
}

// ReadAll is Read of all rows that exist.
func (s *Shared[T]) ReadAll(ctx context.Context) (map[string]State[T], error) {
	found, _, err := s.Store.Changes(ctx, "")
	if err != nil {
		return nil, err
	}
	all := make(map[string]State[T])
	for _, r := range found {
		if r.Kind == s.Name {
			all[r.ID] = s.state(r)
		}
	}
	return all, nil
}

// Write makes all changes or none, and returns the new states. After ErrConflict, it returns the newest states of these
// rows, which are known then. After another error the outcome is unclear.
func (s *Shared[T]) Write(ctx context.Context, changes ...Change[T]) ([]State[T], error) {
	return s.Record(ctx, changes, func(writes []Write) ([]Row, error) { return s.Store.Write(ctx, writes...) })
}

// Record is Write by a function, which makes the changes together with others, and returns the new rows; nil if all rows
// had existed.
func (s *Shared[T]) Record(ctx context.Context, changes []Change[T], write func([]Write) ([]Row, error)) ([]State[T], error) {
	found, err := write(s.writes(changes))
	if errors.Is(err, ErrConflict) {
		newest, readErr := s.refresh(ctx, changes)
		if readErr != nil {
			err = readErr
		}
		return newest, err
	}
	if err != nil {
		return nil, err
	}
	all := make([]State[T], len(changes))
	for i, c := range changes {
		switch {
		case c.Value == nil:
		case found == nil:
			all[i] = State[T]{Version: c.Replaces + 1, Value: c.Value}
		default:
			all[i] = State[T]{Version: found[i].Version, Value: c.Value, At: found[i].At}
		}
		_ = s.takeNow(ctx, c.ID, all[i], c.Replaces) // it is recorded; what fails is done when it is followed
	}
	if s.kinds != nil && s.kinds.Wrote != nil && !s.IsSilent {
		s.kinds.Wrote()
	}
	return all, nil
}

// Update replaces the value of a row by the result of a function, which gets nil if there is none, and may be called
// again after another change came before. If it returns nil, the row is deleted. Update returns its error, or that of the
// store.
func (s *Shared[T]) Update(ctx context.Context, id string, do func(v *T) (*T, error)) error {
	for {
		known := s.Get(id)
		next, err := do(known.Value)
		if err != nil {
			return err
		}
		if _, err = s.Write(ctx, Change[T]{id, known.Version, next}); !errors.Is(err, ErrConflict) {
			return err
		}
	}
}

func (s *Shared[T]) writes(changes []Change[T]) []Write {
	all := make([]Write, len(changes))
	for i, c := range changes {
		all[i] = Write{Key: Key{s.Name, c.ID}, Replaces: c.Replaces}
		if s.IsDurable != nil {
			v := c.Value
			if v == nil {
				v = s.Get(c.ID).Value
			}
			all[i].Durable = s.IsDurable(v)
		}
		switch {
		case c.Value == nil:
		case s.Encode != nil:
			all[i].Data = s.Encode(c.Value)
		default:
			all[i].Data = encode(c.Value)
		}
	}
	return all
}

// state returns the state of a row.
func (s *Shared[T]) state(r Row) State[T] {
	if r.IsDeleted() {
		return State[T]{}
	}
	next := State[T]{Version: r.Version, At: r.At}
	read := s.Decode
	if read == nil {
		read = func(_ string, data []byte) (*T, error) { return decode[T](data) }
	}
	v, err := read(r.ID, r.Data)
	if err != nil {
		s.kinds.unread(r, err)
		return next
	}
	next.Value = v
	return next
}

// refresh takes over the newest states of rows whose changes came after others, and returns them.
func (s *Shared[T]) refresh(ctx context.Context, changes []Change[T]) ([]State[T], error) {
	ids, all := make([]string, len(changes)), make([]State[T], len(changes))
	for i, c := range changes {
		ids[i] = c.ID
	}
	found, err := s.Read(ctx, ids...)
	if err != nil {
		return nil, err
	}
	for i, c := range changes {
		all[i] = found[c.ID]
		if err := s.takeNow(ctx, c.ID, all[i], c.Replaces); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// take takes over a state of a row that is newer than the known one, or replaces that if it has a version which the store
// does not have any more: the row is deleted, or a database that has failed has lost its newest versions. isNew is false if
// it does neither.
func (s *Shared[T]) take(ctx context.Context, id string, next State[T], replaces int64) (isNew bool, err error) {
	before, isNew := s.set(id, next, replaces)
	if !isNew || s.Apply == nil {
		return isNew, nil
	}
	if err = s.Apply(ctx, id, next); err != nil {
		s.reset(id, next.Version, before)
	}
	return true, err
}

// takeNow is take for a caller that goes on with what follows from the state: another goroutine may have made it known and
// still be applying it.
func (s *Shared[T]) takeNow(ctx context.Context, id string, next State[T], replaces int64) error {
	isNew, err := s.take(ctx, id, next, replaces)
	if isNew || s.Apply == nil || s.Get(id).Version != next.Version {
		return err
	}
	return s.Apply(ctx, id, next)
}

func (s *Shared[T]) set(id string, next State[T], replaces int64) (before State[T], isNew bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before = s.known[id]
	if next.Version == before.Version || next.Version < before.Version && before.Version != replaces {
		return before, false
	}
	s.put(id, next)
	return before, true
}

// put makes a state the known one. The caller holds s.mu.
func (s *Shared[T]) put(id string, next State[T]) {
	if next.Version == 0 {
		delete(s.known, id)
		return
	}
	if s.known == nil {
		s.known = make(map[string]State[T])
	}
	s.known[id] = next
}

// reset makes a state the known one again, unless another than version is known by now.
func (s *Shared[T]) reset(id string, version int64, before State[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[id].Version == version {
		s.put(id, before)
	}
}

func (s *Shared[T]) follow(ctx context.Context, r Row) error {
	known := s.Get(r.ID)
	if r.Version <= known.Version {
		return nil
	}
	_, err := s.take(ctx, r.ID, s.state(r), known.Version)
	return err
}

// followLoss forgets the rows of which the store has lost changes, and has the others taken over again: others may have
// been written with the same versions.
func (s *Shared[T]) followLoss(ctx context.Context, versions map[string]int64) {
	for id, known := range s.All() {
		if stored := versions[id]; stored < known.Version {
			_, _ = s.take(ctx, id, State[T]{}, known.Version) // what fails follows from the row
			continue
		}
		s.mu.Lock()
		if again := s.known[id]; again.Version == known.Version {
			again.Version--
			s.known[id] = again
		}
		s.mu.Unlock()
	}
}
