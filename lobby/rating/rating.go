// Package rating measures strength: Glicko-2 for games of two, Plackett–Luce for games of more.
// It is pure arithmetic, imports nothing of this module, and knows neither accounts nor games.
package rating

// Rating is a strength on the Glicko-2 scale.
type Rating struct {
	Value, Deviation, Volatility float64
	Games                        int // rated ones so far
}

// New is what somebody has before his first rated game.
var New = Rating{Value: 1500, Deviation: 350, Volatility: 0.06}

// settledDeviation is how certain a rating must be to stand in a leaderboard.
const settledDeviation = 110

// Settled reports whether the rating is certain enough for a leaderboard.
func (r Rating) Settled() bool { return r.Deviation > 0 && r.Deviation <= settledDeviation }
