package beginner

import (
	"hash/fnv"

	"ayumu/engine"
	"ayumu/engine/search"
)

// wanders is the number of turns of ten in which a Level wanders; in the others it gains what it can.
const wanders = 6

// Level returns the advice of search.MinLevel: a turn that wanders or, now and then, gains something. It follows from the
// seed and the position. All seats have equal chances in it, since it looks at nothing. The error is search.ErrNoTurn after
// the end of the match.
func Level(p engine.Position, seed uint64) (search.Advice, error) {
	if _, over := p.Result(); over {
		return search.Advice{}, search.ErrNoTurn
	}
	hash := fnv.New64a()
	hash.Write([]byte(p.String()))
	randN := search.RandN(seed, hash.Sum64())
	c := search.Choice{Chance: 1 / float64(p.Seats())}
	if randN(10) < wanders {
		c.Actions = choose(p, randN, aimless, standing.ends)
	} else {
		c.Actions = choose(p, randN, someGain, standing.ends)
	}
	a := search.Advice{Choices: []search.Choice{c}, Chances: make([]float64, p.Seats())}
	for seat := range a.Chances {
		a.Chances[seat] = c.Chance
	}
	return a, nil
}
