package profile

import (
	"ayumu/lobby"
	"ayumu/tui/screen"
	"ayumu/tui/screen/finished"
)

// New returns the screen of a player with a page of matches.
func New(sh *screen.Shell, p *lobby.Profile, page finished.Page) screen.Screen {
	return &profile{Base: screen.Base{Shell: sh}, profile: p, list: finished.List{Page: page}}
}
