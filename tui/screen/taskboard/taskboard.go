// Package taskboard lays out a board with a text beside or below it, as lessons and puzzles need it.
package taskboard

import (
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
)

// Paragraph is a part of the text.
type Paragraph struct {
	Text  string
	Style paint.Style
}

// Area is a rectangle of the screen.
type Area struct{ x, y, w, h int }

// At converts a cell of the screen to one of the area; ok reports whether it is inside.
func (a Area) At(x, y int) (ax, ay int, ok bool) {
	ax, ay = x-a.x, y-a.y
	return ax, ay, ax >= 0 && ay >= 0 && ax < a.w && ay < a.h
}

// The layout of the board and the text beside or below it.
const (
	minTextColumns = 22
	maxTextColumns = 44
	textGap        = 2
)

// wrapped returns the rows of paragraphs in a width, with an empty row between two of them if spaced is set.
func wrapped(all []Paragraph, width int, spaced bool) (rows []Paragraph) {
	for i, p := range all {
		if i > 0 && spaced {
			rows = append(rows, Paragraph{})
		}
		for _, l := range widget.Wrap(p.Text, width) {
			rows = append(rows, Paragraph{l, p.Style})
		}
	}
	return rows
}

// layout is where the board and the text are.
type layout struct{ board, text Area }

// layOut returns the layout with the largest board below the header of a canvas of w columns and h rows, and the rows
// of the text: beside the board, or below it. ok is false if both do not fit.
func layOut(board game.Board, text []Paragraph, w, h int) (best layout, rows []Paragraph, ok bool) {
	h--
	try := func(bw, bh int, l layout, r []Paragraph) {
		if ok && bw*bh <= best.board.w*best.board.h {
			return
		}
		l.board.w, l.board.h = bw, bh
		best, rows, ok = l, r, true
	}
	for _, spaced := range []bool{true, false} {
		for width := min(maxTextColumns, w-2); width >= minTextColumns; width-- {
			r := wrapped(text, width, spaced)
			bw, bh, fits := board.Fit(w-width-textGap-2, h)
			if !fits || len(r) > h {
				continue
			}
			x := (w - bw - textGap - width) / 2
			try(bw, bh, layout{Area{x: x, y: 1 + min((h-bh)/2, 1)}, Area{x + bw + textGap, 1 + min(max(h-len(r), 0), 1), width, len(r)}}, r)
		}
		if ok {
			return best, rows, ok
		}
		r := wrapped(text, w-2, spaced)
		if bw, bh, fits := board.Fit(w, h-len(r)); fits && h > len(r) {
			try(bw, bh, layout{Area{x: (w - bw) / 2, y: 1}, Area{1, 1 + bh, w - 2, len(r)}}, r)
		}
	}
	return best, rows, ok
}

// Draw draws a board and a text below the header of a canvas, and returns where the board is. A board that does not fit
// is left out.
func Draw(c paint.Canvas, style game.Style, board game.Board, text []Paragraph) Area {
	w, h := c.Size()
	l, rows, ok := layOut(board, text, w, h)
	if !ok {
		rows, l.text = wrapped(text, w-2, false), Area{1, 1, w - 2, h - 1}
	} else {
		drawBoard(c.Sub(l.board.x, l.board.y, l.board.w, l.board.h), style, board)
	}
	for y, p := range rows {
		c.Text(l.text.x, l.text.y+y, p.Style, p.Text)
	}
	return l.board
}

// drawBoard draws a board in the size of a canvas, from a shared frame where the board has one.
func drawBoard(c paint.Canvas, style game.Style, board game.Board) {
	w, h := c.Size()
	if f, shares := board.(game.Framer); shares {
		if frame := f.Frame(w, h, style); frame != nil {
			c.Blit(0, 0, frame)
			return
		}
	}
	board.Draw(c, style)
}
