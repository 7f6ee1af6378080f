package archive

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/tui/screen"
)

// Show shows the screen with these matches of a player.
func Show(sh *screen.Shell, player string, viewer account.ID, all []lobby.FinishedMatch) tea.Cmd {
	l := list(sh)
	l.Of, l.Load = player, func(context.Context, string, *Match) (p screen.Page[Match], err error) {
		for _, f := range all {
			p.Rows = append(p.Rows, Match{f, viewer})
		}
		return p, nil
	}
	return l.Push(sh)
}
