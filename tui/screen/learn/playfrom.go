package learn

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
)

// playFrom opens the form of a game whose options have a start position, such as that of a lesson, puzzle or analysis:
// against a bot, or at a table for others. The user is the one to move, unless opponentFirst. err is shown instead if it is not
// nil.
func playFrom(sh *screen.Shell, o engine.Options, opponentFirst bool, err error) tea.Cmd {
	if err != nil {
		sh.NotifyFailure(err)
		return nil
	}
	return sh.Open(dest.PositionGame{Options: o, OpponentFirst: opponentFirst})
}
