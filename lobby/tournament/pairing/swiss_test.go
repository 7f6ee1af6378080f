package pairing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// field returns n entrants who have not played, with ratings around 1500.
func field(r *rand.Rand, n int) []Entrant {
	all := make([]Entrant, n)
	for i := range all {
		all[i] = Entrant{Rating: int(1500 + 300*r.NormFloat64()), Lot: r.Uint64()}
	}
	return all
}

// play adds a game to both entrants' numbers. result is what the first one gets.
func play(all []Entrant, p Pair, result int) {
	a, b := &all[p.First], &all[p.Second]
	a.Points += result
	b.Points += One - result
	a.Opponents, b.Opponents = append(a.Opponents, p.Second), append(b.Opponents, p.First)
	a.Early, b.Early, a.LastEarly, b.LastEarly = a.Early+One, b.Early-One, One, -One
}

// outcome returns a result by the ratings.
func outcome(r *rand.Rand, a, b *Entrant) int {
	switch chance := 1 / (1 + math.Pow(10, float64(b.Rating-a.Rating)/400)); {
	case r.Float64() < 0.03:
		return One / 2
	case r.Float64() < chance:
		return One
	}
	return 0
}

// checkRound fails unless each entrant is in the round exactly once.
func checkRound(t testing.TB, n int, r Round) {
	t.Helper()
	seen := make([]int, n)
	for _, p := range r.Pairs {
		seen[p.First]++
		seen[p.Second]++
	}
	if r.Bye >= 0 {
		seen[r.Bye]++
	}
	for i, times := range seen {
		if times != 1 {
			t.Fatalf("entrant %d of %d is in the round %d times: %+v", i, n, times, r)
		}
	}
}

// figures are what the rounds of tournaments were like.
type figures struct{ pairs, repeats, points, early, byes int }

// tournament plays rounds of the Swiss system.
func tournament(t testing.TB, r *rand.Rand, n, rounds int, f *figures) []Entrant {
	t.Helper()
	all := field(r, n)
	for range rounds {
		round := Swiss(all)
		checkRound(t, n, round)
		f.repeats += round.Repeats
		for _, p := range round.Pairs {
			f.pairs++
			f.points += abs(all[p.First].Points - all[p.Second].Points)
			play(all, p, outcome(r, &all[p.First], &all[p.Second]))
		}
		if round.Bye >= 0 {
			all[round.Bye].Byes++
			all[round.Bye].Points += One
		}
	}
	for i := range all {
		f.early, f.byes = max(f.early, abs(all[i].Early)/One), max(f.byes, all[i].Byes)
	}
	return all
}

// TestSwissRepeatsNothing plays tournaments of several sizes: nobody meets twice, nobody has two byes, and the order of
// turns stays even.
func TestSwissRepeatsNothing(t *testing.T) {
	for _, c := range []struct{ n, rounds, times int }{{8, 5, 40}, {31, 7, 40}, {64, 8, 20}, {129, 10, 5}, {300, 11, 2}} {
		if testing.Short() && c.n > 129 {
			continue
		}
		var f figures
		for seed := range c.times {
			tournament(t, rand.New(rand.NewPCG(uint64(seed), uint64(c.n))), c.n, c.rounds, &f)
		}
		if f.repeats > 0 || f.early > 3 || f.byes > 1 {
			t.Errorf("%d players, %d rounds: %d of %d pairs repeat, one moves first %d times more, one has %d byes", c.n, c.rounds, f.repeats, f.pairs, f.early, f.byes)
		}
	}
}

// TestFirstRoundPairsHalves: the highest meets the highest of the lower half, and so on.
func TestFirstRoundPairsHalves(t *testing.T) {
	all := field(rand.New(rand.NewPCG(1, 1)), 9)
	order, r := Order(all), Swiss(all)
	if r.Bye != order[8] {
		t.Errorf("the bye is with entrant %d, not the lowest", r.Bye)
	}
	for table, p := range r.Pairs {
		if got, want := (Pair{min(p.First, p.Second), max(p.First, p.Second)}), (Pair{min(order[table], order[table+4]), max(order[table], order[table+4])}); got != want {
			t.Errorf("table %d has %v, not %v", table+1, got, want)
		}
	}
}

// TestFourPlayersInRoundFour: all have met, so that pairs repeat, and nobody is left out.
func TestFourPlayersInRoundFour(t *testing.T) {
	var f figures
	all := tournament(t, rand.New(rand.NewPCG(4, 4)), 4, 3, &f)
	if f.repeats != 0 {
		t.Errorf("%d pairs repeat in three rounds of four", f.repeats)
	}
	r := Swiss(all)
	checkRound(t, 4, r)
	if r.Repeats != 2 || len(r.Pairs) != 2 {
		t.Errorf("the fourth round is %+v", r)
	}
}

