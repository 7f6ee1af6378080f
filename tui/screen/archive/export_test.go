package archive

import (
	"ayumu/tui/screen"
	"ayumu/tui/screen/finished"
)

// New returns the screen with a page of matches.
func New(sh *screen.Shell, p finished.Page) screen.Screen {
	return &archive{Base: screen.Base{Shell: sh}, list: finished.List{Page: p}}
}
