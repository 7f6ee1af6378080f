package bots_test

import (
	"context"
	"fmt"
	"net/netip"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/analysis"
	"ayumu/engine/search"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/limit"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// countingEngine prefers the first legal action, after its time, for which it sees a chance of 0.9; every other turn
// leads to one of 0.3. It counts its searches.
func countingEngine(searches *atomic.Int64) searchFunc {
	return func(ctx context.Context, p engine.Position, o search.Options) (search.Advice, error) {
		searches.Add(1)
		advice, err := slowEngine(ctx, p, o)
		if err != nil {
			return advice, err
		}
		chances := make([]float64, p.Seats())
		chances[p.Turn()], chances[1-p.Turn()] = 0.7, 0.3
		advice.Chances, advice.Choices[0].Chance = chances, 0.9
		return advice, nil
	}
}

// finished returns a match of 5×5 that ana has resigned after n turns, all other turns than the engine would play. The
// bot's are those of the engine.
func finished(t *testing.T, h harness, n int) *match.Snapshot {
	t.Helper()
	match, err := h.builtin.Play(t.Context(), h.ana, 1, table.Proposal{Game: "ayu", Options: []byte(`{"size":5,"pie":false}`)})
	if err != nil {
		t.Fatal(err)
	}
	p, err := h.ana.AsPlayer(match)
	for s := p.Snapshot(); err == nil && s.Turns < n; s = p.Snapshot() {
		if s.Position.Turn() != p.Seat() {
			advance(time.Second)
			continue
		}
		legal := s.Position.Legal()
		_, err = p.Act(t.Context(), s.Version, legal[len(legal)-1:])
	}
	if err == nil {
		err = p.Resign(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	advance(2 * time.Second) // until a turn that the bot may be choosing is dropped
	return p.Snapshot()
}

// TestAnalysis computes an analysis once for all who want it, shows its progress, and keeps it.
func TestAnalysis(t *testing.T) {
	var searches atomic.Int64
	withHarness(t, countingEngine(&searches), func(t *testing.T, h harness) {
		m := finished(t, h, 6)
		eve := lobbytest.Member(t, h.l, "eve")
		defer eve.Close(false)
		searches.Store(0)
		r, err := h.builtin.Analyze(t.Context(), h.ana, m)
		if err != nil {
			t.Fatal(err)
		}
		advance(time.Second)
		half := r.Newest()
		if half.IsComplete || half.Done < 2 || len(half.Evaluations) != half.Done || len(half.Turns) != m.Turns {
			t.Errorf("after a second it has %d of %d evaluations", half.Done, half.All)
		}
		other, err := h.builtin.Analyze(t.Context(), eve, m)
		if err != nil {
			t.Fatal(err)
		}
		clearWakeups(eve)
		advance(20 * time.Second)
		whole := r.Newest()
		if !whole.IsComplete || whole.Err != nil || whole.Done != whole.All || len(whole.Evaluations) != m.Turns+1 || other.Newest() != whole {
			t.Errorf("at its end it is %+v", whole)
		}
		if len(half.Evaluations) != half.Done {
			t.Error("an older state has changed")
		}
		if clearWakeups(eve) == 0 {
			t.Error("who waits is not woken")
		}
		seat, _ := m.Info.SeatOf(h.ana.Account().ID)
		if n := len(analysis.Mistakes(whole.Turns, whole.Evaluations, seat, 10)); n != 3 || len(analysis.Mistakes(whole.Turns, whole.Evaluations, 1-seat, 10)) != 0 {
			t.Errorf("ana made %d mistakes", n)
		}
		done := searches.Load()
		if want := int64(m.Turns + 1 + 6); done > want {
			t.Errorf("%d searches, want at most %d", done, want)
		}
		again, err := h.builtin.Analyze(t.Context(), eve, m)
		if err != nil || again.Newest() != whole || searches.Load() != done {
			t.Errorf("it is not kept: %v", err)
		}
		again.Cancel()
		r.Cancel()
	})
}

// clearWakeups takes the signal of a session and returns 1 if there was one.
func clearWakeups(s *lobby.Session) int {
	select {
	case <-s.Wakeups():
		return 1
	default:
		return 0
	}
}

// TestAnalysisEndsWithTheLastWhoWantsIt: the user leaves, or the session's context ends.
func TestAnalysisEndsWithTheLastWhoWantsIt(t *testing.T) {
	var searches atomic.Int64
	withHarness(t, countingEngine(&searches), func(t *testing.T, h harness) {
		m := finished(t, h, 6)
		eve := lobbytest.Member(t, h.l, "eve")
		defer eve.Close(false)
		r, err := h.builtin.Analyze(t.Context(), h.ana, m)
		if err != nil {
			t.Fatal(err)
		}
		ctx, end := context.WithCancel(t.Context())
		if _, err := h.builtin.Analyze(ctx, eve, m); err != nil {
			t.Fatal(err)
		}
		r.Cancel()
		before := searches.Load()
		advance(500 * time.Millisecond)
		if searches.Load() == before {
			t.Error("it ends although another session wants it")
		}
		end()
		synctest.Wait()
		before = searches.Load()
		advance(10 * time.Second)
		if n := searches.Load() - before; n != 0 {
			t.Errorf("%d searches after nobody wants it", n)
		}
		if r.Cancel(); r.Newest().IsComplete {
			t.Error("it is complete")
		}
		if r, err = h.builtin.Analyze(t.Context(), h.ana, m); err != nil {
			t.Fatal(err)
		}
		advance(20 * time.Second)
		if !r.Newest().IsComplete {
			t.Error("it cannot be computed again")
		}
	})
}

// TestLimitsOfAnalyses: one of each account, a few of each origin, and a bounded number of all.
func TestLimitsOfAnalyses(t *testing.T) {
	withHarness(t, countingEngine(new(atomic.Int64)), func(t *testing.T, h harness) {
		m := finished(t, h, 2)
		copyOf := func(n int) *match.Snapshot {
			info, other := *m.Info, *m
			info.ID = fmt.Sprintf("m%d", n)
			other.Info = &info
			return &other
		}
		if _, err := h.builtin.Analyze(t.Context(), h.ana, copyOf(0)); err != nil {
			t.Fatal(err)
		}
		if _, err := h.builtin.Analyze(t.Context(), h.ana, copyOf(1)); err != bots.ErrAnalyzing {
			t.Errorf("a second one of the account: %v", err)
		}
		ask := func(n int, addr string) error {
			s := lobbytest.Member(t, h.l, fmt.Sprintf("user%d", n))
			s.SetAddr(netip.MustParseAddr(addr))
			_, err := h.builtin.Analyze(t.Context(), s, copyOf(n))
			return err
		}
		for n := 1; n <= 4; n++ {
			if err := ask(n, "192.0.2.1"); err != nil {
				t.Fatal(err)
			}
		}
		if err := ask(5, "192.0.2.1"); err != bots.ErrAnalyzing {
			t.Errorf("a fifth one of the origin: %v", err)
		}
		for n := 5; n < 32; n++ {
			if err := ask(100+n, fmt.Sprintf("198.51.100.%d", n)); err != nil {
				t.Fatal(n, err)
			}
		}
		if err := ask(200, "198.51.100.250"); err != bots.ErrAnalysesBusy {
			t.Errorf("one more than the queue has space for: %v", err)
		}
		if h.l.LimitHits.All()[limit.HitHints] != 3 {
			t.Errorf("%d refusals are counted", h.l.LimitHits.All()[limit.HitHints])
		}
		running := *m
		running.Result = nil
		if _, err := h.builtin.Analyze(t.Context(), h.ana, &running); err == nil {
			t.Error("a running match is analyzed")
		}
	})
}

// TestTurnsComeBeforeAnalyses: a bot answers as fast as otherwise while an analysis is computed.
func TestTurnsComeBeforeAnalyses(t *testing.T) {
	withHarness(t, countingEngine(new(atomic.Int64)), func(t *testing.T, h harness) {
		m := finished(t, h, 6)
		eve := lobbytest.Member(t, h.l, "eve")
		defer eve.Close(false)
		r, err := h.builtin.Analyze(t.Context(), eve, m)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		finished(t, h, 2)
		if took := time.Since(began); took > 4500*time.Millisecond || r.Newest().IsComplete {
			t.Errorf("two turns take %v", took)
		}
	})
}
