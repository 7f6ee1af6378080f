// Package boards is the registry of the games that have a board. It imports each of them.
package boards

import (
	"ayumu/tui/game"
	"ayumu/tui/game/ayu"
	"ayumu/tui/game/mu"
)

// All are the games, in the order in which they are offered. It must not be changed.
var All = []game.Game{ayu.Game{}, mu.Game{}}

// ByName returns the board of a game.
func ByName(name string) (game.Game, bool) {
	for _, g := range All {
		if g.Name() == name {
			return g, true
		}
	}
	return nil, false
}
