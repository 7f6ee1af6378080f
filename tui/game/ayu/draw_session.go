package ayu

import (
	"strings"

	"ayumu/engine/ayu"
	"ayumu/tui/paint"
)

// marks is what a session shows over the board. It is comparable.
type marks struct {
	isShown bool // the board takes input
	pointer pointer
	movable ayu.Points // the stones that the seat can move now
	hint    ayu.Move
	hasHint bool
}

// sessionRenderer draws marks over the board of its renderer: the cursor, the selection with its targets, the hint,
// and the paths from the unit under the cursor.
type sessionRenderer struct {
	board *renderer
	marks
}

func (s sessionRenderer) draw() {
	if s.board.showDistances {
		s.drawPaths()
	}
	targets := s.targets()
	for p := range targets.All() {
		s.drawTarget(p)
	}
	if s.hasHint {
		s.drawHint(s.hint)
	}
	if s.pointer.hasSelection {
		s.drawSelection(s.pointer.selected)
	}
	s.drawCursor(s.pointer.cursor)
}

func (s sessionRenderer) drawSelection(p ayu.Point) {
	s.drawFrame(p, s.board.style.Theme.Board.Selected, selectedFrame)
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

// drawFrame frames a point. On the stone of the hint only the left side is drawn, so that both frames are
// visible.
func (s sessionRenderer) drawFrame(p ayu.Point, style paint.Style, m frameMarks) {
	x, y := s.board.layout.cell(p)
	s.board.drawFrame(x, y, style, m)
	if s.hasHint && p == s.hint.From {
		s.board.drawFrameSide(x, y, s.board.style.Theme.Board.Hint, hintFrame, 1)
	}
}

// drawHint marks a move that the engine recommends: a frame around its stone, and ! on its target.
func (s sessionRenderer) drawHint(m ayu.Move) {
	r := s.board
	hint := r.style.Theme.Board.Hint
	x, y := r.layout.cell(m.From)
	r.drawFrame(x, y, hint, hintFrame)
	r.setBackground(m.To, hint.BG)
	x, y = r.layout.cell(m.To)
	if r.layout.ch == 1 {
		r.drawMark(x, y, hint, "!")
		return
	}
	rows := 2 - r.layout.ch%2
	r.c.Fill(x+r.layout.cw/2-1, y+(r.layout.ch-rows)/2, 2, rows, hint, '!') // where targets are
}

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
