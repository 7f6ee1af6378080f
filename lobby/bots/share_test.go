package bots_test

import (
	"context"
	"net/netip"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/search"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// hostile and fair are addresses.
var hostile, fair = netip.MustParseAddr("192.0.2.66"), netip.MustParseAddr("192.0.2.1")

// guests enters n guests from one address.
func (h harness) guests(t *testing.T, n int, from netip.Addr) (all []*lobby.Session) {
	t.Helper()
	for range n {
		s, err := h.l.Enter(h.l.Accounts.NewGuest(), nil)
		if err != nil {
			t.Fatal(err)
		}
		s.SetAddr(from)
		all = append(all, s)
	}
	return all
}

// TestHintsOfOneAddressDelayNobody: 45 guests from one address ask for hints all the time.
func TestHintsOfOneAddressDelayNobody(t *testing.T) {
	withHarness(t, slowEngine, func(t *testing.T, h harness) {
		h.ana.SetAddr(fair)
		p := ayu.Game{}.New(ayu.Options{Size: 5})
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		for _, s := range h.guests(t, 45, hostile) {
			go func() {
				for ctx.Err() == nil {
					h.builtin.Advise(ctx, s, ayu.Game{}, p)
					select {
					case <-time.After(10 * time.Millisecond):
					case <-ctx.Done():
					}
				}
			}()
		}
		advance(10 * time.Second)
		for range 8 {
			began := time.Now()
			if _, err := h.builtin.Advise(t.Context(), h.ana, ayu.Game{}, p); err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took > 1700*time.Millisecond { // the one that was being computed, and this one
				t.Errorf("a hint took %v", took)
			}
			advance(time.Second)
		}
		again := make(chan error, 1)
		go func() { _, err := h.builtin.Advise(ctx, h.ana, ayu.Game{}, p); again <- err }()
		synctest.Wait()
		if _, err := h.builtin.Advise(t.Context(), h.ana, ayu.Game{}, p); err != bots.ErrHinting {
			t.Errorf("a second hint at once: %v", err)
		}
		if err := <-again; err != nil {
			t.Errorf("the first hint: %v", err)
		}
		if h.l.LimitHits.All()[limit.HitHints] == 0 {
			t.Error("no refusal was counted")
		}
	})
}

// keepPlaying plays with a bot until ctx ends: each turn as soon as possible, a take-back after each, and
// rematches.
func keepPlaying(ctx context.Context, s *lobby.Session, id string) {
	p, err := s.AsPlayer(id)
	for err == nil && ctx.Err() == nil {
		switch snap := p.Snapshot(); {
		case snap.Rematch != "":
			p, err = s.AsPlayer(snap.Rematch)
		case snap.IsOver():
			p.Offer(ctx, match.OfferRematch)
		case snap.Position.Turn() == p.Seat():
			p.Act(ctx, snap.Version, snap.Position.Legal()[:1])
			p.Offer(ctx, match.OfferUndo)
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// answerTime starts a game of ana and returns the time in which the bot answers the first turn.
func (h harness) answerTime(t *testing.T) time.Duration {
	t.Helper()
	match, err := h.builtin.Play(t.Context(), h.ana, 3, table.Proposal{Game: "ayu", Options: []byte(`{"size":11,"pie":false}`)})
	if err != nil {
		t.Fatal(err)
	}
	p, err := h.ana.AsPlayer(match)
	if err != nil {
		t.Fatal(err)
	}
	due := func() bool { return p.Snapshot().Position.Turn() == p.Seat() }
	wait := func() {
		t.Helper()
		for end := time.Now().Add(time.Minute); !due(); advance(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the bot does not answer")
			}
		}
	}
	wait()
	s, began := p.Snapshot(), time.Now()
	if _, err := p.Act(t.Context(), s.Version, s.Position.Legal()[:1]); err != nil {
		t.Fatal(err)
	}
	wait()
	defer p.Resign(t.Context())
	return p.Snapshot().LastAt.Sub(began)
}

// TestGamesOfOneAddressTakeNoMoreThanTheirShare: guests from one address play 60 games with bots all the
// time; it measures the bots' answers to another player and their thinking time.
func TestGamesOfOneAddressTakeNoMoreThanTheirShare(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	var thought atomic.Int64 // nanoseconds
	count := func(ctx context.Context, p engine.Position, o search.Options) (search.Advice, error) {
		began := time.Now()
		defer func() { thought.Add(int64(time.Since(began))) }()
		return slowEngine(ctx, p, o)
	}
	withHarness(t, count, func(t *testing.T, h harness) {
		h.ana.SetAddr(fair)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		for i, s := range h.guests(t, 60, hostile) {
			match, err := h.builtin.Play(ctx, s, 1+i%bots.MaxLevel, table.Proposal{Game: "ayu", Options: []byte(`{"size":11,"pie":false}`)})
			if err != nil {
				t.Fatal(err)
			}
			go keepPlaying(ctx, s, match)
			advance(200 * time.Millisecond) // at most 5 a second start after the first 50
		}
		var took []time.Duration
		for range 10 {
			took = append(took, h.answerTime(t))
			advance(3 * time.Second)
		}
		slices.Sort(took)
		t.Log("a bot's turn takes", took[len(took)/2], "and at most", took[len(took)-1])
		if took[len(took)-1] > 3500*time.Millisecond {
			t.Errorf("a bot took %v for another player", took[len(took)-1])
		}
		advance(5 * time.Minute) // until the burst is used up
		thought.Store(0)
		const window = 2 * time.Minute
		advance(window)
		share := float64(thought.Load()) / float64(window)
		t.Logf("the bots think %.0f %% of the time for guests from one address", 100*share)
		if share > 0.3 || share < 0.2 {
			t.Errorf("the share of guests from one address is %.2f, want that of one person, 0.25", share)
		}
		if h.l.LimitHits.All()[limit.HitThought] == 0 {
			t.Error("it was not counted")
		}
	})
}
