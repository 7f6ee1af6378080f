package pairing

import (
	"cmp"
	"slices"
)

// One is a point, or a whole of anything else that is counted in parts: 120 can be divided by what tables of two to six
// seats need.
const One = 120

// Entrant is a player who wants to play in the round, with what earlier rounds have brought.
type Entrant struct {
	Points    int    // in 1/120
	Rating    int    // decides between equal points; the larger one is higher
	Lot       uint64 // decides between equal ratings; the smaller one is higher
	Opponents []int  // indices of earlier opponents, once for each game against them. Those who do not play now are left out
	Byes      int    // rounds without an opponent that counted as won
	// Early is the sum over the entrant's games of One for the seat that moves first, -One for the last one, and
	// numbers between these in equal steps for the others. 0 is fair.
	Early int
	// LastEarly is that number of the latest game; 0: there was none.
	LastEarly int
}

// Pair is two entrants by index.
type Pair struct {
	First  int // moves first
	Second int
}

// Round is a round of games of two.
type Round struct {
	Pairs   []Pair // by table, the highest entrants first
	Bye     int    // the entrant without an opponent; -1: there is none
	Repeats int    // pairs that have met before, of Swiss
}

// Order returns the indices of entrants from the highest to the lowest: by points, ratings and lots.
func Order(all []Entrant) []int {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := &all[a], &all[b]
		return cmp.Or(cmp.Compare(y.Points, x.Points), cmp.Compare(y.Rating, x.Rating), cmp.Compare(x.Lot, y.Lot))
	})
	return order
}

// meetings counts the games between entrants, by their positions in an order.
type meetings struct {
	n     int
	count []uint8 // n×n
}

func newMeetings(all []Entrant, order []int) meetings {
	n := len(order)
	m := meetings{n, make([]uint8, n*n)}
	position := make([]int, len(all))
	for p, i := range order {
		position[i] = p
	}
	for p, i := range order {
		for _, o := range all[i].Opponents {
			at := &m.count[p*n+position[o]]
			*at = min(*at, 254) + 1
		}
	}
	return m
}

// of returns how often the entrants at two positions have met.
func (m *meetings) of(a, b int) int { return int(m.count[a*m.n+b]) }
