package draft_test

import (
	"slices"
	"testing"

	"ayumu/lobby/draft"
	"ayumu/lobby/match"
)

func want(t *testing.T, what string, s *draft.Seat, actions ...string) {
	t.Helper()
	if got := s.Draft().Actions; !slices.Equal(got, actions) {
		t.Errorf("%s: %q, want %q", what, got, actions)
	}
}

// TestTheNewestDraftCounts: that which was made with knowledge of the other, or else that of the higher node, whatever
// the order in which the rows are read.
func TestTheNewestDraftCounts(t *testing.T) {
	var a, b, c draft.Seat
	a.Set(draft.Draft{Actions: []string{"1"}}, "a")
	first := a.Row()
	if !b.Follow(0, nil, "a", first) || b.Follow(0, nil, "a", first) {
		t.Error("a row is taken over once")
	}
	b.Set(draft.Draft{Actions: []string{"2"}}, "b")
	second := b.Row()
	want(t, "b", &b, "2")
	if b.Follow(0, nil, "a", first) {
		t.Error("an older row is taken over")
	}
	a.Follow(0, nil, "b", second)
	want(t, "a", &a, "2")

	a.Set(draft.Draft{Actions: []string{"3"}}, "a")
	b.Set(draft.Draft{Actions: []string{"4"}}, "b")
	third, fourth := a.Row(), b.Row()
	a.Follow(0, nil, "b", fourth)
	b.Follow(0, nil, "a", third)
	c.Follow(0, nil, "b", fourth)
	c.Follow(0, nil, "a", third)
	for name, s := range map[string]*draft.Seat{"a": &a, "b": &b, "c": &c} {
		want(t, "of two at once, "+name, s, "4")
	}
}

// TestDraftsOfMadeTurnsAreIgnored, also by a node that has just started.
func TestDraftsOfMadeTurnsAreIgnored(t *testing.T) {
	var a, b draft.Seat
	a.Set(draft.Draft{Version: 4, Actions: []string{"1"}}, "a")
	row := a.Row()
	b.Clear(5)
	if b.Follow(1, nil, "a", row) {
		t.Error("after the turn")
	}
	log := make([]match.Entry, 5)
	log[4] = match.Entry{Kind: match.EntryTurn, Seat: 1}
	var started draft.Seat
	if started.Follow(1, log, "a", row) {
		t.Error("after a start")
	}
	if log[4].Seat = 0; !started.Follow(1, log, "a", row) {
		t.Error("after the turn of another seat")
	}
	a.Clear(5)
	want(t, "cleared", &a)
	a.Set(draft.Draft{Version: 6, Actions: []string{"2"}}, "a")
	if !b.Follow(1, nil, "a", a.Row()) {
		t.Error("the next draft is ignored")
	}
	if b.Follow(1, nil, "a", []byte("{")) {
		t.Error("a damaged row is taken over")
	}
}
