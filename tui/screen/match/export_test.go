package match

import (
	"strings"
	"time"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
)

// What the tests of this package use of its internals.
var OfferKeys = offerKeys

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

// StyleOfLine returns the style of the line beside a player's board that contains text.
func StyleOfLine(v screen.Screen, text string) (paint.Style, bool) {
	for _, l := range v.(*playing).lines(time.Now()) {
		if strings.Contains(l.text, text) {
			return l.style, true
		}
	}
	return paint.Style{}, false
}

// Board returns the board of a player's screen.
func Board(v screen.Screen) game.Board { return v.(*playing).board }

// FramesMade returns how many contents have been drawn for spectators, and how many frames with clocks.
func FramesMade(s *screen.Shared) (contents, screens int) {
	f := screen.SharedPart[sharedFrames](s)
	return f.byInput.MadeCount(), int(f.drawn.Load())
}
