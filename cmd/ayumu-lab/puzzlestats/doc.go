// Package puzzlestats compares the ratings of puzzles with searches of the engine: how often each level finds the answer,
// and how many playouts a search needs. It keeps no state.
package puzzlestats
