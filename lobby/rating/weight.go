package rating

// Rated games of a pool between two accounts within a day.
const (
	fullGames = 3 // number of games that count fully
	lessGames = 3 // number of further games that count a half, a quarter and an eighth; later ones do not count
)

// Weight returns the weight (UpdateWeighted) of a game between two accounts that have had earlier rated
// games in the same pool within the day before its end: 1 for the first three, then a half, a quarter and
// an eighth, then 0. So two accounts can gain from each other less than four full games a day.
func Weight(earlier int) float64 {
	switch less := earlier - fullGames + 1; {
	case less <= 0:
		return 1
	case less <= lessGames:
		return 1 / float64(int(1)<<less)
	}
	return 0
}

// partWeight is the part of a game's weight that remains for an established player whose opponents are newcomers,
// and for a built-in player.
const partWeight = 0.25

// Seat is what the weight of a game for a seat depends on, beside the weight of the game.
type Seat struct {
	Newcomer bool // its rating or its account is new
	BuiltIn  bool // a built-in player, which is not a newcomer
}

// SeatWeights returns the weights (UpdateEach) for the seats of a game of some weight. For a newcomer it is all of it; for
// an established player it decreases with the part of the opponents that are newcomers, to a quarter of it if all are; for
// a built-in player it is a quarter.
func SeatWeights(weight float64, seats []Seat) []float64 {
	newcomers := 0
	for _, s := range seats {
		if s.Newcomer {
			newcomers++
		}
	}
	weights := make([]float64, len(seats))
	for i, s := range seats {
		switch {
		case s.BuiltIn:
			weights[i] = weight * partWeight
		case s.Newcomer:
			weights[i] = weight
		default:
			weights[i] = weight * (1 - (1-partWeight)*float64(newcomers)/float64(len(seats)-1))
		}
	}
	return weights
}
