package search

import (
	"cmp"
	"context"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"ayumu/engine"
	"ayumu/engine/beginner"
	"ayumu/engine/mu"
	"ayumu/engine/search"
)

// levels has the limits of each level of Mu. Search improves play only a little, so the levels differ
// mainly by the error of their values: one above 1 hides all but large differences and is nearly a random
// choice among the turns found.
var levels = [search.MaxLevel + 1]struct {
	playouts   int     // maximum number of playouts; 0: no limit
	setUp      int     // maximum number of completed layouts, or of playouts, for a choice in layout or clearing
	valueError float64 // maximum error of the value of a turn, in shares of the win
}{
	1: {playouts: 1, valueError: 5},
	2: {playouts: 1, valueError: 1.2},
	3: {playouts: 1, valueError: 0.42},
	4: {playouts: 20, valueError: 0.12},
	5: {playouts: 2000, setUp: 4000},
}

// Engine searches positions of Mu. It implements search.Engine.
type Engine struct{}

// NewSearcher implements search.Engine.
func (Engine) NewSearcher() search.Searcher { return newSearcher(defaultWeights()) }

// LevelPlayouts returns the maximum number of playouts of a level.
func (Engine) LevelPlayouts(level int) int { return levels[level].playouts }

// levelElo has the Elo of the levels above level 1, measured for two players with three segments each, with 100
// playouts for the highest (docs/engines.md).
var levelElo = [search.MaxLevel + 1]float64{-604, 0, 150, 280, 423, 664}

// LevelElo implements search.Scaled.
func (Engine) LevelElo(level int) float64 { return levelElo[level] }

// searcher evaluates positions (evaluator.go), finds whole turns with good results (turns.go) and searches
// the replies (tree.go). Each search starts from nothing and only reuses memory: a tree has fewer turns for
// a reply than a search has for its own position.
type searcher struct {
	tree  *tree
	start startEvaluator
}

func newSearcher(w weights) *searcher {
	return &searcher{tree: newTree(w.value), start: startEvaluator{network: w.start}}
}

// Search implements search.Searcher.
func (m *searcher) Search(ctx context.Context, p engine.Position, o search.Options) (search.Advice, error) {
	if _, over := p.Result(); over {
		return search.Advice{}, search.ErrNoTurn
	}
	if o.Level == search.MinLevel {
		return beginner.Level(p, o.Seed)
	}
	position := p.(*mu.Position)
	rng := rand.New(rand.NewPCG(o.Seed, hashPosition(position)))
	level := levels[o.Level]
	playouts, isTimeUp := o.Limits(ctx, level.playouts)
	if position.Phase() != mu.Play {
		samples := level.setUp
		if o.Playouts > 0 {
			samples = min(samples, o.Playouts)
		}
		return m.setUp(position, level.valueError, samples, rng, isTimeUp), nil
	}
	m.tree.turns.isTimeUp = isTimeUp
	return m.tree.search(position, playouts).advice(level.valueError, rng), nil
}

// maxChoices is the maximum number of turns in a search.Advice.
const maxChoices = 8

// advice returns the result of the search, with a random error of up to valueError in the value of each turn.
func (n *node) advice(valueError float64, rng *rand.Rand) search.Advice {
	seat := n.turn.end.Turn()
	children := slices.Clone(n.children)
	slices.SortStableFunc(children, func(a, b *node) int {
		return cmp.Or(cmp.Compare(b.certainty(seat), a.certainty(seat)), cmp.Compare(b.visits, a.visits), cmp.Compare(n.expectedShare(b, seat), n.expectedShare(a, seat)))
	})
	if valueError > 0 {
		judged := make(map[*node]float64)
		for _, k := range children {
			judged[k] = n.expectedShare(k, seat) + valueError*rng.Float64()
		}
		slices.SortStableFunc(children, func(a, b *node) int { return cmp.Compare(judged[b], judged[a]) })
	}
	shares := children[0].mean()
	a := search.Advice{Chances: shares[:n.turn.end.Seats()], Playouts: n.visits}
	for _, k := range children[:min(len(children), maxChoices)] {
		c := search.Choice{Chance: n.expectedShare(k, seat), Visits: k.visits}
		for _, action := range k.turn.actions {
			c.Actions = append(c.Actions, action.String())
		}
		a.Choices = append(a.Choices, c)
	}
	return a
}

// certainty returns 1 for a turn that wins alone for its seat, -1 for one that leaves it nothing, and 0 for others.
func (n *node) certainty(seat int) int {
	switch {
	case n.solved && n.turn.value[seat] == 1:
		return 1
	case n.solved && n.turn.value[seat] == 0:
		return -1
	}
	return 0
}

// hashPosition returns a hash of a position.
func hashPosition(p *mu.Position) uint64 {
	h := fnv.New64a()
	h.Write([]byte(p.String()))
	return h.Sum64()
}
