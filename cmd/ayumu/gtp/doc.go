// Package gtp lets programs use the engine over lines of text: `ayumu engine`.
//
// The framing is that of the Go Text Protocol, version 2. What is the same for every game goes
// through engine.Position; what a game does in its own way is its dialect, one file for each.
//
// Beside it stands the line protocol of the CodeCup of 2015, for Ayu: `ayumu engine --codecup`.
//
// The package may import the engine with its games and players, and nothing else of this module.
package gtp
