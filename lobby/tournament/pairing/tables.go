package pairing

import (
	"cmp"
	"slices"
)

// MinTable is the smallest number of seats of a table in an event with enough players.
const MinTable = 3

// repeatCost is the cost of two entrants who have met once and meet again at a table. An entrant costs 1 for each place in the
// order by which they are away from those of the table.
const repeatCost = 1000

// Sizes returns the numbers of seats of the tables at which n entrants play, the larger ones first. A table has at most limit
// seats, which is 4 or more, and at least three. Up to five entrants are one table.
func Sizes(n, limit int) []int {
	if n == 0 {
		return nil
	}
	tables := (n + limit - 1) / limit
	if n < 2*MinTable {
		tables = 1
	}
	sizes := make([]int, tables)
	for i := range sizes {
		sizes[i] = n / tables
		if i < n%tables {
			sizes[i]++
		}
	}
	return sizes
}

// Tables returns the entrants of each table of a round by index, in the order in which they move. In the first round they are
// dealt in a snake, so that all tables have about the same strength. Later the highest sit together, and entrants of
// tables near each other change places as long as that leads to fewer repeated pairs. In the last round the first table stays
// as it is. Nobody has a bye.
func Tables(all []Entrant, limit int, isLast bool) [][]int {
	order := Order(all)
	sizes := Sizes(len(order), limit)
	isFirst := !slices.ContainsFunc(all, func(e Entrant) bool { return len(e.Opponents) > 0 })
	tables := make([][]int, len(sizes))
	if isFirst {
		tables = snake(len(order), sizes)
	} else {
		p := 0
		for t, size := range sizes {
			for range size {
				tables[t] = append(tables[t], p)
				p++
			}
		}
		s := newSwaps(newMeetings(all, order), tables)
		if isLast {
			s.first = 1
		}
		s.run()
	}
	for _, table := range tables {
		for seat, p := range table {
			table[seat] = order[p]
		}
		slices.SortStableFunc(table, func(a, b int) int {
			x, y := &all[a], &all[b]
			return cmp.Or(cmp.Compare(x.Early, y.Early), cmp.Compare(x.LastEarly, y.LastEarly), cmp.Compare(x.Lot, y.Lot))
		})
	}
	return tables
}

// snake deals n positions to tables of these sizes: forwards, backwards and so on.
func snake(n int, sizes []int) [][]int {
	tables := make([][]int, len(sizes))
	for p, row := 0, 0; p < n; row++ {
		for i := range sizes {
			t := i
			if row%2 == 1 {
				t = len(sizes) - 1 - i
			}
			if len(tables[t]) < sizes[t] {
				tables[t] = append(tables[t], p)
				p++
			}
		}
	}
	return tables
}

// swaps improves tables by exchanging two entrants at a time. Entrants are their positions in the order.
type swaps struct {
	met    meetings
	tables [][]int
	from   []int // by table: the first position that belongs there
	first  int   // the first table that may change
}

// newSwaps returns what improves tables that have the positions in order.
func newSwaps(met meetings, tables [][]int) swaps {
	s := swaps{met: met, tables: tables, from: []int{0}}
	for t, table := range tables {
		s.from = append(s.from, s.from[t]+len(table))
	}
	return s
}

func (s *swaps) run() {
	const maxPasses, reach = 50, 3
	for range maxPasses {
		changed := false
		for a := s.first; a < len(s.tables); a++ {
			for b := a + 1; b < min(a+1+reach, len(s.tables)); b++ {
				changed = s.improve(a, b) || changed
			}
		}
		if !changed {
			return
		}
	}
}

// improve exchanges entrants of two tables as long as that costs less, and reports whether it has.
func (s *swaps) improve(a, b int) (changed bool) {
	for {
		best, x, y := s.cost(a)+s.cost(b), -1, -1
		for i := range s.tables[a] {
			for k := range s.tables[b] {
				s.swap(a, i, b, k)
				if cost := s.cost(a) + s.cost(b); cost < best {
					best, x, y = cost, i, k
				}
				s.swap(a, i, b, k)
			}
		}
		if x < 0 {
			return changed
		}
		s.swap(a, x, b, y)
		changed = true
	}
}

func (s *swaps) swap(a, i, b, k int) { s.tables[a][i], s.tables[b][k] = s.tables[b][k], s.tables[a][i] }

// cost returns what a table costs: repeated pairs, and entrants from other tables.
func (s *swaps) cost(t int) (sum int) {
	for i, p := range s.tables[t] {
		sum += max(s.from[t]-p, p-s.from[t+1]+1, 0)
		for _, o := range s.tables[t][:i] {
			n := s.met.of(p, o)
			sum += n * n * repeatCost
		}
	}
	return sum
}
