package account

import (
	"context"
	"sync"
	"time"
)

// updateRetry is the time between two attempts to read an account.
const updateRetry = time.Second

// Updates are the accounts that have to be read from the store, because another node may have changed them.
// NewUpdates is the constructor. Its methods may be called from any goroutine, Run by one.
type Updates struct {
	added chan struct{}

	mu  sync.Mutex
	ids map[ID]struct{}
}

// NewUpdates returns an Updates without accounts.
func NewUpdates() *Updates {
	return &Updates{added: make(chan struct{}, 1), ids: make(map[ID]struct{})}
}

// Add has an account read, once even if it is added several times before that. It never blocks. Guests, whom no
// store has, are left out.
func (u *Updates) Add(id ID) {
	if id <= 0 {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ids[id] = struct{}{}
	select {
	case u.added <- struct{}{}:
	default:
	}
}

// Run calls read for each account until ctx ends, and again after an error.
func (u *Updates) Run(ctx context.Context, read func(context.Context, ID) error) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-u.added:
		}
		for id := range u.take() {
			if read(ctx, id) == nil {
				continue
			}
			u.Add(id)
			select {
			case <-ctx.Done():
				return
			case <-time.After(updateRetry):
			}
		}
	}
}

// take returns the accounts and removes them.
func (u *Updates) take() map[ID]struct{} {
	u.mu.Lock()
	defer u.mu.Unlock()
	ids := u.ids
	u.ids = make(map[ID]struct{})
	return ids
}
