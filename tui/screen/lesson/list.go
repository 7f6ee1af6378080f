package lesson

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// list is the screen that lists the games with lessons.
type list struct {
	screen.Base
	games  []game.Teacher
	cursor widget.ListCursor
}

var listBindings = screen.Bindings[*list]{
	{Key: screen.Keys("enter space", "Enter", "begin the lessons of a game, or continue them"), Label: "learn", Do: (*list).open},
	screen.CursorKeys(func(v *list) (*widget.ListCursor, int) { return &v.cursor, len(v.games) }),
	screen.BackKey[*list](),
	screen.HelpKey[*list](),
}

func (v *list) open() tea.Cmd {
	return v.Shell.Open(dest.Lessons{Game: v.games[v.cursor.Index].Name()})
}

func (v *list) Handle(msg tea.Msg) tea.Cmd {
	cmd, _ := listBindings.Handle(v, v.cursor.Input(msg, len(v.games)))
	return cmd
}

func (v *list) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	widget.DrawHeader(c, t, "Learn", "short lessons on the board, at your pace", "")
	c = widget.Middle(c, widget.ColumnWidth)
	w, h := c.Size()
	from, to := v.cursor.Window(2, h-2, len(v.games))
	for i := from; i < to; i++ {
		g, y := v.games[i], 2+i-from
		style := t.Text
		if i == v.cursor.Index {
			style = t.Selected
			c.Fill(0, y, w, 1, style, ' ')
			c.Text(0, y, style, "›")
		}
		n := c.Text(2, y, style, g.Engine().Title())
		c.Text(2+max(n, 6), y, style, v.progress(g))
	}
	g := v.games[v.cursor.Index]
	for i, l := range widget.Wrap(g.Rules()[0], w-4) {
		c.Text(2, 3+to-from+i, t.Dim, l)
	}
}

// progress describes how many lessons of a game the user has solved.
func (v *list) progress(g game.Teacher) string {
	all, solved := len(g.Lessons()), v.Shell.Visit.SolvedLessons(g)
	switch {
	case solved == 0:
		return words.Plural(all, "lesson")
	case solved >= all:
		return fmt.Sprintf("all %d lessons solved", all)
	}
	return fmt.Sprintf("%d of %d lessons solved", solved, all)
}

func (v *list) StatusKeys() []game.Key { return listBindings.Status(v) }

func (v *list) Help() screen.Help {
	return screen.Help{
		Title: "Lessons",
		About: "Each lesson shows a position and asks for one or more actions. A wrong one is explained and taken back. With an account your progress is kept.",
		Keys:  listBindings.Help(v),
	}
}
