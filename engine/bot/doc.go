// Package bot is the built-in players.
//
// A [Player] searches the positions of its game through the engine, with an estimate of how good a
// position is that belongs to the game: Ayu's are in ayu_search.go and ayu_sight.go, Mu's in
// mu_sight.go. A game without one is played at random. Advice depends on nothing but the position, the
// options and what a player has seen before of the same game, so that a game can be played again.
//
// The package imports the engine and its games, and starts no goroutines.
package bot