// TestNoByeTwice: nobody has a second bye until all have had one.
func TestNoByeTwice(t *testing.T) {
	for n := 3; n <= 9; n += 2 {
		var f figures
		all := tournament(t, rand.New(rand.NewPCG(uint64(n), 2)), n, 2*n+1, &f)
		fewest, most := all[0].Byes, all[0].Byes
		for _, e := range all {
			fewest, most = min(fewest, e.Byes), max(most, e.Byes)
		}
		if most-fewest > 1 || fewest < 2 {
			t.Errorf("%d players have %d to %d byes", n, fewest, most)
		}
	}
}

// fewestRepeats tries all pairings of entrants and returns the number of repeated pairs of the best.
func fewestRepeats(all []Entrant, left []int) int {
	if len(left) == 0 {
		return 0
	}
	best := math.MaxInt
	for i := 1; i < len(left); i++ {
		rest := slices.Delete(slices.Clone(left[1:]), i-1, i)
		n := fewestRepeats(all, rest)
		if slices.Contains(all[left[0]].Opponents, left[i]) {
			n++
		}
		best = min(best, n)
	}
	return best
}

// TestFewestRepeats compares rounds of few entrants with all possible ones, after more rounds than they can play without
// repetitions.
func TestFewestRepeats(t *testing.T) {
	repeated := 0
	for seed := range 60 {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		all := field(r, 2+r.IntN(9))
		for range 2 * len(all) {
			round := Swiss(all)
			checkRound(t, len(all), round)
			fewest := math.MaxInt
			for _, bye := range append(byeCandidates(all, Order(all)), -1) {
				if (bye >= 0) == (len(all)%2 == 1) {
					order := Order(all)
					if bye >= 0 {
						order = without(order, bye)
					}
					fewest = min(fewest, fewestRepeats(all, order))
				}
			}
			if fewest == 0 != (round.Repeats == 0) || len(all)%2 == 0 && fewest != round.Repeats {
				t.Fatalf("seed %d: %d of %d pairs repeat, and %d would do", seed, round.Repeats, len(round.Pairs), fewest)
			}
			repeated += round.Repeats
			for _, p := range round.Pairs {
				play(all, p, outcome(r, &all[p.First], &all[p.Second]))
			}
			if round.Bye >= 0 {
				all[round.Bye].Byes++
				all[round.Bye].Points += One
			}
		}
	}
	if repeated == 0 {
		t.Error("no round had to repeat a pair")
	}
}

// TestFewestRepeatsOfAnyHistory has entrants who have met by chance, so that most rounds need some repetitions.
func TestFewestRepeatsOfAnyHistory(t *testing.T) {
	some := 0
	for seed := range 400 {
		r := rand.New(rand.NewPCG(uint64(seed), 6))
		all := field(r, 4+2*r.IntN(3))
		for i := range all {
			all[i].Points = One * r.IntN(4)
			for o := range i {
				if r.IntN(10) < 7 {
					all[i].Opponents, all[o].Opponents = append(all[i].Opponents, o), append(all[o].Opponents, i)
				}
			}
		}
		round := Swiss(all)
		checkRound(t, len(all), round)
		fewest := fewestRepeats(all, Order(all))
		if round.Repeats != fewest {
			t.Errorf("seed %d: %d of %d pairs repeat, and %d would do", seed, round.Repeats, len(round.Pairs), fewest)
		}
		if fewest > 0 && fewest < len(round.Pairs) {
			some++
		}
	}
	if some < 50 {
		t.Errorf("only %d rounds need some repetitions", some)
	}
}

// TestSwissPairsPlayersAlone has fewer entrants than a game needs.
func TestSwissPairsPlayersAlone(t *testing.T) {
	if r := Swiss(nil); r.Bye != -1 || len(r.Pairs) != 0 {
		t.Errorf("nobody is paired as %+v", r)
	}
	if r := Swiss([]Entrant{{Rating: 1500}}); r.Bye != 0 || len(r.Pairs) != 0 {
		t.Errorf("one entrant is paired as %+v", r)
	}
}

