package gtp

import "ayumu/engine"

// dialect has the parts of the protocol that are specific to a game.
type dialect struct {
	name string // as in package games
	// newGame parses the arguments after the game's name in newgame.
	newGame func(args []string) (engine.Position, error)
	// setPosition parses the arguments of setposition. It returns an error for those of another game.
	setPosition func(args []string) (engine.Position, error)
	// perft counts the sequences of depth actions.
	perft func(p engine.Position, depth int) uint64
	// show returns a drawing of a position. No line is empty, and there is no line feed at the end.
	show func(p engine.Position) string
}

var dialects = []*dialect{&ayuDialect, &muDialect}
