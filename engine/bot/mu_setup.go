package bot

import (
	"math/rand/v2"

	"ayumu/engine/mu"
)

// setUp chooses where to lay a segment, or which one to clear.
func (m *muMind) setUp(p *mu.Position, rng *rand.Rand) Advice {
	moves := p.AppendLegal(nil)
	best, highest := moves[0], -1.0
	for _, a := range moves {
		if worth := rng.Float64(); worth > highest {
			best, highest = a, worth
		}
	}
	chances := make([]float64, p.Seats())
	for seat := range chances {
		chances[seat] = 1 / float64(len(chances))
	}
	return Advice{Choices: []Choice{{Actions: []string{best.String()}, Chance: chances[p.Turn()]}}, Chances: chances}
}
