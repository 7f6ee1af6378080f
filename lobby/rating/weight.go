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
