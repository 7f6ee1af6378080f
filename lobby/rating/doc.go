// Package rating computes ratings: Glicko-2 for games of two players, Plackett–Luce for games of more. It
// is pure arithmetic, and knows neither accounts nor games.
//
// # One scale
//
// Both systems keep a mean and a standard deviation, so one [Rating] serves both. For two players Value and
// Deviation are those of Glicko-2. For three and more they are the mu and sigma of OpenSkill, scaled by 42
// and shifted so that its initial rating (25, 25/3) is [New] (1500, 350):
//
//	Value = 1500 + 42 (mu - 25)    Deviation = 42 sigma
//
// OpenSkill's beta (25/6) is 175 points on this scale and its tau (25/300) 3.5. The arithmetic does not
// depend on the unit, so it is done in points. Volatility is not used there and does not change. Only the
// order of such ratings can be compared with those of two players: the distances grow with the number of
// seats.
//
// # Inactivity
//
// A rating changes by games only: each game is a rating period of its own, and the growth of the deviation
// that a period brings (the volatility in Glicko-2, tau in OpenSkill) is applied at the next game. It does
// not grow while a player is inactive. So a rating is the result of the last game and the same whenever it
// is read, a leaderboard can be an index, and the change by a game follows from the ratings before it
// alone. The disadvantage is that an inactive player keeps their rank; a leaderboard may leave out players
// who have not played for long.
//
// # Weight
//
// A game between two accounts that met often within a day counts less ([Weight]), and a game against newcomers counts
// less for those who are established ([SeatWeights]), so that each seat has a weight of its own. A game of weight w is
// w of a rating period: in Glicko-2 the game's terms in steps 3 and 4 (its information and its gain) are multiplied by
// w, which raises the likelihood of the result to the power w, and step 6 adds w times the variance that a period adds;
// in Plackett–Luce the changes of value and variance and tau² are multiplied by w. With weight 1 these are the
// published formulas; with weight 0 value and deviation do not change. The volatility follows from the weighted sums.
package rating
