package ayu

import (
	"slices"
	"testing"
)

func mustBoard(t *testing.T, line string) Board {
	t.Helper()
	b, err := ParseBoard(line)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func mustMove(t *testing.T, text string) Move {
	t.Helper()
	m, err := ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// setOf returns the set of these points.
func setOf(points ...Point) Points {
	var s Points
	for _, p := range points {
		s = s.or(single[p])
	}
	return s
}

func TestExplain(t *testing.T) {
	const (
		start  = "5 b .x.x./o.o.o/.x.x./o.o.o/.x.x."
		bend   = "5 b x..../...../xx.../.x.../.x..."
		rows   = "7 b ......./......./......./......./......./......./xx....x"
		walled = "5 b xo.../oo.../...../...xx/x...."
		one    = "5 b ...../...../xx.../...../....."
	)
	for _, c := range []struct{ board, move, want string }{
		{start, "b1-b2", ""},
		{start, "b1-b7", "there is no point b7 on a 5×5 board"},
		{start, "f1-b2", "there is no point f1 on a 5×5 board"},
		{start, "a1-b1", "there is no stone on a1"},
		{start, "a2-a1", "the stone on a2 is White's and it is Black's turn"},
		{start, "b1-a2", "a2 is occupied"},
		{start, "b1-b1", "b1 is occupied"},
		{start, "b1-d2", "d2 is not next to the stone on b1"},
		{start, "b1-a1", "the unit must get closer (distance now 1, then 2)"},
		{rows, "g1-g2", "the unit must get closer (distance now 4, then 5)"},
		{rows, "a1-c1", ""},
		{rows, "b1-c1", "moving b1 to c1 would split its group"},
		{rows, "a1-d1", "d1 is not next to the group of a1"},
		{rows, "a1-b2", "the unit must get closer (distance now 4, still 4)"},
		{bend, "b2-a4", "moving b2 to a4 would split its group"},
		{bend, "b1-a4", ""},
		{walled, "a5-a4", "the stone on a5 is cut off from all other Black stones and cannot move"},
		{walled, "d2-c2", "moving d2 to c2 would split its group"},
		{walled, "e2-c2", ""},
		{one, "a3-c3", "all of Black's stones form one unit"},
	} {
		b := mustBoard(t, c.board)
		m := mustMove(t, c.move)
		if got := b.Explain(m); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.move, c.board, got, c.want)
		}
		if got := b.Targets(m.From).Has(m.To); got != (c.want == "") {
			t.Errorf("%s in %s: a target is %t", c.move, c.board, got)
		}
	}
}

func TestMovable(t *testing.T) {
	b := mustBoard(t, "5 b xo.../oo.../...../.x.../..x..")
	if got, want := b.Movable(), setOf(At(1, 1), At(2, 0)); got != want {
		t.Errorf("movable are %v, want %v", slices.Collect(got.All()), slices.Collect(want.All()))
	}
}

func TestUnitAt(t *testing.T) {
	b := NewBoard(5)
	if _, found := b.UnitAt(At(0, 0)); found {
		t.Error("there is a unit on an empty point")
	}
	u, found := b.UnitAt(At(0, 1))
	if !found || u.Stones != setOf(At(0, 1)) || u.Distance != 1 || u.Closest != setOf(At(0, 3), At(2, 1)) || u.Paths != setOf(At(0, 2), At(1, 1)) {
		t.Errorf("the unit of a2 is %+v", u)
	}
}

func TestCountUnits(t *testing.T) {
	for line, want := range map[string][2]int{
		"5 b .x.x./o.o.o/.x.x./o.o.o/.x.x.": {6, 6},
		"5 w xxx.o/x.x.o/xxx../...o./o...o": {1, 4},
		"5 b ...../...../...../...../x....": {1, 0},
	} {
		b := mustBoard(t, line)
		for c, n := range want {
			if got := b.CountUnits(Color(c)); got != n || got != len(b.Units(Color(c))) {
				t.Errorf("%s: %s has %d units, want %d and as many as Units lists: %d", line, Color(c).Name(), got, n, len(b.Units(Color(c))))
			}
		}
	}
}

func TestSpan(t *testing.T) {
	for line, want := range map[string]int{
		"5 b .x.x./o.o.o/.x.x./o.o.o/.x.x.": 5,
		"5 b xo.../o.x../...../...../x...x": 7, // a5 is cut off; a1 is 3 from e1, c4 is 4 from both
		"5 b ...../...../xx.../...../.....": 0,
		"5 b ...../...../...../...../.....": 0,
	} {
		if got := mustBoard(t, line).Span(Black); got != want {
			t.Errorf("%s: the span is %d, want %d", line, got, want)
		}
	}
}
