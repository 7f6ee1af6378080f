package bot

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"ayumu/engine/ayu"
)

// ayuLevels has how many simulations each level makes for a move; 0 for no bound.
var ayuLevels = [MaxLevel + 1]int{1: 30, 2: 120, 3: 500, 4: 2000}

// ayuSlice is how many simulations are made between two looks at the time.
const ayuSlice = 16

// ayuMind is the player of Ayu. It searches by simulations (ayu_search.go), which also find the
// end of the game when it is near, and keeps the tree from move to move.
type ayuMind struct {
	tree  *ayuTree
	level int
}

// think is Player.Think.
func (m *ayuMind) think(ctx context.Context, p *ayu.Position, o Options) Advice {
	playouts := o.Playouts
	if own := ayuLevels[o.Level]; own > 0 && (playouts == 0 || playouts > own) {
		playouts = own
	}
	if playouts == 0 && o.Time == 0 {
		o.Time = DefaultTime
	}
	return m.search(p, o, playouts, halt(ctx, o.Time))
}

// search makes so many simulations, 0 for no bound, until the result is known or stop says so.
func (m *ayuMind) search(p *ayu.Position, o Options, playouts int, stop func() bool) Advice {
	// What a higher level has learnt would make a lower one as good as itself.
	if m.tree == nil || m.level != o.Level {
		m.tree, m.level = newAyuTree(p.Board()), o.Level
		if o.Level == MaxLevel {
			m.tree.sight = new(ayuSight)
		}
	} else {
		m.tree = m.tree.follow(p.Board())
	}
	t := m.tree
	if t.sight != nil {
		t.seen = ayuSeen(t.board)
	}
	t.fair = p.Options().Pie && p.Board() == ayu.NewBoard(p.Board().Size())
	t.rng = rand.New(rand.NewPCG(o.Seed, uint64(len(t.nodes))))
	made := 0
	for !t.settled() && (playouts == 0 || made < playouts) {
		t.simulate()
		if made++; made%ayuSlice == 0 && stop() {
			break
		}
	}
	if t.nodes[0].left < 0 {
		t.list(0, t.board)
	}
	return t.advice(p, made)
}

// ayuChoices is how many moves a player tells of.
const ayuChoices = 8

// advice returns the best moves. A swap is as good as the best move is for the opponent, and where
// the opponent may swap next, a move is as good as the worse side of it. That a position recurs is
// not looked for: both players would have to go back for it.
func (t *ayuTree) advice(p *ayu.Position, playouts int) Advice {
	root := t.nodes[0]
	var kids []ayuNode
	for i := root.kid; i != 0; i = t.nodes[i].next {
		kids = append(kids, t.nodes[i])
	}
	for _, m := range t.moves[root.rest:][:root.left] {
		kids = append(kids, ayuNode{move: m})
	}
	slices.SortStableFunc(kids, t.compare)
	var choices []Choice
	for _, k := range kids[:min(len(kids), ayuChoices)] {
		choices = append(choices, Choice{Actions: []string{k.move.String()}, Chance: t.chance(k), Visits: int(k.visits)})
	}
	if best := choices[0]; p.CanSwap() {
		c := Choice{Actions: []string{"swap"}, Chance: 1 - best.Chance, Visits: best.Visits}
		at := 0
		if best.Chance > c.Chance {
			at = 1
		}
		choices = slices.Insert(choices, at, c)
	}
	a := Advice{Choices: choices, Chances: make([]float64, 2), Playouts: playouts}
	a.Chances[p.Turn()] = choices[0].Chance
	a.Chances[1-p.Turn()] = 1 - choices[0].Chance
	return a
}

// compare orders the kids of the root, the best one first: a won one, that with the most visits, a
// lost one. Where the opponent may swap they have as many visits, and the fairest is the best.
func (t *ayuTree) compare(a, b ayuNode) int {
	if t.fair {
		return cmp.Compare(t.chance(b), t.chance(a))
	}
	rank := func(k ayuNode) int { return [...]int{open: 1, won: 0, lost: 2}[k.fate] }
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.visits, a.visits), cmp.Compare(t.chance(b), t.chance(a)))
}

// chance returns the share that a kid of the root wins.
func (t *ayuTree) chance(k ayuNode) float64 {
	share := k.expect()
	switch {
	case k.fate == won:
		share = 1
	case k.fate == lost:
		share = 0
	}
	if t.fair {
		share = min(share, 1-share)
	}
	return share
}
