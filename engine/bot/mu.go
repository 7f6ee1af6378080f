package bot

import (
	"cmp"
	"context"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"ayumu/engine/mu"
)

// muLevels has the limits of each level of Mu. Search improves play only a little, so the levels differ
// mainly by their blunders: a blunder above 1 hides all but large differences and is nearly a random
// choice among the turns found.
var muLevels = [MaxLevel + 1]struct {
	playouts int     // maximum number of playouts; 0: no limit
	setUp    int     // maximum number of rollouts for a choice in layout or clearing
	blunder  float64 // maximum error of the value of a turn, in shares of the win
}{
	1: {playouts: 1, blunder: 5},
	2: {playouts: 1, blunder: 1.4},
	3: {playouts: 1, blunder: 0.55},
	4: {playouts: 8, blunder: 0.22},
	5: {playouts: 500, setUp: 300}, // more playouts, up to a second, won no more games
}

// muPlayer plays Mu. It evaluates positions (mu_evaluator.go), finds whole turns with good results
// (mu_turns.go) and searches the replies (mu_search.go). Each search starts from nothing and only reuses
// memory: a tree has fewer turns for a reply than a search has for its own position.
type muPlayer struct {
	tree muTree
}

// think implements Player.Think.
func (m *muPlayer) think(ctx context.Context, p *mu.Position, o Options) Advice {
	rng := rand.New(rand.NewPCG(o.Seed, hashMu(p)))
	level := muLevels[o.Level]
	playouts := o.Playouts
	if level.playouts > 0 && (playouts == 0 || playouts > level.playouts) {
		playouts = level.playouts
	}
	if playouts == 0 && o.Time == 0 {
		o.Time = DefaultTime
	}
	stop := timeUpFunc(ctx, o.Time)
	if p.Phase() != mu.Play {
		return m.setUp(p, level.blunder, min(level.setUp, playouts), rng, stop)
	}
	m.tree.turns.timeUp = stop
	root := m.tree.search(p, playouts)
	return root.advice(level.blunder, rng)
}

// timeUpFunc returns a function that reports whether ctx has ended or d has passed; 0 is no limit.
func timeUpFunc(ctx context.Context, d time.Duration) func() bool {
	deadline := time.Now().Add(d)
	return func() bool {
		return ctx.Err() != nil || d > 0 && !time.Now().Before(deadline)
	}
}

// muMaxChoices is the maximum number of turns in an Advice.
const muMaxChoices = 8

// advice returns the result of the search, with a random error of up to blunder in the value of each turn.
func (n *muNode) advice(blunder float64, rng *rand.Rand) Advice {
	seat := n.turn.end.Turn()
	children := slices.Clone(n.children)
	slices.SortStableFunc(children, func(a, b *muNode) int {
		return cmp.Or(cmp.Compare(b.visits, a.visits), cmp.Compare(n.expectedShare(b, seat), n.expectedShare(a, seat)))
	})
	if blunder > 0 {
		judged := make(map[*muNode]float64)
		for _, k := range children {
			judged[k] = n.expectedShare(k, seat) + blunder*rng.Float64()
		}
		slices.SortStableFunc(children, func(a, b *muNode) int { return cmp.Compare(judged[b], judged[a]) })
	}
	shares := children[0].mean()
	a := Advice{Chances: shares[:n.turn.end.Seats()], Playouts: n.visits}
	for _, k := range children[:min(len(children), muMaxChoices)] {
		c := Choice{Chance: n.expectedShare(k, seat), Visits: k.visits}
		for _, action := range k.turn.actions {
			c.Actions = append(c.Actions, action.String())
		}
		a.Choices = append(a.Choices, c)
	}
	return a
}

// hashMu returns a hash of a position.
func hashMu(p *mu.Position) uint64 {
	h := fnv.New64a()
	h.Write([]byte(p.String()))
	return h.Sum64()
}
