package match

import (
	"math"
	"strings"
	"testing"
)

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		points    float64
		n         int
		low, high float64
	}{
		// Values of the method in the literature, to four places.
		{80, 100, 0.7112, 0.8666},
		{150, 200, 0.6857, 0.8050},
		{0, 10, 0, 0.2775},
		{10, 10, 0.7225, 1},
		{0, 0, 0, 1},
	} {
		low, high := Wilson(c.points, c.n)
		if math.Abs(low-c.low) > 0.0001 || math.Abs(high-c.high) > 0.0001 {
			t.Errorf("%v of %d: %.4f to %.4f, want %.4f to %.4f", c.points, c.n, low, high, c.low, c.high)
		}
	}
}

func TestElo(t *testing.T) {
	for score, want := range map[float64]float64{0.5: 0, 0.75: 190.85, 0.25: -190.85, 10. / 11: 400} {
		if got := Elo(score); math.Abs(got-want) > 0.01 || math.Abs(expected(want)-score) > 0.0001 {
			t.Errorf("a score of %v is Elo %v, want %v", score, got, want)
		}
	}
	if !math.IsInf(Elo(1), 1) || !math.IsInf(Elo(0), -1) {
		t.Error("a clean score is a finite difference")
	}
}

func TestSPRT(t *testing.T) {
	s, err := ParseSPRT("0,190.8485")
	if err != nil {
		t.Fatal(err)
	}
	// From 50 % to 75 %: a win is ln 1.5, a loss ln 0.5, and 0.05 each way bounds it by ln 19.
	for tally, want := range map[Tally]float64{
		{Wins: 1}:             math.Log(1.5),
		{Losses: 1}:           math.Log(0.5),
		{Draws: 2}:            math.Log(0.75),
		{Wins: 10, Losses: 3}: 10*math.Log(1.5) + 3*math.Log(0.5),
	} {
		if got := s.LLR(tally); math.Abs(got-want) > 1e-5 {
			t.Errorf("%v: LLR %v, want %v", tally, got, want)
		}
	}
	low, high := s.Bounds()
	if math.Abs(low+math.Log(19)) > 1e-9 || math.Abs(high-math.Log(19)) > 1e-9 {
		t.Errorf("the bounds are %v and %v", low, high)
	}
	for tally, want := range map[Tally]string{{Wins: 7}: "", {Wins: 8}: "elo1", {Losses: 4}: "", {Losses: 5}: "elo0", {}: ""} {
		if got := s.Verdict(tally); got != want {
			t.Errorf("%v: %q, want %q", tally, got, want)
		}
	}
	for _, bad := range []string{"", "1", "5,0", "0,0", "0,10,0.05", "0,10,0,0.1", "0,10,0.1,0.6", "0,10,", "a,b", "0,10,0.1,0.1,0.1", "NaN,1", "0,1e9"} {
		if s, err := ParseSPRT(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, s)
		}
	}
	if s, err := ParseSPRT("-5,5,0.1,0.2"); err != nil || *s != (SPRT{-5, 5, 0.1, 0.2}) {
		t.Errorf("read as %+v: %v", s, err)
	}
}

// TestScoreText tests the number of the noun.
func TestScoreText(t *testing.T) {
	c := matchConfig(t, "random", "greedy")
	for wins, want := range map[int]string{1: "1 game: 1 won, ", 2: "2 games: 2 won, "} {
		r := &Report{c: c, Tally: Tally{Wins: wins}}
		if got := r.score(); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q first", got, want)
		}
	}
}
