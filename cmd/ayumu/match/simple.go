package match

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"ayumu/engine"
)

// simplePlayer is a baseline player that considers only its next turn.
type simplePlayer struct {
	rng    *rand.Rand
	choose func(rng *rand.Rand, p engine.Position) []string
}

func newSimple(choose func(*rand.Rand, engine.Position) []string, seed uint64) *simplePlayer {
	return &simplePlayer{rand.New(rand.NewPCG(seed, 5)), choose}
}

func (s *simplePlayer) turn(_ context.Context, h *history, _ budget) (answer, error) {
	return answer{actions: s.choose(s.rng, h.last())}, nil
}

func (s *simplePlayer) close() {}

// random plays random actions.
func random(rng *rand.Rand, p engine.Position) (actions []string) {
	for {
		legal := p.Legal()
		if len(legal) == 0 {
			return actions
		}
		action := legal[rng.IntN(len(legal))]
		next, err := p.Play(action)
		if err != nil {
			return append(actions, action) // the caller reports why it is illegal
		}
		if actions, p = append(actions, action), next; !p.MidTurn() {
			return actions
		}
	}
}

// Limits of the greedy player: the number of incomplete turns that it extends, and the number of rounds
// without gain or loss after which it prefers a pass to a neutral move.
const (
	greedyBeam   = 12
	greedyRounds = 10
)

// greedy plays the turn with the highest evaluation (engine.Evaluator), ties broken at random.
func greedy(rng *rand.Rand, p engine.Position) []string {
	type draft struct {
		p     engine.Position
		turn  []string
		value int
	}
	seat := p.Turn()
	idle := false
	if q, ok := p.(engine.QuietCounter); ok {
		idle = q.QuietTurns() >= greedyRounds*p.Seats()
	}
	var best []draft // best turns
	end := func(d draft) {
		if len(best) > 0 && d.value > best[0].value {
			best = best[:0]
		}
		if len(best) == 0 || d.value == best[0].value {
			best = append(best, d)
		}
	}
	var pass *draft
	for beam := []draft{{p: p}}; len(beam) > 0; {
		var open []draft
		for _, d := range beam {
			for _, action := range d.p.Legal() {
				next, err := d.p.Play(action)
				if err != nil {
					continue // illegal
				}
				longer := draft{next, append(slices.Clip(d.turn), action), evaluate(next, seat)}
				switch {
				case next.MidTurn():
					open = append(open, longer)
				case action == "end" && len(longer.turn) == 1:
					pass = &longer
				default:
					end(longer)
				}
			}
		}
		rng.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
		slices.SortStableFunc(open, func(a, b draft) int { return cmp.Compare(b.value, a.value) })
		beam = open[:min(len(open), greedyBeam)]
	}
	switch {
	case pass != nil && (len(best) == 0 || pass.value > best[0].value || idle && pass.value == best[0].value):
		return pass.turn
	case len(best) == 0:
		return nil
	}
	return best[rng.IntN(len(best))].turn
}

// winValue exceeds every evaluation.
const winValue = 1 << 20

// evaluate returns the value of a position for a seat.
func evaluate(p engine.Position, seat int) int {
	if r, over := p.Result(); over {
		for _, w := range r.Winners {
			if w == seat {
				return winValue / len(r.Winners)
			}
		}
		return -winValue
	}
	if e, ok := p.(engine.Evaluator); ok {
		return e.Evaluate(seat)
	}
	return 0
}
