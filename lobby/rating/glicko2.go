package rating

import "math"

// The constants of Mark E. Glickman, "Example of the Glicko-2 system" (2013).
const (
	tau           = 0.5      // constrains the change of volatility in a rating period
	glickoUnit    = 173.7178 // points in one unit of the internal scale
	convergence   = 1e-6     // in the logarithm of the squared volatility
	maxIterations = 100      // a few are needed
)

// game is one game of a rating period: 1 won, ½ drawn, 0 lost.
type game struct {
	opponent Rating
	score    float64
}

// glicko2 returns a player's rating after a rating period with at least one game, by the steps of the
// paper. weight is the part of a period for which the games count (doc.go), 1 in the paper.
func glicko2(player Rating, games []game, weight float64) Rating {
	mu, phi := (player.Value-New.Value)/glickoUnit, player.Deviation/glickoUnit // step 2
	var information, gain float64                                               // steps 3 and 4
	for _, o := range games {
		muJ, phiJ := (o.opponent.Value-New.Value)/glickoUnit, o.opponent.Deviation/glickoUnit
		g := 1 / math.Sqrt(1+3*phiJ*phiJ/(math.Pi*math.Pi))
		expected := 1 / (1 + math.Exp(-g*(mu-muJ)))
		information += weight * g * g * expected * (1 - expected)
		gain += weight * g * (o.score - expected)
	}
	// The information vanishes between players of very different strength, and with it the change.
	v := 1 / max(information, 1e-12)
	sigma := volatility(player.Volatility, phi, v, v*gain) // step 5
	before := phi*phi + weight*sigma*sigma                 // step 6
	after := 1 / (1/before + 1/v)                          // step 7
	player.Value = New.Value + glickoUnit*(mu+after*gain)  // step 8
	player.Deviation = min(glickoUnit*math.Sqrt(after), maxDeviation)
	player.Volatility = sigma
	return player
}

// volatility returns the new volatility (step 5) by the Illinois variant of regula falsi.
func volatility(sigma, phi, v, delta float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		ex := math.Exp(x)
		d := phi*phi + v + ex
		return ex*(delta*delta-d)/(2*d*d) - (x-a)/(tau*tau)
	}
	low, high := a, a-tau
	if excess := delta*delta - phi*phi - v; excess > 0 {
		high = math.Log(excess)
	} else {
		for f(high) < 0 {
			high -= tau
		}
	}
	fLow, fHigh := f(low), f(high)
	for range maxIterations {
		if math.Abs(high-low) <= convergence {
			break
		}
		c := low + (low-high)*fLow/(fHigh-fLow)
		fc := f(c)
		if fc*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = c, fc
	}
	return math.Exp(low / 2)
}
