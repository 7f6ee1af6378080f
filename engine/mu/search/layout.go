package search

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"ayumu/engine/mu"
)

// Parameters of the search in layout and clearing, chosen by hand.
const (
	layoutBest       = 10 // plans with the best static value that are compared
	layoutOther      = 4  // further random plans
	layoutMinSamples = 4  // minimum number of completed layouts for each plan to count

	maxClearings    = 20000 // maximum number of ways to clear that are all tried
	startPlayouts   = 20    // playouts of the first search of a start of play
	startGrowth     = 4     // times as many has the next search of it
	clearingDoubt   = 0.08  // share of the win for which a choice of another seat is e times as probable
	randomKeepEvery = 3     // another seat keeps a random one of its segments in one of so many completed layouts
	keepRounds      = 2     // times that each seat chooses anew which segment to keep
)

// layoutSearch compares placements and clearings by the estimate of the positions in which play begins. Placements
// that are not decided yet are random; every seat clears in its own interest.
type layoutSearch struct {
	evaluator *startEvaluator
	cells     boardFeatures
	tree      *tree
	rng       *rand.Rand
	isTimeUp  func() bool
	moves     []mu.Action
	found     []shares
	known     map[uint64]shares    // by the segments kept, in one layout
	starts    map[uint64]*start    // by the hash of the position
	clearings map[uint64]*clearing // by the hash of the position
}

// start is a position in which play can begin.
type start struct {
	p        *mu.Position
	number   int // in the order in which they were found
	value    shares
	playouts int     // of the search that found value; 0 if the network did
	weight   float64 // how probable it is that play begins there
}

// clearing is a position before a segment is cleared, or a start of play.
type clearing struct {
	seat   int
	next   []*clearing // nil for a start
	values []shares    // what is expected of them
	start  *start      // nil unless it is one
}

// expected returns the shares that are expected of a position before a clearing. The seat own makes the choice that is
// best for it. What others choose is less certain, since they judge the starts otherwise: the better a choice is for
// them by this estimate, the more probable it is.
func (c *clearing) expected(own int) shares {
	if c.start != nil {
		return c.start.value
	}
	c.values = c.values[:0]
	for _, next := range c.next {
		c.values = append(c.values, next.expected(own))
	}
	if c.seat == own {
		return slices.MaxFunc(c.values, func(a, b shares) int { return cmp.Compare(a[own], b[own]) })
	}
	var v shares
	for i, p := range probabilities(c.values, c.seat) {
		for seat := range v {
			v[seat] += p * c.values[i][seat]
		}
	}
	return v
}

// addProbabilities adds to the weight of each start the probability that it is reached. expected must have been called
// before.
func (c *clearing) addProbabilities(weight float64) {
	if c.start != nil {
		c.start.weight += weight
		return
	}
	for i, p := range probabilities(c.values, c.seat) {
		c.next[i].addProbabilities(weight * p)
	}
}

// probabilities returns how probable it is that a seat makes each of the choices that lead to these shares.
func probabilities(values []shares, seat int) []float64 {
	p := make([]float64, len(values))
	highest, total := 0.0, 0.0
	for _, v := range values {
		highest = max(highest, v[seat])
	}
	for i, v := range values {
		p[i] = math.Exp((v[seat] - highest) / clearingDoubt)
		total += p[i]
	}
	for i := range p {
		p[i] /= total
	}
	return p
}

// comparePlans compares the plans, which are sorted by promise, and returns those that it compared, the best first, with the
// number of layouts that were completed. If these are too few, the order is unchanged.
func (l *layoutSearch) comparePlans(p *mu.Position, plans []plan, samples int) ([]plan, int) {
	if len(plans) == 1 || l.isTimeUp() {
		return plans, 0
	}
	l.known = make(map[uint64]shares)
	if ways, starts := countClearings(p); p.Phase() == mu.Clearing && ways <= maxClearings && starts <= samples {
		return l.compareExactly(p.Turn(), plans, samples)
	}
	if len(plans) > layoutBest && p.Phase() == mu.Layout {
		rest := plans[layoutBest:]
		l.rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		plans = plans[:min(len(plans), layoutBest+layoutOther)]
	}
	plans = plans[:min(len(plans), max(1, samples/layoutMinSamples))]
	return l.compareBySamples(p.Turn(), plans, samples)
}

// compareExactly compares clearings by all ways to go on clearing.
func (l *layoutSearch) compareExactly(seat int, plans []plan, samples int) ([]plan, int) {
	l.starts = make(map[uint64]*start)
	found := slices.Clone(plans)
	l.clearings = make(map[uint64]*clearing)
	trees := make([]*clearing, len(found))
	for i := range found {
		if trees[i] = l.allClearings(found[i].next); trees[i] == nil {
			return plans, 0
		}
	}
	done := len(l.starts)
	done += l.searchStarts(trees, seat, samples-done)
	for i := range found {
		v := trees[i].expected(seat)
		found[i].share, found[i].sum, found[i].samples = v[seat], v, 1
	}
	slices.SortStableFunc(found, func(a, b plan) int { return cmp.Compare(b.share, a.share) })
	return found, done
}

