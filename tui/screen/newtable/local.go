package newtable

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

// localForm is the form of a local match.
type localForm struct {
	terms
	names [engine.MaxSeats]widget.TextField // by seat
}

// newLocalForm returns the form as the user has used it last.
func newLocalForm(sh *screen.Shell) *localForm {
	f := &localForm{terms: newTerms(terms{sh: sh, local: true})}
	last := sh.Visit.LastLocal()
	f.use(op.Wanted{Game: last.Game, Options: last.Options})
	for seat := range f.names {
		f.names[seat].Limit = account.MaxName
		if seat < len(last.Names) {
			f.names[seat].Set(last.Names[seat])
		}
	}
	return f
}

func (f *localForm) title() string { return "Game at one keyboard" }

func (f *localForm) about() string {
	return "Choose what you want to play with those who sit beside you, and name the players. The game has no clock and starts at once. Your choice is remembered for the next game."
}

func (f *localForm) submitLabel() string { return "start game" }

func (f *localForm) rows() []widget.FormRow {
	rows := f.gameRows()
	o := f.options()
	p := o.Game().New(o)
	for seat := range f.seats() {
		help := fmt.Sprintf("The name of a player; without one Player %d.", seat+1)
		if seat == p.Turn() {
			help = fmt.Sprintf("The name of the player who moves first; without one Player %d.", seat+1)
		}
		rows = append(rows, widget.FormRow{Label: f.sh.Config.Games[f.game].Side(p, seat), Field: &f.names[seat], Help: help})
	}
	return rows
}

// submit starts the game.
func (f *localForm) submit() tea.Cmd {
	sh := f.sh
	in := op.LocalArgs{Game: sh.Config.Games[f.game].Name(), Options: f.rawOptions(), Remember: true}
	for seat := range f.seats() {
		in.Names = append(in.Names, f.names[seat].Text())
	}
	return playLocal(sh, in)
}

// playLocal starts a local match and opens it.
func playLocal(sh *screen.Shell, in op.LocalArgs) tea.Cmd {
	return screen.Run(sh, op.Local, in, func(r op.StartResult) tea.Cmd { return sh.Open(dest.Match{ID: r.Match, IsExpected: true}) })
}
