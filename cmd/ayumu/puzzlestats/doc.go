// Package puzzlestats compares the ratings of puzzles with searches of the engine: how often each level finds the answer,
// and how many playouts a search needs. It imports the engine, and the lobby to format
// numbers. It keeps no state.
package puzzlestats
