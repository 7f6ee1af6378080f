package matchpicture

import (
	"fmt"

	"ayumu/tui/picture"
)

// captions adds the names of the players and the number of the turn below the boards of an animation. All boards get the
// visible part of the last one, which is the largest.
type captions struct {
	m        *replay
	theme    picture.Theme
	min, max picture.Point
	unit     float64 // the size of the text
	turn     map[int]*picture.Sprite
	names    []*picture.Sprite // by seat
	marks    map[*picture.Sprite]*picture.Sprite
}

func newCaptions(m *replay, t picture.Theme) *captions {
	last := m.draw(len(m.turns), false)
	w, _ := last.Size()
	return &captions{m: m, theme: t, min: last.Min, max: last.Max, unit: w / 26, turn: make(map[int]*picture.Sprite), names: make([]*picture.Sprite, len(m.s.Info.Seats)), marks: make(map[*picture.Sprite]*picture.Sprite)}
}

// below returns a board with the caption below it.
func (c *captions) below(d *picture.Drawing, turn int) *picture.Drawing {
	lines := float64((len(c.m.s.Info.Seats)+1)/2 + 1)
	out := &picture.Drawing{Min: c.min, Max: picture.Point{X: c.max.X, Y: c.max.Y + (0.5+1.7*lines)*c.unit}, Tiles: append([]picture.Tile(nil), d.Tiles...)}
	left, right := c.min.X+c.unit, c.max.X-c.unit
	y := c.max.Y + c.unit
	for seat, s := range c.m.s.Info.Seats {
		x := left + float64(seat%2)*(right-left)/2
		if mark := c.mark(turn, seat); mark != nil {
			out.Add(x+0.5*c.unit, y, mark)
		}
		out.Add(x+1.5*c.unit, y, c.name(seat, s.Name, (right-left)/2-2*c.unit))
		if seat%2 == 1 || seat == len(c.m.s.Info.Seats)-1 {
			y += 1.7 * c.unit
		}
	}
	if c.turn[turn] == nil {
		text := fmt.Sprintf("%s · %d of %d", c.m.s.Info.Title(), turn, len(c.m.turns))
		if c.m.isLast(turn) {
			text = c.m.status(turn)
		}
		c.turn[turn] = picture.NewSprite(picture.Text(c.theme.Dim, picture.Point{}, picture.Fit(text, picture.Regular, 0.85*c.unit, right-left), picture.Regular, 0.85*c.unit, picture.Start))
	}
	out.Add(left, y, c.turn[turn])
	return out
}

// mark returns the sign of a seat in the size of the text; nil: it has none.
func (c *captions) mark(turn, seat int) *picture.Sprite {
	mark := c.m.mark(turn, seat)
	if mark == nil {
		return nil
	}
	if c.marks[mark] == nil {
		c.marks[mark] = mark.Scaled(c.unit)
	}
	return c.marks[mark]
}

func (c *captions) name(seat int, name string, width float64) *picture.Sprite {
	if c.names[seat] == nil {
		c.names[seat] = picture.NewSprite(picture.Text(c.theme.Text, picture.Point{}, picture.Fit(name, picture.Bold, c.unit, width), picture.Bold, c.unit, picture.Start))
	}
	return c.names[seat]
}
