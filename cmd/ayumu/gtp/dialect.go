package gtp

import "ayumu/engine"

// dialect is what a game does in its own way on this interface.
type dialect struct {
	name string // as in the registry of games
	// newGame reads what follows the game's name in newgame.
	newGame func(args []string) (engine.Position, error)
	// setPosition reads the arguments of setposition, and refuses those of another game.
	setPosition func(args []string) (engine.Position, error)
	// perft counts the action sequences of a length from 0.
	perft func(p engine.Position, depth int) uint64
	// show draws a position, in lines of which none is empty and without an end after the last.
	show func(p engine.Position) string
}

var dialects = []*dialect{&ayuDialect, &muDialect}
