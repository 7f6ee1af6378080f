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
	// CanCut reports that the text may be cut where there are too few rows for all, but for as many of its rows as Kept.
	CanCut bool
	Kept   int
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

// fitted returns the rows of paragraphs in a width, at most as many as most: without empty rows between paragraphs if there are
// too many with them, and then with paragraphs cut, the last one that can be first. A … ends what is cut.
func fitted(all []paragraph, width, most int) []paragraph {
	for _, spaced := range []bool{true, false} {
		if rows := wrapped(all, width, spaced); len(rows) <= most {
			return rows
		}
	}
	excess := len(wrapped(all, width, false)) - most
	var rows []paragraph
	for i := len(all) - 1; i >= 0; i-- {
		own := wrapped(all[i:i+1], width, false)
		if p := all[i]; p.CanCut && excess > 0 {
			kept := min(max(len(own)-excess, p.Kept), len(own))
			excess -= len(own) - kept
			if kept > 0 && kept < len(own) {
				own[kept-1].Text = paint.Cut(own[kept-1].Text+" …", width) // which ends with a … of its own where it is too long
			}
			own = own[:kept]
		}
		rows = append(own, rows...)
	}
	if most > 0 && len(rows) > most {
		rows = rows[:most]
		if last := &rows[most-1]; last.Text != "" {
			last.Text = paint.Cut(last.Text+" …", width)
		}
	}
	return rows[:max(min(len(rows), most), 0)]
}

// layout is where the board and the text are. The area of the text has all rows that the text may have.
type layout struct{ board, text area }

// layOut returns the layout with the largest board below the header of a canvas of w columns and h rows that has space for a
// text: beside the board, or below it. The text has no empty rows if the board is more than twice as large
// without them. ok is false if both do not fit.
func layOut(board game.Board, text []paragraph, w, h int) (best layout, ok bool) {
	h--
	factor := 1
	try := func(bw, bh int, l layout) {
		if ok && bw*bh <= factor*best.board.w*best.board.h {
			return
		}
		l.board.w, l.board.h = bw, bh
		best, ok = l, true
	}
	for _, spaced := range []bool{true, false} {
		for width := min(maxTextColumns, w-2); width >= minTextColumns; width-- {
			bw, bh, fits := board.Fit(w-width-textGap-2, h)
			if !fits || len(wrapped(text, width, spaced)) > h {
				continue
			}
			x := (w - bw - textGap - width) / 2
			try(bw, bh, layout{area{x: x, y: 1 + min((h-bh)/2, 1)}, area{x + bw + textGap, 1, width, h}})
		}
		n := len(wrapped(text, w-2, spaced))
		if bw, bh, fits := board.Fit(w, h-n); !ok && fits && h > n {
			try(bw, bh, layout{area{x: (w - bw) / 2, y: 1}, area{1, 1 + bh, w - 2, h - bh}})
		}
		if ok {
			factor = 2
		}
	}
	return best, ok
}

// rows returns the rows of a text in the layout, and puts it one row lower where it leaves space beside the board.
func (l *layout) rows(text []paragraph) []paragraph {
	all := fitted(text, l.text.w, l.text.h)
	if l.isBeside() && len(all) < l.text.h {
		l.text.y++
	}
	return all
}

// isBeside reports whether the text is beside the board.
func (l *layout) isBeside() bool { return l.text.x > l.board.x }

// hasSpace reports whether a board and a text fit below the header of a canvas of w columns and h rows.
func hasSpace(board game.Board, text []paragraph, w, h int) bool {
	_, ok := layOut(board, text, w, h)
	return ok
}

// drawTask draws a board and a text below the header of a canvas, and returns where the board is. The board is as large as a text
// with the paragraphs of size allows. A board that does not fit is left out, which is said where there is space.
func drawTask(c paint.Canvas, style game.Style, board game.Board, text, size []paragraph) area {
	w, h := c.Size()
	l, ok := layOut(board, size, w, h)
	if !ok {
		l = layout{text: area{1, 1, w - 2, h - 1}}
		rows := wrapped(text, w-2, false)
		if len(rows)+2 <= l.text.h {
			rows = append(rows, paragraph{}, paragraph{Text: "The board needs a larger window.", Style: style.Theme.Notice})
		}
		l.draw(c, style, board, rows)
		return l.board
	}
	rows := l.rows(text)
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
	// SizeText is a text that decides how large the board is, so that it stays the same while Text changes; nil: Text.
	SizeText    []paragraph
	Status      string // the status line
	StatusStyle paint.Style
}

// Draw draws the page and returns where the board is. A board that is larger without header and status line is drawn as
// high as the canvas, and what they say is above and below the text beside it.
func (p boardPage) Draw(c paint.Canvas, style game.Style, board game.Board) area {
	w, h := c.Size()
	t := style.Theme
	if p.SizeText == nil {
		p.SizeText = p.Text
	}
	tall := func(text []paragraph) []paragraph {
		all := append([]paragraph{{Text: p.Title, Style: t.Strong}, {Text: cmp.Or(p.ShortSide, p.Side), Style: t.Dim}}, text...)
		if p.Status != "" {
			all = append(all, paragraph{Text: p.Status, Style: p.StatusStyle})
		}
		return all
	}
	usual, usualFits := layOut(board, p.SizeText, w, h-1)
	l, fits := layOut(board, tall(p.SizeText), w, h+1)
	if fits && l.isBeside() && (!usualFits || l.board.w*l.board.h > 2*usual.board.w*usual.board.h) {
		rows := l.rows(tall(p.Text))
		l.board.y, l.text.y = 0, l.text.y-1
		l.draw(c, style, board, rows)
		return l.board
	}
	widget.DrawHeader(c, t, p.Title, p.Side, p.Note)
	widget.DrawStatus(c, p.StatusStyle, p.Status)
	return drawTask(c.Sub(0, 0, w, h-1), style, board, p.Text, p.SizeText)
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
