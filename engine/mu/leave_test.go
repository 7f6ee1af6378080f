package mu

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"ayumu/engine"
)

// row has three segments in a row, one for each of three players.
const three = "0,0;3,0;6,0"

func checkOutcome(t *testing.T, p *Position, reason string, winners, scores, places []int) {
	t.Helper()
	r, over := p.Result()
	if !over || r.Reason != reason || !slices.Equal(r.Winners, winners) || !slices.Equal(r.Scores, scores) || !slices.Equal(r.Places, places) {
		t.Errorf("%s\nover %v, %+v; want %s, winners %v, scores %v, places %v", p, over, r, reason, winners, scores, places)
	}
}

func lastFields(p *Position) string {
	f := strings.SplitN(p.String(), "|", 3)
	return f[0] + "|" + f[2]
}

func TestLeaveInLayout(t *testing.T) {
	start := New(Options{Players: 3, Segments: 2, Min: 3})
	p, _ := run(t, start, "place 0,0", "place 1,2", "place 3,-1", "leave 0")
	checkCells(t, p, "0,0:v 1,2:v1.1 3,-1:v2.1")
	if lastFields(p) != "layout|1|||0" {
		t.Errorf("the seat to move leaves: %s", p)
	}
	if !p.HasLeft(0) || p.HasLeft(1) || p.HasLeft(3) || p.HasLeft(-1) {
		t.Error("HasLeft")
	}
	p, _ = run(t, p, "place -2,3", "place 6,-2")
	if lastFields(p) != "clear|1|||0" {
		t.Errorf("clearing starts with the first remaining seat: %s", p)
	}
	p, _ = run(t, p, "clear 1,2", "clear 3,-1")
	if lastFields(p) != "play|1|-2,3||1" {
		t.Errorf("a seat that left before play is passed over, which is a pass: %s", p)
	}
	p, _ = run(t, p, "end", "end")
	if p.Phase() != Over || p.Passes() != 3 {
		t.Errorf("two passes and that of the seat that left end the game: %s", p)
	}

	// The last player to place leaves instead.
	p, _ = run(t, start, "place 0,0", "place 1,2", "place 3,-1", "place -2,3", "place -1,-2", "leave 2")
	if lastFields(p) != "clear|0|||0" {
		t.Errorf("the last player to place leaves: %s", p)
	}
	// A seat that is not to move leaves before the first segment is placed.
	p, _ = run(t, start, "leave 2", "place 0,0", "place 1,2")
	if lastFields(p) != "layout|0|||0" {
		t.Errorf("the turn of a seat that left, in the layout: %s", p)
	}
	// Seat 0 leaves at once: the first segment must still have its centre at 0,0.
	p, _ = run(t, start, "leave 0")
	if list := p.Legal(); !slices.Equal(list, []string{"place 0,0"}) || p.Turn() != 1 {
		t.Errorf("turn %d, legal %v", p.Turn(), list)
	}
	p, _ = run(t, p, "leave 1")
	checkOutcome(t, p, engine.ReasonLeft, []int{2}, []int{0, 0, 0}, []int{1, 1, 0})
	if p.String() != "over||1|||0" {
		t.Errorf("over before the first placement: %s", p)
	}
}

