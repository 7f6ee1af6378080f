package rating

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s is %v, want %v within %v", what, got, want, within)
	}
}

// ones returns full weights.
func ones(seats int) []float64 {
	return slices.Repeat([]float64{1}, seats)
}

// TestPaper is the example of "Example of the Glicko-2 system": one rating period with a win and two
// losses.
func TestPaper(t *testing.T) {
	got := glicko2(Rating{Value: 1500, Deviation: 200, Volatility: 0.06}, []game{
		{Rating{Value: 1400, Deviation: 30}, 1},
		{Rating{Value: 1550, Deviation: 100}, 0},
		{Rating{Value: 1700, Deviation: 300}, 0},
	}, 1)
	// The paper rounds intermediate results, so that its last digit differs a little.
	near(t, "value", got.Value, 1464.06, 0.02)
	near(t, "deviation", got.Deviation, 151.52, 0.005)
	near(t, "volatility", got.Volatility, 0.05999, 0.00001)
}

// TestOpenSkill compares with the figures that implementations of OpenSkill agree on for new players, with
// tau 0. They have gamma at sigma/c, which is divided out of the deviation.
func TestOpenSkill(t *testing.T) {
	type rated struct{ mu, sigma float64 }
	for _, test := range [][]rated{
		{{27.63523138347365, 8.065506316323548}, {22.36476861652635, 8.065506316323548}},
		{{27.868876552746237, 8.204837030780652}, {25.717219138186557, 8.057829747583874}, {21.413904309067206, 8.057829747583874}},
		{{27.795084971874736, 8.263160757613477}, {26.552824984374855, 8.179213704945203}, {24.68943500312503, 8.083731307186588}, {20.96265504062538, 8.083731307186588}},
		{{27.666666666666668, 8.290556877154474}, {26.833333333333332, 8.240145629781066}, {25.72222222222222, 8.179996679645559}, {24.055555555555557, 8.111796013701358}, {20.72222222222222, 8.111796013701358}},
	} {
		var r []Rating
		var places []int
		for i := range test {
			r, places = append(r, New), append(places, i)
		}
		updateByRanking(r, places, ones(len(r)))
		for i, want := range test {
			const sigma, beta = 25.0 / 3, 25.0 / 6
			gamma := sigma / math.Sqrt(float64(len(test))*(sigma*sigma+beta*beta))
			lost := (1 - want.sigma*want.sigma/sigma/sigma) / gamma
			near(t, "value", r[i].Value, 1500+42*(want.mu-25), 1e-9)
			near(t, "deviation", r[i].Deviation, 42*sigma*math.Sqrt(1-lost), 1e-9)
		}
	}
}

// TestSharedPlaces is calculated by hand: of three new players two share the first place, so that each of
// them gains half of the 1/3 that the third loses, times 350²/c.
func TestSharedPlaces(t *testing.T) {
	r := []Rating{New, New, New}
	updateByRanking(r, []int{0, 0, 2}, ones(3))
	unit := 350 * 350 / math.Sqrt(3*(350*350+175*175))
	near(t, "first", r[0].Value, 1500+unit/6, 1e-9)
	near(t, "second", r[1].Value, 1500+unit/6, 1e-9)
	near(t, "third", r[2].Value, 1500-unit/3, 1e-9)
}

// field returns random seats and a random ranking with ties.
func field(rnd *rand.Rand, n int) ([]Rating, []int) {
	r, places := make([]Rating, n), make([]int, n)
	for i := range r {
		r[i] = Rating{600 + 2000*rnd.Float64(), 30 + 320*rnd.Float64(), 0.03 + 0.1*rnd.Float64(), rnd.IntN(100)}
		places[i] = rnd.IntN(n)
	}
	return r, places
}

