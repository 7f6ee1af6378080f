package search

import (
	"slices"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/engine/search"
)

// TestChoicesStayTheSame compares the turns of each level, with a fixed number of playouts and a fixed seed, with
// those of earlier versions: a change that is not meant to change the strength changes none of them.
func TestChoicesStayTheSame(t *testing.T) {
	for i, want := range [search.MaxLevel][]string{
		{"place 0,0", "place 2,1", "place -3,2", "place 1,4", "move -4,7 1 e, end", "move 3,-3 1 sw, end", "move -3,6 1 se, end", "move 4,-2 1 sw, end"},
		{"place 0,0", "place 2,1", "place -3,2", "place 1,4", "move -4,7 1 e, end", "move 3,-1 2 nw, explode 2,-2, end", "move -3,6 1 e, end", "move 3,-3 2 sw, move 0,1 1 nw, end"},
		{"place 0,0", "place 2,1", "place -3,2", "place 1,4", "move -3,6 1 se, explode -2,6, end", "move 3,-1 2 nw, explode 2,-2, end", "move -3,5 2 e, move -1,4 1 e, end", "move 3,-1 2 w, move 0,0 1 nw, end"},
		{"place 0,0", "place 2,1", "place -3,2", "place 1,4", "move -3,6 1 se, explode -2,6, end", "move 2,-2 1 ne, explode 3,-2, explode 2,-2, explode 2,-1, end", "move -3,5 2 e, move -1,5 1 sw, end", "move 3,-2 2 sw, move 1,0 1 ne, end"},
		{"place 0,0", "place -2,3", "place 3,-1", "place -4,6", "move -3,6 1 se, explode -2,6, end", "move 2,-2 1 ne, explode 3,-2, explode 2,-2, explode 2,-1, end", "move -3,5 2 e, move -1,5 1 se, move -1,4 2 se, end", "move 2,-2 1 sw, move 1,-1 1 w, end"},
	} {
		level := search.FirstSearch + i
		var got []string
		for _, p := range []*mu.Position{mu.New(mu.Options{Players: 3, Segments: 2, Min: 3}), anyOfPlay(2, 3, 6, 5)} {
			s := newSearcher(defaultWeights())
			for turns := range 4 {
				a, err := s.Search(t.Context(), p, search.Options{Level: level, Playouts: 40, Seed: uint64(turns + 1)})
				if err != nil {
					t.Fatal(err)
				}
				turn := a.Choices[0].Actions
				next, err := engine.PlayTurn(p, turn)
				if err != nil {
					t.Fatal(err)
				}
				got, p = append(got, strings.Join(turn, ", ")), next.(*mu.Position)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("level %d: %q, want %q", level, got, want)
		}
	}
}
