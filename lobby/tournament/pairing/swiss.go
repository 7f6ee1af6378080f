package pairing

import (
	"cmp"
	"slices"
)

// Bounds of the work for one round, so that the same entrants lead to the same round on every machine.
const (
	maxSteps     = 200_000 // pairs that one search tries
	strictSteps  = 50_000  // of the first search, which fails where most of those who move first have won, and of those with repeats
	byeSteps     = 20_000  // of a search with another bye than the first
	maxBye       = 16      // entrants that are tried as the one with the bye
	maxRepeats   = 8       // repeated pairs that searches allow one by one, before all are allowed
	maxImbalance = 2 * One // the largest Early, or smallest -Early, that the first search allows
	distanceBits = 12      // of a distance in a cost
)

// Swiss returns a round of the Swiss system. The highest entrant without an opponent gets the one with the fewest points less
// whom they have not met, of these the one with whom the order of turns evens out best, and of these the nearest in the
// order; in the first round, the nearest to half of the entrants below. If the rest cannot be paired then, the next one.
//
// First no pair may repeat and no order of turns may become too uneven, then no pair may repeat, and then as few as
// possible. With an odd number of entrants the bye goes to the lowest of those with the fewest byes; to a higher one of them
// only if that saves a repetition.
func Swiss(all []Entrant) Round {
	if len(all) == 0 {
		return Round{Bye: -1}
	}
	order := Order(all)
	if len(order)%2 == 0 {
		return newSearch(all, order).run(-1)
	}
	candidates := byeCandidates(all, order)
	for n, bye := range candidates {
		s := newSearch(all, without(order, bye))
		if n == 0 && (s.pairAll(0, true, strictSteps) || s.pairAll(0, false, maxSteps)) || n > 0 && s.pairAll(0, false, byeSteps) {
			return s.round(order[bye])
		}
	}
	bye := candidates[0]
	return newSearch(all, without(order, bye)).run(order[bye])
}

// byeCandidates returns the positions of the entrants who may have the bye, the lowest first.
func byeCandidates(all []Entrant, order []int) (positions []int) {
	fewest := all[order[0]].Byes
	for _, i := range order {
		fewest = min(fewest, all[i].Byes)
	}
	for p, i := range slices.Backward(order) {
		if all[i].Byes == fewest && len(positions) < maxBye {
			positions = append(positions, p)
		}
	}
	return positions
}

// without returns an order without one position.
func without(order []int, position int) []int {
	return slices.Delete(slices.Clone(order), position, position+1)
}

// search pairs an even number of entrants by backtracking. Entrants are their positions in the order.
type search struct {
	all     []Entrant
	order   []int
	met     meetings
	isFirst bool // nobody has played

	strict      bool // the order of turns may not become too uneven
	repeatsLeft int
	stepsLeft   int
	used        int   // steps of all searches so far
	opponent    []int // by position; -1: none yet
	buffers     [][]option
}

// option is a possible opponent.
type option struct{ position, cost int }

func newSearch(all []Entrant, order []int) *search {
	s := &search{all: all, order: order, met: newMeetings(all, order), isFirst: true, opponent: make([]int, len(order))}
	s.buffers = make([][]option, len(order))
	for _, i := range order {
		if len(all[i].Opponents) > 0 || all[i].Points != all[order[0]].Points {
			s.isFirst = false
		}
	}
	return s
}

// run pairs all, with as few repetitions as the steps allow to find.
func (s *search) run(bye int) Round {
	done := s.pairAll(0, true, strictSteps) || s.pairAll(0, false, maxSteps)
	for repeats := 1; repeats <= maxRepeats && !done; repeats++ {
		done = s.pairAll(repeats, false, strictSteps)
	}
	if !done {
		s.pairAll(len(s.order), false, maxSteps)
	}
	return s.round(bye)
}

