package match

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// z95 is how many standard deviations either side of the middle hold 95 %.
const z95 = 1.959964

// Tally is the outcomes of games for one side.
type Tally struct{ Wins, Draws, Losses int }

// Games returns how many there were.
func (t Tally) Games() int { return t.Wins + t.Draws + t.Losses }

// Points returns what they brought: 1 for a win, a half for a draw.
func (t Tally) Points() float64 { return float64(t.Wins) + float64(t.Draws)/2 }

// Score returns the points for each game, 0 to 1; a half before the first.
func (t Tally) Score() float64 {
	if t.Games() == 0 {
		return 0.5
	}
	return t.Points() / float64(t.Games())
}

// Wilson returns the 95 % interval of a share of which so many of n were seen (E. B. Wilson, 1927);
// 0 and 1 for no games. Draws count as halves, for which it is a little too wide.
func Wilson(points float64, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const zz = z95 * z95
	games := float64(n)
	p := points / games
	middle := (p + zz/(2*games)) / (1 + zz/games)
	half := z95 / (1 + zz/games) * math.Sqrt(p*(1-p)/games+zz/(4*games*games))
	return max(0, middle-half), min(1, middle+half)
}

// Elo returns the difference in strength that a score stands for, infinite for 0 and 1.
func Elo(score float64) float64 {
	return 400 * math.Log10(score/(1-score))
}

// expected returns the score that a difference in strength leads to.
func expected(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// SPRT is Wald's sequential test of whether the first side is stronger by Elo1 rather than by Elo0.
type SPRT struct {
	Elo0, Elo1  float64
	Alpha, Beta float64 // how often Elo1 and Elo0 may be accepted wrongly
}

// ParseSPRT reads "elo0,elo1[,alpha,beta]"; both errors are 0.05 unless given.
func ParseSPRT(text string) (*SPRT, error) {
	s := SPRT{Alpha: 0.05, Beta: 0.05}
	words := strings.Split(text, ",")
	wrong := len(words) != 2 && len(words) != 4
	for i, field := range []*float64{&s.Elo0, &s.Elo1, &s.Alpha, &s.Beta}[:min(len(words), 4)] {
		n, err := strconv.ParseFloat(words[i], 64)
		*field, wrong = n, wrong || err != nil
	}
	switch {
	case wrong:
		return nil, fmt.Errorf("%q is not of the form elo0,elo1 or elo0,elo1,alpha,beta", text)
	case !(s.Elo0 < s.Elo1) || math.Abs(s.Elo0) > 2000 || math.Abs(s.Elo1) > 2000:
		return nil, fmt.Errorf("elo0 must be below elo1, and both from -2000 to 2000")
	case !(s.Alpha > 0 && s.Alpha < 0.5 && s.Beta > 0 && s.Beta < 0.5):
		return nil, fmt.Errorf("alpha and beta must be above 0 and below 0.5")
	}
	return &s, nil
}

// LLR returns the logarithm of how much likelier the games are under Elo1 than under Elo0. A draw
// counts as half a win and half a loss, which makes the test go on rather too long.
func (s SPRT) LLR(t Tally) float64 {
	p0, p1 := expected(s.Elo0), expected(s.Elo1)
	won := t.Points()
	lost := float64(t.Games()) - won
	return won*math.Log(p1/p0) + lost*math.Log((1-p1)/(1-p0))
}

// Bounds returns the LLR below which Elo0 is accepted and that above which Elo1 is.
func (s SPRT) Bounds() (low, high float64) {
	return math.Log(s.Beta / (1 - s.Alpha)), math.Log((1 - s.Beta) / s.Alpha)
}

// Verdict returns "elo0" or "elo1" once one of them is accepted, and otherwise nothing.
func (s SPRT) Verdict(t Tally) string {
	low, high := s.Bounds()
	switch llr := s.LLR(t); {
	case llr <= low:
		return "elo0"
	case llr >= high:
		return "elo1"
	}
	return ""
}
