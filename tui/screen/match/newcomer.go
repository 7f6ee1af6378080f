package match

// isPlaying reports whether the user has a seat in the match and the match is running.
func (v *view) isPlaying() bool { return v.Player != nil && !v.Snapshot.IsOver() && !v.IsOut() }

// needsGoal reports whether the goal of the game is shown: to players until they have finished a game.
func (v *view) needsGoal() bool {
	return v.isPlaying() && v.Shell.Visit.Experience.NeedsGoal(v.Game.Name())
}
