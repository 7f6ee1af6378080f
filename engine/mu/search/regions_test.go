package search

import (
	"math/rand/v2"
	"testing"

	"ayumu/engine/mu"
)

// TestBoundsOfTerritory checks which seat can win on a board that the Wall splits into regions of five cells, at 0,0, and
// of seven, at 3,-1.
func TestBoundsOfTerritory(t *testing.T) {
	const walled, men = " 1,0:w 1,-1:w", " 0,0:c1.2 -1,0:c1.2 0,-1:c1.2"
	e := evaluator{network: defaultWeights().value}
	for _, c := range []struct {
		name, cells string
		possible    [2]bool
	}{
		{"one man in the larger region", "3,-1:c0.1" + men + walled, [2]bool{true, false}},
		{"six men in the larger region", "0,0:c0.1 3,-1:c1.3 4,-1:c1.3" + walled, [2]bool{false, true}},
		{"an opponent on the Wall", "3,-1:c0.1" + men + " 1,0:w1.1 1,-1:w", [2]bool{true, true}},
		{"a man of its own on the Wall", "3,-1:c0.1" + men + " 1,0:w0.1 1,-1:w", [2]bool{true, false}},
		{"both in one region", "3,-1:c0.1" + men, [2]bool{true, true}},
		{"both in the larger region", "3,-1:c0.1 4,-1:c1.2" + men + walled, [2]bool{true, true}},
	} {
		p := parsePosition(t, c.cells, 0)
		v := e.evaluate(p)
		bounds := e.possibleShares(p)
		for seat, possible := range bounds[:2] {
			if c.possible[seat] && possible < 0.9 || !c.possible[seat] && possible > 0.1 {
				t.Errorf("%s: that seat %d wins is possible with %.3f, want %t", c.name, seat, possible, c.possible[seat])
			}
			if !c.possible[seat] && v[seat] > 0.2 {
				t.Errorf("%s: seat %d has a share of %.3f", c.name, seat, v[seat])
			}
		}
	}
}

// TestBoundsDoNotExcludeAllSeats checks in a game that the bounds leave at least one seat the win, and that they
// exclude some seats.
func TestBoundsDoNotExcludeAllSeats(t *testing.T) {
	var e boardFeatures
	tree := newTree(defaultWeights().value)
	tree.turns.isTimeUp = func() bool { return false }
	excluded := 0
	for seed := range uint64(4) {
		p := randomStart(mu.Options{Players: 4, Segments: 2}, rand.New(rand.NewPCG(seed, 5)))
		for p.Phase() == mu.Play {
			e.load(p)
			e.compute(p, p.Turn())
			bounds := e.possibleShares(p)
			highest := 0.0
			for seat, possible := range bounds[:4] {
				highest = max(highest, possible)
				if possible < 0.1 && e.counts[seat][countMen] > 0 {
					excluded++
				}
			}
			if highest < 0.5 {
				t.Errorf("no seat can win: %v in %s", bounds, p)
			}
			p = tree.search(p, 1).mostVisited().turn.end
		}
	}
	if excluded == 0 {
		t.Error("no seat was excluded in any game")
	}
}
