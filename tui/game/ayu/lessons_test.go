package ayu

import (
	"slices"
	"strings"
	"testing"

	"ayumu/engine/ayu"
	"ayumu/lobby/learn"
	"ayumu/lobby/learn/learntest"
)

func TestLessons(t *testing.T) { learntest.Check(t, lessons) }

// TestLessonsAskForWhatTheySay compares the solutions of lessons with the legal moves that have the property for which
// the task asks.
func TestLessonsAskForWhatTheySay(t *testing.T) {
	const black, white = ayu.Black, ayu.White
	fromUnitOf := func(stone string) func(before, after ayu.Board, m ayu.Move) bool {
		return func(before, _ ayu.Board, m ayu.Move) bool {
			p, err := ayu.ParsePoint(stone)
			u, ok := before.UnitAt(p)
			return err == nil && ok && u.Stones.Has(m.From)
		}
	}
	anyMove := func(_, _ ayu.Board, _ ayu.Move) bool { return true }
	oneUnit := func(_, after ayu.Board, _ ayu.Move) bool { return after.CountUnits(black) == 1 }
	for title, wanted := range map[string]func(before, after ayu.Board, m ayu.Move) bool{
		"Units":                 oneUnit,
		"A single stone":        anyMove,
		"Around other stones":   anyMove,
		"The nearest unit":      fromUnitOf("b3"),
		"Groups":                fromUnitOf("a2"),
		"The group stays whole": fromUnitOf("b3"),
		"Several at once":       oneUnit,
		"How to win":            oneUnit,
		"Locked in":             func(_, after ayu.Board, _ ayu.Move) bool { return !after.IsImmobile() },
		"Walls":                 func(_, after ayu.Board, _ ayu.Move) bool { return after.Span(white) > 5 },
	} {
		l := lessonOf(t, title)
		b := l.Position.(*ayu.Position).Board()
		var moves []string
		for _, m := range b.Moves(nil) {
			if wanted(b, b.After(m), m) {
				moves = append(moves, m.String())
			}
		}
		var solutions []string
		for _, s := range l.Solutions {
			solutions = append(solutions, strings.Join(s, " "))
		}
		slices.Sort(moves)
		slices.Sort(solutions)
		if !slices.Equal(moves, solutions) {
			t.Errorf("%s: the solutions are %q, the moves that the task asks for %q", title, solutions, moves)
		}
	}
}

// TestReasonsOfLessons tries typical wrong moves, legal or not.
func TestReasonsOfLessons(t *testing.T) {
	for _, test := range []struct{ title, move, want string }{
		{"Units", "d3-d4", "must get closer"},
		{"Units", "b3-c3", "would split its group"},
		{"A single stone", "a1-a2", "must get closer"},
		{"A single stone", "a1-d1", "occupied"},
		{"Around other stones", "b2-c2", "occupied"},
		{"Around other stones", "b2-b1", "must get closer"},
		{"The nearest unit", "b3-c3", "distance now 1, still 1"},
		{"Groups", "b2-d2", "would split its group"},
		{"Groups", "a2-b3", "must get closer"},
		{"The group stays whole", "c3-d3", "would split its group"},
		{"Several at once", "b3-b4", "one more move is needed"},
		{"How to win", "b4-b3", "must get closer"},
		{"Locked in", "c1-b1", "Black wins"},
		{"Walls", "c5-c3", "c5"},
		{"Walls", "b2-c3", "locked in"},
		{"Walls", "e5-d5", "White moves to c3 next"},
		{"The pie rule", "a2-a3", "swap colours instead"},
	} {
		if o, why := lessonOf(t, test.title).Check([]string{test.move}); o != learn.Refused || !strings.Contains(why, test.want) {
			t.Errorf("%s: %s has outcome %d and the reason %q, want %q", test.title, test.move, o, why, test.want)
		}
	}
}

// TestWhatLessonsShow checks what the lessons say of the positions after their solutions.
func TestWhatLessonsShow(t *testing.T) {
	after := func(title, move string) *ayu.Position {
		p, _, _, err := lessonOf(t, title).After([]string{move})
		if err != nil {
			t.Fatal(err)
		}
		return p.(*ayu.Position)
	}
	if r, over := after("How to win", "e3-d3").Result(); !over || r.Winners[0] != 0 {
		t.Errorf("Black has not won: %v, %v", r, over)
	}
	if n := after("Walls", "c1-c3").Board().Span(ayu.White); n != 7 {
		t.Errorf("White's path has %d points", n)
	}
	if p := after("The pie rule", "swap"); p.Side(1) != "b" {
		t.Errorf("the user has %s", p.Side(1))
	}
}

func lessonOf(t *testing.T, title string) *learn.Lesson {
	t.Helper()
	for i := range lessons {
		if lessons[i].Title == title {
			return &lessons[i]
		}
	}
	t.Fatalf("there is no lesson %q", title)
	return nil
}
