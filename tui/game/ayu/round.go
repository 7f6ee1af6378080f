package ayu

import (
	"ayumu/engine/ayu"
	"ayumu/tui/paint"
)

// minRoundRows is the number of rows of a cell from which on stones are drawn round, in half blocks.
const minRoundRows = 5

// pixel is what one half of a character shows of a stone.
type pixel uint8

// The pixels of a stone and around it.
const (
	groundPixel pixel = iota
	ringPixel
	insidePixel
	markPixel // of a stone that cannot move
)

// roundStone has what the pixels of a stone depend on.
type roundStone struct {
	rows                      int  // of the cell; it has twice as many pixels on each side
	left, right, above, below bool // joined to the stone there
	isStuck, isSolid          bool // isSolid: the inside is drawn like the ring
}

// at returns the pixel in column i and row j. Coordinates are doubled, so that the middle of the cell is a whole number.
func (s *roundStone) at(i, j int) pixel {
	side := 2 * s.rows
	dx, dy := 2*i+1-side, 2*j+1-side
	inner := side - 2*max(s.rows/4, 1)
	switch d := dx*dx + dy*dy; {
	case s.isStuck && d <= side*side/16:
		return markPixel
	case d <= inner*inner && !s.isSolid:
		return insidePixel
	case d <= side*side:
		return ringPixel
	}
	// Outside of the disc: the bars to the neighbours of the unit.
	width := side / 2
	switch {
	case abs(dy) <= width && (dx < 0 && s.left || dx > 0 && s.right), abs(dx) <= width && (dy < 0 && s.above || dy > 0 && s.below):
		return ringPixel
	}
	return groundPixel
}

// drawRoundStone draws a stone of minRoundRows rows or more as a disc. Stones of a unit are joined by bars.
func (r *renderer) drawRoundStone(x, y int, p ayu.Point, c ayu.Color, style paint.Style) {
	inside, mark := r.insideOf(c)
	isPlain := inside == paint.Default
	s := roundStone{
		rows: r.layout.ch, isStuck: r.stuck[p], isSolid: isPlain && c == ayu.Black,
		left: r.isJoined(p, c, -1, 0), right: r.isJoined(p, c, 1, 0), above: r.isJoined(p, c, 0, -1), below: r.isJoined(p, c, 0, 1),
	}
	for row := range r.layout.ch {
		for column := range r.layout.cw {
			top, bottom := s.at(column, 2*row), s.at(column, 2*row+1)
			sign, st := " ", style
			if isPlain {
				sign = plainHalves(top, bottom, c)
			} else {
				colors := [...]paint.Color{groundPixel: style.BG, ringPixel: style.FG, insidePixel: inside, markPixel: mark}
				switch { // the ground is always the background, so that marks can replace it
				case top == bottom:
					st.BG = colors[top]
				case top == groundPixel:
					sign, st.FG = "▄", colors[bottom]
				case bottom == groundPixel:
					sign, st.FG = "▀", colors[top]
				default:
					sign, st.FG, st.BG = "▀", colors[top], colors[bottom]
				}
			}
			r.c.Text(x+column, y+row, st, sign)
		}
	}
}

// plainHalves returns the character for two pixels of a stone without colours.
func plainHalves(top, bottom pixel, c ayu.Color) string {
	if top == markPixel || bottom == markPixel {
		if c == ayu.White {
			return "░"
		}
		return "▓"
	}
	switch {
	case top == ringPixel && bottom == ringPixel:
		return "█"
	case top == ringPixel:
		return "▀"
	case bottom == ringPixel:
		return "▄"
	}
	return " "
}
