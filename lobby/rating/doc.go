// Package rating measures strength: Glicko-2 for games of two, Plackett–Luce for games of more.
// It is pure arithmetic, imports nothing of this module, and knows neither accounts nor games.
//
// # One scale
//
// Both systems keep a mean and a standard deviation, so one [Rating] serves both. For two players
// Value and Deviation are what Glicko-2 shows. For three and more they are the mu and sigma of
// OpenSkill stretched by 42 and moved so that its beginner (25, 25/3) is [New] (1500, 350):
//
//	Value = 1500 + 42 (mu - 25)    Deviation = 42 sigma
//
// OpenSkill's beta (25/6) is 175 points there and its tau (25/300) 3.5. The arithmetic does not
// mind such a change of unit, so it is done in points. Volatility means nothing there and stays as
// it is. Only the order of such ratings compares with those of two players: the distances grow
// with the number of seats.
//
// # Rest
//
// A rating changes by games alone: each game is a rating period of its own, and the growth of the
// deviation that a period brings (the volatility in Glicko-2, tau in OpenSkill) comes with the
// next game. It does not grow while somebody rests. So a rating is what the last game left, the
// same whenever it is read, a leaderboard can be an index, and the change that a game makes is
// known from the ratings before it and nothing else. The price is that who stops keeps his place;
// whoever shows a leaderboard may leave out those who have not played for long.
//
// # Weight
//
// A game between two accounts that met often within a day counts less ([Weight]). A game of weight w
// is w of a rating period: in Glicko-2 the game's terms in steps 3 and 4 (its information and its
// gain) are multiplied by w, which raises the likelihood of the result to the power w, and step 6
// adds w times the variance that a period adds; in Plackett–Luce the changes of value and variance
// and tau² are multiplied by w. With weight 1 these are the published formulas; with weight 0 value
// and deviation do not change. The volatility follows from the weighted sums.
package rating