func TestLeaveInClearing(t *testing.T) {
	start, _ := run(t, New(Options{Players: 3, Segments: 2, Min: 3}),
		"place 0,0", "place 1,2", "place 3,-1", "place -2,3", "place -1,-2", "place 6,-2", "clear 0,0")
	p, steps := run(t, start, "leave 2")
	checkCells(t, p, "3,-1:v 6,-2:v 1,2:v1.1")
	if lastFields(p) != "clear|1|||0" || len(steps) != 2 || steps[0].Kind != Removed || steps[0].Seat != 2 {
		t.Errorf("another seat leaves: %s, %+v", p, steps)
	}
	p, _ = run(t, p, "clear 1,2")
	if lastFields(p) != "play|0|-2,3||0" {
		t.Errorf("play begins: %s", p)
	}
	p, _ = run(t, p, "end", "end")
	if p.Phase() != Over || p.Passes() != 3 || p.Turn() != 1 {
		t.Errorf("two passes and that of the seat that left: %s", p)
	}
	// The seat to move, the last to clear, leaves: play starts.
	p, _ = run(t, start, "clear 1,2", "leave 2")
	if lastFields(p) != "play|0|-2,3||0" {
		t.Errorf("the last player to clear leaves: %s", p)
	}
	// All seats but one leave.
	p, _ = run(t, start, "leave 0", "leave 2")
	if r, over := p.Result(); !over || r.Reason != engine.ReasonLeft || !slices.Equal(r.Winners, []int{1}) || !slices.Equal(r.Places, []int{1, 0, 1}) {
		t.Errorf("all but one leave: %+v", r)
	}
}

func TestLeaveInPlay(t *testing.T) {
	start := setUp(t, 3, three, "v", "0,0:v0.1 3,0:v1.1 6,0:v2.1", "0")

	p, steps := run(t, start, "leave 1")
	checkCells(t, p, "3,0:v1.1")
	if lastFields(p) != "play|0|0,0||0" || len(steps) != 0 {
		t.Errorf("another seat leaves: %s", p)
	}
	p, steps = run(t, p, "move 0,0 1 e", "end")
	if lastFields(p) != "play|2|6,0||1" || steps[len(steps)-1].Kind != PassedOver {
		t.Errorf("a seat that left is passed over, which is a pass: %s", p)
	}
	p, _ = run(t, p, "end", "end")
	if p.Phase() != Over || p.Turn() != 0 || p.Passes() != 3 {
		t.Errorf("all passed: %s", p)
	}

	p, _ = run(t, start, "leave 0")
	if lastFields(p) != "play|1|3,0||1" {
		t.Errorf("the seat to move leaves, which is a pass: %s", p)
	}
	p, _ = run(t, p, "end")
	if lastFields(p) != "play|2|6,0||2" {
		t.Errorf("a pass after it: %s", p)
	}
	p, _ = run(t, p, "end")
	checkOutcome(t, p, engine.ReasonScore, []int{1, 2}, []int{0, 0, 0}, []int{2, 0, 0})

	// The pass of a seat that left is the last missing one.
	p, _ = run(t, start, "end", "end", "leave 2")
	checkOutcome(t, p, engine.ReasonScore, []int{0, 1}, []int{0, 0, 0}, []int{0, 0, 2})
	if p.Passes() != 3 || p.Turn() != 2 {
		t.Errorf("ended by the third pass: %s", p)
	}

	p, _ = run(t, start, "leave 0", "leave 1")
	checkOutcome(t, p, engine.ReasonLeft, []int{2}, []int{0, 0, 0}, []int{1, 1, 0})

	// The men of a seat that left can be captured.
	p, steps = run(t, setUp(t, 3, three, "v", "0,0:v0.1 1,0:v1.2 6,0:v2.1", "0"), "leave 1", "move 0,0 1 e")
	checkCells(t, p, "0,0:v 1,0:v0.1")
	if last := steps[len(steps)-1]; last.Kind != Captured || last.Other != 1 || last.Taken != 2 {
		t.Errorf("capture of a piece of a seat that left: %+v", steps)
	}
}

