package match

import (
	"ayumu/tui/game"
	"ayumu/tui/screen"
)

// What the tests of this package use of its internals.
var (
	OfferKeys  = offerKeys
	OfferTexts = offerTexts
)

// ReplaceBoard replaces the board of a match.
func ReplaceBoard(v screen.Screen, replace func(game.Board) game.Board) {
	var shown *view
	switch v := v.(type) {
	case *playing:
		shown = &v.view
	case *watching:
		shown = &v.view
	}
	shown.board = replace(shown.board)
}
