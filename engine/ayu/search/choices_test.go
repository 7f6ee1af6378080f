package search

import (
	"math/rand/v2"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/search"
)

// TestChoicesStayTheSame compares the turns of each level, with a fixed number of playouts and a fixed seed, with
// those of earlier versions: a change that is not meant to change the strength changes none of them.
func TestChoicesStayTheSame(t *testing.T) {
	for _, c := range []struct {
		options           string
		randomTurns, most int // playouts
		want              [search.MaxLevel]string
	}{
		{`{"size":7,"pie":false}`, 5, 700, [...]string{
			"a6-a5 d3-c3 e4-e3 d7-c7 g4-g5 b1-c1",
			"e4-d4 f1-e1 d4-b4 d3-c3 c2-d2 b1-c1",
			"a3-a5 d1-d2 a6-b4 d2-c3 a5-d4 b1-b2",
			"d6-e5 b1-b2 a6-a5 b2-c3 e6-d4 d1-d2",
			"a3-b4 b3-c3 a4-d4 d1-d2 d6-e5 d2-e3",
		}},
		{`{"size":11}`, 12, 300, [...]string{
			"h5-g5 e2-e3 f7-f6 c10-c9 j5-j4 b8-c7",
			"b7-b6 a2-a3 b6-b4 g4-g5 b5-c3 c4-d4",
			"b7-b6 a2-b2 d6-e5 e4-e3 j5-j4 e6-d6",
			"b1-b2 g2-f2 b7-b6 k7-j6 j5-j4 k6-h6",
			"b1-b2 g2-f2 b7-b6 k7-j6 j5-j4 k6-h6",
		}},
	} {
		for level := search.FirstSearch; level <= search.MaxLevel; level++ {
			var p engine.Position = start(t, c.options)
			rng := rand.New(rand.NewPCG(7, uint64(c.randomTurns)))
			for range c.randomTurns {
				legal := p.Legal()
				p = after(t, p, legal[rng.IntN(len(legal))])
			}
			s, want := new(searcher), c.want[level-1]
			var got []string
			for i := range 6 {
				turn := best(t, s, p, search.Options{Level: level, Playouts: c.most, Seed: uint64(i + 1)}).Actions
				got, p = append(got, turn...), after(t, p, turn...)
			}
			if got := strings.Join(got, " "); got != want {
				t.Errorf("%s, level %d: %s, want %s", c.options, level, got, want)
			}
		}
	}
}
