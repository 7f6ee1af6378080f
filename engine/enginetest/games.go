// Package enginetest has the list of games that tests of other packages play. Only tests import it.
package enginetest

import (
	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/mu"
)

// Games are Ayu and Mu. The list must not be changed.
var Games = engine.Games{ayu.Game{}, mu.Game{}}