func TestOrderOfSeatsDoesNotMatter(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		r, places := field(rnd, 2+rnd.IntN(5))
		after := Update(r, places)
		perm := rnd.Perm(len(r))
		r2, places2 := make([]Rating, len(r)), make([]int, len(r))
		for to, from := range perm {
			r2[to], places2[to] = r[from], places[from]
		}
		for to, got := range Update(r2, places2) {
			want := after[perm[to]]
			near(t, "value", got.Value, want.Value, 1e-9)
			near(t, "deviation", got.Deviation, want.Deviation, 1e-9)
			near(t, "volatility", got.Volatility, want.Volatility, 1e-12)
			if got.Games != want.Games || got.Games != r2[to].Games+1 {
				t.Fatalf("%d games after %d", got.Games, r2[to].Games)
			}
		}
	}
}

func TestOnlyTheOrderOfPlacesCounts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		r, places := field(rnd, 2+rnd.IntN(5))
		stretched := make([]int, len(places))
		for i, p := range places {
			stretched[i] = 7*p - 3
		}
		if !slices.Equal(Update(r, places), Update(r, stretched)) {
			t.Fatalf("%v and %v differ", places, stretched)
		}
	}
}

func TestWinnersNeverLose(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		r, places := field(rnd, 2+rnd.IntN(5))
		best, worst := slices.Min(places), slices.Max(places)
		alone := func(p int) bool {
			n := 0
			for _, q := range places {
				if p == q {
					n++
				}
			}
			return n == 1
		}
		for i, a := range Update(r, places) {
			if places[i] == best && alone(best) && a.Value < r[i].Value {
				t.Fatalf("first of %v fell from %v to %v", places, r[i].Value, a.Value)
			}
			if places[i] == worst && alone(worst) && a.Value > r[i].Value {
				t.Fatalf("last of %v rose from %v to %v", places, r[i].Value, a.Value)
			}
		}
	}
}

func TestEqualsWhoShareAPlaceStayEqual(t *testing.T) {
	for n := 2; n <= 6; n++ {
		r := make([]Rating, n)
		for i := range r {
			r[i] = Rating{1700, 90, 0.06, 5}
		}
		for i, a := range Update(r, make([]int, n)) {
			near(t, "value", a.Value, 1700, 1e-9)
			near(t, "deviation", a.Deviation, Update(r, make([]int, n))[0].Deviation, 1e-9)
			if i > 0 && a.Deviation >= 92 {
				t.Errorf("%d seats: deviation %v", n, a.Deviation)
			}
		}
	}
}

// TestNothingIsMadeOfNothing: the gains and losses of the players of one game, each divided by their own
// variance, add up to zero.
func TestNothingIsMadeOfNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	for range 2000 {
		r, places := field(rnd, 3+rnd.IntN(4))
		after := slices.Clone(r)
		updateByRanking(after, places, ones(len(r)))
		var sum float64
		for i := range r {
			sum += (after[i].Value - r[i].Value) / (r[i].Deviation * r[i].Deviation)
		}
		near(t, "the sum", sum, 0, 1e-12)
		r[1].Deviation, r[1].Volatility = r[0].Deviation, r[0].Volatility
		two := Update(r[:2], places[:2])
		near(t, "the sum of two", two[0].Value+two[1].Value, r[0].Value+r[1].Value, 1e-9)
	}
}

// TestClosedGroupGainsNothing: equal players play 10,000 games with random results. Their mean stays within
// half of one rating's deviation, for any number of seats, and so does the total gain of each seat.
func TestClosedGroupGainsNothing(t *testing.T) {
	const games, people = 10_000, 24
	for seats := 2; seats <= 6; seats++ {
		rnd := rand.New(rand.NewPCG(7, uint64(seats)))
		group := make([]Rating, people)
		for i := range group {
			group[i] = New
		}
		gained := make([]float64, seats)
		for range games {
			who := rnd.Perm(people)[:seats]
			before, places := make([]Rating, seats), make([]int, seats)
			for i, w := range who {
				before[i], places[i] = group[w], rnd.IntN(seats)
			}
			for i, a := range Update(before, places) {
				gained[i] += a.Value - before[i].Value
				group[who[i]] = a
			}
		}
		var mean, deviation float64
		for _, r := range group {
			mean += r.Value / people
			deviation += r.Deviation / people
			near(t, "an equal's value", r.Value, 1500, 4*r.Deviation)
		}
		t.Logf("%d seats: mean %.1f, deviation %.0f", seats, mean, deviation)
		near(t, "the mean", mean, 1500, deviation/2)
		for _, sum := range gained {
			near(t, "what a seat gains in a game", sum/games, 0, 0.5)
		}
	}
}

