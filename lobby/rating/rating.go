package rating

import "math"

// Rating is a strength on the Glicko-2 scale: in the long run 400 points more are ten wins to one
// loss. The zero value counts as New.
type Rating struct {
	Value, Deviation, Volatility float64
	Games                        int // rated ones so far
}

// New is what somebody has before his first rated game.
var New = Rating{Value: 1500, Deviation: 350, Volatility: 0.06}

// establishedDeviation is how certain a rating must be to stand in a leaderboard.
const establishedDeviation = 110

// Bounds of a rating. Those of the value and the volatility are far from anything that games can
// bring about; they keep a damaged number from spreading.
const (
	maxValue      = 10000
	minDeviation  = 1
	maxDeviation  = 350
	minVolatility = 0.001
	maxVolatility = 1
)

// IsEstablished reports whether the rating is certain enough for a leaderboard.
func (r Rating) IsEstablished() bool { return r.Deviation > 0 && r.Deviation <= establishedDeviation }

// Update returns the ratings of all seats after one game of full weight (UpdateWeighted).
func Update(before []Rating, places []int) []Rating { return UpdateWeighted(before, places, 1) }

// UpdateWeighted returns the ratings of all seats after one game, in the same order. places are the
// final places, smaller ones better and equal ones shared; only their order counts. Two players are
// rated by Glicko-2, more by Plackett–Luce. weight, from 0 to 1, is how much of a game it counts for
// (doc.go). before and places must have the same length; with fewer than two seats nothing changes.
func UpdateWeighted(before []Rating, places []int, weight float64) []Rating {
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
		after[0] = glicko2(a, []game{{b, score}}, weight)
		after[1] = glicko2(b, []game{{a, 1 - score}}, weight)
	default:
		after = plackettLuce(after, places, weight)
	}
	for i := range after {
		after[i] = after[i].clamped()
		after[i].Games++
	}
	return after
}

// clamped returns r with every number inside its bounds; one that is no rating becomes New.
func (r Rating) clamped() Rating {
	if math.IsNaN(r.Value+r.Deviation+r.Volatility) || r.Deviation <= 0 || r.Volatility <= 0 {
		return Rating{New.Value, New.Deviation, New.Volatility, r.Games}
	}
	r.Value = min(max(r.Value, -maxValue), maxValue)
	r.Deviation = min(max(r.Deviation, minDeviation), maxDeviation)
	r.Volatility = min(max(r.Volatility, minVolatility), maxVolatility)
	return r
}
