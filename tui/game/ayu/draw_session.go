package ayu

import (
	"strings"

	"ayumu/engine/ayu"
	"ayumu/tui/paint"
)

// marks is what a session shows over the board. It is comparable.
type marks struct {
	isShown     bool // the board takes input
	hidesCursor bool
	pointer     pointer
	movable     ayu.Points // the stones that the seat can move now
	hint        ayu.Move
	hasHint     bool
	// isPlanned reports that hint is the move that the seat has entered in advance.
	isPlanned bool
	marked    string // moves, separated by spaces
}

// sessionRenderer draws marks over the board of its renderer: the cursor, the selection with its targets, the hint,
// and the paths from the unit under the cursor.
type sessionRenderer struct {
	board *renderer
	marks
}

func (s sessionRenderer) draw() {
	if s.board.showDistances && !s.hidesCursor {
		s.drawPaths()
	}
	targets := s.targets()
	for p := range targets.All() {
		s.drawTarget(p)
	}
	switch {
	case s.hasHint && s.isPlanned:
		s.drawPlanned(s.hint)
	case s.hasHint:
		s.drawHint(s.hint)
	}
	s.drawMarked()
	if s.pointer.hasSelection {
		s.drawSelection(s.pointer.selected)
	}
	if !s.hidesCursor {
		s.drawCursor(s.pointer.cursor)
	}
}

// drawSelection gives a stone another body, which the frame of the cursor does not hide, and frames it.
func (s sessionRenderer) drawSelection(p ayu.Point) {
	r, style := s.board, s.board.style.Theme.Board.Selected
	x, y := r.layout.cell(p)
	c, _ := r.colorAt(p)
	inside, _ := r.insideOf(c)
	switch {
	case r.layout.ch == 1:
		r.c.Restyle(x, y, 1, 1, func(paint.Style) paint.Style { return style })
	case r.style.ASCII:
		r.c.Restyle(x+1, y, r.layout.cw-2, r.layout.ch, func(paint.Style) paint.Style { return style })
	case style.BG == paint.Default:
		r.c.Fill(x+r.layout.cw/4, y+r.layout.ch/4, r.layout.cw-2*(r.layout.cw/4), r.layout.ch-2*(r.layout.ch/4), paint.Style{}, '▒')
	case inside == paint.Default:
		r.c.Fill(x+1, y, r.layout.cw-2, r.layout.ch, style, '▒')
	default:
		r.c.Restyle(x, y, r.layout.cw, r.layout.ch, func(st paint.Style) paint.Style {
			if st.BG == inside {
				st.BG = style.BG
			}
			if st.FG == inside {
				st.FG = style.BG
			}
			return st
		})
	}
	s.drawFrame(p, style, selectedFrame)
}

func (s sessionRenderer) drawCursor(p ayu.Point) {
	s.drawFrame(p, s.board.style.Theme.Board.Cursor, cursorFrame)
}

// targets returns the targets of the selected stone, or else of the stone under the cursor.
func (s sessionRenderer) targets() ayu.Points {
	if s.pointer.hasSelection {
		return s.pointer.targets
	}
	if s.movable.Has(s.pointer.cursor) {
		return s.board.board.Targets(s.pointer.cursor)
	}
	return ayu.Points{}
}

// drawFrame frames a point. The sign of a hint there stays visible.
func (s sessionRenderer) drawFrame(p ayu.Point, style paint.Style, m frameMarks) {
	x, y := s.board.layout.cell(p)
	s.board.drawFrame(x, y, style, m)
	switch {
	case !s.hasHint || s.isPlanned:
	case s.board.layout.ch > 1 && (p == s.hint.From || p == s.hint.To):
		s.drawHintSign(p)
	case p == s.hint.From:
		s.board.drawFrameSide(x, y, s.board.style.Theme.Board.Hint, hintFrame, 1)
	}
}

// drawPlanned frames the stone and the target of a move that was entered in advance.
func (s sessionRenderer) drawPlanned(m ayu.Move) {
	for _, p := range [2]ayu.Point{m.From, m.To} {
		s.drawFrame(p, s.board.style.Theme.Board.Selected, selectedFrame)
	}
}

