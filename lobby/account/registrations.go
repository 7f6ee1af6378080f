package account

import (
	"context"
	"sync"
	"sync/atomic"
)

// Registrations lets one account at a time be created for a key. The first sessions of a key may come together,
// such as those of a program. The zero value is ready. Methods may be called from any goroutine.
type Registrations struct {
	mu      sync.Mutex
	running map[string]chan struct{} // by key; closed after the registration
	created atomic.Uint64
}

// Count counts a new account, unless err is the error of its creation. It returns err.
func (r *Registrations) Count(err error) error {
	if err == nil {
		r.created.Add(1)
	}
	return err
}

// Created returns the number of new accounts since the start.
func (r *Registrations) Created() uint64 { return r.created.Load() }

// Begin waits until no account is being created for the key, and returns the function that lets the next one do
// so. The error is that of ctx.
func (r *Registrations) Begin(ctx context.Context, key string) (done func(), err error) {
	for {
		other, mine := r.begin(key)
		if mine != nil {
			return func() { r.end(key, mine) }, nil
		}
		select {
		case <-other:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// begin returns the channel of the registration that runs for the key, or begins one and returns its channel as
// mine.
func (r *Registrations) begin(key string) (other, mine chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if other := r.running[key]; other != nil {
		return other, nil
	}
	if r.running == nil {
		r.running = make(map[string]chan struct{})
	}
	mine = make(chan struct{})
	r.running[key] = mine
	return nil, mine
}

func (r *Registrations) end(key string, mine chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.running, key)
	close(mine)
}
