package help

import (
	"slices"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
)

// The layout of an example.
const (
	maxFigureColumns = 30
	maxFigureRows    = 12
	figureGap        = 3  // between a figure and the text beside it
	minBesideColumns = 20 // of that text; where there are fewer, it is below the figure
	otherRows        = 3  // visible beside the whole figure: the heading, and what follows
)

// addExample adds the example of a game: its position, drawn as on a board, and the text.
func (v *help) addExample(g game.Game, e game.Illustrator) {
	state, paragraphs := e.Example()
	state.Static = true
	board := g.New()
	board.Show(state)
	w, h, ok := board.Fit(min(maxFigureColumns, v.laid.width), min(maxFigureRows, v.laid.rows-otherRows))
	if !ok {
		v.addParagraphs(paragraphs)
		return
	}
	figure := paint.Draw(nil, w, h, func(c paint.Canvas) { board.Draw(c, v.laid.style) })
	width := v.laid.width - w - figureGap
	if width < minBesideColumns {
		for row := range h {
			v.lines = append(v.lines, line{figure: figure, row: row})
		}
		v.lines = append(v.lines, line{})
		v.addParagraphs(paragraphs)
		return
	}
	var beside []string
	for i, p := range paragraphs {
		if i > 0 {
			beside = append(beside, "")
		}
		beside = append(beside, widget.Wrap(p, width)...)
	}
	for row, text := range slices.Concat(beside, make([]string, max(h-len(beside), 0))) {
		v.lines = append(v.lines, line{figure: figure, row: row, text: text})
	}
}
