package learn

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// openList lists the games with lessons.
func openList(sh *screen.Shell) tea.Cmd {
	l := &screen.List[game.Teacher]{
		Title: "Learn", Subtitle: func() string { return "short lessons on the board, at your pace" }, HelpTitle: "Lessons",
		About: "Each lesson shows a position and asks for one or more actions. A wrong one is explained and taken back. With an account your progress is kept.",
		Rows:  sh.Visit.TaughtGames,
		ID:    func(g game.Teacher) any { return g.Name() },
		Columns: []screen.Column[game.Teacher]{
			{Title: "Game", Width: 8, Fills: true, Text: func(g game.Teacher) string { return g.Engine().Title() }},
			{Title: "Lessons", Width: 30, Text: func(g game.Teacher) string { return progress(sh, g) }},
		},
		MaxWidth: widget.ColumnWidth,
		Detail:   func(g game.Teacher) (string, string) { return "", g.Rules()[0] },
		Actions: []screen.RowAction[game.Teacher]{
			{Key: screen.Keys("enter space", "Enter", "begin the lessons of a game, or continue them"), Label: "learn", Do: func(g game.Teacher) tea.Cmd { return sh.Open(dest.Lessons{Game: g.Name()}) }},
		},
	}
	return l.Push(sh)
}

// progress describes how many lessons of a game the user has solved.
func progress(sh *screen.Shell, g game.Teacher) string {
	all, solved := len(g.Lessons()), sh.Visit.SolvedLessons(g)
	switch {
	case solved == 0:
		return words.Plural(all, "lesson")
	case solved >= all:
		return fmt.Sprintf("all %d lessons solved", all)
	}
	return fmt.Sprintf("%d of %d lessons solved", solved, all)
}
