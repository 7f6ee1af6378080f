package newtable

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/bots"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// botForm is the form of a game against bots.
type botForm struct {
	terms
	level int // 1 to bots.Levels
	delay int // index into delayChoices
}

// newBotForm returns the form as the user has used it last. level selects a bot; 0: the one of the last game.
func newBotForm(sh *screen.Shell, level int) *botForm {
	f := &botForm{terms: newTerms(terms{sh: sh, bot: true})}
	last := sh.Visit.LastBotGame()
	f.use(last.Wanted)
	f.level, f.first = last.Level, last.First
	if level > 0 {
		f.level = level
	}
	return f
}

func (f *botForm) title() string { return "Game against " + f.name(f.level) }

func (f *botForm) name(level int) string {
	return words.BotName(f.sh.Config.Bots.Name(level), level)
}

func (f *botForm) about() string {
	return "Choose an opponent and what you want to play. The game starts at once. Your choice is remembered for the next game."
}

func (f *botForm) submitLabel() string { return "start game" }

func (f *botForm) rows() []widget.FormRow {
	rows := append(f.gameRows(), f.opponentRow(), f.clockRow())
	rows = append(append(rows, f.modeRows()...), f.firstRows(f.sh.Config.Bots.Name(f.level))...) // the mode can hide the row below it
	if f.sh.Config.IsOffline() {
		return rows
	}
	return append(rows, delayRow(&f.delay))
}

// opponentRow returns the row that selects the level, and says who will have a seat.
func (f *botForm) opponentRow() widget.FormRow {
	r := widget.FormRow{Label: "Opponent", Index: f.level - 1, Set: func(n int) { f.level = n + 1 }}
	for level := 1; level <= bots.Levels; level++ {
		r.Answers = append(r.Answers, words.ShortBotName(f.sh.Config.Bots.Name(level), level))
	}
	others := f.seats() - 1
	switch {
	case others > 1:
		r.Help = fmt.Sprintf("You play against %d bots of level %d of %d.", others, f.level, bots.Levels)
	case f.level == 1:
		r.Help = "Level 1 is for complete beginners. Bots are always available."
	default:
		r.Help = fmt.Sprintf("Level %d of %d. Bots are always available.", f.level, bots.Levels)
	}
	return r
}

// submit starts the game.
func (f *botForm) submit() tea.Cmd {
	sh := f.sh
	w, err := f.wanted()
	if err != nil {
		sh.NotifyError("%v", err)
		return nil
	}
	return playBot(sh, op.BotArgs{
		Level: op.BotLevel(f.level), Game: w.Game, Options: w.Options, Clock: w.Clock, Rated: w.Rated,
		Delay: delayChoices[f.delay], First: f.first, Remember: true,
	})
}
