package lobby

import (
	"slices"
	"testing"

	"ayumu/lobby/match"
)

func wantDraft(t *testing.T, what string, s *seatDraft, actions ...string) {
	t.Helper()
	if got := s.draft.Actions; !slices.Equal(got, actions) {
		t.Errorf("%s: %q, want %q", what, got, actions)
	}
}

// TestTheNewestDraftCounts: that which was made with knowledge of the other, or else that of the higher node, whatever
// the order in which the rows are read.
func TestTheNewestDraftCounts(t *testing.T) {
	var a, b, c seatDraft
	a.set(Draft{Actions: []string{"1"}}, "a")
	first := a.row()
	if !b.follow(0, nil, "a", first) || b.follow(0, nil, "a", first) {
		t.Error("a row is taken over once")
	}
	b.set(Draft{Actions: []string{"2"}}, "b")
	second := b.row()
	wantDraft(t, "b", &b, "2")
	if b.follow(0, nil, "a", first) {
		t.Error("an older row is taken over")
	}
	a.follow(0, nil, "b", second)
	wantDraft(t, "a", &a, "2")

	a.set(Draft{Actions: []string{"3"}}, "a")
	b.set(Draft{Actions: []string{"4"}}, "b")
	third, fourth := a.row(), b.row()
	a.follow(0, nil, "b", fourth)
	b.follow(0, nil, "a", third)
	c.follow(0, nil, "b", fourth)
	c.follow(0, nil, "a", third)
	for name, s := range map[string]*seatDraft{"a": &a, "b": &b, "c": &c} {
		wantDraft(t, "of two at once, "+name, s, "4")
	}
}

// TestDraftsOfMadeTurnsAreIgnored, also by a node that has just started.
func TestDraftsOfMadeTurnsAreIgnored(t *testing.T) {
	var a, b seatDraft
	a.set(Draft{Version: 4, Actions: []string{"1"}}, "a")
	row := a.row()
	b.clear(5)
	if b.follow(1, nil, "a", row) {
		t.Error("after the turn")
	}
	log := make([]match.Entry, 5)
	log[4] = match.Entry{Kind: match.EntryTurn, Seat: 1}
	var started seatDraft
	if started.follow(1, log, "a", row) {
		t.Error("after a start")
	}
	if log[4].Seat = 0; !started.follow(1, log, "a", row) {
		t.Error("after the turn of another seat")
	}
	a.clear(5)
	wantDraft(t, "cleared", &a)
	a.set(Draft{Version: 6, Actions: []string{"2"}}, "a")
	if !b.follow(1, nil, "a", a.row()) {
		t.Error("the next draft is ignored")
	}
}
