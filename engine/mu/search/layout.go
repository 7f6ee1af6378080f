package search

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"ayumu/engine/mu"
)

// Parameters of the search in layout and clearing, chosen by hand.
const (
	layoutBest       = 10 // plans with the best static value that are compared
	layoutOther      = 4  // further random plans
	layoutMinSamples = 4  // minimum number of completed layouts for each plan to count

	maxClearings = 20000 // maximum number of ways to clear that are all tried
	keepRounds   = 2     // times that each seat chooses anew which segment to keep
)

// layoutSearch compares placements and clearings by the estimate of the positions in which play begins. Placements
// that are not decided yet are random; every seat clears in its own interest.
type layoutSearch struct {
	evaluator evaluator
	rng       *rand.Rand
	timeUp    func() bool
	moves     []mu.Action
	found     []shares
	known     map[uint64]shares // by the segments kept, in one layout
}

// rank compares the plans, which are sorted by promise, and returns those that it compared, the best first, with the
// number of layouts that were completed. If these are too few, the order is unchanged.
func (l *layoutSearch) rank(p *mu.Position, plans []plan, samples int) ([]plan, int) {
	if len(plans) == 1 || l.timeUp() {
		return plans, 0
	}
	l.known = make(map[uint64]shares)
	if ways, starts := countClearings(p); p.Phase() == mu.Clearing && ways <= maxClearings && starts <= samples {
		return l.rankExactly(p.Turn(), plans)
	}
	if len(plans) > layoutBest && p.Phase() == mu.Layout {
		rest := plans[layoutBest:]
		l.rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		plans = plans[:min(len(plans), layoutBest+layoutOther)]
	}
	plans = plans[:min(len(plans), max(1, samples/layoutMinSamples))]
	return l.rankBySamples(p.Turn(), plans, samples)
}

// rankExactly compares clearings by all ways to go on clearing.
func (l *layoutSearch) rankExactly(seat int, plans []plan) ([]plan, int) {
	found := slices.Clone(plans)
	for i := range found {
		v, ended := l.clearAll(found[i].next)
		if !ended {
			return plans, 0
		}
		found[i].share, found[i].sum, found[i].samples = v[seat], v, 1
	}
	slices.SortStableFunc(found, func(a, b plan) int { return cmp.Compare(b.share, a.share) })
	return found, len(l.known)
}

// rankBySamples compares plans by completed layouts, by successive halving.
func (l *layoutSearch) rankBySamples(seat int, plans []plan, samples int) ([]plan, int) {
	first := slices.Clone(plans)
	stages := 0
	for n := len(plans); n > 1; n = (n + 1) / 2 {
		stages++
	}
	done, running := 0, true
	for left := plans; len(left) > 1 && running; left = left[:(len(left)+1)/2] {
		for range max(1, samples/stages/len(left)) {
			if running = l.sampleAll(left); !running {
				break
			}
			done += len(left)
		}
		if !running && left[0].samples < layoutMinSamples {
			return first, 0
		}
		for i := range left {
			left[i].share = left[i].mean()[seat]
		}
		slices.SortStableFunc(left, func(a, b plan) int { return cmp.Compare(b.share, a.share) })
	}
	for i := 1; i < len(plans); i++ {
		plans[i].share = min(plans[i].share, plans[i-1].share)
	}
	return plans, done
}

// sampleAll completes a layout from each plan. If time runs out before the last, none of them counts.
func (l *layoutSearch) sampleAll(plans []plan) bool {
	l.found = l.found[:0]
	for i := range plans {
		v, ended := l.complete(plans[i].next)
		if !ended {
			return false
		}
		l.found = append(l.found, v)
	}
	for i := range plans {
		for seat, share := range l.found[i] {
			plans[i].sum[seat] += share
		}
		plans[i].samples++
	}
	return true
}

// complete completes a layout and returns the shares where play begins, or false if time runs out.
func (l *layoutSearch) complete(p *mu.Position) (shares, bool) {
	for p.Phase() == mu.Layout {
		l.moves = p.AppendLegal(l.moves[:0])
		p = play(p, l.moves[l.rng.IntN(len(l.moves))])
		if l.timeUp() {
			return shares{}, false
		}
	}
	return l.keepBest(p)
}

// keepBest lets every seat choose in turn which of its segments it keeps, given what the others keep.
func (l *layoutSearch) keepBest(p *mu.Position) (shares, bool) {
	if p.Phase() != mu.Clearing {
		return l.evaluator.evaluateStart(p), true
	}
	var owned [maxSeats][]mu.Hex
	for _, h := range p.Board().Centres() {
		if c, _ := p.Cell(h); c.Men > 0 {
			owned[c.Owner] = append(owned[c.Owner], h)
		}
	}
	var keep [maxSeats]mu.Hex
	for seat, own := range owned {
		if len(own) > 0 {
			keep[seat] = own[l.rng.IntN(len(own))]
		}
	}
	clear(l.known)
	var v shares
	for range keepRounds {
		for seat, own := range owned {
			highest, best := -1.0, keep[seat]
			for _, h := range own {
				keep[seat] = h
				u := l.keepValue(p, &keep)
				if l.timeUp() {
					return shares{}, false
				}
				if u[seat] > highest {
					highest, best, v = u[seat], h, u
				}
			}
			keep[seat] = best
		}
	}
	return v, true
}

// keepValue returns the shares where play begins if each seat keeps one segment.
func (l *layoutSearch) keepValue(p *mu.Position, keep *[maxSeats]mu.Hex) shares {
	var known uint64
	for seat := range p.Seats() {
		known = known*1009 + uint64(p.Board().Index(keep[seat])+1)
	}
	if v, ok := l.known[known]; ok {
		return v
	}
	for p.Phase() == mu.Clearing {
		l.moves = p.AppendLegal(l.moves[:0])
		a := l.moves[0]
		if a.At == keep[p.Turn()] {
			a = l.moves[1]
		}
		p = play(p, a)
	}
	v := l.evaluator.evaluateStart(p)
	l.known[known] = v
	return v
}

// countClearings returns the number of ways to clear, and that of the starts of play to which they lead. Above
// maxClearings neither is exact.
func countClearings(p *mu.Position) (ways, starts int) {
	ways, starts = 1, 1
	for _, men := range p.Men() {
		starts = min(starts*max(1, men), maxClearings+1)
		for ; men > 1; men-- {
			ways = min(ways*men, maxClearings+1)
		}
	}
	return ways, starts
}

// clearAll returns the shares if every seat clears in its own interest from now on, or false if time runs out.
func (l *layoutSearch) clearAll(p *mu.Position) (shares, bool) {
	if p.Phase() != mu.Clearing {
		l.evaluator.load(p)
		key := l.evaluator.hash()
		v, ok := l.known[key]
		if !ok {
			v = l.evaluator.evaluateStart(p)
			l.known[key] = v
		}
		return v, true
	}
	if l.timeUp() {
		return shares{}, false
	}
	seat := p.Turn()
	var best shares
	for i, a := range p.AppendLegal(nil) {
		v, ended := l.clearAll(play(p, a))
		if !ended {
			return shares{}, false
		}
		if i == 0 || v[seat] > best[seat] {
			best = v
		}
	}
	return best, true
}
