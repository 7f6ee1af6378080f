package search

import (
	"math"
	"math/rand/v2"
	"testing"

	"ayumu/engine/mu"
)

// TestEvaluatesKeptSegments compares the shares of all starts of a layout with those of their positions.
func TestEvaluatesKeptSegments(t *testing.T) {
	for players := 2; players <= 6; players++ {
		rng := rand.New(rand.NewPCG(uint64(players), 1))
		p := mu.New(mu.Options{Players: players, Segments: 2, Min: players})
		for p.Phase() == mu.Layout {
			actions := p.AppendLegal(nil)
			p = play(p, actions[rng.IntN(len(actions))])
		}
		if players == 4 {
			left, err := p.Leave(2)
			if err != nil {
				t.Fatal(err)
			}
			p = left.(*mu.Position)
		}
		owned := make([][]mu.Hex, players)
		for _, h := range p.Board().Centres() {
			if c, _ := p.Cell(h); c.Men > 0 {
				owned[c.Owner] = append(owned[c.Owner], h)
			}
		}
		kept := startEvaluator{network: defaultWeights().start}
		for ways := range 1 << players {
			segments := noneKept
			start := p
			for start.Phase() == mu.Clearing {
				seat := start.Turn()
				start = play(start, mu.Action{Kind: mu.Clear, At: owned[seat][1-ways>>seat&1]})
			}
			for seat, own := range owned {
				if len(own) > 0 {
					at := p.Board().Index(own[ways>>seat&1])
					segments[seat] = p.Board().Segment(at)
				}
			}
			direct := startEvaluator{network: kept.network}
			got, want := kept.evaluateKept(p.Board(), &segments, players), direct.evaluate(start)
			if got != want {
				t.Errorf("%d players: the shares of segments %v are %v, want %v", players, segments, got, want)
			}
			sum := 0.0
			for _, share := range got {
				sum += share
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Errorf("%d players: the shares of segments %v add up to %v", players, segments, sum)
			}
		}
	}
}
