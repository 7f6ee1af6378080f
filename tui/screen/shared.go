package screen

import (
	"reflect"
	"sync"
	"time"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/jobqueue"
	"ayumu/tui/screen/lists"
)

// Shared is what the sessions of one server share, so that what many show alike is made once. The zero value
// is ready for use. It must not be copied.
type Shared struct {
	Lists lists.Cache
	// Updates runs the updates of the sessions' screens that others and time cause.
	Updates jobqueue.Queue

	windows    game.Cache[windowKey, *sharedWindow]
	windowKeys sync.Pool // of *windowKey

	mu    sync.Mutex
	parts map[reflect.Type]any // of SharedPart

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

// SharedPart returns what a package of screens keeps in s: the only value of type T, which is zero at the first call.
// Any goroutine may call it.
func SharedPart[T any](s *Shared) *T {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := reflect.TypeFor[T]()
	part, ok := s.parts[key].(*T)
	if !ok {
		if s.parts == nil {
			s.parts = make(map[reflect.Type]any)
		}
		part = new(T)
		s.parts[key] = part
	}
	return part
}

// ResultDelay is how long the result of a match is shown before the next match takes its place by itself.
const ResultDelay = 5 * time.Second
