package home

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/bots"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/words"
)

// OpenBotGame shows the form of a game against bots as the user has used it last.
func OpenBotGame(sh *screen.Shell, d dest.BotGame) tea.Cmd {
	t := newTerms(terms{sh: sh, bot: true})
	last := sh.Visit.LastBotGame()
	t.use(last.Wanted)
	t.first = last.First
	level, delay := last.Level, 0 // the second is an index into delayChoices
	if d.Level != nil {
		level = *d.Level
	}
	return screen.OpenForm(sh, func() screen.Form {
		name := sh.Config.Bots.Name(level)
		if bots.IsCasual(level) {
			t.mode = casual
		}
		fields := append(t.gameFields(), t.opponentField(&level), t.clockField())
		if !bots.IsCasual(level) {
			fields = append(fields, t.modeFields()...) // which can hide the field below it
		}
		fields = append(fields, t.firstFields(name)...)
		if !sh.Config.IsOffline() {
			fields = append(fields, delayField(&delay))
		}
		return screen.Form{
			Title:  "Game against " + words.BotName(name, level),
			About:  "Choose an opponent and what you want to play. The game starts at once. Your choice is remembered for the next game.",
			Fields: fields,
			Games:  t.shownGames(),
			Beside: t.beside(),
			Send: screen.Action{Label: "start game", Do: func(v *screen.FormScreen) tea.Cmd {
				w := t.wanted()
				return playBot(v, op.BotArgs{
					Level: new(op.BotLevel(level)), Game: w.Game, Options: w.Options, Clock: w.Clock, Rated: w.Rated,
					Delay: delayChoices[delay], First: t.first, Remember: true,
				})
			}},
		}
	})
}

// opponentField returns the field that selects the level, and says who will have a seat.
func (t *terms) opponentField(level *int) screen.Field {
	f := screen.Field{Label: "Opponent", Index: *level, Set: func(n int) { *level = n }}
	f.Answers = botNames(t.sh)
	others := t.seats() - 1
	switch {
	case *level == bots.Adaptive && others > 1:
		f.Help = t.sh.Config.Bots.Name(*level) + " plays games of two only."
	case *level == bots.Adaptive:
		f.Help = "Becomes stronger when you win and weaker when you lose, until you win about half. Casual games only."
	case others > 1:
		f.Help = fmt.Sprintf("You play against %d bots of level %d of %d.", others, *level, bots.MaxLevel)
	case *level == bots.MinLevel:
		f.Help = "Level 0 is for your first game: you should win. Casual games only."
	case *level == 1:
		f.Help = "Level 1 is for beginners who have won a game."
	default:
		f.Help = fmt.Sprintf("Level %d of %d.", *level, bots.MaxLevel)
	}
	return f
}

// botNames returns the names of the bots by level, from the lowest.
func botNames(sh *screen.Shell) (all []string) {
	for level := bots.MinLevel; level <= bots.Adaptive; level++ {
		all = append(all, words.ShortBotName(sh.Config.Bots.Name(level), level))
	}
	return all
}

// playBot starts a game against bots and opens it.
func playBot(v *screen.FormScreen, in op.BotArgs) tea.Cmd {
	return screen.Send(v, op.Bot, in, func(r op.StartResult) tea.Cmd {
		return v.Shell.Open(dest.Match{ID: r.Match, IsExpected: true})
	})
}
