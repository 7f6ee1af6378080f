package pairing

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		n, limit int
		want     []int
	}{
		{0, 4, nil}, {3, 4, []int{3}}, {5, 4, []int{5}}, {6, 4, []int{3, 3}}, {7, 4, []int{4, 3}}, {8, 4, []int{4, 4}}, {9, 4, []int{3, 3, 3}},
		{10, 4, []int{4, 3, 3}}, {6, 6, []int{6}}, {7, 6, []int{4, 3}}, {11, 6, []int{6, 5}}, {7, 5, []int{4, 3}},
	} {
		if got := Sizes(c.n, c.limit); !slices.Equal(got, c.want) {
			t.Errorf("%d at tables of up to %d: %v, want %v", c.n, c.limit, got, c.want)
		}
	}
	for limit := 4; limit <= 6; limit++ {
		for n := 6; n <= 1000; n++ {
			sum := 0
			for _, size := range Sizes(n, limit) {
				if sum += size; size < MinTable || size > limit {
					t.Fatalf("%d at tables of up to %d: one has %d", n, limit, size)
				}
			}
			if sum != n {
				t.Fatalf("%d at tables of up to %d: %d have a seat", n, limit, sum)
			}
		}
	}
}

// TestFirstTablesAreASnake: the four highest sit at four tables, the next four at the same in reverse.
func TestFirstTablesAreASnake(t *testing.T) {
	all := make([]Entrant, 14)
	for i := range all {
		all[i] = Entrant{Rating: 2000 - i, Lot: uint64(i)}
	}
	want := [][]int{{0, 7, 8, 13}, {1, 6, 9, 12}, {2, 5, 10}, {3, 4, 11}}
	for i, table := range Tables(all, 4, false) {
		if slices.Sort(table); !slices.Equal(table, want[i]) {
			t.Errorf("table %d has %v, not %v", i+1, table, want[i])
		}
	}
}

// evening plays rounds at tables, whose places are by chance.
func evening(t testing.TB, r *rand.Rand, n, rounds, limit int) (all []Entrant, repeats int) {
	t.Helper()
	all = field(r, n)
	for round := range rounds {
		isLast := round == rounds-1
		order, tables := Order(all), Tables(all, limit, isLast)
		seen := make([]bool, n)
		for _, table := range tables {
			for _, i := range table {
				if seen[i] {
					t.Fatalf("entrant %d has two seats", i)
				}
				seen[i] = true
				for _, o := range table {
					if o < i && slices.Contains(all[i].Opponents, o) {
						repeats++
					}
				}
			}
		}
		if slices.Contains(seen, false) {
			t.Fatal("somebody has no seat")
		}
		if isLast && round > 0 {
			top := slices.Sorted(slices.Values(tables[0]))
			if want := slices.Sorted(slices.Values(order[:len(top)])); !slices.Equal(top, want) {
				t.Errorf("%d players: the first table of the last round has %v, not %v", n, top, want)
			}
		}
		for _, table := range tables {
			for seat, i := range table {
				e := &all[i]
				e.Points += One * r.IntN(3)
				e.LastEarly = One - 2*One*seat/(len(table)-1)
				e.Early += e.LastEarly
				for _, o := range table {
					if o != i {
						e.Opponents = append(e.Opponents, o)
					}
				}
			}
		}
	}
	return all, repeats
}

// TestTablesSeatEveryone: nobody has a bye, whatever the number of players, and few meet twice.
func TestTablesSeatEveryone(t *testing.T) {
	for n := 5; n <= 64; n++ {
		for limit := 4; limit <= 6; limit++ {
			rounds := 4
			all, repeats := evening(t, rand.New(rand.NewPCG(uint64(n), uint64(limit))), n, rounds, limit)
			if limit == 4 && n >= 24 && repeats > n/4 {
				t.Errorf("%d players: %d pairs meet again in %d rounds", n, repeats, rounds)
			}
			for _, e := range all {
				if abs(e.Early) > 3*One {
					t.Errorf("%d players at tables of %d: one has %d/120 in the order of turns", n, limit, e.Early)
				}
			}
		}
	}
}

// TestSwapsOnlyImprove: the exchange of entrants ends, and leaves no pair at two tables that would be better exchanged.
func TestSwapsOnlyImprove(t *testing.T) {
	all, _ := evening(t, rand.New(rand.NewPCG(1, 8)), 40, 3, 4)
	order := Order(all)
	tables := make([][]int, 10)
	for p := range order {
		tables[p/4] = append(tables[p/4], p)
	}
	s := newSwaps(newMeetings(all, order), tables)
	sum := func() (all int) {
		for i := range s.tables {
			all += s.cost(i)
		}
		return all
	}
	before := sum()
	s.run()
	if after := sum(); after > before {
		t.Errorf("the cost rises from %d to %d", before, after)
	}
	for a := range s.tables {
		for b := a + 1; b < min(a+4, len(s.tables)); b++ {
			if s.improve(a, b) {
				t.Errorf("tables %d and %d can still be improved", a+1, b+1)
			}
		}
	}
}

// TestNeighboursChangePlaces: to part two entrants who have met, those at the border of two tables change places.
func TestNeighboursChangePlaces(t *testing.T) {
	all := make([]Entrant, 12)
	for i := range all {
		all[i] = Entrant{Rating: 2000 - i, Lot: uint64(i)}
	}
	meet := func(a, b int) {
		all[a].Opponents, all[b].Opponents = append(all[a].Opponents, b), append(all[b].Opponents, a)
	}
	meet(0, 3)
	for _, isLast := range []bool{false, true} {
		want := [][]int{{0, 1, 2, 4}, {3, 5, 6, 7}, {8, 9, 10, 11}}
		if isLast {
			want = [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}
		}
		for i, table := range Tables(all, 4, isLast) {
			if slices.Sort(table); !slices.Equal(table, want[i]) {
				t.Errorf("last is %v: table %d has %v, not %v", isLast, i+1, table, want[i])
			}
		}
	}
}
