package learn

import (
	"cmp"
	"fmt"

	engineanalysis "ayumu/engine/analysis"
	"ayumu/tui/paint"
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
func (v *analysis) chart(h int) paragraph {
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
	return paragraph{Rows: rows, Draw: func(c paint.Canvas) { ch.Draw(c, t) }}
}

// text returns what is beside the board.
func (v *analysis) text(h int) []paragraph {
	t := v.Shell.Style.Theme
	if v.open != nil {
		return v.exerciseText()
	}
	all := []paragraph{{Text: v.chartTitle(), Style: t.Dim}, v.chart(h), v.turnList(h), v.opinion()}
	return append(all, v.summary())
}

// summaryRows is the number of rows for the summary, which has the progress until the analysis is complete, so that nothing moves
// then.
const summaryRows = 2

// summary returns the costliest turns, or how far the analysis is.
func (v *analysis) summary() paragraph {
	t := v.Shell.Style.Theme
	progress := v.Progress()
	if progress == "" || v.Err != nil {
		return paragraph{Text: cmp.Or(progress, v.Summary()), Style: t.Notice}
	}
	return paragraph{Rows: summaryRows, Draw: func(c paint.Canvas) { c.Text(0, 0, t.Dim, progress) }}
}

// turnTitle names the position that is shown.
func (v *analysis) turnTitle() string {
	if v.At == 0 {
		return "Start of the game"
	}
	return fmt.Sprintf("Turn %d of %d", v.TurnNumber(v.At-1), v.Snapshot.Turns)
}

// opinionRows is the number of rows for what is said of a turn. It is fixed, so that neither the board nor the chart moves from
// turn to turn.
const opinionRows = 6

// opinion returns what the engine thinks of the turn that led to the position, and of the position.
func (v *analysis) opinion() paragraph {
	t := v.Shell.Style.Theme
	all := []paragraph{{Text: v.turnTitle(), Style: t.Strong}}
	if chances := v.Chances(); chances != "" && (v.At == 0 || len(v.Snapshot.Info.Seats) > 2) { // of two the verdict says it
		all = append(all, paragraph{Text: words.Sentence("estimated chances: " + chances), Style: t.Text})
	}
	if v.At > 0 {
		if text := v.Verdict(v.At - 1); text != "" {
			all = append(all, paragraph{Text: text, Style: t.Text})
		}
	}
	if v.openExercise() != nil {
		all = append(all, paragraph{Text: "Enter: find a better move.", Style: t.Notice})
	}
	return paragraph{Rows: opinionRows, Draw: func(c paint.Canvas) {
		w, h := c.Size()
		for y, row := range wrapped(all, w, false) {
			if y < h {
				c.Text(0, y, row.Style, row.Text)
			}
		}
	}}
}

// turnRows returns the number of rows of the list of turns in a window of h rows.
func turnRows(h int) int {
	switch {
	case h < lowWindow:
		return 3
	case h < 30:
		return 4
	}
	return min(h-24, 16)
}

// turnSign returns the sign of a turn by the engine's estimate: ?? for a blunder, ? for a mistake; "": neither.
func (v *analysis) turnSign(turn int) string {
	switch loss := v.Loss(turn); {
	case loss >= engineanalysis.BlunderLoss:
		return "??"
	case loss >= engineanalysis.MistakeLoss:
		return "?"
	}
	return ""
}

// turnList returns the list of the turns around the one that led to the position, each with its player and its sign.
func (v *analysis) turnList(h int) paragraph {
	t, rows := v.Shell.Style.Theme, max(min(turnRows(h), len(v.Turns)), 1)
	return paragraph{Rows: rows, Draw: func(c paint.Canvas) {
		w, _ := c.Size()
		first := max(min(v.At-1-rows/2, len(v.Turns)-rows), 0)
		for y := range min(rows, len(v.Turns)-first) {
			i := first + y
			turn, style, mark := v.Turns[i], t.Text, " "
			if i == v.At-1 {
				style, mark = t.Strong, "›"
			}
			name := v.Snapshot.Info.Seats[turn.Seat].Name
			if turn.Seat == v.Seat {
				name = "you"
			}
			played := v.Game.ShortTurn(turn.Actions)
			if len(turn.Actions) == 0 {
				played = "left"
			}
			loss := ""
			if sign := v.turnSign(i); sign != "" {
				loss = fmt.Sprintf(" %s -%s", sign, words.Percent(v.Loss(i)))
			}
			text := paint.Cut(fmt.Sprintf("%s%3d %s %s", mark, v.TurnNumber(i), name, played), w-len(loss))
			n := c.Text(0, y, style, text)
			c.Text(n, y, t.Bad, loss)
		}
	}}
}

// shortText returns a line that takes the place of the text in windows where the board has no space beside it.
func (v *analysis) shortText() []paragraph {
	t := v.Shell.Style.Theme
	switch x := v.open; {
	case x != nil && x.IsOver():
		e := v.Evaluations[x.Turn]
		return []paragraph{{Text: fmt.Sprintf("%s: about %s, marked", v.Game.ShortTurn(e.Best), words.Percent(e.BestChance)), Style: t.Text}}
	case x != nil && x.opinion != "":
		return []paragraph{{Text: x.opinion, Style: t.Notice}}
	case x != nil:
		return []paragraph{{Text: fmt.Sprintf("Better than %s (-%s)?", v.Game.ShortTurn(v.Turns[x.Turn].Actions), words.Percent(x.Loss)), Style: t.Notice}}
	case v.At == 0:
		return []paragraph{{Text: v.turnTitle() + ". →: next move.", Style: t.Text}}
	}
	text := fmt.Sprintf("%d/%d %s", v.TurnNumber(v.At-1), v.Snapshot.Turns, v.Game.ShortTurn(v.Turns[v.At-1].Actions))
	if sign := v.turnSign(v.At - 1); sign != "" {
		text += fmt.Sprintf(" %s -%s", sign, words.Percent(v.Loss(v.At-1)))
	}
	if e, ok := v.Evaluation(v.At); ok {
		text += fmt.Sprintf("; %s about %s", v.Snapshot.Info.Seats[v.chartSeat].Name, words.Percent(e.Chances[v.chartSeat]))
	}
	return []paragraph{{Text: text, Style: t.Text}}
}

// restText returns what follows shortText where rows are left below the board.
func (v *analysis) restText() []paragraph {
	t := v.Shell.Style.Theme
	switch x := v.open; {
	case x != nil && x.IsOver():
		return []paragraph{{Text: words.Sentence("Enter: " + v.nextLabel()), Style: t.Notice, CanCut: true}}
	case x != nil:
		return []paragraph{{Text: v.Task(x.Exercise), Style: t.Text, CanCut: true}}
	case v.Summary() != "":
		return []paragraph{{Text: v.Summary(), Style: t.Notice, CanCut: true}}
	}
	return nil
}

// chartTitle names the player of the chart.
func (v *analysis) chartTitle() string {
	if v.chartSeat == v.Seat {
		return "Your chance of winning:"
	}
	return v.Snapshot.Info.Seats[v.chartSeat].Name + "'s chance of winning:"
}

// exerciseText returns what is beside the board of an exercise.
func (v *analysis) exerciseText() []paragraph {
	t, x := v.Shell.Style.Theme, v.open
	all := []paragraph{
		{Text: fmt.Sprintf("Turn %d cost about %s", v.TurnNumber(x.Turn), words.Percent(x.Loss)), Style: t.Strong},
		{Text: v.Task(x.Exercise), Style: t.Text},
	}
	add := func(style paint.Style, text string) {
		all = append(all, paragraph{Text: text, Style: style})
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
	p := boardPage{Title: title, Side: side, Note: "played " + words.Date(v.Snapshot.LastAt), Text: v.text(h - 1)}
	p.Status, p.StatusStyle = v.StatusLine()
	if w, h := c.Size(); !hasSpace(v.board, p.Text, w, h-1) && hasSpace(v.board, v.shortText(), w, h-1) {
		p.SizeText = v.shortText()
		p.Text = append(v.shortText(), v.restText()...)
	} else if v.open == nil {
		p.Status = "" // the summary has it
	}
	v.area = p.Draw(c, v.Shell.Style, v.board)
}
