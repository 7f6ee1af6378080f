package mu

import (
	"strconv"

	"ayumu/engine/mu"
)

// Hints are marked in the second column of a small cell, where nothing else has such signs, and in
// the lower row of a large one: an arrow at a piece that moves, braces where it lands and at the
// cell of every other action. What stands there stays in sight.

// arrows point in the directions; the ones for ASCII have to do with two that are alike.
var (
	arrows      = map[mu.Dir]string{mu.E: "→", mu.NE: "↗", mu.NW: "↖", mu.W: "←", mu.SW: "↙", mu.SE: "↘"}
	arrowsASCII = map[mu.Dir]string{mu.E: ">", mu.NE: "/", mu.NW: "\\", mu.W: "<", mu.SW: "/", mu.SE: "\\"}
)

// hinted reads a turn that is to be marked.
func hinted(texts []string) []mu.Action {
	var actions []mu.Action
	for _, text := range texts {
		if a, err := mu.ParseAction(text); err == nil && a.Kind != mu.End {
			actions = append(actions, a)
		}
	}
	return actions
}

// drawHint marks what is left of a turn; of explosions only one that comes first, since each changes
// what is critical. Where a man lands and goes on, the arrow is shown.
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

// drawBraces marks a cell with braces, in a large one with so many men between them.
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

// drawArrow marks a cell from which so many men go.
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
