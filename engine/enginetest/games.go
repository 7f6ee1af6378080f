// Package enginetest has the list of games that tests of other packages play. Only tests import it.
package enginetest

import (
	"ayumu/engine"
	"ayumu/engine/ayu"
	ayusearch "ayumu/engine/ayu/search"
	"ayumu/engine/mu"
	musearch "ayumu/engine/mu/search"
	"ayumu/engine/search"
)

// Games are Ayu and Mu. The list must not be changed.
var Games = engine.Games{ayu.Game{}, mu.Game{}}

// Engines are the engines of Games. The map must not be changed.
var Engines = search.Engines{"ayu": ayusearch.Engine{}, "mu": musearch.Engine{}}
