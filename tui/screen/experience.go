package screen

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"
)

// LoadExperience finds out how many games of these kinds the user has finished, those of which it is not known in this
// session, and then refreshes the screen.
func (s *Shell) LoadExperience(games ...string) tea.Cmd {
	known := s.Visit.Experience
	archive := s.Visit.Archive()
	games = slices.DeleteFunc(slices.Clone(games), known.Knows)
	if len(games) == 0 {
		return nil
	}
	return Load(s, func(ctx context.Context) (map[string]int, error) {
		finished := make(map[string]int)
		for _, game := range games {
			if n, err := archive.FinishedGames(ctx, game); err == nil { // it is only help
				finished[game] = n
			}
		}
		return finished, nil
	}, func(finished map[string]int) tea.Cmd {
		for game, n := range finished {
			known.Set(game, n)
		}
		return s.Refresh()
	})
}
