package lobby_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

func TestFirstTurnRunsOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, memoryStore(t))
		defer h.Close()
		seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Clock: &clock.Default})
		m := seats[0].Match()
		<-time.After(20 * time.Second)
		if left, ok := m.Snapshot().FirstTurnRemaining(time.Now()); !ok || left != 40*time.Second {
			t.Errorf("after 20 s the first turn has %v left, %v", left, ok)
		}
		for i, turn := range []string{"b1-b2", "a2-a3"} {
			if _, ok := m.Snapshot().FirstTurnRemaining(time.Now()); !ok {
				t.Errorf("turn %d is no first turn", i)
			}
			if _, err := seats[i].Act(t.Context(), i, []string{turn}); err != nil {
				t.Fatal(err)
			}
		}
		if _, ok := m.Snapshot().FirstTurnRemaining(time.Now()); ok {
			t.Error("the third turn is a first turn")
		}
	})
}

// TestFirstTurnLimitGrowsWithTheClock waits until games without a first turn are aborted.
func TestFirstTurnLimitGrowsWithTheClock(t *testing.T) {
	for _, c := range []struct{ initial, limit time.Duration }{
		{10 * time.Second, 10 * time.Second}, // the clock runs out first
		{15 * time.Minute, time.Minute},
		{15*time.Minute + time.Second, 3 * time.Minute},
		{time.Hour, 3 * time.Minute},
		{time.Hour + time.Second, 10 * time.Minute},
	} {
		withHarness(t, func(t *testing.T, h harness) {
			seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions, Clock: &clock.Control{Initial: c.initial}})
			synctest.Wait()
			if left, ok := seats[0].Snapshot().FirstTurnRemaining(time.Now()); !ok || left != c.limit {
				t.Errorf("with %v on the clock the first turn has %v, %v; want %v", c.initial, left, ok, c.limit)
			}
			advance(c.limit - time.Second)
			if seats[0].Snapshot().IsOver() {
				t.Errorf("with %v on the clock the match ends early", c.initial)
			}
			advance(2 * time.Second)
			if r := seats[0].Snapshot().Result; r == nil || r.Reason != engine.ReasonAbort {
				t.Errorf("with %v on the clock the match ends with %+v", c.initial, r)
			}
			if _, ok := seats[0].Snapshot().FirstTurnRemaining(time.Now()); ok {
				t.Error("a match that is over has a first turn to come")
			}
		})
	}
}

// TestRestartDoesNotCountAgainstTheFirstTurn stops the server when the first turn of a seat is almost due:
// after the restart the seat has the complete limit and the credit of a restart.
func TestRestartDoesNotCountAgainstTheFirstTurn(t *testing.T) {
	for _, c := range []struct {
		made    int           // turns before the restart
		initial time.Duration // on the clock
		left    time.Duration // for the first turn after the restart
	}{
		{0, 10 * time.Minute, 80 * time.Second},
		{1, 10 * time.Minute, 80 * time.Second},
		{0, 5 * time.Second, 25 * time.Second},
		{1, 5 * time.Second, 25 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			db := memoryStore(t)
			h := open(t, db)
			seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions, Clock: &clock.Control{Initial: c.initial}})
			id := seats[0].Match().Info.ID
			for range c.made {
				turn(t, seats)
			}
			h.Drain()
			advance(2 * time.Minute) // until the sessions have ended
			if c.initial > 2*time.Minute && seats[0].Snapshot().IsOver() {
				t.Error("a first turn was due while the server closed")
			}
			h.Close()
			advance(time.Hour)
			h = open(t, db)
			defer h.Close()
			synctest.Wait()
			m, err := h.Match(id)
			if err != nil {
				t.Fatal(err)
			}
			if left, ok := m.Snapshot().FirstTurnRemaining(time.Now()); !ok || left != c.left {
				t.Errorf("after %d turns with %v: %v left, %v; want %v", c.made, c.initial, left, ok, c.left)
			}
			advance(c.left - time.Second)
			if m.Snapshot().IsOver() {
				t.Error("the match ended early")
			}
			advance(2 * time.Second)
			if r := m.Snapshot().Result; r == nil || r.Reason != engine.ReasonAbort {
				t.Errorf("the match ended with %+v", r)
			}
		})
	}
}

// Every session that displays a match reads these every second while a clock runs.
func TestReadingASnapshotCopiesNoLog(t *testing.T) {
	log := make([]match.Entry, 500)
	for i := range log {
		log[i] = match.Entry{Kind: match.EntryTurn, Seat: 1}
	}
	now := time.Now()
	s := &match.Snapshot{
		Info: &match.Info{Control: clock.Default, Seats: make([]match.Seat, 2)}, Log: log, Version: len(log),
		Clocks: make([]time.Duration, 2), RunningSeat: 0, ClocksAt: now, FirstTurnDeadline: now.Add(time.Minute),
	}
	if n := testing.AllocsPerRun(100, func() {
		s.FirstTurnRemaining(now)
		s.Remaining(0, now)
		s.Offer(match.OfferDraw)
		s.IsOver()
	}); n > 0 {
		t.Errorf("reading what a status line shows allocates %v times", n)
	}
}
