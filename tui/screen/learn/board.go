package learn

import (
	"cmp"
	"image"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
)

// paragraph is a part of the text, or a drawing of a number of rows in its place.
type paragraph struct {
	Text  string
	Style paint.Style
	Rows  int                // of the drawing
	Draw  func(paint.Canvas) // nil: a text
}

// area is a rectangle of the screen.
type area struct{ x, y, w, h int }

// Rect returns the area as a rectangle.
func (a area) Rect() image.Rectangle { return image.Rect(a.x, a.y, a.x+a.w, a.y+a.h) }

// At converts a cell of the screen to one of the area; ok reports whether it is inside.
func (a area) At(x, y int) (ax, ay int, ok bool) {
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
func wrapped(all []paragraph, width int, spaced bool) (rows []paragraph) {
	for i, p := range all {
		if i > 0 && spaced {
			rows = append(rows, paragraph{})
		}
		if p.Draw != nil {
			rows = append(append(rows, p), make([]paragraph, p.Rows-1)...)
			continue
		}
		for _, l := range widget.Wrap(p.Text, width) {
			rows = append(rows, paragraph{Text: l, Style: p.Style})
		}
	}
	return rows
}

// layout is where the board and the text are.
type layout struct{ board, text area }

// layOut returns the layout with the largest board below the header of a canvas of w columns and h rows, and the rows
// of the text: beside the board, or below it. The text has no empty rows if the board is more than twice as large
// without them. ok is false if both do not fit.
func layOut(board game.Board, text []paragraph, w, h int) (best layout, rows []paragraph, ok bool) {
	h--
	factor := 1
	try := func(bw, bh int, l layout, r []paragraph) {
		if ok && bw*bh <= factor*best.board.w*best.board.h {
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
			try(bw, bh, layout{area{x: x, y: 1 + min((h-bh)/2, 1)}, area{x + bw + textGap, 1 + min(max(h-len(r), 0), 1), width, len(r)}}, r)
		}
		r := wrapped(text, w-2, spaced)
		if bw, bh, fits := board.Fit(w, h-len(r)); !ok && fits && h > len(r) {
			try(bw, bh, layout{area{x: (w - bw) / 2, y: 1}, area{1, 1 + bh, w - 2, len(r)}}, r)
		}
		if ok {
			factor = 2
		}
	}
	return best, rows, ok
}

// hasSpace reports whether a board and a text fit below the header of a canvas of w columns and h rows.
func hasSpace(board game.Board, text []paragraph, w, h int) bool {
	_, _, ok := layOut(board, text, w, h)
	return ok
}

// drawTask draws a board and a text below the header of a canvas, and returns where the board is. A board that does not fit
// is left out.
func drawTask(c paint.Canvas, style game.Style, board game.Board, text []paragraph) area {
	w, h := c.Size()
	l, rows, ok := layOut(board, text, w, h)
	if !ok {
		rows, l = wrapped(text, w-2, false), layout{text: area{1, 1, w - 2, h - 1}}
	}
	l.draw(c, style, board, rows)
	return l.board
}

// draw draws a board and the rows of its text; a board without an area is left out.
func (l layout) draw(c paint.Canvas, style game.Style, board game.Board, rows []paragraph) {
	if l.board.w > 0 {
		drawBoard(c.Sub(l.board.x, l.board.y, l.board.w, l.board.h), style, board)
	}
	for y, p := range rows {
		if p.Draw != nil {
			p.Draw(c.Sub(l.text.x, l.text.y+y, l.text.w, p.Rows))
			continue
		}
		c.Text(l.text.x, l.text.y+y, p.Style, p.Text)
	}
}

// boardPage is a board with a text on a whole screen that draws its status line itself.
type boardPage struct {
	Title, Side, Note string // of the header
	ShortSide         string // for Side where it is beside the board; empty: Side
	Text              []paragraph
	Status            string // the status line
	StatusStyle       paint.Style
}

// Draw draws the page and returns where the board is. A board that is larger without header and status line is drawn as
// high as the canvas, and what they say is above and below the text beside it.
func (p boardPage) Draw(c paint.Canvas, style game.Style, board game.Board) area {
	w, h := c.Size()
	t := style.Theme
	tall := append([]paragraph{{Text: p.Title, Style: t.Strong}, {Text: cmp.Or(p.ShortSide, p.Side), Style: t.Dim}}, p.Text...)
	if p.Status != "" {
		tall = append(tall, paragraph{Text: p.Status, Style: p.StatusStyle})
	}
	usual, _, usualFits := layOut(board, p.Text, w, h-1)
	l, rows, fits := layOut(board, tall, w, h+1)
	if isBeside := l.text.x > l.board.x; fits && isBeside && (!usualFits || l.board.w*l.board.h > 2*usual.board.w*usual.board.h) {
		l.board.y, l.text.y = 0, l.text.y-1
		l.draw(c, style, board, rows)
		return l.board
	}
	widget.DrawHeader(c, t, p.Title, p.Side, p.Note)
	widget.DrawStatus(c, p.StatusStyle, p.Status)
	return drawTask(c.Sub(0, 0, w, h-1), style, board, p.Text)
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
