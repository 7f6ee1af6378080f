package account_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/account"
)

// TestBlocksRead: what is read from the store replaces the blocks of accounts, keeps those of guests, and is dropped
// if there was a change meanwhile.
func TestBlocksRead(t *testing.T) {
	var b account.Blocks
	if b.AreRead() || b.Has(1) || len(b.All()) != 0 {
		t.Error("blocks at first")
	}
	add := func(id account.ID) {
		if err := b.Update(func(all map[account.ID]account.Block) error { all[id] = account.Block{ID: id}; return nil }); err != nil {
			t.Error(err)
		}
	}
	add(1)
	add(-1)
	ok, err := b.Read(func() ([]account.Block, error) { return []account.Block{{ID: 2}}, nil })
	if !ok || err != nil || b.Has(1) || !b.Has(2) || !b.Has(-1) || !b.AreRead() {
		t.Errorf("read: %v, %v, %v", ok, err, b.All())
	}
	ok, err = b.Read(func() ([]account.Block, error) { add(3); return nil, nil })
	if ok || err != nil || !b.Has(2) || !b.Has(3) {
		t.Errorf("read during a change: %v, %v, %v", ok, err, b.All())
	}
	failure := errors.New("the store is gone")
	if _, err = b.Read(func() ([]account.Block, error) { return nil, failure }); !errors.Is(err, failure) || !b.Has(2) {
		t.Errorf("a failure: %v, %v", err, b.All())
	}
	if err = b.Update(func(all map[account.ID]account.Block) error { delete(all, 2); return failure }); !errors.Is(err, failure) || !b.Has(2) {
		t.Errorf("a refused change: %v, %v", err, b.All())
	}
}

// TestRegistrations: those of one key wait for each other, until their context ends; those of others do not.
func TestRegistrations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r account.Registrations
		begin := func(key string, limit time.Duration) (func(), error) {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			return r.Begin(ctx, key)
		}
		done, err := begin("a", time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := begin("b", time.Second); err != nil {
			t.Error(err)
		} else {
			other()
		}
		if _, err = begin("a", time.Second); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a second registration of the key: %v", err)
		}
		time.AfterFunc(time.Second, done)
		if again, err := begin("a", time.Minute); err != nil {
			t.Error(err)
		} else {
			again()
		}
	})
}
