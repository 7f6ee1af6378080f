package lobby_test

import (
	"slices"
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// TestDelayHoldsForClocksOffersAndVotes: spectators of a match with a delay see the clocks as they were
// then, none of them running, and no offers. The players see everything.
func TestDelayHoldsForClocksOffersAndVotes(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		control := &clock.Control{Initial: 10 * time.Minute}
		seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: []byte(`{"size":7,"pie":false}`), Clock: control, Delay: 2})
		m := seats[0].Match()
		w, err := h.member("eve").Watch(m.Info.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		var stood [][]time.Duration // after each turn
		for i := range 5 {
			advance(time.Duration(i+1) * time.Second)
			turn(t, seats)
			stood = append(stood, slices.Clone(seats[0].Snapshot().Log[i].Clocks))
		}
		if err := seats[0].Offer(t.Context(), match.OfferDraw); err != nil {
			t.Fatal(err)
		}
		advance(30 * time.Second)
		live := seats[1].Snapshot()
		if len(live.Offers) != 1 || live.RunningSeat < 0 {
			t.Fatalf("a player sees offers %v, and the clock of seat %d run", live.Offers, live.RunningSeat)
		}
		replay, err := h.Archive.MatchSnapshot(t.Context(), 0, m.Info.ID)
		if err != nil {
			t.Fatal(err)
		}
		for what, s := range map[string]*match.Snapshot{"watching": w.Snapshot(), "the list": m.Snapshot(), "the replay": replay} {
			if s.Version != 3 || len(s.Offers) != 0 || s.RunningSeat != -1 || len(s.Events) != 0 {
				t.Errorf("%s shows version %d, offers %v, the clock of seat %d run, events %v", what, s.Version, s.Offers, s.RunningSeat, s.Events)
			}
			for seat := range 2 {
				if left, ok := s.Remaining(seat, time.Now()); !ok || left != stood[2][seat] {
					t.Errorf("%s: seat %d has %v left, and had %v then", what, seat, left, stood[2][seat])
				}
			}
			if slices.ContainsFunc(s.Votes, func(n int) bool { return n != 0 }) {
				t.Errorf("%s shows votes %v", what, s.Votes)
			}
		}
	})
}
