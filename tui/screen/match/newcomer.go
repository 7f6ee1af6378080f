package match

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// isPlaying reports whether the user has a seat in the match and the match is running.
func (v *view) isPlaying() bool { return v.Player != nil && !v.Snapshot.IsOver() && !v.IsOut() }

// needsGoal reports whether the goal of the game is shown: to players until they have finished a game.
func needsGoal(v *view) bool {
	return v.isPlaying() && v.Shell.Client.Experience.NeedsGoal(v.Game.Name())
}

// loadExperience finds out how many games of this kind the user has finished, once in a session.
func (v *playing) loadExperience() tea.Cmd {
	game := v.Game.Name()
	if v.Shell.Client.Experience.Knows(game) {
		return nil
	}
	archive := v.Shell.Client.Archive()
	n, failed := 0, false
	return v.Shell.Call(func(ctx context.Context) (err error) {
		n, err = archive.FinishedGames(ctx, game)
		failed = err != nil
		return nil // it is only help
	}, func() tea.Cmd {
		if !failed {
			v.Shell.Client.Experience.Set(game, n)
		}
		return v.Refresh()
	})
}
