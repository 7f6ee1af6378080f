package screen

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/op"
)

// TestCalls checks what the continuation of a call gets: the result, the error and the time-out.
func TestCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Shell{Context: t.Context(), Config: new(Config), router: noRouter{}}
		run := func(c tea.Cmd) {
			c().(callDoneMsg).then()
		}
		failure := errors.New("the store is away")
		wait := func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 3, ctx.Err()
		}
		var got int
		var err error
		keep := func(n int, e error) tea.Cmd { got, err = n, e; return nil }
		run(Try(s, func(context.Context) (int, error) { return 1, nil }, keep))
		if got != 1 || err != nil {
			t.Errorf("a result became %d, %v", got, err)
		}
		run(Try(s, func(context.Context) (int, error) { return 2, failure }, keep))
		if got != 2 || err != failure {
			t.Errorf("a result with an error became %d, %v", got, err)
		}
		began := time.Now()
		run(Try(s, wait, keep))
		if took := time.Since(began); took != op.CallTimeout || got != 3 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a call without an end took %v and became %d, %v", took, got, err)
		}
		run(Load(s, func(context.Context) (int, error) { return 4, nil }, func(n int) tea.Cmd { return keep(n, nil) }))
		if got != 4 {
			t.Errorf("a result that was loaded became %d", got)
		}
		run(Load(s, wait, func(int) tea.Cmd { t.Error("continued after an error"); return nil }))
		run(s.Call(func(context.Context) error { return failure }, func() tea.Cmd { t.Error("continued after an error"); return nil }))
		if all := s.Messages(); len(all) != 2 {
			t.Errorf("two errors showed the messages %v", all)
		}
	})
}

// noRouter is a Router that does nothing.
type noRouter struct{ Router }

func (noRouter) Refresh() tea.Cmd { return nil }
