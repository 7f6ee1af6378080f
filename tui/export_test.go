package tui

import (
	"time"
)

// What the tests of this package use of its internals.

type ResizeMsg = resizeMsg

var (
	ReadInput = readInput
	FilterMsg = filterMsg
)

const (
	AutoOpenGuard = autoOpenGuard
)

func (a *Model) ResizedAt() time.Time         { return a.resizedAt }
func (a *Model) InputBlockedUntil() time.Time { return a.inputBlockedUntil }
func (a *Model) ClearErr()                    { a.err = nil }
