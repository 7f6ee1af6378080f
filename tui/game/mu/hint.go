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

// hinted parses the turn to mark, without its end.
func hinted(texts []string) []mu.Action {
	var actions []mu.Action
	for _, text := range texts {
		if a, err := mu.ParseAction(text); err == nil && a.Kind != mu.End {
			actions = append(actions, a)
		}
	}
	return actions
}

// drawHint marks the turn of a hint; of explosions only one that comes first, because each changes what is
// critical. On a cell where a piece lands and moves again, the arrow is shown.
func (b *Board) drawHint(s *renderer, p *mu.Position) {
	for i, a := range b.hint {
		switch {
		case a.Kind == mu.Move:
			s.drawBraces(p, a.At.Step(a.Dir, int(a.Men)), int(a.Men))
		case i == 0:
			s.drawBraces(p, a.At, 0)
		}
	}
	signs := arrows
	if s.style.ASCII {
		signs = arrowsASCII
	}
	for _, a := range b.hint {
		if a.Kind == mu.Move {
			s.drawArrow(a.At, signs[a.Dir], int(a.Men))
		}
	}
}

// drawBraces marks a cell with braces; in a large cell the number of men is between them.
func (s *renderer) drawBraces(p *mu.Position, at mu.Hex, men int) {
	x, y := s.corner(at)
	style := s.colors.hint
	s.tint(x, y, style)
	if s.scale == large {
		text := "{}"
		if men > 0 {
			text = "{" + digit(men) + "}"
		}
		s.c.Text(x+1, y+1, style, text)
		return
	}
	if c, _ := p.Cell(at); c.Men == 0 {
		s.c.Text(x, y, style, "{")
	}
	s.c.Text(x+1, y, style, "}")
}

// drawArrow marks a cell from which a number of men move.
func (s *renderer) drawArrow(at mu.Hex, sign string, men int) {
	x, y := s.corner(at)
	style := s.colors.hint
	s.tint(x, y, style)
	if s.scale == large {
		s.c.Text(x+1, y+1, style, sign+strconv.Itoa(men))
		return
	}
	s.c.Text(x+1, y, style, sign)
}
