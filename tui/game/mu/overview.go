package mu

import (
	"ayumu/engine/mu"
	"ayumu/tui/paint"
)

// inset is the rectangle of the canvas in which the overview of a scrolled board was drawn: one character
// for a square of by half cells and by rows.
type inset struct {
	x, y, w, h int
	by         int
}

// at returns the cell in the middle of the square at x, y of the canvas; ok is false outside.
func (o inset) at(g *geometry, x, y int) (h mu.Hex, ok bool) {
	x, y = x-o.x, y-o.y
	if o.by == 0 || x < 0 || y < 0 || x >= o.w || y >= o.h {
		return mu.Hex{}, false
	}
	r := min(y*o.by+o.by/2, g.height-1) + g.top
	column := min(x*o.by+o.by/2, g.width-2) + g.left
	return mu.Hex{Q: int16((column - r) >> 1), R: int16(r)}, true
}

// drawOverview draws the complete board at a reduced size into the corner chosen by insetCorner.
func (b *Board) drawOverview(s *renderer) inset {
	if s.cells == nil {
		s.prepare()
	}
	w, h := s.c.Size()
	o := inset{by: 2}
	for ; ; o.by++ {
		o.w, o.h = (s.width+o.by-1)/o.by, (s.height+o.by-1)/o.by
		if o.w <= w/3 && o.h <= h/3 {
			break
		}
	}
	o.x, o.y = b.insetCorner(s, o)
	s.c.Sub(o.x-1, o.y-1, o.w+2, o.h+2).Box(s.style.Theme.Rule)
	in := s.c.Sub(o.x, o.y, o.w, o.h)
	in.Fill(0, 0, o.w, o.h, paint.Style{}, ' ')
	s.drawBlocks(in, o.by)
	from, to := -s.x/s.scale, (w-1-s.x)/s.scale
	top, bottom := -s.y/s.scale, (h-1-s.y)/s.scale
	in.Restyle(from/o.by, top/o.by, to/o.by-from/o.by+1, bottom/o.by-top/o.by+1, func(st paint.Style) paint.Style {
		return overlay(st, s.colors.viewport)
	})
	o.x, o.y = o.x+b.drawnLayout.viewX, o.y+b.drawnLayout.viewY
	return o
}

// insetCorner returns the corner in which the overview hides the fewest cells and not the one in focus.
func (b *Board) insetCorner(s *renderer, o inset) (x, y int) {
	w, h := s.c.Size()
	focus, fewest := b.focus(), -1
	for corner := range 4 {
		ox, oy, hidden := 1, 1, 0
		if corner%2 == 0 {
			ox = w - o.w - 1
		}
		if corner < 2 {
			oy = h - o.h - 1
		}
		for _, c := range s.cells {
			if cx, cy := s.corner(c.At); cx >= ox-2*s.scale && cx <= ox+o.w && cy >= oy-s.scale && cy <= oy+o.h {
				hidden++
				if c.At.Distance(focus) < 2 {
					hidden += len(s.cells)
				}
			}
		}
		if fewest < 0 || hidden < fewest {
			fewest, x, y = hidden, ox, oy
		}
	}
	return x, y
}

// blockCounts counts the men and the terrains in the square of one character.
type blockCounts struct {
	men     [maxSeats]int
	terrain [terrains]int
}

// drawBlocks draws a character for each square: the seat with the most men there, or the terrain.
func (s *renderer) drawBlocks(c paint.Canvas, by int) {
	w, _ := c.Size()
	blocks := make(map[int]*blockCounts)
	for _, cell := range s.cells {
		at := (int(cell.At.R)-s.top)/by*w + (halfColumn(cell.At)-s.left)/by
		if blocks[at] == nil {
			blocks[at] = new(blockCounts)
		}
		blocks[at].terrain[cell.Terrain]++
		if cell.Men > 0 {
			blocks[at].men[cell.Owner] += cell.Men
		}
	}
	for at, k := range blocks {
		sign, style := s.blockSign(k)
		c.Text(at%w, at/w, style, sign)
	}
}

func (s *renderer) blockSign(k *blockCounts) (string, paint.Style) {
	seat, terrain := 0, mu.Virgin
	for i, n := range k.men {
		if n > k.men[seat] {
			seat = i
		}
	}
	if k.men[seat] > 0 {
		return mark(seat, false, s.style), paint.Style{FG: s.colors.besideBoard[seat]}
	}
	for t, n := range k.terrain {
		if n > k.terrain[terrain] {
			terrain = mu.Terrain(t)
		}
	}
	return string(textures[terrain]), paint.Style{FG: s.colors.texture[terrain]}
}
