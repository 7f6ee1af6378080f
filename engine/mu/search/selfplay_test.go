package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"ayumu/engine/mu"
)

// firstNetwork is the network of the first generation.
func firstNetwork() *network {
	n := new(network)
	n.linear = featureValues{featureMen: 2, featureSafe: 2, featureUnsafe: 1.8, featureShared: 1.2, featureHanging: -2,
		featureDefended: -1, featureNearExplosion: 1.5, featureAtCapacity: 1.5, featureReach: 1, featureCapturable: 0.2}
	return n
}

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

// trainingSearch returns the options, the random numbers and the search of a training game.
func trainingSearch(seed, g uint64) (mu.Options, *rand.Rand, *tree) {
	t := new(tree)
	t.turns.timeUp = func() bool { return false }
	return trainingOptions[g%uint64(len(trainingOptions))], rand.New(rand.NewPCG(seed, g)), t
}

// playTraining plays a game and returns its positions, one a line: those at the start of its turns, and some of the
// trees of its searches. In half of the games one turn in six is random, in half of them each seat is greedy with an
// even chance, and in half of them the player has chosen about half of the layout.
func playTraining(seed, g uint64, playouts int) string {
	o, rng, t := trainingSearch(seed, g)
	round := g / uint64(len(trainingOptions))
	vary, mixed := round%2 == 0, round/2%2 == 0
	var p *mu.Position
	if round/4%2 == 0 {
		p = randomStart(o, rng)
	} else {
		p = chosenStart(o, rng)
	}
	var isGreedy [maxSeats]bool
	for seat := range isGreedy {
		isGreedy[seat] = mixed && rng.IntN(2) == 0
	}
	var own, others []string
	var seen []shares
	decided := 0
	for p.Phase() == mu.Play && p.QuietTurns() < maxQuietRounds*p.Seats() && decided < decidedTurns {
		if isGreedy[p.Turn()] {
			p = greediest(t.turns.find(p, rootBreadth), p.Turn(), rng).end
			continue
		}
		root := t.search(p, playouts)
		best := root.mostVisited()
		value, result := best.mean(), trainingResult(p)
		decided++
		for seat, share := range value {
			if math.Abs(share-result[seat]) > 1-decidedShare {
				decided = 0
			}
		}
		own, seen = append(own, describePosition(p)), append(seen, value)
		others = append(others, describeTree(root, rng)...)
		if vary && rng.IntN(6) == 0 {
			best = root.children[rng.IntN(min(len(root.children), 12))]
		}
		p = best.turn.end
	}
	result := trainingResult(p)
	later := result
	for k := len(seen) - 1; k >= 0; k-- {
		for seat := range later {
			later[seat] = (1-laterPart)*seen[k][seat] + laterPart*later[seat]
		}
		own[k] += formatShares(later[:p.Seats()]) + formatShares(result[:p.Seats()])
	}
	return strings.Join(own, "\n") + "\n" + strings.Join(others, "\n") + "\n"
}

// laterPart is the part of what later searches said in the shares of a position.
const laterPart = 0.8

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

// Limits of the games from a start.
const (
	startRounds  = 5  // rounds that are played
	lastPlayouts = 10 // playouts of the search after them
)

// playRandomStart returns a start of play from a random layout, with the shares that the search sees after startRounds
// rounds of play.
func playRandomStart(seed, g uint64, playouts int) string {
	o, rng, t := trainingSearch(seed, g)
	return t.playStart(randomStart(o, rng), playouts)
}

// playChosenStart does the same with a layout of which the player has chosen about half of the segments.
func playChosenStart(seed, g uint64, playouts int) string {
	o, rng, t := trainingSearch(seed, g)
	return t.playStart(chosenStart(o, rng), playouts)
}

// playStart plays some rounds from a start of play, and describes it.
func (t *tree) playStart(start *mu.Position, playouts int) string {
	p := start
	for n := startRounds * p.Seats(); n > 0 && p.Phase() == mu.Play; n-- {
		p = t.search(p, playouts).mostVisited().turn.end
	}
	v := t.turns.evaluator.evaluate(p)
	if p.Phase() == mu.Play {
		v = t.search(p, lastPlayouts).mean()
	}
	return describe(start, v) + "\n"
}

// chosenStart returns the start of play with segments of which the player has placed about half, and cleared three
// of four.
func chosenStart(o mu.Options, rng *rand.Rand) *mu.Position {
	o.Min = o.Players
	p := mu.New(o)
	s := new(searcher)
	for p.Phase() < mu.Play {
		actions := p.AppendLegal(nil)
		a := actions[rng.IntN(len(actions))]
		samples, chosen := chosenLayouts, rng.IntN(2) == 0
		if p.Phase() == mu.Clearing {
			samples, chosen = chosenClearings, rng.IntN(4) > 0
		}
		if chosen {
			advice := s.setUp(p, 0, samples, rng, func() bool { return false })
			a, _ = mu.ParseAction(advice.Choices[0].Actions[0])
		}
		p = play(p, a)
	}
	return p
}

// Numbers of completed layouts with which chosenStart places and clears.
const (
	chosenLayouts   = 16
	chosenClearings = 100
)

// randomStart returns the start of play with random segments.
func randomStart(o mu.Options, rng *rand.Rand) *mu.Position {
	o.Min = o.Players
	p := mu.New(o)
	for p.Phase() < mu.Play {
		actions := p.AppendLegal(nil)
		p = play(p, actions[rng.IntN(len(actions))])
	}
	return p
}

// mostVisited returns the child with the most visits.
func (n *node) mostVisited() *node {
	best := n.children[0]
	for _, k := range n.children {
		if k.visits > best.visits {
			best = k
		}
	}
	return best
}

// describeTree returns two positions of a search tree: one with several visits and one with few.
func describeTree(root *node, rng *rand.Rand) []string {
	var few, many []*node
	var walk func(n *node)
	walk = func(n *node) {
		for _, k := range n.children {
			switch {
			case k.visits == 0 || k.turn.end.Phase() == mu.Over:
				continue
			case k.visits < 4:
				few = append(few, k)
			default:
				many = append(many, k)
			}
			walk(k)
		}
	}
	walk(root)
	var lines []string
	for _, nodes := range [][]*node{few, many} {
		rng.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
		for _, n := range nodes[:min(1, len(nodes))] {
			lines = append(lines, describe(n.turn.end, n.mean()))
		}
	}
	return lines
}

// describe returns a position and the shares of its seats as text.
func describe(p *mu.Position, v shares) string {
	return describePosition(p) + formatShares(v[:p.Seats()])
}

// describePosition returns a position and the number of quiet turns before it as text.
func describePosition(p *mu.Position) string {
	var centres []string
	for _, h := range p.Board().Centres() {
		centres = append(centres, h.String())
	}
	return fmt.Sprintf("%d %s %s quiet=%d", p.Seats(), strings.Join(centres, ";"), strings.ReplaceAll(p.String(), " ", "_"), p.QuietTurns())
}

func formatShares(v []float64) string {
	var s strings.Builder
	for _, share := range v {
		fmt.Fprintf(&s, " %.4f", share)
	}
	return s.String()
}