func TestLeaveUntilOneHasMen(t *testing.T) {
	// Seat 2 has no men: when seat 1 leaves, seat 0 is the only remaining seat with men.
	p, _ := run(t, setUp(t, 3, three, "v", "0,0:v0.1 3,0:v1.1", "0"), "leave 1")
	checkOutcome(t, p, engine.ReasonScore, []int{0}, []int{0, 0, 0}, []int{0, 2, 1})
	if lastFields(p) != "over|0|||0" {
		t.Errorf("over: %s", p)
	}
	// No remaining seat has men: they share the win.
	p, _ = run(t, setUp(t, 3, three, "v", "0,0:v0.1", "0"), "leave 0")
	checkOutcome(t, p, engine.ReasonScore, []int{1, 2}, []int{0, 0, 0}, []int{2, 0, 0})
	if p.Passes() != 1 {
		t.Errorf("the pass of the seat that left counts: %s", p)
	}
}

// TestLeaversCount checks the score: territory that a seat that left holds or reaches is neutral, alone or
// shared.
func TestLeaversCount(t *testing.T) {
	const cells = "0,0:c0.1 1,0:c 1,-1:c 3,0:c1.1 4,0:c 4,-1:c 6,0:c1.1 7,0:c2.1 7,-1:c"
	p := setUp(t, 3, three, "w", cells, "0")
	if got := p.Territory(); !slices.Equal(got, []int{3, 3, 0}) {
		t.Errorf("%s\ncounts %v", p, got)
	}
	p, _ = run(t, p, "leave 1")
	if got := p.Territory(); !slices.Equal(got, []int{3, 0, 0}) {
		t.Errorf("%s\ncounts %v", p, got)
	}
	for _, a := range p.Areas() {
		if slices.Contains(a.Held, 1) && a.Owner != -1 {
			t.Errorf("%+v", a)
		}
	}
	// An empty section reached by a seat that left, alone and with another.
	p = setUp(t, 3, three, "w", "4,0:c 7,0:w1.3 1,0:w0.1 2,0:w2.1", "0")
	if got := p.Territory(); !slices.Equal(got, []int{0, 1, 0}) {
		t.Fatalf("%s\ncounts %v", p, got)
	}
	p, _ = run(t, p, "leave 1")
	if got := p.Territory(); !slices.Equal(got, []int{0, 0, 0}) {
		t.Errorf("%s\ncounts %v", p, got)
	}
	p, _ = run(t, setUp(t, 3, three, "w", "4,0:c 7,0:w1.3 1,0:w0.1 2,0:w2.2", "0"), "leave 1")
	if got := p.Territory(); !slices.Equal(got, []int{0, 0, 0}) {
		t.Errorf("%s\ncounts %v", p, got)
	}
}

// TestLeaversNeverWin checks a position in which the seat that left would have the largest territory.
func TestLeaversNeverWin(t *testing.T) {
	p, _ := run(t, setUp(t, 3, three, "w", "0,0:c0.1 0,1:c 1,0:c 1,-1:c 3,0:c1.1 4,0:c 4,-1:c 6,0:c2.1 7,0:c 7,-1:c", "1"),
		"leave 0", "end", "leave 2")
	checkOutcome(t, p, engine.ReasonLeft, []int{1}, []int{0, 3, 0}, []int{1, 0, 1})
}

func TestLeaveIsRefused(t *testing.T) {
	start := setUp(t, 3, three, "v", "0,0:v0.1 3,0:v1.1 6,0:v2.1", "0")
	mid, _ := run(t, start, "move 0,0 1 e")
	gone, _ := run(t, start, "leave 1")
	over, _ := run(t, gone, "leave 2")
	for _, c := range []struct {
		p    *Position
		seat int
		want string
	}{
		{start, -1, "the seats are 0 to 2"},
		{start, 3, "the seats are 0 to 2"},
		{gone, 1, "already left"},
		{mid, 0, "within a turn"},
		{mid, 1, "within a turn"},
		{over, 0, engine.ErrGameOver.Error()},
	} {
		if _, err := c.p.Leave(c.seat); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("leave %d: %v, want an error with %q", c.seat, err, c.want)
		}
	}
	var refused *engine.ActionError
	if _, err := start.Play("leave 1"); !errors.As(err, &refused) {
		t.Errorf("leave as an action: %v", err)
	}
}
