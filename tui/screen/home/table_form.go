package home

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/words"
)

// OpenNewTable shows the form of a new table.
func OpenNewTable(sh *screen.Shell, d dest.NewTable) tea.Cmd {
	t := newTerms(terms{sh: sh})
	private, delay := false, 0
	cmd := screen.OpenForm(sh, func() screen.Form {
		fields := t.rememberedFields()
		if engine.HasHandicap(t.options()) { // of which who moves first has the advantage
			fields = append(fields, t.firstFields("opponent")...)
		}
		return screen.Form{
			Title:  "New table",
			About:  "Choose what you want to play. The table stays open until the game starts or you close it.",
			Fields: append(fields, visibilityField(&private), delayField(&delay)),
			Games:  t.shownGames(),
			Beside: t.beside(),
			Send: screen.Action{Label: "open table", Do: func(v *screen.FormScreen) tea.Cmd {
				p := t.proposal()
				p.Private, p.Delay = private, delayChoices[delay]
				return openTable(v, p)
			}},
		}
	})
	if d.Days > 0 { // before what the session remembers
		t.setClock(&clock.Control{Days: d.Days})
	}
	return cmd
}

// openTable opens a table, returns to the lobby and says for what the table waits.
func openTable(v *screen.FormScreen, in op.OpenArgs) tea.Cmd {
	return open(v, in, func(t *table.View) {
		if t.Private {
			v.Shell.Notify("Your table is open. Pass on the code %s (others type :code in the lobby).", t.Code(v.Shell.Session.Account().ID))
			return
		}
		v.Shell.Notify("Your table is open; %s.", words.StartCondition(t.Options, "y"))
	})
}

// open opens a table, then returns to the lobby and calls then.
func open(v *screen.FormScreen, in op.OpenArgs, then func(*table.View)) tea.Cmd {
	return screen.Send(v, op.Open, in, func(r op.OpenResult) tea.Cmd {
		cmd := toLobby(v.Shell)
		then(r.View)
		return cmd
	})
}

// toLobby returns to the lobby.
func toLobby(sh *screen.Shell) tea.Cmd { return sh.Open(dest.Lobby{KeepsFollowing: true}) }

// visibilityField returns the field that makes a table private.
func visibilityField(private *bool) screen.Field {
	return screen.Toggle("Visibility", "public", "private (by code)", private, "Public: anyone can join. Private: only with a code that you pass on.")
}

// delayChoices are the offered spectator delays, in turns.
var delayChoices = []int{0, 1, 2, 3, 5, 10, table.MaxDelay}

// delayField returns the field of the spectator delay; delay is an index into delayChoices.
func delayField(delay *int) screen.Field { return delayFieldOf(delayChoices, delay) }

// delayFieldOf is delayField for other choices.
func delayFieldOf(choices []int, delay *int) screen.Field {
	var answers []string
	for _, n := range choices {
		text := words.Plural(n, "turn")
		switch {
		case n == 0:
			text = "none"
		case n > 1:
			text = strconv.Itoa(n)
		}
		answers = append(answers, text)
	}
	return screen.Choice("Spectator delay", answers, delay, "Spectators see the game this many turns late, so that they cannot help a player.")
}
