package home

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
)

// OpenQuickMatch shows the form of a quick match as the user has used it last; at first with any table of the first game.
func OpenQuickMatch(sh *screen.Shell, _ dest.QuickMatch) tea.Cmd {
	t := newTerms(terms{sh: sh, anyOf: true})
	t.use(sh.Visit.LastQuick())
	return screen.OpenForm(sh, func() screen.Form {
		return screen.Form{
			Title: "Quick match",
			About: "Choose what you accept; \"any\" matches everything. You are paired with the next player who accepts the same and has a similar rating, " +
				"or you join an open table that fits. Your choice is remembered, so that p and Enter repeat it.",
			Fields: append(append(t.gameFields(), t.clockField()), t.modeFields()...),
			Games:  t.shownGames(),
			Beside: t.beside(),
			Send: screen.Action{Label: "find an opponent", Do: func(v *screen.FormScreen) tea.Cmd {
				return screen.Send(v, op.Quick, t.wanted(), func(op.OpenResult) tea.Cmd {
					cmd := toLobby(sh)
					text := "Looking for an opponent."
					if sh.Config.Bots != nil {
						text += " Meanwhile, press b to play a bot."
					}
					sh.Notify("%s The game opens automatically.", text)
					return cmd
				})
			}},
		}
	})
}
