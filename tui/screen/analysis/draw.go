package analysis

import (
	"fmt"

	engineanalysis "ayumu/engine/analysis"
	"ayumu/tui/paint"
	"ayumu/tui/screen/taskboard"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// chartRows is the height of the chart with its signs; in low windows it is lowChartRows.
const (
	chartRows    = 7
	lowChartRows = 5
	lowWindow    = 22 // rows of a window below which the chart is low
)

// mistakes returns the numbers of turns after which the positions are that mistakes led to.
func (v *analysis) mistakes() (all []int) {
	for i := range v.Turns {
		if v.Loss(i) >= engineanalysis.MistakeLoss {
			all = append(all, i+1)
		}
	}
	return all
}

// chart returns the chart of the chances of a seat.
func (v *analysis) chart(h int) taskboard.Paragraph {
	ch := widget.Chart{All: len(v.Turns) + 1, At: v.At, ASCII: v.Shell.Style.ASCII}
	for _, e := range v.Evaluations {
		ch.Shares = append(ch.Shares, e.Chances[v.chartSeat])
	}
	for _, n := range v.mistakes() {
		if v.Turns[n-1].Seat == v.chartSeat {
			ch.Noted = append(ch.Noted, n)
		}
	}
	rows := chartRows
	if h < lowWindow {
		rows = lowChartRows
	}
	t := v.Shell.Style.Theme
	return taskboard.Paragraph{Rows: rows, Draw: func(c paint.Canvas) { ch.Draw(c, t) }}
}

// text returns what is beside the board.
func (v *analysis) text(h int) []taskboard.Paragraph {
	t := v.Shell.Style.Theme
	if v.open != nil {
		return v.exerciseText()
	}
	title := "Start of the game"
	if v.At > 0 {
		title = fmt.Sprintf("Turn %d of %d", v.NumberOf(v.At-1), v.Snapshot.Turns)
	}
	all := []taskboard.Paragraph{{Text: title, Style: t.Strong}}
	if chances := v.Chances(); chances != "" {
		all = append(all, taskboard.Paragraph{Text: words.Sentence("chances: " + chances), Style: t.Text})
	}
	if v.At > 0 {
		if text := v.Verdict(v.At - 1); text != "" {
			all = append(all, taskboard.Paragraph{Text: text, Style: t.Text})
		}
	}
	all = append(all, taskboard.Paragraph{Text: v.chartTitle(), Style: t.Dim}, v.chart(h))
	if summary := v.Summary(); summary != "" {
		all = append(all, taskboard.Paragraph{Text: summary, Style: t.Notice})
	}
	return all
}

// chartTitle names the player of the chart.
func (v *analysis) chartTitle() string {
	if v.chartSeat == v.Seat {
		return "Your chance of winning:"
	}
	return v.Snapshot.Info.Seats[v.chartSeat].Name + "'s chance of winning:"
}

// exerciseText returns what is beside the board of an exercise.
func (v *analysis) exerciseText() []taskboard.Paragraph {
	t, x := v.Shell.Style.Theme, v.open
	all := []taskboard.Paragraph{
		{Text: fmt.Sprintf("Turn %d cost about %s", v.NumberOf(x.Turn), words.Percent(x.Loss)), Style: t.Strong},
		{Text: v.Task(x.Exercise), Style: t.Text},
	}
	add := func(style paint.Style, text string) {
		all = append(all, taskboard.Paragraph{Text: text, Style: style})
	}
	switch {
	case x.judging:
		add(t.Dim, "The engine is thinking about your move …")
	case x.opinion != "" && !x.IsSolved && !x.IsShown:
		add(t.Bad, x.opinion)
	case x.opinion != "" && x.IsSolved:
		add(t.Good, x.opinion)
	case !x.IsOver():
		add(t.Notice, "Make your move on the board.")
	}
	if x.IsOver() {
		add(t.Text, v.Solution(x.Turn)+" It is marked on the board.")
		add(t.Notice, words.Sentence("Enter: "+v.nextLabel()))
	}
	return all
}

// Draw implements screen.Screen.
func (v *analysis) Draw(c paint.Canvas) {
	_, h := c.Size()
	title := "Analysis"
	if v.open != nil {
		title = "Find a better move"
	}
	side := v.Snapshot.Info.Title()
	if v.open != nil {
		side = "you are " + v.Game.Side(v.position(), v.open.Seat) + " · " + side
	}
	p := taskboard.Page{Title: title, Side: side, Note: "played " + words.Date(v.Snapshot.LastAt), Text: v.text(h - 1)}
	p.Status, p.StatusStyle = v.StatusLine()
	v.area = p.Draw(c, v.Shell.Style, v.board)
}
