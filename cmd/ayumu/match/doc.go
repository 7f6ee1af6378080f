// Package match plays engines against each other, many games in a row, and says which is the
// stronger one and how sure that is: `ayumu match`.
//
// A side is a built-in player, one of two simple ones to compare with (greedy, random), or a
// program that speaks the protocol of `ayumu engine` or that of the CodeCup. Programs are bounded
// in time and in what they say, a fault of theirs loses the game with its reason shown, and they
// are killed with all that they started when the game ends.
//
// The package imports the engine with its games and players, the text of game records, and the
// pace of the CodeCup's clock.
package match
