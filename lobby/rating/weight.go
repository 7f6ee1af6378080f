package rating

// How often two accounts can meet in rated games of a pool within a day.
const (
	fullGames = 3 // that count in full
	lessGames = 3 // after these: a half, a quarter, an eighth; later ones do not count
)

// Weight returns how much of a game counts (UpdateWeighted) between two accounts that have had
// earlier rated games in the same pool within the day before its end: 1 for the first three, then a
// half, a quarter and an eighth, and then 0. So two accounts can give each other the gain of fewer
// than four games a day.
func Weight(earlier int) float64 {
	switch less := earlier - fullGames + 1; {
	case less <= 0:
		return 1
	case less <= lessGames:
		return 1 / float64(int(1)<<less)
	}
	return 0
}
