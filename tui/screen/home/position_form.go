package home

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
)

// positionGame is what the form of a casual game that begins with a position edits: one against bots or at a table.
type positionGame struct {
	terms
	people  bool // a table for people, offline a local match
	level   int  // of the bot, if not
	private bool
}

// OpenPositionGame shows the form of a game that begins with a position. The bot of the user's last game is selected, and
// the user is to move unless OpponentFirst.
func OpenPositionGame(sh *screen.Shell, d dest.PositionGame) tea.Cmd {
	g := &positionGame{terms: newTerms(terms{sh: sh, bot: true, position: d.Options})}
	g.first = table.FirstOwner
	if d.OpponentFirst {
		g.first = table.FirstOpponent
	}
	if g.people = sh.Config.Bots == nil; !g.people {
		g.level = sh.Visit.LastBotGame().Level
		g.setClock(&clock.Control{})
	}
	return screen.OpenForm(sh, g.form)
}

// form declares the form.
func (g *positionGame) form() screen.Form {
	how, label := "at once against a bot, or at a table that others can join", "start game"
	if g.sh.Config.IsOffline() {
		how = "at once, against a bot or someone at this keyboard"
	}
	fields := []screen.Field{g.opponentField()}
	if !g.isLocal() {
		fields = append(fields, g.clockField())
		opponent := "opponent"
		if !g.people {
			opponent = g.sh.Config.Bots.Name(g.level)
		}
		fields = append(fields, g.firstFields(opponent)...)
		if g.people {
			fields, label = append(fields, visibilityField(&g.private)), "open table"
		}
	}
	return screen.Form{
		Title:   "Game from a position",
		About:   "Play on from the position that was shown: " + how + ". The game is casual and has none of the earlier moves.",
		Fields:  fields,
		Games:   g.shownGames(),
		Beside:  g.beside(),
		Send:    screen.Action{Label: label, Do: g.start},
		Returns: true,
	}
}

// opponentField returns the field that selects the level of a bot, or people.
func (g *positionGame) opponentField() screen.Field {
	people := "anyone"
	if g.sh.Config.IsOffline() {
		people = "at this keyboard"
	}
	answers := []string{people}
	if g.sh.Config.Bots != nil {
		answers = append(answers, botNames(g.sh)...)
	}
	help := "Anyone: your table is in the lobby until someone joins."
	if !g.people || g.isLocal() {
		help = "The game starts at once. " + match.Title(g.options()) + "."
	}
	f := screen.Field{Label: "Opponent", Answers: answers, Help: help, Set: func(n int) {
		if g.people = n == 0; !g.people {
			g.level = n - 1
		}
	}}
	if !g.people {
		f.Index = g.level + 1
	}
	return f
}

// isLocal reports whether the game is one between people at this keyboard.
func (g *positionGame) isLocal() bool { return g.people && g.sh.Config.IsOffline() }

// start starts the game or opens the table.
func (g *positionGame) start(v *screen.FormScreen) tea.Cmd {
	if g.isLocal() {
		return playLocal(v, op.LocalArgs{Game: g.position.Game().Name(), Options: g.rawOptions(), Names: []string{g.sh.Session.Account().Name}})
	}
	p := g.proposal()
	if g.people {
		p.Private = g.private
		return openTable(v, p)
	}
	if p.First == table.FirstRandom && g.seats() > 2 {
		p.First = table.FirstOwner
	}
	return playBot(v, op.BotArgs{Level: new(op.BotLevel(g.level)), Game: p.Game, Options: p.Options, Clock: p.Clock, Rated: p.Rated, First: p.First})
}
