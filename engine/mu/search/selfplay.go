//go:build train

package search

import (
	"math"
	"math/rand/v2"

	"ayumu/engine/mu"
)

// trainingOptions are the boards of training games, in turn.
var trainingOptions = []mu.Options{
	{Players: 2, Segments: 3}, {Players: 4, Segments: 3}, {Players: 2, Segments: 3}, {Players: 2, Segments: 5},
	{Players: 4, Segments: 3}, {Players: 2, Segments: 3}, {Players: 3, Segments: 3}, {Players: 4, Segments: 3},
	{Players: 2, Segments: 3}, {Players: 3, Segments: 4}, {Players: 5, Segments: 2}, {Players: 6, Segments: 2},
	{Players: 4, Segments: 3}, {Players: 4, Segments: 3}, {Players: 2, Segments: 3}, {Players: 4, Segments: 3},
}

// Limits of training games.
const (
	maxQuietRounds = 8     // of a training game; then it is scored
	decidedShare   = 0.995 // a share of a search that ends a game
	decidedTurns   = 4     // turns in a row with such a share
)

// How targets follow from a game.
const (
	nextPart     = 0.93 // part of the target of the next position in that of a position; the rest is what its own search says
	nextPartFar  = 0.98 // the same for starts of play
	treeSamples  = 4    // positions of the tree of each search
	randomEvery  = 6    // turns of which one is random in half of the games
	randomAmong  = 12   // best turns among which a random one is
	greedyGames  = 0.4  // part of the games in which each seat is greedy with an even chance
	chosenGames  = 0.5  // part of the games for which the player has chosen about half of the layout
	startSamples = 16   // completed layouts of each of these choices
	startSearch  = 100  // playouts of a choice in clearing
)

// trainingGame is what a game leaves to be fitted to.
type trainingGame struct {
	samples []sample
	start   sample // with its start
}

// playTraining plays a game and describes the positions at the start of its turns and some of the trees of its searches.
func playTraining(seed, g uint64, playouts int, w weights) (game trainingGame) {
	rng := rand.New(rand.NewPCG(seed, g))
	o := trainingOptions[g%uint64(len(trainingOptions))]
	o.Min = o.Players
	m := newSearcher(w)
	never := func() bool { return false }
	m.tree.turns.isTimeUp = never
	vary, mixed := rng.IntN(2) == 0, rng.Float64() < greedyGames
	start := randomStart(o, rng)
	if w.start != nil && rng.Float64() < chosenGames {
		start = m.chosenStart(o, rng)
	}
	var isGreedy [maxSeats]bool
	for seat := range isGreedy {
		isGreedy[seat] = mixed && rng.IntN(2) == 0
	}
	var searched []searchedPosition
	p, decided := start, 0
	e := &m.tree.turns.evaluator
	for p.Phase() == mu.Play && p.QuietTurns() < maxQuietRounds*p.Seats() && decided < decidedTurns {
		if isGreedy[p.Turn()] {
			p = greediest(m.tree.turns.find(p, rootBreadth), p.Turn(), rng).end
			continue
		}
		root := m.tree.search(p, playouts)
		best := root.mostVisited()
		value, result := best.mean(), trainingResult(p)
		decided++
		for seat, share := range value {
			if math.Abs(share-result[seat]) > 1-decidedShare {
				decided = 0
			}
		}
		nodes := root.visited(nil)
		rng.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
		for _, n := range nodes[:min(len(nodes), treeSamples)] {
			game.samples = append(game.samples, e.describePosition(n.turn.end, n.mean()))
		}
		isRandom := vary && rng.IntN(randomEvery) == 0
		if isRandom {
			best = root.children[rng.IntN(min(len(root.children), randomAmong))]
		}
		searched = append(searched, searchedPosition{p, value, isRandom})
		p = best.turn.end
	}
	result := trainingResult(p)
	for i, target := range targets(searched, result, nextPart) {
		game.samples = append(game.samples, e.describePosition(searched[i].p, target))
	}
	first := result
	if far := targets(searched, result, nextPartFar); len(far) > 0 {
		first = far[0]
	}
	game.start = m.start.describeStart(start, first)
	return game
}

// searchedPosition is a position of a game.
type searchedPosition struct {
	p        *mu.Position
	value    shares // by the search
	isRandom bool   // whether a random turn was played
}

// targets returns the shares that a network is fitted to. What a search says of a position is wrong where the network is;
// the later searches and the result are not, unless a random turn was played in between.
func targets(searched []searchedPosition, result shares, nextPart float64) []shares {
	all := make([]shares, len(searched))
	next := result
	for i := len(searched) - 1; i >= 0; i-- {
		x := &searched[i]
		if x.isRandom {
			next = x.value
		} else {
			for seat := range next {
				next[seat] = (1-nextPart)*x.value[seat] + nextPart*next[seat]
			}
		}
		all[i] = next
	}
	return all
}

// visited appends the nodes below a node that have visits.
func (n *node) visited(nodes []*node) []*node {
	for _, k := range n.children {
		if k.visits > 0 && k.turn.end.Phase() != mu.Over {
			nodes = k.visited(append(nodes, k))
		}
	}
	return nodes
}

// chosenStart returns the start of play with segments of which the player has placed about half, and cleared three
// of four.
func (m *searcher) chosenStart(o mu.Options, rng *rand.Rand) *mu.Position {
	p := mu.New(o)
	for p.Phase() < mu.Play {
		actions := p.AppendLegal(nil)
		a := actions[rng.IntN(len(actions))]
		samples, chosen := startSamples, rng.IntN(2) == 0
		if p.Phase() == mu.Clearing {
			samples, chosen = startSearch, rng.IntN(4) > 0
		}
		if chosen {
			advice := m.setUp(p, 0, samples, rng, func() bool { return false })
			a, _ = mu.ParseAction(advice.Choices[0].Actions[0])
		}
		p = play(p, a)
	}
	return p
}

// greediest returns one of the turns that leave a seat the most territory and men.
func greediest(turns []turn, seat int, rng *rand.Rand) turn {
	var best []turn
	highest := -1
	for _, t := range turns {
		worth := t.end.Territory()[seat] + t.end.Men()[seat]
		if worth > highest {
			best, highest = best[:0], worth
		}
		if worth == highest {
			best = append(best, t)
		}
	}
	return best[rng.IntN(len(best))]
}

// trainingResult returns the shares at the end of a game, which is scored if it is not over.
func trainingResult(p *mu.Position) (v shares) {
	if r, over := p.Result(); over {
		for _, seat := range r.Winners {
			v[seat] = 1 / float64(len(r.Winners))
		}
		return v
	}
	best, winners := -1, 0
	territory := p.Territory()
	for _, cells := range territory {
		switch {
		case cells > best:
			best, winners = cells, 1
		case cells == best:
			winners++
		}
	}
	for seat, cells := range territory {
		if cells == best {
			v[seat] = 1 / float64(winners)
		}
	}
	return v
}
