package rating

import "math"

// Rating is an estimate of strength on the Glicko-2 scale: 400 points more mean ten wins for each loss. The
// zero value is treated as New.
type Rating struct {
	Value, Deviation, Volatility float64
	Games                        int // number of rated games
}

// Change is a rating before and after a game; both are the same if it has not changed.
type Change struct{ Before, After Rating }

// New is the rating before the first rated game.
var New = Rating{Value: 1500, Deviation: 350, Volatility: 0.06}

// EstablishedDeviation is the maximum deviation of an established rating.
const EstablishedDeviation = 110

// Bounds of a rating. Games cannot reach those of the value and the volatility; they keep a corrupt number
// from spreading.
const (
	maxValue      = 10000
	minDeviation  = 1
	maxDeviation  = 350
	minVolatility = 0.001
	maxVolatility = 1
)

// IsEstablished reports whether the rating is certain enough for a leaderboard.
func (r Rating) IsEstablished() bool { return r.Deviation > 0 && r.Deviation <= EstablishedDeviation }

// Update returns the ratings of all seats after one game of full weight (UpdateWeighted).
func Update(before []Rating, places []int) []Rating { return UpdateWeighted(before, places, 1) }

// UpdateWeighted returns the ratings of all seats after one game of some weight (UpdateEach).
func UpdateWeighted(before []Rating, places []int, weight float64) []Rating {
	weights := make([]float64, len(before))
	for i := range weights {
		weights[i] = weight
	}
	return UpdateEach(before, places, weights)
}

// UpdateEach returns the ratings of all seats after one game, in the same order. places are the final
// ranks: smaller is better, equal ones are shared, and only their order counts. Two players are rated by
// Glicko-2, more by Plackett–Luce. weights, from 0 to 1, are the weights of the game for each seat (doc.go).
// All three must have the same length; with fewer than two seats nothing changes.
func UpdateEach(before []Rating, places []int, weights []float64) []Rating {
	after := make([]Rating, len(before))
	for i, r := range before {
		after[i] = r.clamped()
	}
	switch {
	case len(before) < 2:
		return after
	case len(before) == 2:
		score := 0.5
		if places[0] != places[1] {
			score = 0
			if places[0] < places[1] {
				score = 1
			}
		}
		a, b := after[0], after[1]
		after[0] = glicko2(a, []game{{b, score}}, weights[0])
		after[1] = glicko2(b, []game{{a, 1 - score}}, weights[1])
	default:
		after = plackettLuce(after, places, weights)
	}
	for i := range after {
		after[i] = after[i].clamped()
		after[i].Games++
	}
	return after
}

// clamped returns r with every number within its bounds. An invalid rating becomes New.
func (r Rating) clamped() Rating {
	if math.IsNaN(r.Value+r.Deviation+r.Volatility) || r.Deviation <= 0 || r.Volatility <= 0 {
		return Rating{New.Value, New.Deviation, New.Volatility, r.Games}
	}
	r.Value = min(max(r.Value, -maxValue), maxValue)
	r.Deviation = min(max(r.Deviation, minDeviation), maxDeviation)
	r.Volatility = min(max(r.Volatility, minVolatility), maxVolatility)
	return r
}
