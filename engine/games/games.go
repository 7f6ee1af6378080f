// Package games is the registry of the games that the engine knows. It imports each of them, and
// nothing else of this module but the engine.
package games

import (
	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/mu"
)

// All are the games, in the order in which they are shown. It must not be changed.
var All = []engine.Game{ayu.Game{}, mu.Game{}}

// ByName returns the game with this name.
func ByName(name string) (engine.Game, bool) {
	for _, g := range All {
		if g.Name() == name {
			return g, true
		}
	}
	return nil, false
}
