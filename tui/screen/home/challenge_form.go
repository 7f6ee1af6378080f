package home

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/errcode"
	"ayumu/lobby/table"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
)

// OpenChallenge shows the form of a challenge, unless the user cannot be challenged. For one who is not online it offers a table
// with days for each turn.
func OpenChallenge(sh *screen.Shell, d dest.Challenge) tea.Cmd {
	return screen.Try(sh, func(ctx context.Context) (string, error) {
		return sh.Session.CheckChallenge(ctx, d.Name)
	}, func(name string, err error) tea.Cmd {
		switch {
		case errors.Is(err, errcode.ErrNotOnline):
			return sh.Ask(screen.YesNo(d.Name+" is not online. Open a table with 3 days for each turn, which stays open for them?", "new table", "cancel", func() tea.Cmd {
				return sh.Open(dest.NewTable{Days: 3})
			}))
		case err != nil:
			sh.NotifyFailure(err)
			return sh.Refresh()
		}
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
