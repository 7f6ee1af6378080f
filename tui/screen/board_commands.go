package screen

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
)

// BoardCommands returns the commands of a board for the palette, those that start a replay only if the screen shows its
// steps. changed is called after each.
func BoardCommands(b game.Board, replays bool, changed func()) (all []Command) {
	c, ok := b.(game.Commander)
	if !ok {
		return nil
	}
	for _, one := range c.Commands() {
		if one.Replays && !replays {
			continue
		}
		all = append(all, Command{Name: one.Name, Help: one.Help, Do: func() tea.Cmd {
			one.Do()
			changed()
			return nil
		}})
	}
	return all
}
