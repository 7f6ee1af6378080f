package widget

import (
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// MinBordered is the minimum width of a window whose panes have borders. In a narrower one they have only their titles.
const MinBordered = 60

// Pane is a titled rectangle of a window. Panes that touch share a border: the last column or row of one is the first of
// the next. The zero value is no pane.
type Pane struct {
	X, Y, W, H int    // with the borders, if it has them
	Title      string // in the upper border, or in its first row without borders
	Hint       string // at the right of the title, where there is space; a key or a number
	IsFocused  bool   // the cursor is in it
	NoBorder   bool   // only the title is drawn
}

// IsShown reports whether there is a pane.
func (p Pane) IsShown() bool { return p.W > 0 }

// Inside returns the place and size of the content of the pane.
func (p Pane) Inside() (x, y, w, h int) {
	if p.NoBorder {
		return p.X, p.Y + 1, p.W, max(p.H-1, 0)
	}
	return p.X + 1, p.Y + 1, max(p.W-2, 0), max(p.H-2, 0)
}

// Of returns the part of a canvas that is inside of the pane.
func (p Pane) Of(c paint.Canvas) paint.Canvas { return c.Sub(p.Inside()) }

// The directions in which a line leaves a cell, as bits.
const (
	lineUp = 1 << iota
	lineRight
	lineDown
	lineLeft
)

// lineGlyphs has the character for each set of directions.
var lineGlyphs = [16]rune{
	lineUp | lineDown: '│', lineLeft | lineRight: '─', lineUp: '│', lineDown: '│', lineLeft: '─', lineRight: '─',
	lineRight | lineDown: '╭', lineLeft | lineDown: '╮', lineUp | lineRight: '╰', lineUp | lineLeft: '╯',
	lineUp | lineDown | lineRight: '├', lineUp | lineDown | lineLeft: '┤',
	lineLeft | lineRight | lineDown: '┬', lineLeft | lineRight | lineUp: '┴', 15: '┼',
}

// DrawPanes draws the borders of panes, joined where they touch, and their titles. It draws nothing inside of them.
func DrawPanes(c paint.Canvas, t *theme.Theme, panes ...Pane) {
	w, h := c.Size()
	lines := make([]uint8, w*h)
	add := func(x, y int, directions uint8) {
		if x >= 0 && x < w && y >= 0 && y < h {
			lines[y*w+x] |= directions
		}
	}
	for _, p := range panes {
		if !p.IsShown() || p.NoBorder || p.W < 2 || p.H < 2 {
			continue
		}
		right, bottom := p.X+p.W-1, p.Y+p.H-1
		for _, y := range []int{p.Y, bottom} {
			add(p.X, y, lineRight)
			add(right, y, lineLeft)
			for x := p.X + 1; x < right; x++ {
				add(x, y, lineLeft|lineRight)
			}
		}
		for _, x := range []int{p.X, right} {
			add(x, p.Y, lineDown)
			add(x, bottom, lineUp)
			for y := p.Y + 1; y < bottom; y++ {
				add(x, y, lineUp|lineDown)
			}
		}
	}
	for i, directions := range lines {
		if directions != 0 {
			c.Fill(i%w, i/w, 1, 1, t.Rule, lineGlyphs[directions])
		}
	}
	for _, p := range panes {
		p.DrawTitle(c, t)
	}
}

// DrawTitle draws the title of the pane and its hint over its border.
func (p Pane) DrawTitle(c paint.Canvas, t *theme.Theme) {
	if !p.IsShown() {
		return
	}
	style, space := t.Title, p.W-4
	if p.IsFocused {
		style = t.Notice
	}
	x := p.X + 2
	if p.NoBorder {
		x, space = p.X+1, p.W-2
	}
	n := 0
	if p.Title != "" {
		title := paint.Cut(p.Title, space)
		n = paint.Width(title) + 2
		if p.NoBorder {
			c.Text(x, p.Y, style, title)
		} else {
			c.Text(x-1, p.Y, style, " "+title+" ")
		}
	}
	if hint := paint.Width(p.Hint) + 2; p.Hint != "" && n+hint <= space {
		right := p.X + p.W
		if !p.NoBorder {
			right -= 2
		}
		c.Text(right-hint, p.Y, t.Dim, " "+p.Hint+" ")
	}
}
