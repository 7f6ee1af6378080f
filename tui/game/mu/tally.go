package mu

import (
	"strconv"

	"ayumu/engine/mu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// tallyForm is a form of the row above the board: the number of every seat, and the moves that are left.
type tallyForm struct {
	label bool // what the numbers are
	own   bool // the session's seat is marked
	gap   int  // columns before each seat
	moves bool
}

// tallyForms has the forms from the most complete to the shortest.
var tallyForms = [...]tallyForm{
	{label: true, own: true, gap: 2, moves: true},
	{own: true, gap: 2, moves: true},
	{gap: 2, moves: true},
	{gap: 1, moves: true},
	{gap: 1},
}

// ownMark stands before the session's seat in a match of more than two.
const ownMark = "you "

// drawTally draws the tally in the first row of a canvas, in the first form that fits. A seat that has left or has
// no men is marked ×. seat is the session's, -1 for a spectator.
func drawTally(c paint.Canvas, p *mu.Position, seat int, style game.Style) {
	label, numbers := tally(p)
	moves := ""
	if p.Phase() == mu.Play {
		moves = "  moves " + strconv.Itoa(len(p.Rights()))
	}
	w, _ := c.Size()
	form := tallyForms[0]
	for _, form = range tallyForms {
		form.own = form.own && seat >= 0 && len(numbers) > 2
		if form.width(label, numbers, moves) <= w {
			break
		}
	}
	t, colors := style.Theme, stylePalette(style)
	x := 0
	if form.label {
		x += c.Text(0, 0, t.Dim, label)
	}
	for i, n := range numbers {
		x += form.gap
		if form.own && i == seat {
			x += c.Text(x, 0, t.Dim, ownMark)
		}
		number := t.Text
		if p.Phase() != mu.Over && p.Turn() == i {
			c.Text(x-1, 0, t.Notice, "▸")
			number = t.Strong
		}
		x += c.Text(x, 0, colors.besideBoard[i], mark(i, false, style))
		if p.HasLeft(i) || p.Eliminated(i) {
			x += c.Text(x, 0, t.Dim, "×")
			continue
		}
		x += c.Text(x, 0, number, strconv.Itoa(n))
	}
	if form.moves {
		c.Text(x, 0, t.Dim, moves)
	}
}

// width returns the number of columns that the form takes at most.
func (f tallyForm) width(label string, numbers []int, moves string) int {
	w := 0
	if f.label {
		w += len(label)
	}
	if f.own {
		w += len(ownMark)
	}
	for _, n := range numbers {
		w += f.gap + 1 + digits(n)
	}
	if f.moves {
		w += len(moves)
	}
	return w
}

// digits returns the number of decimal digits of n, which is not negative.
func digits(n int) int {
	d := 1
	for ; n > 9; n /= 10 {
		d++
	}
	return d
}
