package lesson

import (
	"fmt"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
)

// area is a rectangle of the screen.
type area struct{ x, y, w, h int }

// at converts a cell of the screen to one of the area; ok reports whether it is inside.
func (a area) at(x, y int) (ax, ay int, ok bool) {
	ax, ay = x-a.x, y-a.y
	return ax, ay, ax >= 0 && ay >= 0 && ax < a.w && ay < a.h
}

// The layout of the board and the text beside or below it.
const (
	minTextColumns = 22
	maxTextColumns = 44
	textGap        = 2
)

// paragraph is a part of the text.
type paragraph struct {
	text  string
	style paint.Style
}

// text returns what is beside the board: the lesson, or what its solution has shown.
func (v *lessonScreen) text() []paragraph {
	t, l := v.Shell.Style.Theme, v.Lesson()
	title := paragraph{l.Title, t.Strong}
	if v.IsSolved {
		return []paragraph{title, {l.Done, t.Text}, {"Enter: " + v.nextLabel() + ".", t.Notice}}
	}
	return []paragraph{title, {l.Text, t.Text}, {l.Task, t.Notice}}
}

// wrapped returns the rows of paragraphs in a width, with an empty row between two of them if spaced is set.
func wrapped(all []paragraph, width int, spaced bool) (rows []paragraph) {
	for i, p := range all {
		if i > 0 && spaced {
			rows = append(rows, paragraph{})
		}
		for _, l := range widget.Wrap(p.text, width) {
			rows = append(rows, paragraph{l, p.style})
		}
	}
	return rows
}

// layout is where the board and the text are.
type layout struct{ board, text area }

// layOut returns the layout with the largest board below the header of a canvas of w columns and h rows, and the rows
// of the text: beside the board, or below it. ok is false if both do not fit.
func (v *lessonScreen) layOut(w, h int) (best layout, rows []paragraph, ok bool) {
	text := v.text()
	h--
	try := func(bw, bh int, l layout, r []paragraph) {
		if ok && bw*bh <= best.board.w*best.board.h {
			return
		}
		l.board.w, l.board.h = bw, bh
		best, rows, ok = l, r, true
	}
	for _, spaced := range []bool{true, false} {
		for width := min(maxTextColumns, w-2); width >= minTextColumns; width-- {
			r := wrapped(text, width, spaced)
			bw, bh, fits := v.board.Fit(w-width-textGap-2, h)
			if !fits || len(r) > h {
				continue
			}
			x := (w - bw - textGap - width) / 2
			try(bw, bh, layout{area{x: x, y: 1 + min((h-bh)/2, 1)}, area{x + bw + textGap, 1 + min(max(h-len(r), 0), 1), width, len(r)}}, r)
		}
		if ok {
			return best, rows, ok
		}
		r := wrapped(text, w-2, spaced)
		if bw, bh, fits := v.board.Fit(w, h-len(r)); fits && h > len(r) {
			try(bw, bh, layout{area{x: (w - bw) / 2, y: 1}, area{1, 1 + bh, w - 2, len(r)}}, r)
		}
	}
	return best, rows, ok
}

// Draw implements screen.Screen.
func (v *lessonScreen) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	widget.DrawHeader(c, t, "Learn "+v.Game.Engine().Title(), v.sideText(), fmt.Sprintf("%d of %d", v.At+1, v.Len()))
	l, rows, ok := v.layOut(w, h)
	v.area = l.board
	if !ok {
		rows, l.text = wrapped(v.text(), w-2, false), area{1, 1, w - 2, h - 1}
	} else {
		board := c.Sub(l.board.x, l.board.y, l.board.w, l.board.h)
		if f, shares := v.board.(game.Framer); shares {
			if frame := f.Frame(l.board.w, l.board.h, v.Shell.Style); frame != nil {
				board.Blit(0, 0, frame)
			} else {
				v.board.Draw(board, v.Shell.Style)
			}
		} else {
			v.board.Draw(board, v.Shell.Style)
		}
	}
	for y, p := range rows {
		c.Text(l.text.x, l.text.y+y, p.style, p.text)
	}
}

// sideText names the side that the user plays.
func (v *lessonScreen) sideText() string {
	return "you are " + v.Game.Side(v.Lesson().Position, v.Seat())
}
