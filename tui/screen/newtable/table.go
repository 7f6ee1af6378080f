package newtable

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby/table"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// tableForm is the form of a new table.
type tableForm struct {
	terms
	memory  *Memory
	private bool
	delay   int // index into delayChoices
}

func newTableForm(sh *screen.Shell, m *Memory) *tableForm {
	f := &tableForm{terms: newTerms(terms{sh: sh}), memory: m}
	f.useGame(m)
	return f
}

// useGame selects the game of the session's last table or challenge.
func (t *terms) useGame(m *Memory) {
	for i, g := range t.sh.Config.Games {
		if g.Name() == m.game {
			t.setGame(i)
		}
	}
}

func (f *tableForm) title() string { return "New table" }

func (f *tableForm) about() string {
	return "Choose what you want to play. The table stays open until the game starts or you close it."
}

func (f *tableForm) submitLabel() string { return "open table" }

func (f *tableForm) rows() []widget.FormRow {
	rows := append(append(f.gameRows(), f.clockRow()), f.modeRows()...)
	if engine.HasHandicap(f.options()) { // of which who moves first has the advantage
		rows = append(rows, f.firstRows("opponent")...)
	}
	return append(rows,
		visibilityRow(&f.private),
		delayRow(&f.delay))
}

// submit opens the table.
func (f *tableForm) submit() tea.Cmd {
	sh := f.sh
	p, err := f.proposal()
	if err != nil {
		sh.NotifyError("%v", err)
		return nil
	}
	p.Private, p.Delay = f.private, delayChoices[f.delay]
	f.memory.game = p.Game
	return openTable(sh, p)
}

// visibilityRow returns the row that makes a table private.
func visibilityRow(private *bool) widget.FormRow {
	return widget.Toggle("Visibility", "public", "private (by code)", private, "Public: anyone can join. Private: only with a code that you pass on.")
}

// openTable opens a table, returns to the lobby and says for what the table waits.
func openTable(sh *screen.Shell, in op.OpenArgs) tea.Cmd {
	return open(sh, in, func(t *table.View) {
		if t.Private {
			sh.Notify("Your table is open. Pass on the code %s (others press e in the lobby).", t.Code(sh.Session.Account().ID))
			return
		}
		sh.Notify("Your table is open; %s.", words.StartCondition(t.Options, "y"))
	})
}
