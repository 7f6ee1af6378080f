package home

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/table"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
)

// OpenChallenge shows the form of a challenge, unless the user cannot be challenged.
func OpenChallenge(sh *screen.Shell, d dest.Challenge) tea.Cmd {
	return screen.Load(sh, func(ctx context.Context) (string, error) {
		return sh.Session.CheckChallenge(ctx, d.Name)
	}, func(name string) tea.Cmd {
		t := newTerms(terms{sh: sh, forTwo: true})
		delay := 0
		return screen.OpenForm(sh, func() screen.Form {
			fields := append(t.rememberedFields(), t.firstFields(name)...)
			return screen.Form{
				Title:  "Challenge " + name,
				About:  "Choose what you want to play with " + name + ". The challenge stays open until it is answered or you withdraw it with x in the lobby.",
				Fields: append(fields, delayField(&delay)),
				Games:  t.shownGames(),
				Beside: t.beside(),
				Send: screen.Action{Label: "send challenge", Do: func(v *screen.FormScreen) tea.Cmd {
					p := t.proposal()
					p.To, p.Delay = name, delayChoices[delay]
					return open(v, p, func(t *table.View) {
						sh.Notify("Challenge sent to %s. The game starts when %s accepts.", t.To, t.To)
					})
				}},
			}
		})
	})
}
