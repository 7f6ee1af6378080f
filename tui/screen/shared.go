package screen

import (
	"time"

	"ayumu/tui/screen/lists"
	"ayumu/tui/screen/turns"
)

// Shared is what the sessions of one server share, so that what many show alike is made once. The zero value
// is ready for use. It must not be copied.
type Shared struct {
	Turns turns.Cache
	Lists lists.Cache
}

// ResultDelay is how long the result of a match is shown before the next match takes its place by itself.
const ResultDelay = 5 * time.Second
