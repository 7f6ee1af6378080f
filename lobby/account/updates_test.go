package account_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/account"
)

// TestUpdates: each account is read once however often it was added, and again after a failure; guests never are.
func TestUpdates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		u := account.NewUpdates()
		var read []account.ID
		var works atomic.Bool
		done := make(chan struct{})
		for _, id := range []account.ID{7, 3, 7, -1, 0} {
			u.Add(id)
		}
		go func() {
			defer close(done)
			u.Run(ctx, func(_ context.Context, id account.ID) error {
				if id == 7 && !works.Load() {
					return errors.New("the store is gone")
				}
				read = append(read, id)
				return nil
			})
		}()
		<-time.After(10 * time.Second)
		works.Store(true)
		<-time.After(10 * time.Second)
		u.Add(3)
		synctest.Wait()
		slices.Sort(read[:2]) // in any order
		if fmt.Sprint(read) != "[3 7 3]" {
			t.Errorf("read %v", read)
		}
		cancel()
		<-done
	})
}
