package match

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/mu"
)

// simplePlayer is a player that looks at no more than his own next turn.
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

// random takes each action by chance.
func random(rng *rand.Rand, p engine.Position) (actions []string) {
	for {
		legal := p.Legal()
		if len(legal) == 0 {
			return actions
		}
		action := legal[rng.IntN(len(legal))]
		next, err := p.Play(action)
		if err != nil {
			return append(actions, action) // which the referee refuses with the reason
		}
		if actions, p = append(actions, action), next; !p.MidTurn() {
			return actions
		}
	}
}

// The bounds of a greedy player: how many unfinished turns he goes on with at once, and after how
// many rounds in which nobody gained or lost anything he no longer moves just to move.
const (
	greedyBeam   = 12
	greedyRounds = 10
)

// greedy takes, among equals by chance, the turn that leaves him with the most: in Mu cells of
// territory and men together, in Ayu the lead in moves still needed to join all units.
func greedy(rng *rand.Rand, p engine.Position) []string {
	type draft struct {
		p     engine.Position
		turn  []string
		worth int
	}
	seat := p.Turn()
	idle := false
	if m, ok := p.(*mu.Position); ok {
		idle = m.QuietTurns() >= greedyRounds*m.Seats()
	}
	var best []draft // the turns that are worth the most
	end := func(d draft) {
		if len(best) > 0 && d.worth > best[0].worth {
			best = best[:0]
		}
		if len(best) == 0 || d.worth == best[0].worth {
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
					continue // the referee would say so too
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
		slices.SortStableFunc(open, func(a, b draft) int { return cmp.Compare(b.worth, a.worth) })
		beam = open[:min(len(open), greedyBeam)]
	}
	switch {
	case pass != nil && (len(best) == 0 || pass.worth > best[0].worth || idle && pass.worth == best[0].worth):
		return pass.turn
	case len(best) == 0:
		return nil
	}
	return best[rng.IntN(len(best))].turn
}

// winValue is more than any count.
const winValue = 1 << 20

// evaluate counts what a seat has.
func evaluate(p engine.Position, seat int) int {
	if r, over := p.Result(); over {
		for _, w := range r.Winners {
			if w == seat {
				return winValue / len(r.Winners)
			}
		}
		return -winValue
	}
	switch p := p.(type) {
	case *mu.Position:
		if p.Phase() == mu.Play {
			return p.Territory()[seat] + p.Men()[seat]
		}
	case *ayu.Position:
		own := ayu.Black
		if p.Side(seat) != own.String() {
			own = ayu.White
		}
		return p.Board().Span(own.Other()) - p.Board().Span(own)
	}
	return 0
}
