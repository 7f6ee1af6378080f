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

// muLevels has what bounds each level of Mu. A search is better than none by little, so the levels
// differ by their blunders most: more than 1 hides all but large differences, and leaves nearly a
// draw by lot from the turns that were found.
var muLevels = [MaxLevel + 1]struct {
	playouts int     // at most so many; 0 for no such bound
	setUp    int     // games played on for a choice of the set-up, at most
	blunder  float64 // by how much of the win a turn may be misjudged
}{
	1: {playouts: 1, blunder: 5},
	2: {playouts: 1, blunder: 1.4},
	3: {playouts: 1, blunder: 0.55},
	4: {playouts: 8, blunder: 0.22},
	5: {playouts: 500, setUp: 300}, // more playouts, up to a second, won no more games
}

// muPlayer is the player of Mu. It judges a position by what stands where (mu_sight.go), finds whole
// turns that lead to good ones (mu_turns.go), and searches the replies to them (mu_search.go). Each
// search begins anew: of the one before only the room is used again, since a tree looks at fewer
// turns of a reply than a search does of its own position.
type muPlayer struct {
	tree muTree
}

// think is Player.Think.
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

// timeUpFunc returns a function that reports whether a time is over, or ctx; 0 is for ever.
func timeUpFunc(ctx context.Context, d time.Duration) func() bool {
	deadline := time.Now().Add(d)
	return func() bool {
		return ctx.Err() != nil || d > 0 && !time.Now().Before(deadline)
	}
}

// muMaxChoices is how many turns a player tells of.
const muMaxChoices = 8

// advice returns what was found, with each turn's share of the win misjudged by up to as much as
// blunder.
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

// hashMu returns a number for a position.
func hashMu(p *mu.Position) uint64 {
	h := fnv.New64a()
	h.Write([]byte(p.String()))
	return h.Sum64()
}
