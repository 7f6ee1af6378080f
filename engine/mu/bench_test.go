package mu

import (
	"math/rand/v2"
	"testing"
)

// firstOfPlay returns a position at the start of play on a random board.
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

// randomGame plays random games of six players with seven segments, one after the other. One action in
// eight ends the turn.
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

// choose returns the index of a random action of a list that starts with the end of the turn, unless an
// explosion must be chosen.
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

// BenchmarkPlay measures what bots do: list all typed actions, then play one.
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

// BenchmarkPlayText measures what text interfaces do: list all actions as sorted text, then parse and play
// one.
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

// BenchmarkLayout measures the layout and clearing of a board of six players with seven segments.
func BenchmarkLayout(b *testing.B) {
	rng := rand.New(rand.NewPCG(6, 7))
	for b.Loop() {
		firstOfPlay(6, 7, rng)
	}
}
