package tui

import (
	"time"

	"ayumu/tui/game"
)

// What the tests of this package use of its internals.

type ResizeMsg = resizeMsg

var (
	ReadInput      = readInput
	FilterMsg      = filterMsg
	ListFrameCache = &listFrameCache
	OfferKinds     = offerKinds
	OfferTexts     = offerTexts
)

const (
	ResultDelay   = resultDelay
	AutoOpenGuard = autoOpenGuard
)

func (a *Model) ResizedAt() time.Time         { return a.resizedAt }
func (a *Model) InputBlockedUntil() time.Time { return a.inputBlockedUntil }
func (a *Model) ClearErr()                    { a.err = nil }

// ReplaceBoard replaces the board of the match that is shown.
func (a *Model) ReplaceBoard(replace func(game.Board) game.Board) {
	v := a.Current().(*matchScreen)
	v.board = replace(v.board)
}
