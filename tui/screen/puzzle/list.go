package puzzle

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/puzzles"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// row is a row of the list: the puzzles of a game, one of its themes, or a streak.
type row struct {
	puzzles.Summary
	label, detail string
	isStreak      bool
}

// list is the screen that lists the games and themes to train. A choice returns to the screen of puzzles below it.
type list struct {
	screen.Base
	below  *puzzleScreen
	rows   []row
	cursor widget.ListCursor
}

var listBindings = screen.Bindings[*list]{
	{Key: screen.Keys("enter space", "Enter", "train with the selected puzzles; for a streak, begin it"), Label: "train", Do: (*list).choose},
	screen.CursorKeys(func(v *list) (*widget.ListCursor, int) { return &v.cursor, len(v.rows) }),
	screen.BackKey[*list](),
	screen.HelpKey[*list](),
}

// openList opens the list.
func (v *puzzleScreen) openList() tea.Cmd {
	return screen.Run(v.Shell, op.Puzzles, op.None{}, func(all []puzzles.Summary) tea.Cmd {
		l := &list{Base: screen.Base{Shell: v.Shell}, below: v, rows: v.rowsOf(all)}
		for i, r := range l.rows {
			if v.Mode == puzzles.ModeTraining && r.Game == v.Game && r.Theme == v.Theme && !r.isStreak {
				l.cursor.Index = i
			}
		}
		return v.Shell.Push(l)
	})
}

// rowsOf returns the rows for the summaries of games and themes.
func (v *puzzleScreen) rowsOf(all []puzzles.Summary) (rows []row) {
	var streak *row
	for _, s := range all {
		if s.Theme != "" {
			rows = append(rows, row{Summary: s, label: "  " + s.Title, detail: words.PuzzleSummary(s)})
			continue
		}
		if streak != nil {
			rows = append(rows, *streak)
		}
		title := s.Game
		if g, ok := v.Shell.Config.Games.ByName(s.Game); ok {
			title = g.Engine().Title()
		}
		rows = append(rows, row{Summary: s, label: title + " · you " + words.PuzzleRating(s.UserRating), detail: words.PuzzleSummary(s)})
		streak = &row{Summary: s, isStreak: true, label: "  Streak", detail: "until the first wrong answer"}
		if best := s.BestStreak; best > 0 {
			streak.detail += fmt.Sprintf(" · best %d", best)
		}
	}
	if streak != nil {
		rows = append(rows, *streak)
	}
	return rows
}

// choose trains the selected puzzles.
func (v *list) choose() tea.Cmd {
	if len(v.rows) == 0 {
		return nil
	}
	r := v.rows[v.cursor.Index]
	return tea.Batch(v.Shell.Back(), v.below.choose(op.PuzzleArgs{Game: r.Game, Theme: r.Theme, Streak: r.isStreak}, stay))
}

// Handle implements screen.Screen.
func (v *list) Handle(msg tea.Msg) tea.Cmd {
	cmd, _ := listBindings.Handle(v, v.cursor.Input(msg, len(v.rows)))
	return cmd
}

// Draw implements screen.Screen.
func (v *list) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	widget.DrawHeader(c, t, "Train", "puzzles near your rating; missed ones come back", "")
	c = widget.Middle(c, widget.ColumnWidth)
	w, h := c.Size()
	from, to := v.cursor.Window(2, h-2, len(v.rows))
	x := 0 // of the details
	for _, r := range v.rows {
		x = max(x, 4+paint.Width(r.label))
	}
	for i := from; i < to; i++ {
		r, y, style := v.rows[i], 2+i-from, t.Text
		if r.Theme == "" && !r.isStreak {
			style = t.Strong
		}
		if i == v.cursor.Index {
			style = t.Selected
			c.Fill(0, y, w, 1, style, ' ')
			c.Text(0, y, style, "›")
		}
		c.Text(2, y, style, r.label)
		c.Text(x, y, style, paint.Cut(r.detail, w-x))
	}
}

// StatusKeys implements screen.Screen.
func (v *list) StatusKeys() []game.Key { return listBindings.Status(v) }

// Help implements screen.Screen.
func (v *list) Help() screen.Help {
	return screen.Help{
		Title: "Training",
		About: "Puzzles of the game or theme that you choose, near your rating. In a streak the puzzles become harder until the first wrong answer, without hints; a streak is not rated, and your best is kept. With an account your progress is kept.",
		Keys:  listBindings.Help(v),
	}
}
