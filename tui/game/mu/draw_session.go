package mu

import (
	"strconv"

	"ayumu/engine/mu"
)

// sessionRenderer draws what only one session shows over the board of its renderer: possible actions, the
// hint and the cursor.
type sessionRenderer struct {
	board   *renderer
	view    *seatView
	pointer *pointer
}

func (s sessionRenderer) draw() {
	switch phase := s.view.shown().Phase(); {
	case s.view.state.CanAct && phase == mu.Layout:
		s.drawLaying()
	case s.view.state.CanAct && phase == mu.Clearing:
		s.drawClearing()
	case s.pointer.hasSelection:
		for at, men := range s.pointer.targets {
			s.drawTarget(at, men)
		}
		s.drawFocus(s.pointer.selected)
	}
	s.drawHint()
	s.drawCursor()
}

// drawFocus marks the selected piece, or the cell that a frame of a replay is about.
func (s sessionRenderer) drawFocus(at mu.Hex) {
	x, y := s.board.corner(at)
	s.board.tint(x, y, s.board.colors.selected)
}

// drawWalker draws the piece that moved last on a cell of its way.
func (s sessionRenderer) drawWalker(at mu.Hex) {
	r, before := s.board, s.view.previous
	s.drawFocus(at)
	if c, ok := before.Cell(at); ok && c.Men == 0 {
		style := r.colors.selected
		style.FG, style.Attr = r.colors.seat[before.Turn()], style.Attr|r.colors.piece
		x, y := r.corner(at)
		r.c.Text(x+r.scale-1, y, style, mark(before.Turn(), false, r.style))
	}
}

// drawCursor marks the cell under the cursor, unless it is hidden. Without tiles the terminal's cursor is there too.
func (s sessionRenderer) drawCursor() {
	if s.view.hidesCursor(s.pointer) {
		return
	}
	r, at := s.board, s.pointer.cursor
	x, y := r.corner(at)
	r.tint(x, y, r.colors.cursor)
	if !r.colors.tiled && r.isVisible(at) {
		r.c.SetCursor(x+r.scale-1, y)
	}
}

// drawTarget marks a cell that the selected piece can reach, with the number of men that would move: + before
// it, × if they capture a piece. In a small cell a piece keeps its sign and its height, since as many men move as cells
// lie between; a single man to capture has × beside it.
func (s sessionRenderer) drawTarget(at mu.Hex, men int) {
	r := s.board
	c, _ := s.view.shown().Cell(at)
	sign, style := "+", r.colors.target
	isCapture := c.Men > 0 && !s.view.isOwn(c)
	if isCapture {
		sign, style = "×", r.colors.capture
	}
	x, y := r.corner(at)
	r.tint(x, y, style)
	switch {
	case r.scale == large:
		r.c.Text(x+1, y+1, style, sign+strconv.Itoa(men))
	case c.Men == 0:
		r.c.Text(x, y, style, sign+digit(men))
	case c.Men == 1 && isCapture:
		r.c.Text(x+1, y, style, sign)
	}
}

// drawLaying marks the centres where a segment fits, and shows the segment around the cursor.
func (s sessionRenderer) drawLaying() {
	r := s.board
	fits := false
	for _, centre := range s.view.shown().Placements() {
		x, y := r.corner(centre)
		r.c.Text(x+r.scale-1, y, r.colors.besideBoard[s.view.state.Seat], "+")
		fits = fits || centre == s.pointer.cursor
	}
	style, sign := r.colors.fitting, "▒"
	if !fits {
		style, sign = r.colors.notFitting, "×"
	}
	for h := range segmentCells(s.pointer.cursor) {
		x, y := r.corner(h)
		for row := range r.scale {
			for column := range 2 * r.scale {
				r.c.Text(x+column, y+row, style, sign)
			}
		}
	}
	x, y := r.corner(s.pointer.cursor)
	r.c.Text(x+r.scale-1, y, style, mark(s.view.state.Seat, false, r.style))
}

// drawClearing marks the segment under the cursor if it can be cleared.
func (s sessionRenderer) drawClearing() {
	r := s.board
	centre, ok := s.clearable()
	if !ok {
		return
	}
	for h := range segmentCells(centre) {
		x, y := r.corner(h)
		r.tint(x, y, r.colors.clearable)
		if h != centre {
			r.c.Text(x+r.scale-1, y, r.colors.clearable, "-")
		}
	}
}

// clearable returns the centre of the segment under the cursor if the player may clear it.
func (s sessionRenderer) clearable() (mu.Hex, bool) {
	p := s.view.shown()
	c, ok := p.Cell(s.pointer.cursor)
	if !ok {
		return mu.Hex{}, false
	}
	centre := s.view.segmentCentre(c)
	return centre, p.Explain(mu.Action{Kind: mu.Clear, At: centre}) == ""
}
