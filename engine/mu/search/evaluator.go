package search

import (
	"math"
	"slices"

	"ayumu/engine/mu"
)

// maxSeats is the maximum number of seats.
const maxSeats = 6

// shares has the share of the win of each seat. The sum is 1.
type shares [maxSeats]float64

// minPossible is the smallest factor of the odds of a seat that cannot win by the bounds of its territory, which later
// parts of the Wall can make wrong.
const minPossible = 1e-3

// evaluator evaluates positions of Mu. It reuses its memory.
type evaluator struct {
	boardFeatures
	network *valueNetwork
}

// evaluate returns the shares after a turn.
func (e *evaluator) evaluate(p *mu.Position) shares {
	if r, over := p.Result(); over {
		return resultShares(r.Winners)
	}
	e.load(p)
	return e.evaluateTurn(p, p.Turn())
}

// resultShares returns the shares at the end of a game.
func resultShares(winners []int) (v shares) {
	for _, seat := range winners {
		v[seat] = 1 / float64(len(winners))
	}
	return v
}

// evaluateTurn returns the shares in a loaded position of play as if the turn ended now. next is the seat
// after it, which may be passed over.
func (e *evaluator) evaluateTurn(p *mu.Position, next int) shares {
	e.compute(p, next)
	output := e.network.outputAt(bracket(e.virginPart()))
	v := noShares
	possible := e.possibleShares(p)
	for seat := range e.seats {
		if e.counts[seat][countMen] > 0 && !p.HasLeft(seat) {
			logit := e.network.logit(e.features[seat], &e.counts[seat], e.cellShare, &output)
			v[seat] = float64(logit) + math.Log(max(minPossible, possible[seat]))
		}
	}
	return softmax(v)
}

// noShares are the logits of seats that have none.
var noShares = shares{math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(-1)}

// softmax returns the shares of seats with these logits, of which one must be finite.
func softmax(v shares) shares {
	highest, total := slices.Max(v[:]), 0.0
	for seat, x := range v {
		if math.IsInf(x, -1) {
			v[seat] = 0
			continue
		}
		v[seat] = math.Exp(x - highest)
		total += v[seat]
	}
	for seat := range v {
		v[seat] /= total
	}
	return v
}

// virginPart returns the virgin part of the board.
func (s *boardFeatures) virginPart() float32 {
	return float32(s.count(&s.virgin, &s.virgin)) / float32(len(s.cells))
}
