package home

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
)

// OpenLocalGame shows the form of a local match as the user has used it last.
func OpenLocalGame(sh *screen.Shell, _ dest.LocalGame) tea.Cmd {
	t := newTerms(terms{sh: sh, local: true})
	last := sh.Visit.LastLocal()
	t.use(op.Wanted{Game: last.Game, Options: last.Options})
	var names [engine.MaxSeats]*widget.TextField // by seat
	for seat := range names {
		names[seat] = widget.NewTextField(account.MaxName, "")
		if seat < len(last.Names) {
			names[seat].Set(last.Names[seat])
		}
	}
	return screen.OpenForm(sh, func() screen.Form {
		g, o := sh.Config.Games[t.game], t.options()
		p := o.Game().New(o)
		fields := t.gameFields()
		for seat := range t.seats() {
			who := "a player"
			if seat == p.Turn() {
				who = "the player who moves first"
			}
			fields = append(fields, screen.Field{Label: g.Side(p, seat), Text: names[seat], Help: fmt.Sprintf("The name of %s; without one Player %d.", who, seat+1)})
		}
		return screen.Form{
			Title:  "Game at one keyboard",
			About:  "Choose what you want to play with those who sit beside you, and name the players. The game has no clock and starts at once. Your choice is remembered for the next game.",
			Fields: fields,
			Games:  t.shownGames(),
			Beside: t.beside(),
			Send: screen.Action{Label: "start game", Do: func(v *screen.FormScreen) tea.Cmd {
				in := op.LocalArgs{Game: g.Name(), Options: t.rawOptions(), Remember: true}
				for seat := range t.seats() {
					in.Names = append(in.Names, names[seat].Text())
				}
				return playLocal(v, in)
			}},
		}
	})
}

// playLocal starts a local match and opens it.
func playLocal(v *screen.FormScreen, in op.LocalArgs) tea.Cmd {
	return screen.Send(v, op.Local, in, func(r op.StartResult) tea.Cmd { return v.Shell.Open(dest.Match{ID: r.Match, IsExpected: true}) })
}
