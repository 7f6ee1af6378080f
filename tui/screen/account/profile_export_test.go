package account

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/screen"
	"ayumu/tui/screen/archive"
)

// Show shows the screen of a player with these matches.
func Show(sh *screen.Shell, p *lobby.Profile, all []lobby.FinishedMatch) tea.Cmd {
	l := list(sh, p)
	l.Load = func(context.Context, string, *archive.Match) (page screen.Page[archive.Match], err error) {
		for _, f := range all {
			page.Rows = append(page.Rows, archive.Match{FinishedMatch: f, Viewer: p.Account.ID})
		}
		return page, nil
	}
	return l.Push(sh)
}
