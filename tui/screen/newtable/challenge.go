package newtable

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/table"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
)

// challengeForm is the form of a challenge.
type challengeForm struct {
	terms
	memory *Memory
	to     string // the name of the user, who can be challenged
	delay  int    // index into delayChoices
}

func newChallengeForm(sh *screen.Shell, m *Memory, to string) *challengeForm {
	f := &challengeForm{terms: newTerms(terms{sh: sh, forTwo: true}), memory: m, to: to}
	f.useGame(m)
	return f
}

func (f *challengeForm) title() string { return "Challenge " + f.to }

func (f *challengeForm) about() string {
	return "Choose what you want to play with " + f.to + ". The challenge stays open until it is answered or you withdraw it with x in the lobby."
}

func (f *challengeForm) submitLabel() string { return "send challenge" }

func (f *challengeForm) rows() []widget.FormRow {
	rows := append(f.gameRows(), f.clockRow())
	rows = append(append(rows, f.modeRows()...), f.firstRows(f.to)...)
	return append(rows, delayRow(&f.delay))
}

// submit sends the challenge. A refusal leaves the form open.
func (f *challengeForm) submit() tea.Cmd {
	sh := f.sh
	p, err := f.proposal()
	if err != nil {
		sh.NotifyError("%v", err)
		return nil
	}
	p.To, p.Delay = f.to, delayChoices[f.delay]
	f.memory.game = p.Game
	return open(sh, p, func(t *table.View) {
		sh.Notify("Challenge sent to %s. The game starts when %s accepts.", t.To, t.To)
	})
}
