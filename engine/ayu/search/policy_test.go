package search

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ayumu/engine/ayu"
)

// TestPolicyIsSymmetric compares the probabilities of the moves of a board with those of the mirrored board.
func TestPolicyIsSymmetric(t *testing.T) {
	var s boardFeatures
	y := policy{network: defaultPolicyNetwork()}
	estimate := func(b ayu.Board) map[ayu.Move]float32 {
		s.compute(b)
		moves := b.Moves(nil)
		p := make(map[ayu.Move]float32)
		for i, x := range y.estimate(&s, moves, ayu.Move{}) {
			p[moves[i]] = x
		}
		return p
	}
	moved, boards := 0.0, 0.0 // the share of the probability that is on other moves on the mirrored board
	for seed := range uint64(12) {
		size := []int{5, 9, 11, 15}[seed%4]
		b := opening(size, int(seed)*3, seed)
		rows := strings.Split(strings.Fields(b.String())[2], "/")
		slices.Reverse(rows)
		c, err := ayu.ParseBoard(strings.Join(append(strings.Fields(b.String())[:2], strings.Join(rows, "/")), " "))
		if err != nil {
			t.Fatal(err)
		}
		flip := func(p ayu.Point) ayu.Point { return ayu.At(p.Column(), size-1-p.Row()) }
		sum, mirrored := float32(0), estimate(c)
		for m, p := range estimate(b) {
			sum += p
			moved += math.Abs(float64(p-mirrored[ayu.Move{From: flip(m.From), To: flip(m.To)}])) / 2
		}
		if len(mirrored) == 0 {
			continue
		}
		boards++
		if math.Abs(float64(sum)-1) > 1e-3 {
			t.Errorf("%s: the probabilities add up to %.3f", b, sum)
		}
	}
	// Where two gaps are as short, either may be taken for the one of the forest.
	if moved /= boards; moved > 0.25 {
		t.Errorf("%.2f of the probability is on other moves on the mirrored board", moved)
	}
	t.Logf("%.3f of the probability is on other moves on the mirrored board", moved)
}

// TestNeighbourhoods checks the number of classes.
func TestNeighbourhoods(t *testing.T) {
	most := uint16(0)
	for _, class := range neighbourhoodClasses() {
		most = max(most, class)
	}
	if most != neighbourhoods-1 {
		t.Errorf("%d classes, want %d", most+1, neighbourhoods)
	}
}

func BenchmarkPolicy(b *testing.B) {
	var s boardFeatures
	y := policy{network: defaultPolicyNetwork()}
	board := opening(11, 30, 1)
	moves := board.Moves(nil)
	for b.Loop() {
		s.compute(board)
		y.estimate(&s, moves, ayu.Move{})
	}
}
