package search

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"ayumu/engine/mu"
)

// Parameters of rollouts from layout and clearing, chosen by hand.
const (
	rolloutMaxRounds  = 8  // rounds of play; by then games on small boards are mostly decided
	rolloutMoves      = 12 // random candidates for each move of a turn
	rolloutPlacements = 6  // random candidates for placing or clearing
	rolloutBest       = 8  // plans with the best static value that are played out
	rolloutOther      = 4  // further random plans
	rolloutMeanGames  = 8  // minimum mean number of games for each plan
	rolloutMinGames   = 4  // minimum number of games for each plan to count
)

// rollout plays out games from layout and clearing with simple turns. One seat places, clears and moves
// by evaluation; the others place and clear at random and greedily maximise territory and men.
type rollout struct {
	evaluator evaluator
	seat      int
	rng       *rand.Rand
	timeUp    func() bool
	moves     []mu.Action
}

// rank plays out games from the plans, which are sorted by promise, by successive halving, until one is
// left or time is up. It returns the tried plans, the best first, and the number of games. With too few
// games the order is unchanged.
func (r *rollout) rank(plans []plan, games int) ([]plan, int) {
	if len(plans) > rolloutBest {
		rest := plans[rolloutBest:]
		r.rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	}
	plans = plans[:min(len(plans), rolloutBest+rolloutOther, max(1, games/rolloutMeanGames))]
	first := slices.Clone(plans)
	stages := 0
	for n := len(plans); n > 1; n = (n + 1) / 2 {
		stages++
	}
	played, running := 0, true
	for left := plans; len(left) > 1 && running; left = left[:(len(left)+1)/2] {
		for range games / stages / len(left) {
			if running = r.playAll(left); !running {
				break
			}
			played += len(left)
		}
		if !running && left[0].games < rolloutMinGames {
			return first, 0
		}
		slices.SortStableFunc(left, func(a, b plan) int { return cmp.Compare(b.shareSum, a.shareSum) })
	}
	if played > 0 {
		assignShares(plans)
	}
	return plans, played
}

// playAll plays a game from each plan. If time runs out before the last game ends, none of them counts.
func (r *rollout) playAll(plans []plan) bool {
	var won [rolloutBest + rolloutOther]float64
	for i := range plans {
		shares, ended := r.play(plans[i].next)
		if !ended {
			return false
		}
		won[i] = shares[r.seat]
	}
	for i := range plans {
		plans[i].shareSum += won[i]
		plans[i].games++
	}
	return true
}

// assignShares sets the shares of the plans by the differences between their games. The games' own shares
// are too high, since the opponents in them are greedy.
func assignShares(plans []plan) {
	first := plans[0].share - plans[0].shareSum/float64(plans[0].games)
	for i := 1; i < len(plans); i++ {
		share := first + plans[i].shareSum/float64(plans[i].games)
		plans[i].share = max(0, min(share, plans[i-1].share))
	}
}

// play plays out a game and returns the shares at its end, or false if time runs out.
func (r *rollout) play(p *mu.Position) (shares, bool) {
	for p.Phase() < mu.Play {
		if p = r.setUp(p); r.timeUp() {
			return shares{}, false
		}
	}
	for n := rolloutMaxRounds * p.Seats(); n > 0 && p.Phase() == mu.Play; n-- {
		if p = r.turn(p); r.timeUp() {
			return shares{}, false
		}
	}
	return r.evaluator.evaluate(p), true
}

// setUp places or clears.
func (r *rollout) setUp(p *mu.Position) *mu.Position {
	r.moves = p.AppendLegal(r.moves[:0])
	chance := r.moves[r.rng.IntN(len(r.moves))]
	if p.Turn() != r.seat || len(r.moves) == 1 {
		return play(p, chance)
	}
	var best *mu.Position
	highest := -1.0
	for range rolloutPlacements {
		next := play(p, r.moves[r.rng.IntN(len(r.moves))])
		if share := setUpShares(next)[r.seat]; share > highest {
			best, highest = next, share
		}
	}
	return best
}

// turn plays a turn: moves as long as they improve the evaluation. A greedy seat prefers a neutral move to
// a pass.
func (r *rollout) turn(p *mu.Position) *mu.Position {
	seat := p.Turn()
	p = r.explodeAll(p)
	highest := r.evaluate(p, seat)
	if seat != r.seat {
		highest--
	}
	for {
		r.moves = p.AppendLegal(r.moves[:0])
		moves := r.moves[1:] // the first ends the turn
		var best *mu.Position
		for i := range min(len(moves), rolloutMoves) {
			j := i + r.rng.IntN(len(moves)-i)
			moves[i], moves[j] = moves[j], moves[i]
			next := r.explodeAll(play(p, moves[i]))
			if value := r.evaluate(next, seat); value > highest {
				best, highest = next, value
			}
		}
		if best == nil {
			return play(p, mu.Action{Kind: mu.End})
		}
		p = best
	}
}

// explodeAll explodes critical cells in random order until none is left.
func (r *rollout) explodeAll(p *mu.Position) *mu.Position {
	for cells := p.Critical(); len(cells) > 0; cells = p.Critical() {
		p = play(p, mu.Action{Kind: mu.Explode, At: cells[r.rng.IntN(len(cells))]})
	}
	return p
}

// evaluate returns the value of a position within a turn for its seat; for a greedy seat in cells and men.
func (r *rollout) evaluate(p *mu.Position, seat int) float64 {
	s := &r.evaluator
	s.load(p)
	if seat == r.seat {
		return s.evaluateTurn(p, seat+1)[seat]
	}
	p.FindZones(&s.zones)
	value := 0
	for _, z := range s.zones.Zones {
		if cmp.Or(z.Held, z.Reach) == 1<<seat {
			value += z.Cells
		}
	}
	for _, c := range s.cells {
		if c.Men > 0 && int(c.Owner) == seat {
			value += int(c.Men)
		}
	}
	return float64(value)
}
