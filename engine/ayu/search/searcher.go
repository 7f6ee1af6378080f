package search

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/search"
)

// levelPlayouts has the maximum number of simulations of each level; 0 means no limit.
var levelPlayouts = [search.MaxLevel + 1]int{1: 30, 2: 120, 3: 500, 4: 2000}

// simulationsPerTimeCheck is the number of simulations between two checks of the time.
const simulationsPerTimeCheck = 16

// Engine searches positions of Ayu. It implements search.Engine.
type Engine struct{}

// NewSearcher implements search.Engine.
func (Engine) NewSearcher() search.Searcher { return new(searcher) }

// searcher searches by simulations (tree.go), which also prove wins near the end, and keeps the tree from
// move to move.
type searcher struct {
	tree  *tree
	level int
}

// Search implements search.Searcher.
func (m *searcher) Search(ctx context.Context, p engine.Position, o search.Options) (search.Advice, error) {
	if _, over := p.Result(); over {
		return search.Advice{}, search.ErrNoTurn
	}
	playouts, isTimeUp := o.Limits(ctx, levelPlayouts[o.Level])
	return m.search(p.(*ayu.Position), o, playouts, isTimeUp), nil
}

// search makes simulations until their limit (0: none), until the result is proven, or until stop returns
// true.
func (m *searcher) search(p *ayu.Position, o search.Options, playouts int, stop func() bool) search.Advice {
	// The tree of a higher level would make a lower one as strong.
	if m.tree == nil || m.level != o.Level {
		m.tree, m.level = newTree(p.Board()), o.Level
		if o.Level == search.MaxLevel {
			m.tree.evaluator = new(evaluator)
			m.tree.policy = &policy{weights: policyWeights}
		}
	} else {
		m.tree = m.tree.advanceTo(p.Board())
	}
	t := m.tree
	if t.evaluator != nil {
		t.evaluatorWeight = evaluatorWeight(t.board)
	}
	t.uniform = p.Options().Pie && p.Board() == ayu.NewBoard(p.Board().Size())
	t.rng = rand.New(rand.NewPCG(o.Seed, uint64(len(t.nodes))))
	made := 0
	for !t.isSolved() && (playouts == 0 || made < playouts) {
		t.simulate()
		if made++; made%simulationsPerTimeCheck == 0 && stop() {
			break
		}
	}
	if t.nodes[0].untriedCount < 0 {
		t.listMoves(0, t.board)
	}
	return t.advice(p, made)
}

// maxChoices is the maximum number of moves in a search.Advice.
const maxChoices = 8

// advice returns the best moves. The value of a swap is the opponent's value of the best move. If the
// opponent can swap next, the value of a move is the worse of the two sides. Repetition is ignored, since
// both players would have to cooperate.
func (t *tree) advice(p *ayu.Position, playouts int) search.Advice {
	root := t.nodes[0]
	var children []node
	for i := root.firstChild; i != 0; i = t.nodes[i].sibling {
		children = append(children, t.nodes[i])
	}
	for _, m := range t.moves[root.untried:][:root.untriedCount] {
		children = append(children, node{move: m})
	}
	slices.SortStableFunc(children, t.compare)
	var choices []search.Choice
	for _, k := range children[:min(len(children), maxChoices)] {
		choices = append(choices, search.Choice{Actions: []string{k.move.String()}, Chance: t.winShare(k), Visits: int(k.visits)})
	}
	if best := choices[0]; p.CanSwap() {
		c := search.Choice{Actions: []string{"swap"}, Chance: 1 - best.Chance, Visits: best.Visits}
		at := 0
		if best.Chance > c.Chance {
			at = 1
		}
		choices = slices.Insert(choices, at, c)
	}
	a := search.Advice{Choices: choices, Chances: make([]float64, 2), Playouts: playouts}
	a.Chances[p.Turn()] = choices[0].Chance
	a.Chances[1-p.Turn()] = 1 - choices[0].Chance
	return a
}

// compare orders the children of the root, the best first: a proven win, the most visits, a proven loss.
// If the opponent can swap next, all have equal visits, and the fairest is the best.
func (t *tree) compare(a, b node) int {
	if t.uniform {
		return cmp.Compare(t.winShare(b), t.winShare(a))
	}
	rank := func(k node) int { return [...]int{unproven: 1, provenWin: 0, provenLoss: 2}[k.proof] }
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.visits, a.visits), cmp.Compare(t.winShare(b), t.winShare(a)))
}

// winShare returns the expected share of the win after a child of the root.
func (t *tree) winShare(k node) float64 {
	share := k.winRate()
	switch {
	case k.proof == provenWin:
		share = 1
	case k.proof == provenLoss:
		share = 0
	}
	if t.uniform {
		share = min(share, 1-share)
	}
	return share
}
