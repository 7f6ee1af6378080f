package tui

import (
	"time"
)

// What the tests of this package use of its internals.

var (
	ReadInput = readInput
	FilterMsg = filterMsg
)

const (
	AutoOpenGuard = autoOpenGuard
)

func (m *Model) ResizedAt() time.Time         { return m.resizedAt }
func (m *Model) InputBlockedUntil() time.Time { return m.inputBlockedUntil }
func (m *Model) ClearErr()                    { m.err = nil }
