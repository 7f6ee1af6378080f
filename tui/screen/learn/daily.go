package learn

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/puzzles"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// dailyRow is a row of the list of the daily puzzles.
type dailyRow struct {
	number                int
	theme, rating, result string
	share                 string // the line for sharing, in each row
}

// openDaily lists the daily puzzles of a game with the user's results and the line for sharing. A choice returns to the screen of
// puzzles below the list.
func (v *puzzleScreen) openDaily(name string) tea.Cmd {
	sh := v.Shell
	title := name
	if g, ok := sh.Config.Games.ByName(name); ok {
		title = g.Engine().Title()
	}
	l := &screen.List[dailyRow]{
		Title: "Daily puzzles of " + title, Subtitle: func() string { return "the same for everyone today" }, HelpTitle: "Daily puzzles",
		About: "Five puzzles, each harder than the one before. Your first answer of the day counts, without a hint: + solved, - not solved. The line below the list is for sharing and says nothing of the solutions.",
		Load: func(ctx context.Context, _ string, _ *dailyRow) (p screen.Page[dailyRow], err error) {
			r, err := op.Daily.Run(ctx, sh.Visit, op.DailyArgs{Game: name})
			if err != nil {
				return p, err
			}
			for i, z := range r.Puzzles {
				p.Rows = append(p.Rows, dailyRow{i + 1, sh.Config.Puzzles.Theme(z).Title(), fmt.Sprintf("%.0f", z.InitialRating()), words.DailyResult(r.Result(i)), r.Share(sh.Visit)})
			}
			return p, nil
		},
		ID: func(r dailyRow) any { return r.number },
		Columns: []screen.Column[dailyRow]{
			{Title: "No.", Width: 4, Text: func(r dailyRow) string { return fmt.Sprint(r.number) }},
			{Title: "Theme", Width: 21, Fills: true, Text: func(r dailyRow) string { return r.theme }},
			{Title: "Rating", Width: 7, Rank: 1, Text: func(r dailyRow) string { return r.rating }},
			{Title: "Result", Width: 13, Text: func(r dailyRow) string { return r.result }},
		},
		MaxWidth: widget.ColumnWidth,
		Detail:   func(r dailyRow) (string, string) { return "To share", r.share },
		Actions: []screen.RowAction[dailyRow]{
			{Key: screen.Keys("enter space", "Enter", "solve the selected puzzle"), Label: "solve", Do: func(r dailyRow) tea.Cmd {
				return tea.Batch(v.leaveLists(), v.choose(op.PuzzleArgs{Game: name, Daily: r.number}, stay))
			}},
		},
	}
	if v.Mode == puzzles.ModeDaily && v.Game == name {
		l.Start = v.Number
	}
	return l.Push(sh)
}

// leaveLists returns to the screen of puzzles from the lists above it.
func (v *puzzleScreen) leaveLists() tea.Cmd {
	var all []tea.Cmd
	for range 2 { // the list of training, and that of the daily puzzles
		if v.Shell.Current() == screen.Screen(v) {
			break
		}
		all = append(all, v.Shell.Back())
	}
	return tea.Batch(all...)
}