// pairAll reports whether it has paired all with at most so many repeated pairs and steps.
func (s *search) pairAll(repeats int, strict bool, steps int) bool {
	s.repeatsLeft, s.strict, s.stepsLeft = repeats, strict, steps
	for p := range s.opponent {
		s.opponent[p] = -1
	}
	return s.pairFrom(0)
}

// pairFrom pairs the entrants at a position and below. Without success all of them have no opponent again.
func (s *search) pairFrom(p int) bool {
	for p < len(s.order) && s.opponent[p] >= 0 {
		p++
	}
	if p == len(s.order) {
		return true
	}
	for from := p + 1; from < len(s.order); {
		to := from + 1
		for to < len(s.order) && s.points(to) == s.points(from) {
			to++
		}
		if s.pairWithin(p, from, to) {
			return true
		}
		from = to
	}
	if s.repeatsLeft == 0 {
		return false
	}
	s.repeatsLeft--
	for o := p + 1; o < len(s.order); o++ {
		if s.opponent[o] < 0 && s.met.of(p, o) > 0 && s.try(p, o) {
			return true
		}
	}
	s.repeatsLeft++
	return false
}

// pairWithin lets the entrant at p play one of those at the positions from from to before to, who have the same points,
// and pairs the rest.
func (s *search) pairWithin(p, from, to int) bool {
	options := s.buffers[p][:0]
	for o := from; o < to; o++ {
		if s.opponent[o] < 0 && s.met.of(p, o) == 0 && (!s.strict || s.imbalance(p, o) <= maxImbalance) {
			options = append(options, option{o, s.cost(p, o)})
		}
	}
	s.buffers[p] = options
	slices.SortFunc(options, func(a, b option) int { return cmp.Compare(a.cost, b.cost) })
	for _, o := range options {
		if s.try(p, o.position) {
			return true
		}
		if s.stepsLeft < 0 {
			return false
		}
	}
	return false
}

// try pairs two entrants and then the rest.
func (s *search) try(p, o int) bool {
	s.used++
	if s.stepsLeft--; s.stepsLeft < 0 {
		return false
	}
	s.opponent[p], s.opponent[o] = o, p
	if s.pairFrom(p + 1) {
		return true
	}
	s.opponent[p], s.opponent[o] = -1, -1
	return false
}

func (s *search) points(p int) int { return s.all[s.order[p]].Points }

// cost returns how well o fits as the opponent of p among those with the same points; less is better.
func (s *search) cost(p, o int) int {
	distance := o - p
	if s.isFirst {
		if distance -= len(s.order) / 2; distance < 0 {
			distance = -distance
		}
		return distance
	}
	return s.imbalance(p, o)<<distanceBits | distance
}

// imbalance returns the larger of both entrants' Early, without its sign, after a game between them in the better order.
func (s *search) imbalance(p, o int) int {
	a, b := &s.all[s.order[p]], &s.all[s.order[o]]
	return min(max(abs(a.Early+One), abs(b.Early-One)), max(abs(a.Early-One), abs(b.Early+One)))
}

// round returns what the search has found.
func (s *search) round(bye int) Round {
	r := Round{Bye: bye}
	for p, o := range s.opponent {
		if o < p {
			continue
		}
		if s.met.of(p, o) > 0 {
			r.Repeats++
		}
		pair := Pair{s.order[p], s.order[o]}
		if !movesFirst(&s.all[pair.First], &s.all[pair.Second]) {
			pair.First, pair.Second = pair.Second, pair.First
		}
		r.Pairs = append(r.Pairs, pair)
	}
	return r
}

// movesFirst reports whether the higher of two entrants moves first: the one who has had the later seats does, of equal ones
// the one who had the later seat in the latest game, and else the lot of the higher one decides.
func movesFirst(higher, lower *Entrant) bool {
	switch {
	case higher.Early != lower.Early:
		return higher.Early < lower.Early
	case higher.LastEarly != lower.LastEarly:
		return higher.LastEarly < lower.LastEarly
	}
	return higher.Lot%2 == 0
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
