package learn

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/puzzles"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// puzzleRow is a row of the list: the puzzles of a game, one of its themes, or a streak.
type puzzleRow struct {
	puzzles.Summary
	label, detail string
	isStreak      bool
	isDay         bool // the puzzle of the day of the game
	isDaily       bool // the five daily puzzles of the game
}

// puzzleRowID identifies a row.
type puzzleRowID struct {
	game, theme string
	isStreak    bool
	isDay       bool
	isDaily     bool
}

// openList lists the games and themes to train. A choice returns to the screen of puzzles below the list.
func (v *puzzleScreen) openList() tea.Cmd {
	sh := v.Shell
	style := func(r puzzleRow) paint.Style {
		if r.Theme == "" && !r.isStreak && !r.isDay && !r.isDaily {
			return sh.Style.Theme.Strong
		}
		return sh.Style.Theme.Text
	}
	l := &screen.List[puzzleRow]{
		Title: "Train", Subtitle: func() string { return "puzzles near your rating; missed ones come back" }, HelpTitle: "Training",
		About: "Puzzles of the game or theme that you choose, near your rating. In a streak the puzzles become harder until the first wrong answer, without hints; a streak is not rated, and your best is kept. With an account your progress is kept.",
		Load: func(ctx context.Context, _ string, _ *puzzleRow) (p screen.Page[puzzleRow], err error) {
			all, err := op.Puzzles.Run(ctx, sh.Visit, op.None{})
			p.Rows = puzzleRows(sh.Visit, all)
			return p, err
		},
		ID: func(r puzzleRow) any { return puzzleRowID{r.Game, r.Theme, r.isStreak, r.isDay, r.isDaily} },
		Columns: []screen.Column[puzzleRow]{
			{Width: 23, Style: style, Text: func(r puzzleRow) string { return r.label }},
			{Fills: true, Style: style, Text: func(r puzzleRow) string { return r.detail }},
		},
		MaxWidth: widget.ColumnWidth,
		Actions: []screen.RowAction[puzzleRow]{
			{Key: screen.Keys("enter space", "Enter", "train with the selected puzzles; for a streak, begin it"), Label: "train", Do: func(r puzzleRow) tea.Cmd {
				if r.isDaily {
					return v.openDaily(r.Game)
				}
				return tea.Batch(sh.Back(), v.choose(op.PuzzleArgs{Game: r.Game, Theme: r.Theme, Streak: r.isStreak, Day: r.isDay}, stay))
			}},
		},
	}
	switch {
	case v.Mode == puzzles.ModeTraining:
		l.Start = puzzleRowID{v.Game, v.Theme, false, false, false}
	case v.Mode == puzzles.ModeDay && v.IsOver():
		l.Start = puzzleRowID{game: v.Puzzle.Game, isDaily: true}
	}
	return l.Push(sh)
}

// puzzleRows returns the rows for the summaries of games and themes, with the user's results of today.
func puzzleRows(visit *op.Visit, all []puzzles.Summary) (rows []puzzleRow) {
	var streak *puzzleRow
	for _, s := range all {
		if s.Theme != "" {
			rows = append(rows, puzzleRow{Summary: s, label: "  " + s.Title, detail: words.PuzzleSummary(s)})
			continue
		}
		if streak != nil {
			rows = append(rows, *streak)
		}
		title := s.Game
		if g, ok := visit.Games.ByName(s.Game); ok {
			title = g.Engine().Title()
		}
		rows = append(rows, puzzleRow{Summary: s, label: title, detail: words.PuzzleSummary(s)})
		if s.ShowsRating() {
			rows[len(rows)-1].label += " · you " + words.PuzzleRating(s.UserRating)
		}
		ofDay := puzzleRow{Summary: s, isDay: true, label: "  Puzzle of the day", detail: "the same for everyone"}
		if result := words.DailyResult(visit.ResultOfDay(s.Game)); result != "" {
			ofDay.detail = result
		}
		daily := puzzleRow{Summary: s, isDaily: true, label: "  Daily five", detail: "each harder, a result to share"}
		if r := visit.DailyResults(s.Game); r.IsBegun() {
			daily.detail = fmt.Sprintf("%d of %d solved: %s", r.Solved(), len(r.Results), r.Results)
		}
		rows = append(rows, ofDay, daily)
		streak = &puzzleRow{Summary: s, isStreak: true, label: "  Streak", detail: "until the first wrong answer"}
		if best := s.BestStreak; best > 0 {
			streak.detail += fmt.Sprintf(" · best %d", best)
		}
	}
	if streak != nil {
		rows = append(rows, *streak)
	}
	return rows
}
