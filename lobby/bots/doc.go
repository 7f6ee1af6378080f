// Package bots runs the built-in players. Each is a bot account with its own name, ratings and session; it
// accepts every challenge at once and plays every match to its end. The engines of the games
// ([Config].Engines) choose the turns, and compute the hints of players.
//
// The package knows no game. All bots share a bounded number of worker goroutines ([Config].Workers), which bounds their
// part of the processor.
package bots
