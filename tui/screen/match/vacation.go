package match

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/tui/screen"
	"ayumu/tui/screen/player"
)

// keyVacation is the key that begins or ends a vacation.
const keyVacation = "D"

// vacationKey returns the binding that begins or ends a vacation, in correspondence games.
func vacationKey() screen.Binding[*view] {
	return screen.Binding[*view]{
		Key:  screen.Keys(keyVacation, keyVacation, "in a correspondence game: begin or end a vacation, which stops all your clocks"),
		Rank: rankEnd + 3, When: (*view).canGoOnVacation, Listed: (*view).canGoOnVacation, Label: "vacation", Do: func(v *view) tea.Cmd { return player.AskVacation(v.Shell) },
	}
}

// canGoOnVacation reports whether the user plays correspondence games here, on a server with vacations.
func (v *view) canGoOnVacation() bool {
	return v.Player != nil && !v.Snapshot.IsOver() && v.Snapshot.Info.Control.IsCorrespondence() && player.CanGoOnVacation(v.Shell)
}
