package match

import (
	"ayumu/lobby"
	"ayumu/tui/screen"
)

// GridMatches returns the matches that the grid shows, the selected one, and the number of the others.
func GridMatches(s screen.Screen) (shown []*lobby.Match, selected *lobby.Match, hidden int) {
	v := s.(*grid)
	for _, c := range v.cells {
		shown = append(shown, c.match)
	}
	return shown, v.cells[v.selected].match, v.hiddenCount
}