// drawHint marks a move that the engine recommends: with small cells a frame around its stone, and ! on its target;
// otherwise a background and a ! in a corner of both.
func (s sessionRenderer) drawHint(m ayu.Move) {
	r := s.board
	hint := r.style.Theme.Board.Hint
	x, y := r.layout.cell(m.From)
	if r.layout.ch == 1 {
		r.drawFrame(x, y, hint, hintFrame)
		if m.To == m.From {
			return // the hint names only the stone
		}
		r.setBackground(m.To, hint.BG)
		x, y = r.layout.cell(m.To)
		r.drawMark(x, y, hint, "!")
		return
	}
	for _, p := range [2]ayu.Point{m.From, m.To} {
		r.setBackground(p, hint.BG)
		s.drawHintSign(p)
	}
}

// drawHintSign draws the sign of a hint in the upper right corner of a large cell.
func (s sessionRenderer) drawHintSign(p ayu.Point) {
	x, y := s.board.layout.cell(p)
	s.board.c.Text(x+s.board.layout.cw-1, y, s.board.style.Theme.Board.Hint, "!")
}

// drawMarked writes the number of each marked move on its stone and on its target, in the colour of a selection. A point of
// several moves has their numbers beside each other, as many as fit.
func (s sessionRenderer) drawMarked() {
	r, style := s.board, s.board.style.Theme.Board.Selected
	numbers := make(map[ayu.Point]string)
	for i, text := range strings.Fields(s.marked) {
		m, err := ayu.ParseMove(text)
		if err != nil {
			continue
		}
		for _, p := range [2]ayu.Point{m.From, m.To} {
			numbers[p] += string(markSigns[min(i, len(markSigns)-1)])
		}
	}
	for p, text := range numbers {
		x, y := r.layout.cell(p)
		if r.layout.ch > 1 {
			r.setBackground(p, style.BG)
			text = text[:min(len(text), r.layout.cw-2)]
			r.c.Text(x+(r.layout.cw-len(text))/2, y, style, text)
			continue
		}
		if _, stone := r.colorAt(p); stone {
			x++ // beside it
		}
		r.c.Text(x, y, style, text[:1])
	}
}

// markSigns number marked moves. Those after the ninth have one sign.
const markSigns = "123456789+"

func (s sessionRenderer) drawTarget(p ayu.Point) {
	r := s.board
	x, y := r.layout.cell(p)
	t := r.style.Theme.Board.Target
	if r.layout.ch == 1 || !r.style.HasSymbols() {
		r.drawMark(x, y, t, "+")
		return
	}
	if r.layout.ch == 2 {
		r.c.Text(x+1, y, t, "▗▖")
		r.c.Text(x+1, y+1, t, "▝▘")
		return
	}
	rows := r.layout.ch / 3
	rows += (r.layout.ch - rows) % 2 // so that the mark is in the middle
	for i := range rows {
		r.c.Text(x+r.layout.cw/2-rows, y+(r.layout.ch-rows)/2+i, t, "▐"+strings.Repeat("█", 2*rows-2)+"▌")
	}
}

// drawPaths marks the shortest paths from the unit under the cursor and the units that they reach.
func (s sessionRenderer) drawPaths() {
	u, ok := s.board.board.UnitAt(s.pointer.cursor)
	if !ok {
		return
	}
	for p := range u.Paths.All() {
		s.drawPath(p)
	}
	for p := range u.Closest.All() {
		s.drawNearest(p)
	}
}

// drawPath marks a point of a path.
func (s sessionRenderer) drawPath(p ayu.Point) {
	x, y := s.board.layout.cell(p)
	s.board.drawMark(x, y, s.board.style.Theme.Board.Path, "*")
}

// drawNearest marks a stone of a unit that a path reaches.
func (s sessionRenderer) drawNearest(p ayu.Point) {
	s.board.setBackground(p, s.board.style.Theme.Board.Near)
}
