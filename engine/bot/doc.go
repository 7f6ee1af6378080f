// Package bot is the built-in players.
//
// A player knows a game through the engine's interface and an evaluation of its positions; a game
// without one is played at random. Choices depend on nothing but the position and the level, so
// that a game can be played again.
//
// The package imports the engine and its games. It may be used from several goroutines at once.
package bot
