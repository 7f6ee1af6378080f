package mu

import (
	"math/rand/v2"
	"testing"
)

// firstOfPlay returns a position at the start of play on a board that was laid and cleared at
// random.
func firstOfPlay(players, segments int, rng *rand.Rand) *Position {
	p := New(Options{Players: players, Segments: segments, Min: players})
	for p.Phase() < Play {
		actions := p.AppendLegal(nil)
		p = must(p.Do(actions[rng.IntN(len(actions))]))
	}
	return p
}

func must(p *Position, err error) *Position {
	if err != nil {
		panic(err)
	}
	return p
}

// randomGame is a random game of six players with seven segments, again and again, that ends a turn
// with one action in eight.
type randomGame struct {
	rng     *rand.Rand
	p       *Position
	actions []Action
	turns   int
	listed  int
}

func newRandomGame() *randomGame { return &randomGame{rng: rand.New(rand.NewPCG(6, 7))} }

func (g *randomGame) next() {
	if g.p == nil || g.p.Phase() == Over {
		g.p = firstOfPlay(6, 7, g.rng)
	}
}

// choose picks an action of a list whose first is the end of the turn, unless an explosion has
// to be chosen.
func (g *randomGame) choose(n int, end bool) int {
	g.listed += n
	if end && g.rng.IntN(8) == 0 {
		return 0
	}
	return g.rng.IntN(n)
}

func (g *randomGame) report(b *testing.B) {
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(b.N)/seconds, "actions/s")
	b.ReportMetric(float64(g.turns)/seconds, "turns/s")
	b.ReportMetric(float64(g.listed)/float64(b.N), "legal/action")
}

// BenchmarkPlay is the figure for bots: before each action the full list of typed ones.
func BenchmarkPlay(b *testing.B) {
	g := newRandomGame()
	for b.Loop() {
		g.next()
		g.actions = g.p.AppendLegal(g.actions[:0])
		a := g.actions[g.choose(len(g.actions), g.actions[0].Kind == End)]
		if a.Kind == End {
			g.turns++
		}
		g.p = must(g.p.Do(a))
	}
	g.report(b)
}

// BenchmarkPlayText is the figure for programs that speak text: before each action the full
// sorted list, and the action read from its notation.
func BenchmarkPlayText(b *testing.B) {
	g := newRandomGame()
	for b.Loop() {
		g.next()
		list := g.p.Legal()
		text := list[g.choose(len(list), list[0] == "end")]
		if text == "end" {
			g.turns++
		}
		next, err := g.p.Play(text)
		if err != nil {
			b.Fatal(err)
		}
		g.p = next.(*Position)
	}
	g.report(b)
}

// BenchmarkLayout is the time to lay and clear a board of six players with seven segments.
func BenchmarkLayout(b *testing.B) {
	rng := rand.New(rand.NewPCG(6, 7))
	for b.Loop() {
		firstOfPlay(6, 7, rng)
	}
}
