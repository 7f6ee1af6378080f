package bot

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"ayumu/engine/mu"
)

// How games are played on from the set-up. All are chosen by hand.
const (
	muRolloutMaxRounds  = 8  // of play; on small boards the game is mostly decided then
	muRolloutMoves      = 12 // tried for each move of a turn, by chance
	muRolloutPlacements = 6  // tried for laying or clearing
	muRolloutBest       = 8  // ways to lay or clear that are played on, those that look best
	muRolloutOther      = 4  // others, by chance
	muRolloutMeanGames  = 8  // games for each of them on average, at least
	muRolloutMinGames   = 4  // games for each that say something where time is up
)

// muRollout plays games on from the set-up by simple turns. One seat lays and clears where it looks
// good and makes the moves that look best to it; the others lay and clear by chance and take what
// leaves them with the most territory and men.
type muRollout struct {
	evaluator muEvaluator
	seat      int
	rng       *rand.Rand
	timeUp    func() bool
	moves     []mu.Action
}

// rank plays so many games on from the plans, the most promising first, and returns those that it
// tried, the best first, and how many games it played. What does better is tried again, until one is
// left or time is up. Where that is after too few games to say anything, the order stays.
func (r *muRollout) rank(plans []muPlan, games int) ([]muPlan, int) {
	if len(plans) > muRolloutBest {
		rest := plans[muRolloutBest:]
		r.rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	}
	plans = plans[:min(len(plans), muRolloutBest+muRolloutOther, max(1, games/muRolloutMeanGames))]
	first := slices.Clone(plans)
	stages := 0
	for n := len(plans); n > 1; n = (n + 1) / 2 {
		stages++
	}
	played, going := 0, true
	for left := plans; len(left) > 1 && going; left = left[:(len(left)+1)/2] {
		for range games / stages / len(left) {
			if going = r.playAll(left); !going {
				break
			}
			played += len(left)
		}
		if !going && left[0].games < muRolloutMinGames {
			return first, 0
		}
		slices.SortStableFunc(left, func(a, b muPlan) int { return cmp.Compare(b.shareSum, a.shareSum) })
	}
	if played > 0 {
		assignShares(plans)
	}
	return plans, played
}

// playAll plays a game from each plan; where time is up before the last has ended none counts.
func (r *muRollout) playAll(plans []muPlan) bool {
	var won [muRolloutBest + muRolloutOther]float64
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

// assignShares gives the plans shares that differ as the games say. Those of the games themselves are too
// high for somebody who plays against others than greedy ones.
func assignShares(plans []muPlan) {
	first := plans[0].share - plans[0].shareSum/float64(plans[0].games)
	for i := 1; i < len(plans); i++ {
		share := first + plans[i].shareSum/float64(plans[i].games)
		plans[i].share = max(0, min(share, plans[i-1].share))
	}
}

// play plays a game on and returns how the win is shared out then; false where time was up before.
func (r *muRollout) play(p *mu.Position) (muShares, bool) {
	for p.Phase() < mu.Play {
		if p = r.setUp(p); r.timeUp() {
			return muShares{}, false
		}
	}
	for n := muRolloutMaxRounds * p.Seats(); n > 0 && p.Phase() == mu.Play; n-- {
		if p = r.turn(p); r.timeUp() {
			return muShares{}, false
		}
	}
	return r.evaluator.evaluate(p), true
}

// setUp lays or clears.
func (r *muRollout) setUp(p *mu.Position) *mu.Position {
	r.moves = p.AppendLegal(r.moves[:0])
	chance := r.moves[r.rng.IntN(len(r.moves))]
	if p.Turn() != r.seat || len(r.moves) == 1 {
		return playMu(p, chance)
	}
	var best *mu.Position
	highest := -1.0
	for range muRolloutPlacements {
		next := playMu(p, r.moves[r.rng.IntN(len(r.moves))])
		if share := muSetUpShares(next)[r.seat]; share > highest {
			best, highest = next, share
		}
	}
	return best
}

// turn makes a turn: one move after the other as long as they gain something. A greedy seat that
// could only pass makes a move that costs it nothing.
func (r *muRollout) turn(p *mu.Position) *mu.Position {
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
		for i := range min(len(moves), muRolloutMoves) {
			j := i + r.rng.IntN(len(moves)-i)
			moves[i], moves[j] = moves[j], moves[i]
			next := r.explodeAll(playMu(p, moves[i]))
			if worth := r.evaluate(next, seat); worth > highest {
				best, highest = next, worth
			}
		}
		if best == nil {
			return playMu(p, mu.Action{Kind: mu.End})
		}
		p = best
	}
}

// explodeAll lets critical cells explode in an order by chance until there is none.
func (r *muRollout) explodeAll(p *mu.Position) *mu.Position {
	for cells := p.Critical(); len(cells) > 0; cells = p.Critical() {
		p = playMu(p, mu.Action{Kind: mu.Explode, At: cells[r.rng.IntN(len(cells))]})
	}
	return p
}

// evaluate returns how good a position within a turn is for its seat; of a greedy one in cells and men.
func (r *muRollout) evaluate(p *mu.Position, seat int) float64 {
	s := &r.evaluator
	s.load(p)
	if seat == r.seat {
		return s.evaluateTurn(p, seat+1)[seat]
	}
	p.FindZones(&s.zones)
	worth := 0
	for _, z := range s.zones.Zones {
		if cmp.Or(z.Held, z.Reach) == 1<<seat {
			worth += z.Cells
		}
	}
	for _, c := range s.cells {
		if c.Men > 0 && int(c.Owner) == seat {
			worth += int(c.Men)
		}
	}
	return float64(worth)
}
