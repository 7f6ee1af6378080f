// Package bot implements the built-in players.
//
// A [Player] searches the positions of a game with an evaluator for that game: ayu_search.go and
// ayu_evaluator.go for Ayu, mu_search.go and mu_evaluator.go for Mu. In a game without an evaluator it
// plays random turns. Advice depends only on the position, the options and the positions that the player
// has searched before, so that games are reproducible.
//
// The package imports package engine and its games and starts no goroutine.
package bot
