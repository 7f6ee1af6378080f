package search

import (
	"math"
	"strings"
	"testing"

	"ayumu/engine/ayu"
)

// TestEvaluatorIsSymmetric checks that turned and mirrored boards are worth as much as the board itself.
func TestEvaluatorIsSymmetric(t *testing.T) {
	var s boardFeatures
	e := evaluator{network: defaultValueNetwork()}
	evaluate := func(b ayu.Board) float64 {
		s.compute(b)
		return e.evaluate(&s)
	}
	for seed := range uint64(20) {
		size := []int{5, 9, 11, 15}[seed%4]
		b := opening(size, int(seed)*3, seed)
		rows := strings.Split(strings.Fields(b.String())[2], "/")
		flipped := make([]string, size)
		for i, row := range rows {
			flipped[size-1-i] = row
		}
		c, err := ayu.ParseBoard(strings.Join(append(strings.Fields(b.String())[:2], strings.Join(flipped, "/")), " "))
		if err != nil {
			t.Fatal(err)
		}
		// Where two units are as near, either may be taken for the closest one.
		if x, y := evaluate(b), evaluate(c); math.Abs(x-y) > 0.1 {
			t.Errorf("%s is worth %.3f, and mirrored %.3f", b, x, y)
		}
	}
}

// TestSpansOfFeatures compares the spans of the features of boards with those of the rules.
func TestSpansOfFeatures(t *testing.T) {
	var s boardFeatures
	for seed := range uint64(40) {
		b := opening([]int{3, 5, 7, 11, 15}[seed%5], int(seed)*2, seed)
		s.compute(b)
		if own, enemy := b.Span(b.Turn()), b.Span(b.Turn().Other()); s.sides[0].span != own || s.sides[1].span != enemy {
			t.Errorf("%s: spans of %d and %d, want %d and %d", b, s.sides[0].span, s.sides[1].span, own, enemy)
		}
	}
}

func BenchmarkEvaluator(b *testing.B) {
	var s boardFeatures
	e := evaluator{network: defaultValueNetwork()}
	board := opening(11, 30, 1)
	for b.Loop() {
		s.compute(board)
		e.evaluate(&s)
	}
}
