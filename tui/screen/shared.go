package screen

import (
	"time"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen/lists"
	"ayumu/tui/screen/turns"
)

// Shared is what the sessions of one server share, so that what many show alike is made once. The zero value
// is ready for use. It must not be copied.
type Shared struct {
	Turns turns.Cache
	Lists lists.Cache

	// Frames of screens by all that they show, without what time alone changes; with that; and of windows.
	Contents, Screens FrameCache
	Windows           game.Cache[windowKey, *paint.Frame]

	// Chats has the lines of the rooms of a key, by time.
	Chats game.Cache[ChatKey, *[]lobby.ChatLine]
}

// ChatKey identifies the lines of one or two rooms, which are immutable.
type ChatKey [2]ChatLines

// ChatLines is a number of consecutive lines; the zero value is none.
type ChatLines struct {
	First *lobby.ChatLine
	Count int
}

// FrameCache keeps frames that sessions share. Its keys are of comparable types and have everything that the frame
// depends on.
type FrameCache = game.Cache[any, *paint.Frame]

// ResultDelay is how long the result of a match is shown before the next match takes its place by itself.
const ResultDelay = 5 * time.Second
