package match

import (
	"testing"

	"ayumu/engine"
)

// TestEntriesAreCounted: credits, departures and aborted matches are neither turns nor finished matches.
func TestEntriesAreCounted(t *testing.T) {
	turn, leave := Entry{Kind: EntryTurn}, Entry{Kind: EntryLeave, Reason: LeftResigned}
	end := func(r engine.Result, reason AbortReason) Entry {
		return Entry{Kind: EntryEnd, Result: &r, Reason: string(reason)}
	}
	for _, c := range []struct {
		entries         []Entry
		turns, finished uint64
	}{
		{nil, 0, 0},
		{[]Entry{turn, turn, {Kind: EntryCredit}}, 2, 0},
		{[]Entry{turn, leave, end(engine.Result{Winners: []int{1}, Reason: engine.ReasonResign}, "")}, 1, 1},
		{[]Entry{turn, end(engine.Result{Winners: []int{}, Reason: engine.ReasonAbort}, AbortIdle)}, 1, 0},
		{[]Entry{end(engine.Result{Winners: []int{}, Reason: engine.ReasonAbort}, "")}, 0, 0},
	} {
		if turns, finished := CountEntries(c.entries); turns != c.turns || finished != c.finished {
			t.Errorf("%+v: %d turns and %d finished, want %d and %d", c.entries, turns, finished, c.turns, c.finished)
		}
	}
}
