package club

import (
	"context"
	"sync"

	"ayumu/lobby/account"
)

// Roles are the stored roles of accounts, as they were read last. Beside them the list of keys gives roles. The methods
// may be called from any goroutine.
type Roles struct {
	store MemberStore

	// mu guards the fields below. It is a leaf and is not held while the store is called.
	mu         sync.Mutex
	byAccount  map[account.ID]Role // replaced, never changed
	reads      uint64              // how often reading has begun
	newestRead uint64              // the number of the reading that byAccount comes from
}

// Of returns the stored role of an account; RoleNobody if it has none.
func (r *Roles) Of(id account.ID) Role { return r.all()[id] }

// all returns the stored roles, which must not be changed.
func (r *Roles) all() map[account.ID]Role {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.byAccount
}

// read reads the stored roles. Of several readings the one that began last counts.
func (r *Roles) read(ctx context.Context) error {
	number := r.begin()
	all, err := r.store.Roles(ctx)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if number > r.newestRead {
		r.byAccount, r.newestRead = all, number
	}
	return nil
}

func (r *Roles) begin() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads++
	return r.reads
}