func TestWhoMovesFirst(t *testing.T) {
	for _, c := range []struct {
		higher, lower Entrant
		want          bool
	}{
		{Entrant{Early: -One}, Entrant{Early: One}, true},
		{Entrant{Early: One}, Entrant{}, false},
		{Entrant{LastEarly: One}, Entrant{LastEarly: -One}, false},
		{Entrant{LastEarly: -One, Lot: 1}, Entrant{LastEarly: One}, true},
		{Entrant{Lot: 2}, Entrant{Lot: 1}, true},
		{Entrant{Lot: 1}, Entrant{Lot: 2}, false},
	} {
		if got := movesFirst(&c.higher, &c.lower); got != c.want {
			t.Errorf("%+v against %+v: moves first is %v", c.higher, c.lower, got)
		}
	}
}

// TestSwissIsDeterministic: the same entrants lead to the same round.
func TestSwissIsDeterministic(t *testing.T) {
	var f figures
	a := tournament(t, rand.New(rand.NewPCG(7, 7)), 30, 6, &f)
	b := tournament(t, rand.New(rand.NewPCG(7, 7)), 30, 6, &f)
	if fmt.Sprint(Swiss(a)) != fmt.Sprint(Swiss(b)) {
		t.Error("two rounds of the same entrants differ")
	}
}

// TestPassedOverSaysWhy: between an entrant and the opponent each one has a reason, which is true.
func TestPassedOverSaysWhy(t *testing.T) {
	reasons := make(map[Reason]int)
	for seed := range 30 {
		var f figures
		all := tournament(t, rand.New(rand.NewPCG(uint64(seed), 9)), 13, 4, &f)
		order, round := Order(all), Swiss(all)
		for table, p := range round.Pairs {
			higher, passed := PassedOver(all, round, table)
			lower := p.First + p.Second - higher
			from, to := slices.Index(order, higher), slices.Index(order, lower)
			if from > to || len(passed) != to-from-1 {
				t.Fatalf("seed %d, table %d: %d are passed over between positions %d and %d", seed, table, len(passed), from, to)
			}
			for _, o := range passed {
				reasons[o.Reason]++
				if met := slices.Contains(all[higher].Opponents, o.Entrant); o.Reason == HaveMet && !met {
					t.Errorf("seed %d: %d and %d have not met", seed, higher, o.Entrant)
				}
			}
		}
	}
	for _, r := range []Reason{HaveMet, IsTaken, IsUneven} {
		if reasons[r] == 0 {
			t.Errorf("the reason %d never occurs: %v", r, reasons)
		}
	}
}

// TestStepsOfARound: a round of many players takes about a step for each pair, and never more than the searches allow. With -v it
// has the figures of docs/tournaments.md.
func TestStepsOfARound(t *testing.T) {
	for _, c := range []struct{ n, rounds, tournaments int }{{64, 8, 20}, {300, 11, 5}, {1000, 11, 2}} {
		var used []int
		total := 0
		for seed := range uint64(c.tournaments) {
			r := rand.New(rand.NewPCG(seed, 7))
			all := field(r, c.n)
			for range c.rounds {
				s := newSearch(all, Order(all))
				round := s.run(-1)
				used, total = append(used, s.used), total+s.used
				for _, p := range round.Pairs {
					play(all, p, outcome(r, &all[p.First], &all[p.Second]))
				}
			}
		}
		slices.Sort(used)
		if most := used[len(used)-1]; used[0] < c.n/2 || most > 2*strictSteps+2*maxSteps || used[len(used)/2] > c.n {
			t.Errorf("the rounds of %d players take %d to %d steps, half of them at most %d", c.n, used[0], most, used[len(used)/2])
		}
		t.Logf("%d players, %d rounds: %d to %d steps a round, the median %d, the mean %d", c.n, len(used), used[0], used[len(used)-1], used[len(used)/2], total/len(used))
	}
}

// BenchmarkSwiss measures one round of the sizes and rounds that docs and issues speak of, and counts repetitions.
func BenchmarkSwiss(b *testing.B) {
	for _, c := range []struct{ n, rounds int }{{8, 5}, {31, 7}, {64, 8}, {129, 10}, {300, 11}, {1000, 11}} {
		b.Run(fmt.Sprintf("%d_players", c.n), func(b *testing.B) {
			var f figures
			rounds := 0
			for b.Loop() {
				tournament(b, rand.New(rand.NewPCG(uint64(rounds), 5)), c.n, c.rounds, &f)
				rounds += c.rounds
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(rounds), "µs/round")
			b.ReportMetric(float64(f.repeats), "repeats")
			b.ReportMetric(float64(f.points)/float64(f.pairs)/One, "points/pair")
			b.ReportMetric(float64(f.early), "first-second")
		})
	}
}
