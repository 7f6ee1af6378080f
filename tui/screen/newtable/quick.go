package newtable

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
)

// quickForm is the form of a quick match.
type quickForm struct{ terms }

// newQuickForm returns the form as the user has used it last; at first with any table of the first game.
func newQuickForm(sh *screen.Shell) *quickForm {
	f := &quickForm{newTerms(terms{sh: sh, anyOf: true})}
	f.use(sh.Visit.LastQuick())
	return f
}

func (f *quickForm) title() string { return "Quick match" }

func (f *quickForm) about() string {
	return "Choose what you accept; \"any\" matches everything. You are paired with the next player who accepts the same and has a similar rating, " +
		"or you join an open table that fits. Your choice is remembered, so that p and Enter repeat it."
}

func (f *quickForm) submitLabel() string { return "find an opponent" }

func (f *quickForm) rows() []widget.FormRow {
	return append(append(f.gameRows(), f.clockRow()), f.modeRows()...)
}

// submit begins the search.
func (f *quickForm) submit() tea.Cmd {
	sh := f.sh
	w, err := f.wanted()
	if err != nil {
		sh.NotifyError("%v", err)
		return nil
	}
	return screen.Run(sh, op.Quick, w, func(op.OpenResult) tea.Cmd {
		cmd := toLobby(sh)
		text := "Looking for an opponent."
		if sh.Config.Bots != nil {
			text += " Meanwhile, press b to play a bot."
		}
		sh.Notify("%s The game opens automatically.", text)
		return cmd
	})
}
