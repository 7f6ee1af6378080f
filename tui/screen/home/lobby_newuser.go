package home

import (
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

// drawBelowRows draws for a new user what the games are, in the space below the rows.
func (v drawing) drawBelowRows(c paint.Canvas) {
	w, h := c.Size()
	if y := len(v.rows.Rows) - v.rows.Top + 1; v.play.First && v.Shell.Config.Picture == nil && y < h {
		drawGames(c.Sub(0, y, w, h-y), v.Shell)
	}
}

// drawGames draws what the games are: at length if there is space for all of them, otherwise their goals.
func drawGames(c paint.Canvas, sh *screen.Shell) {
	w, h := c.Size()
	width := min(w-4, maxRuleColumns)
	var long, short []string // lines of paragraphs
	for _, g := range sh.Config.Games {
		long = append(append(long, widget.Wrap(g.Rules()[0], width)...), "")
		short = append(short, widget.Wrap(g.Engine().Title()+": "+g.Goal()+".", width)...)
	}
	lines := long[:len(long)-1]
	if len(lines) > h {
		lines = short
	}
	for y, l := range lines {
		c.Text(3, y, sh.Style.Theme.Dim, l)
	}
}

// maxRuleColumns is the maximum width of the description of a game.
const maxRuleColumns = 76
