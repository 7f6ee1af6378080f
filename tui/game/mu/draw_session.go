package mu

import (
	"fmt"
	"strconv"

	"ayumu/engine/mu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// drawSession draws what only this session shows: possible actions, the hint and the cursor.
func (b *Board) drawSession(s *renderer) {
	if b.replayFrame > 0 {
		x, y := s.corner(b.focus())
		s.tint(x, y, s.colors.selected)
		return
	}
	p := b.shown()
	switch {
	case b.state.CanAct && p.Phase() == mu.Layout:
		b.drawLaying(s, p)
	case b.state.CanAct && p.Phase() == mu.Clearing:
		b.drawClearing(s)
	case b.hasSelection:
		for at, men := range b.targets {
			s.drawTarget(p, at, men)
		}
		x, y := s.corner(b.selected)
		s.tint(x, y, s.colors.selected)
	}
	b.drawHint(s, p)
	x, y := s.corner(b.cursor)
	s.tint(x, y, s.colors.cursor)
	if !s.colors.hasBackgrounds() && s.isVisible(b.cursor) {
		s.c.SetCursor(x+s.scale-1, y)
	}
}

// drawTarget marks a cell that the selected piece can reach, with the number of men that would move. The
// sign of a piece on it remains.
func (s *renderer) drawTarget(p *mu.Position, at mu.Hex, men int) {
	x, y := s.corner(at)
	s.tint(x, y, s.colors.target)
	style := s.colors.target
	if s.scale == large {
		s.c.Text(x+1, y+1, style, "+"+strconv.Itoa(men))
		return
	}
	if c, _ := p.Cell(at); c.Men == 0 {
		s.c.Text(x, y, style, "+")
	}
	s.c.Text(x+1, y, style, digit(men))
}

// drawLaying marks the centres where a segment fits, and shows the segment around the cursor.
func (b *Board) drawLaying(s *renderer, p *mu.Position) {
	fits := false
	for _, centre := range p.Placements() {
		x, y := s.corner(centre)
		s.c.Text(x+s.scale-1, y, paint.Style{FG: s.colors.besideBoard[b.state.Seat]}, "+")
		fits = fits || centre == b.cursor
	}
	style, sign := s.colors.fitting, "▒"
	if !fits {
		style, sign = s.colors.notFitting, "×"
	}
	for h := range segmentOf(b.cursor) {
		x, y := s.corner(h)
		for row := range s.scale {
			for column := range 2 * s.scale {
				s.c.Text(x+column, y+row, style, sign)
			}
		}
	}
	x, y := s.corner(b.cursor)
	s.c.Text(x+s.scale-1, y, style, mark(b.state.Seat, false, s.style))
}

// drawClearing marks the segment under the cursor if it can be cleared.
func (b *Board) drawClearing(s *renderer) {
	centre, ok := b.clearable()
	if !ok {
		return
	}
	for h := range segmentOf(centre) {
		x, y := s.corner(h)
		s.tint(x, y, s.colors.clearable)
		if h != centre {
			s.c.Text(x+s.scale-1, y, s.colors.clearable, "-")
		}
	}
}

// clearable returns the centre of the segment under the cursor if the player may clear it.
func (b *Board) clearable() (mu.Hex, bool) {
	p := b.shown()
	c, ok := p.Cell(b.cursor)
	if !ok {
		return mu.Hex{}, false
	}
	centre := p.Board().Centres()[c.Segment]
	return centre, p.Explain(mu.Action{Kind: mu.Clear, At: centre}) == ""
}

// drawTally draws the row above the board: the tally of every seat, or the caption of the replay's frame.
func (b *Board) drawTally(c paint.Canvas, look game.Style) {
	w, _ := c.Size()
	t := look.Theme
	if b.replayFrame > 0 {
		text := fmt.Sprintf("%d of %d: %s", b.replayFrame, len(b.replay.frameEnds), b.replay.caption(b.replayFrame))
		n := c.Text(0, 0, t.Notice, paint.Cut(text, w-11))
		c.Text(n+1, 0, t.Dim, "Space: skip")
		return
	}
	p := b.shown()
	label, numbers := tally(p)
	x := c.Text(0, 0, t.Dim, label)
	colors := paletteOf(look)
	for seat, n := range numbers {
		x += 2
		number := t.Text
		if p.Phase() != mu.Over && p.Turn() == seat {
			c.Text(x-1, 0, t.Notice, "▸")
			number = t.Strong
		}
		c.Text(x, 0, paint.Style{FG: colors.besideBoard[seat]}, mark(seat, false, look))
		x += 1 + c.Text(x+1, 0, number, strconv.Itoa(n))
	}
	if p.Phase() == mu.Play {
		c.Text(x+2, 0, t.Dim, "moves "+strconv.Itoa(len(p.Rights())))
	}
}
