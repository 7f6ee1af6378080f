package account

import (
	"maps"
	"sync/atomic"
)

// Blocks are the users whom one user has blocked, by the ids of their accounts. The zero value has none, and
// they have not been read from the store. Methods may be called from any goroutine.
type Blocks struct {
	all atomic.Pointer[map[ID]Block] // replaced, never modified
}

// Has reports whether the user has blocked an account.
func (b *Blocks) Has(id ID) bool {
	_, blocked := b.All()[id]
	return blocked
}

// All returns all blocks. The map must not be changed.
func (b *Blocks) All() map[ID]Block {
	if all := b.all.Load(); all != nil {
		return *all
	}
	return nil
}

// AreRead reports whether the blocks have been read from the store.
func (b *Blocks) AreRead() bool { return b.all.Load() != nil }

// Read replaces the blocks by those that read returns from the store, and those of guests, which are not stored. If
// the blocks have been changed since read was called, it does nothing and returns false.
func (b *Blocks) Read(read func() ([]Block, error)) (ok bool, err error) {
	before := b.all.Load()
	stored, err := read()
	if err != nil {
		return false, err
	}
	all := make(map[ID]Block, len(stored))
	if before != nil {
		maps.Copy(all, *before)
		maps.DeleteFunc(all, func(id ID, _ Block) bool { return id > 0 })
	}
	for _, s := range stored {
		all[s.ID] = s
	}
	return b.all.CompareAndSwap(before, &all), nil
}

// Update replaces the blocks by a copy on which change was called, which may happen more than once. If change
// fails, it returns the error and changes nothing.
func (b *Blocks) Update(change func(all map[ID]Block) error) error {
	for {
		before := b.all.Load()
		all := make(map[ID]Block)
		if before != nil {
			maps.Copy(all, *before)
		}
		if err := change(all); err != nil {
			return err
		}
		if b.all.CompareAndSwap(before, &all) {
			return nil
		}
	}
}
