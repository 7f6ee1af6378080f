package search

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"ayumu/engine/mu"
	"ayumu/engine/search"
)

// Values of a segment at the start of play, in logarithms of the odds of winning, from games on random
// boards: cells that explode with few men, adjacent segments to grow into, and distance from opponents.
const (
	cellOfThreeValue = 0.8 // a cell with three neighbours
	cellOfFourValue  = 0.3 // one with four
	besideValue      = 0.7 // a segment with its centre three steps away
	distanceValue    = 0.1 // a step to the nearest segment of an opponent
)

// noise is the difference in value from which the better plan is always chosen.
const noise = 0.1

// plan is a placement or clearing.
type plan struct {
	action  mu.Action
	next    *mu.Position
	share   float64 // estimated share of the win
	worth   float64 // estimate with noise, for the order
	samples int     // number of completed layouts
	sum     shares  // sum of their shares
}

// mean returns the mean shares of the completed layouts, of which there must be one.
func (c *plan) mean() shares {
	v := c.sum
	for seat := range v {
		v[seat] /= float64(c.samples)
	}
	return v
}

// setUp returns advice for a placement or clearing: by what the best first segments of the seats are worth and, with samples,
// by that many completed layouts or playouts at most.
func (m *searcher) setUp(p *mu.Position, valueError float64, samples int, rng *rand.Rand, isTimeUp func() bool) search.Advice {
	seat := p.Turn()
	var plans []plan
	for _, a := range p.AppendLegal(nil) {
		next := play(p, a)
		shares := setUpShares(next)
		worth := math.Log(shares[seat]) + (noise+setUpErrorFactor*valueError)*rng.Float64()
		plans = append(plans, plan{action: a, next: next, share: assumeUnlaid(next, shares)[seat], worth: worth})
	}
	slices.SortStableFunc(plans, func(a, b plan) int { return cmp.Compare(b.worth, a.worth) })
	var advice search.Advice
	if samples > 0 && m.start.network != nil {
		m.tree.turns.isTimeUp = isTimeUp
		l := layoutSearch{rng: rng, isTimeUp: isTimeUp, tree: m.tree, evaluator: &m.start}
		plans, advice.Playouts = l.comparePlans(p, plans, samples)
	}
	var shares shares
	if best := &plans[0]; best.samples > 0 {
		shares = best.mean()
	} else {
		shares = assumeUnlaid(best.next, setUpShares(best.next))
	}
	advice.Chances = shares[:p.Seats()]
	for _, c := range plans[:min(len(plans), maxChoices)] {
		advice.Choices = append(advice.Choices, search.Choice{Actions: []string{c.action.String()}, Chance: c.share})
	}
	return advice
}

// assumeUnlaid gives seats without a segment the share of the best seat, since they will choose as well.
func assumeUnlaid(p *mu.Position, v shares) shares {
	best, total := slices.Max(v[:]), 0.0
	for seat, men := range p.Men() {
		if men == 0 && !p.HasLeft(seat) {
			v[seat] = best
		}
		total += v[seat]
	}
	for seat := range v {
		v[seat] /= total
	}
	return v
}

// setUpErrorFactor multiplies the error of values in layout and clearing, where a turn matters less.
const setUpErrorFactor = 3

// setUpShares returns the shares by the best first segment of each seat.
func setUpShares(p *mu.Position) shares {
	var v shares
	centres := p.Board().Centres()
	owners := make([]int, len(centres))
	for i, h := range centres {
		c, _ := p.Cell(h)
		owners[i] = c.Owner
	}
	total := 0.0
	for seat := range p.Seats() {
		if p.HasLeft(seat) {
			continue
		}
		best := 0.0
		for i, owner := range owners {
			if owner == seat {
				best = max(best, segmentValue(p, centres, owners, i))
			}
		}
		v[seat] = math.Exp(best)
		total += v[seat]
	}
	for seat := range v {
		v[seat] /= total
	}
	return v
}

// segmentValue returns the value of a segment as the first one.
func segmentValue(p *mu.Position, centres []mu.Hex, owners []int, segment int) float64 {
	worth := 0.0
	at := centres[segment]
	for _, d := range mu.Dirs {
		switch c, _ := p.Cell(at.Step(d, 1)); c.Capacity {
		case 3:
			worth += cellOfThreeValue
		case 4:
			worth += cellOfFourValue
		}
	}
	nearest := math.Inf(1)
	for i, h := range centres {
		distance := at.Distance(h)
		if distance == 3 {
			worth += besideValue
		}
		if owners[i] >= 0 && owners[i] != owners[segment] {
			nearest = min(nearest, float64(distance))
		}
	}
	if !math.IsInf(nearest, 1) {
		worth += distanceValue * nearest
	}
	return worth
}
