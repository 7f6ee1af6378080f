// Package boards is the registry of the games that have a board. It imports each of them.
package boards

import (
	"ayumu/tui/ayuboard"
	"ayumu/tui/board"
	"ayumu/tui/muboard"
)

// All are the games, in the order in which they are offered. It must not be changed.
var All = []board.Game{ayuboard.Game{}, muboard.Game{}}

// ByName returns the board of a game.
func ByName(name string) (board.Game, bool) {
	for _, g := range All {
		if g.Name() == name {
			return g, true
		}
	}
	return nil, false
}
