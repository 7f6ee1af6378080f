// Package gametest has the boards of the games of engine/enginetest. Only tests import it.
package gametest

import (
	"ayumu/tui/game"
	"ayumu/tui/game/ayu"
	"ayumu/tui/game/mu"
)

// Games are Ayu and Mu. The list must not be changed.
var Games = game.List{ayu.NewGame(), mu.NewGame()}
