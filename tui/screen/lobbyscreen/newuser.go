package lobbyscreen

import (
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
)

// isNew reports whether the user plays nothing now and has finished no game of any kind, and so may not know the games.
func isNew(sh *screen.Shell) bool {
	for _, g := range sh.Config.Games {
		if !sh.Visit.Experience.NeedsGoal(g.Name()) {
			return false
		}
	}
	return len(sh.Session.SeatedMatches()) == 0
}

// firstSteps returns what a new user can press first, in at most width columns.
func (v drawing) firstSteps(width int) string {
	first, brief := "p: find an opponent", "p: find an opponent"
	if v.hasBots() {
		bot := v.Shell.Config.Bots.Name(op.FirstBotLevel) + " on " + op.FirstBotOptions(v.Shell.Config.Games).Short()
		first, brief = "b: play your first game, against "+bot, "b: play "+bot
	}
	for _, text := range []string{"New here? L: learn the games. " + first + ".", "L: learn the games. " + brief + ". ?: rules.", "L: learn. " + brief + "."} {
		if paint.Width(text) <= width {
			return text
		}
	}
	return "L: learn the games."
}

// drawBelowRows draws for a new user what the games are, in the space below the rows, for others the key of the puzzles.
func (v drawing) drawBelowRows(c paint.Canvas) {
	w, h := c.Size()
	t := v.Shell.Style.Theme
	y := len(v.rows.Rows) + 1
	if !v.isNew && v.Shell.Config.Puzzles.Len() > 0 && y < h {
		c.Text(3, y, t.Dim, paint.Cut("z: the puzzle of the day", w-4))
	}
	if !v.isNew || v.Shell.Config.Picture != nil {
		return
	}
	drawGames(c.Sub(0, y, w, h-y), v.Shell)
}

// drawGames draws what the games are, as far as there is space.
func drawGames(c paint.Canvas, sh *screen.Shell) {
	w, h := c.Size()
	y := 0
	for _, g := range sh.Config.Games {
		lines := widget.Wrap(g.Rules()[0], min(w-4, maxRuleColumns))
		if y+len(lines) > h {
			return
		}
		for _, l := range lines {
			c.Text(3, y, sh.Style.Theme.Dim, l)
			y++
		}
		y++
	}
}

// maxRuleColumns is the maximum width of the description of a game.
const maxRuleColumns = 76
