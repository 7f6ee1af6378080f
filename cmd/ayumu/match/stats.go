package match

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// z95 is the half-width of a 95 % interval in standard deviations.
const z95 = 1.959964

// Tally counts the results of games of one side.
type Tally struct{ Wins, Draws, Losses int }

// Games returns the number of games.
func (t Tally) Games() int { return t.Wins + t.Draws + t.Losses }

// Points returns the points: 1 for a win, 0.5 for a draw.
func (t Tally) Points() float64 { return float64(t.Wins) + float64(t.Draws)/2 }

// Score returns the points per game, 0 to 1; 0.5 without games.
func (t Tally) Score() float64 {
	if t.Games() == 0 {
		return 0.5
	}
	return t.Points() / float64(t.Games())
}

// Wilson returns the 95 % confidence interval of a share of points in n games (E. B. Wilson, 1927); 0 and
// 1 without games. Draws count as half a point, for which it is slightly too wide.
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

// Elo returns the difference in Elo of a score, infinite for 0 and 1.
func Elo(score float64) float64 {
	return 400 * math.Log10(score/(1-score))
}

// expected returns the score of a difference in Elo.
func expected(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// SPRT is Wald's sequential probability ratio test of Elo1 against Elo0 for the first side.
type SPRT struct {
	Elo0, Elo1  float64
	Alpha, Beta float64 // probabilities of wrongly accepting Elo1 and Elo0
}

// ParseSPRT parses "elo0,elo1[,alpha,beta]". The default of alpha and beta is 0.05.
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

// LLR returns the log-likelihood ratio of Elo1 to Elo0. A draw counts as half a win and half a loss, which
// makes the test slightly longer than necessary.
func (s SPRT) LLR(t Tally) float64 {
	p0, p1 := expected(s.Elo0), expected(s.Elo1)
	won := t.Points()
	lost := float64(t.Games()) - won
	return won*math.Log(p1/p0) + lost*math.Log((1-p1)/(1-p0))
}

// Bounds returns the LLR below which Elo0 is accepted and above which Elo1 is accepted.
func (s SPRT) Bounds() (low, high float64) {
	return math.Log(s.Beta / (1 - s.Alpha)), math.Log((1 - s.Beta) / s.Alpha)
}

// Verdict returns "elo0" or "elo1" if one of them is accepted, and "" otherwise.
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