// searchStarts searches the starts to which clearings lead, with at most that many playouts in all: next the one that is
// most probable for its number of playouts, which grows each time. It returns the number of playouts.
func (l *layoutSearch) searchStarts(trees []*clearing, seat, playouts int) (done int) {
	all := clearing{seat: seat, next: trees}
	for {
		for _, s := range l.starts {
			s.weight = 0
		}
		all.expected(seat)
		all.addProbabilities(1)
		var next *start
		highest := 0.0
		for _, s := range l.starts {
			if s.p.Phase() != mu.Play {
				continue
			}
			if worth := s.weight / float64(s.nextPlayouts()); worth > highest || worth == highest && next != nil && s.number < next.number {
				next, highest = s, worth
			}
		}
		if next == nil || done+next.nextPlayouts() > playouts {
			return done
		}
		n := next.nextPlayouts()
		v := l.tree.search(next.p, n).mean()
		if l.isTimeUp() {
			return done
		}
		next.value, next.playouts = v, n
		done += n
	}
}

// nextPlayouts returns the number of playouts of the next search of the start.
func (s *start) nextPlayouts() int { return max(startPlayouts, startGrowth*s.playouts) }

// compareBySamples compares plans by completed layouts, by successive halving.
func (l *layoutSearch) compareBySamples(seat int, plans []plan, samples int) ([]plan, int) {
	first := slices.Clone(plans)
	stages := 0
	for n := len(plans); n > 1; n = (n + 1) / 2 {
		stages++
	}
	done, running := 0, true
	for left := plans; len(left) > 1 && running; left = left[:(len(left)+1)/2] {
		for range max(1, samples/stages/len(left)) {
			if running = l.sampleAll(seat, left); !running {
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

// sampleAll completes a layout from each plan, with the same further placements as far as they are legal. If time runs
// out before the last, none of them counts.
func (l *layoutSearch) sampleAll(seat int, plans []plan) bool {
	l.found = l.found[:0]
	seed := l.rng.Uint64()
	for i := range plans {
		v, ended := l.complete(plans[i].next, seat, seed)
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

// complete completes a layout and returns the shares where play begins, or false if time runs out. The seed ranks the
// cells at random for each placement.
func (l *layoutSearch) complete(p *mu.Position, seat int, seed uint64) (shares, bool) {
	first := seed
	for ; p.Phase() == mu.Layout; seed++ {
		l.moves = p.AppendLegal(l.moves[:0])
		best := l.moves[0]
		for _, a := range l.moves[1:] {
			if hashCell(seed, a.At) > hashCell(seed, best.At) {
				best = a
			}
		}
		p = play(p, best)
		if l.isTimeUp() {
			return shares{}, false
		}
	}
	return l.keepBest(p, seat, first)
}

// hashCell returns a hash of a cell.
func hashCell(seed uint64, h mu.Hex) uint64 {
	x := seed*0x9e3779b97f4a7c15 ^ uint64(uint16(h.Q))<<32 ^ uint64(uint16(h.R))<<16
	x = (x ^ x>>32) * 0xd6e8feb86659fd93
	x = (x ^ x>>32) * 0xd6e8feb86659fd93
	return x ^ x>>32
}

// keepBest lets every seat choose in turn which of its segments it keeps, given what the others keep. The seed decides
// which seats other than the given one keep a random one.
func (l *layoutSearch) keepBest(p *mu.Position, seat int, seed uint64) (shares, bool) {
	if p.Phase() != mu.Clearing {
		return l.evaluator.evaluate(p), true
	}
	var owned [maxSeats][]int
	for k, h := range p.Board().Centres() {
		if c, _ := p.Cell(h); c.Men > 0 {
			owned[c.Owner] = append(owned[c.Owner], k)
		}
	}
	keep := noneKept
	var chooses [maxSeats]bool
	for k, own := range owned {
		if len(own) == 0 {
			continue
		}
		n := hashCell(seed, mu.Hex{Q: int16(k), R: -1})
		chooses[k] = k == seat || n%randomKeepEvery != 0
		keep[k] = own[n/randomKeepEvery%uint64(len(own))]
	}
	clear(l.known)
	for range keepRounds {
		for k, own := range owned {
			if !chooses[k] {
				continue
			}
			highest, best := -1.0, keep[k]
			for _, h := range own {
				keep[k] = h
				v := l.keepValue(p, &keep)
				if l.isTimeUp() {
					return shares{}, false
				}
				if v[k] > highest {
					highest, best = v[k], h
				}
			}
			keep[k] = best
		}
	}
	return l.keepValue(p, &keep), true
}

// keepValue returns the shares where play begins if each seat keeps one segment.
func (l *layoutSearch) keepValue(p *mu.Position, keep *[maxSeats]int) shares {
	var key uint64
	for _, k := range keep {
		key = key<<8 | uint64(uint8(k))
	}
	v, ok := l.known[key]
	if !ok {
		v = l.evaluator.evaluateKept(p.Board(), keep, p.Seats())
		l.known[key] = v
	}
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

// allClearings returns all ways to clear from now on, or nil if time runs out. Ways that lead to the same position share it.
func (l *layoutSearch) allClearings(p *mu.Position) *clearing {
	l.cells.load(p)
	key := l.cells.hash()
	if p.Phase() != mu.Clearing {
		s, ok := l.starts[key]
		if !ok {
			s = &start{p: p, number: len(l.starts), value: l.evaluator.evaluate(p)}
			l.starts[key] = s
		}
		return &clearing{start: s}
	}
	if c, ok := l.clearings[key]; ok {
		return c
	}
	if l.isTimeUp() {
		return nil
	}
	c := &clearing{seat: p.Turn()}
	for _, a := range p.AppendLegal(nil) {
		next := l.allClearings(play(p, a))
		if next == nil {
			return nil
		}
		c.next = append(c.next, next)
	}
	l.clearings[key] = c
	return c
}
