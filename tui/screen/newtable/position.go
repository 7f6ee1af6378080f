package newtable

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// positionForm is the form of a casual game that begins with a position, against bots or at a table.
type positionForm struct {
	terms
	level   int // of the bot, 1 to bots.Levels; 0: a table for people, offline a local match
	private bool
}

// newPositionForm returns the form for options with a position. The bot of the user's last game is selected, and the
// user is to move.
func newPositionForm(sh *screen.Shell, o engine.Options) *positionForm {
	f := &positionForm{terms: newTerms(terms{sh: sh, bot: true, start: o})}
	f.first = table.FirstOwner
	if sh.Config.Bots != nil {
		f.level = sh.Visit.LastBotGame().Level
		f.setClock(&clock.Control{})
	}
	return f
}

func (f *positionForm) title() string { return "Game from a position" }

func (f *positionForm) about() string {
	how := "at once against a bot, or at a table that others can join"
	if f.sh.Config.IsOffline() {
		how = "at once, against a bot or someone at this keyboard"
	}
	return "Play on from the position that was shown: " + how + ". The game is casual and has none of the earlier moves."
}

func (f *positionForm) submitLabel() string {
	if f.level == 0 && !f.isLocal() {
		return "open table"
	}
	return "start game"
}

func (f *positionForm) rows() []widget.FormRow {
	if f.isLocal() {
		return []widget.FormRow{f.opponentRow()}
	}
	rows := []widget.FormRow{f.opponentRow(), f.clockRow()}
	opponent := "opponent"
	if f.level > 0 {
		opponent = f.sh.Config.Bots.Name(f.level)
	}
	rows = append(rows, f.firstRows(opponent)...)
	if f.level == 0 {
		rows = append(rows, visibilityRow(&f.private))
	}
	return rows
}

// opponentRow returns the row that selects the level of a bot, or people.
func (f *positionForm) opponentRow() widget.FormRow {
	r := widget.FormRow{Label: "Opponent", Answers: []string{"anyone"}, Index: f.level, Set: func(n int) { f.level = n }}
	if f.sh.Config.IsOffline() {
		r.Answers[0] = "at this keyboard"
	}
	for level := 1; f.sh.Config.Bots != nil && level <= bots.Levels; level++ {
		r.Answers = append(r.Answers, words.ShortBotName(f.sh.Config.Bots.Name(level), level))
	}
	r.Help = "Anyone: your table is in the lobby until someone joins."
	if f.level > 0 || f.isLocal() {
		r.Help = "The game starts at once. " + match.Title(f.options()) + "."
	}
	return r
}

// isLocal reports whether the game is one between people at this keyboard.
func (f *positionForm) isLocal() bool { return f.level == 0 && f.sh.Config.IsOffline() }

// submit starts the game or opens the table.
func (f *positionForm) submit() tea.Cmd {
	sh := f.sh
	if f.isLocal() {
		return playLocal(sh, op.LocalArgs{Game: f.start.Game().Name(), Options: f.rawOptions(), Names: []string{sh.Session.Account().Name}})
	}
	p, err := f.proposal()
	if err != nil {
		sh.NotifyError("%v", err)
		return nil
	}
	if f.level == 0 {
		p.Private = f.private
		return openTable(sh, p)
	}
	if p.First == table.FirstRandom && f.seats() > 2 {
		p.First = table.FirstOwner
	}
	return playBot(sh, op.BotArgs{Level: op.BotLevel(f.level), Game: p.Game, Options: p.Options, Clock: p.Clock, Rated: p.Rated, First: p.First})
}
