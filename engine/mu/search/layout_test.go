package search

import (
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
		var kept, plain layoutSearch
		kept.known, plain.known = make(map[uint64]shares), make(map[uint64]shares)
		compared := 0
		for ways := range 1 << players {
			var keep [maxSeats]mu.Hex
			for seat, own := range owned {
				if len(own) > 0 {
					keep[seat] = own[ways>>seat&1]
				}
			}
			plain.first = nil
			got, want := kept.keepValue(p, &keep), plain.keepValue(p, &keep)
			if got != want {
				t.Errorf("%d players: the shares of %v are %v, want %v", players, keep, got, want)
			}
			if kept.first != nil && want != (shares{}) {
				compared++
			}
		}
		if compared < 1<<players-1 {
			t.Errorf("%d players: %d starts were compared", players, compared)
		}
	}
}
