package screen

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// LoadExperience finds out how many games of these kinds the user has finished, those of which it is not known in this
// session, and then refreshes the screen.
func (sh *Shell) LoadExperience(games ...string) tea.Cmd {
	known := sh.Visit.Experience
	archive := sh.Visit.Archive()
	finished := make(map[string]int)
	for _, game := range games {
		if !known.Knows(game) {
			finished[game] = -1
		}
	}
	if len(finished) == 0 {
		return nil
	}
	return sh.Call(func(ctx context.Context) error {
		for game := range finished {
			if n, err := archive.FinishedGames(ctx, game); err == nil { // it is only help
				finished[game] = n
			}
		}
		return nil
	}, func() tea.Cmd {
		for game, n := range finished {
			if n >= 0 {
				known.Set(game, n)
			}
		}
		return sh.Refresh()
	})
}
