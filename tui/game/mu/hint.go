package mu

import (
	"strconv"

	"ayumu/engine/mu"
)

// Hints are marked in the second column of a small cell, where nothing else uses these signs, and in the
// lower row of a large one: an arrow at a piece to move, braces where it lands and at the cell of every
// other action.

// arrows has the signs of the directions. In ASCII opposite diagonals share a sign.
var (
	arrows      = map[mu.Dir]string{mu.E: "→", mu.NE: "↗", mu.NW: "↖", mu.W: "←", mu.SW: "↙", mu.SE: "↘"}
	arrowsASCII = map[mu.Dir]string{mu.E: ">", mu.NE: "/", mu.NW: "\\", mu.W: "<", mu.SW: "/", mu.SE: "\\"}
)

// drawHint marks the turn of a hint; of explosions only one that comes first, because each changes what is
// critical. On a cell where a piece lands and moves again, the arrow is shown.
func (s sessionRenderer) drawHint() {
	r := s.board
	if s.view.hasHintAt {
		s.drawBraces(s.view.hintAt, 0)
	}
	for i, a := range s.view.hint {
		switch {
		case a.Kind == mu.Move:
			s.drawBraces(a.At.Step(a.Dir, int(a.Men)), int(a.Men))
		case i == 0:
			s.drawBraces(a.At, 0)
		}
	}
	signs := arrows
	if !r.style.HasSymbols() {
		signs = arrowsASCII
	}
	for _, a := range s.view.hint {
		if a.Kind == mu.Move {
			s.drawArrow(a.At, signs[a.Dir], int(a.Men))
		}
	}
}

// drawBraces marks a cell with braces; in a large cell the number of men is between them.
func (s sessionRenderer) drawBraces(at mu.Hex, men int) {
	r := s.board
	x, y := r.corner(at)
	style := r.colors.hint
	r.tint(x, y, style)
	if r.scale == large {
		text := "{}"
		if men > 0 {
			text = "{" + digit(men) + "}"
		}
		r.c.Text(x+1, y+1, style, text)
		return
	}
	if c, _ := s.view.shown().Cell(at); c.Men == 0 {
		r.c.Text(x, y, style, "{")
	}
	r.c.Text(x+1, y, style, "}")
}

// drawArrow marks a cell from which a number of men move.
func (s sessionRenderer) drawArrow(at mu.Hex, sign string, men int) {
	r := s.board
	x, y := r.corner(at)
	style := r.colors.hint
	r.tint(x, y, style)
	if r.scale == large {
		r.c.Text(x+1, y+1, style, sign+strconv.Itoa(men))
		return
	}
	r.c.Text(x+1, y, style, sign)
}
