package rating

import "math"

// The constants of OpenSkill in points (doc.go).
const (
	beta  = 175    // variation of one player's performance between games
	drift = 3.5    // OpenSkill's tau: change of strength between two games
	kappa = 0.0001 // minimum factor of a variance
)

// plackettLuce returns the ratings after one game of any number of players, by algorithm 4 of Weng and Lin,
// "A Bayesian Approximation Method for Online Ranking" (2011), as in OpenSkill: the variance first grows by
// tau². The factor gamma, by which the paper allows to slow the shrinking of a variance, is 1. With
// OpenSkill's default sigma/c a rating takes 100 to 250 games until it is established; with 1 it takes 40
// to 70, and the deviations are honest (TestDeviationIsHonest). weights are the weights of the game for each seat (doc.go).
func plackettLuce(before []Rating, places []int, weights []float64) []Rating {
	after := make([]Rating, len(before))
	for i, r := range before {
		r.Deviation = min(math.Hypot(r.Deviation, drift*math.Sqrt(weights[i])), maxDeviation)
		after[i] = r
	}
	updateByRanking(after, places, weights)
	return after
}

// updateByRanking updates ratings in place by a ranking of some weight for each seat.
func updateByRanking(r []Rating, places []int, weights []float64) {
	var variance, best float64
	best = math.Inf(-1)
	for _, x := range r {
		variance += x.Deviation*x.Deviation + beta*beta
		best = max(best, x.Value)
	}
	c := math.Sqrt(variance)
	// Strengths are relative to the best so that none can overflow.
	strength := make([]float64, len(r))
	for i, x := range r {
		strength[i] = math.Exp((x.Value - best) / c)
	}
	// For each player q: the strength of all that did not finish before q, and how many share q's place.
	rest, shared := make([]float64, len(r)), make([]float64, len(r))
	for q := range r {
		for s := range r {
			if places[s] >= places[q] {
				rest[q] += strength[s]
			}
			if places[s] == places[q] {
				shared[q]++
			}
		}
	}
	for i := range r {
		var omega, delta float64
		for q := range r {
			if places[q] > places[i] {
				continue
			}
			chance := strength[i] / rest[q]
			delta += chance * (1 - chance) / shared[q]
			omega -= chance / shared[q]
			if q == i {
				omega += 1 / shared[q]
			}
		}
		share := r[i].Deviation * r[i].Deviation / c
		r[i].Value += weights[i] * share * omega
		r[i].Deviation *= math.Sqrt(max(1-weights[i]*share/c*delta, kappa))
	}
}
