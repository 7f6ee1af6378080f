// Package games lists the games of this server. It imports their packages and engine only.
package games

import (
	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/mu"
)

// All has every game in the order in which lists show them. Callers must not modify it.
var All = []engine.Game{ayu.Game{}, mu.Game{}}

// ByName returns the game with this name, or false.
func ByName(name string) (engine.Game, bool) {
	for _, g := range All {
		if g.Name() == name {
			return g, true
		}
	}
	return nil, false
}