// TestDeviationIsHonest: players of known strengths play random games: their ratings become established,
// and are off by as much as their deviations say.
func TestDeviationIsHonest(t *testing.T) {
	const people, games = 60, 100
	for seats := 2; seats <= 6; seats++ {
		rnd := rand.New(rand.NewPCG(9, uint64(seats)))
		unit := glickoUnit // the difference that multiplies the odds by e
		if seats > 2 {
			unit = beta * math.Sqrt(float64(seats))
		}
		group, strength := make([]Rating, people), make([]float64, people)
		var center float64
		for i := range group {
			group[i], strength[i] = New, 250*rnd.NormFloat64()
			center += strength[i] / people
		}
		settled := 0
		for range games * people / seats {
			who := rnd.Perm(people)[:seats]
			before, form, places := make([]Rating, seats), make([]float64, seats), make([]int, seats)
			for i, w := range who {
				before[i], form[i] = group[w], strength[w]/unit-math.Log(rnd.ExpFloat64())
			}
			for i := range form {
				for j := range form {
					if form[j] > form[i] {
						places[i]++
					}
				}
			}
			for i, a := range Update(before, places) {
				if a.IsEstablished() && !before[i].IsEstablished() {
					settled += a.Games
				}
				group[who[i]] = a
			}
		}
		var mean, off, all float64
		for _, r := range group {
			mean += r.Value / people
		}
		for i, r := range group {
			e := r.Value - mean - (strength[i] - center)
			off += e * e / (r.Deviation * r.Deviation) / people
			if r.IsEstablished() {
				all++
			}
		}
		t.Logf("%d seats: settled after %d games; off by %.2f deviations", seats, settled/people, math.Sqrt(off))
		near(t, "the part of settled ratings", all/people, 1, 0.05)
		near(t, "the error in deviations", math.Sqrt(off), 1, 0.3)
	}
}

func TestUpdateLeavesItsArgumentsAlone(t *testing.T) {
	before := []Rating{New, New, New}
	Update(before, []int{0, 1, 2})
	if !slices.Equal(before, []Rating{New, New, New}) {
		t.Errorf("changed to %v", before)
	}
	if got := Update([]Rating{New}, []int{0}); !slices.Equal(got, []Rating{New}) {
		t.Errorf("alone: %v", got)
	}
}

func FuzzUpdate(f *testing.F) {
	f.Add(1500.0, 350.0, 0.06, 1500.0, 350.0, 0.06, int8(0), int8(1), uint8(0))
	f.Add(9000.0, 30.0, 0.9, -9000.0, 350.0, 0.001, int8(1), int8(0), uint8(4))
	f.Add(math.NaN(), math.Inf(1), -1.0, 1e308, 0.0, math.Inf(-1), int8(0), int8(0), uint8(1))
	f.Fuzz(func(t *testing.T, v1, d1, s1, v2, d2, s2 float64, p1, p2 int8, more uint8) {
		r := []Rating{{v1, d1, s1, 0}, {v2, d2, s2, 3}}
		places := []int{int(p1), int(p2)}
		for i := range more % 5 {
			r, places = append(r, r[i]), append(places, int(i))
		}
		for i, a := range Update(r, places) {
			if a != a.clamped() || a.Games != r[i].Games+1 {
				t.Errorf("%+v, %v: seat %d got %+v", r, places, i, a)
			}
		}
	})
}
