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
	row := min(y*o.by+o.by/2, g.height-1) + g.top
	column := min(x*o.by+o.by/2, g.width-2) + g.left
	return mu.Hex{Q: int16((column - row) >> 1), R: int16(row)}, true
}

// shifted returns the inset on a canvas in which its own lies at dx, dy.
func (o inset) shifted(dx, dy int) inset {
	o.x, o.y = o.x+dx, o.y+dy
	return o
}

// drawOverview draws the complete board at a reduced size where freePlace finds space, and returns where. It becomes
// smaller rather than hide pieces. focus is the cell that it must not hide.
func (r *renderer) drawOverview(focus mu.Hex) inset {
	if r.cells == nil {
		r.prepare()
	}
	w, h := r.c.Size()
	o := inset{by: 2}
	best, fewest := inset{}, -1
	for ; o.by <= maxBlock && fewest != 0; o.by++ {
		o.w, o.h = (r.width+o.by-1)/o.by, (r.height+o.by-1)/o.by
		if o.w > w/3 || o.h > h/3 {
			if o.by == maxBlock && fewest < 0 {
				o.w, o.h = min(o.w, w/3), min(o.h, h/3)
			} else {
				continue
			}
		}
		var pieces int
		if o.x, o.y, pieces = r.freePlace(o, focus); fewest < 0 || pieces < fewest {
			best, fewest = o, pieces
		}
	}
	o = best
	r.c.Sub(o.x-1, o.y-1, o.w+2, o.h+2).Box(r.style.Theme.Rule)
	in := r.c.Sub(o.x, o.y, o.w, o.h)
	in.Fill(0, 0, o.w, o.h, paint.Style{BG: r.colors.ground}, ' ')
	r.drawBlocks(in, o.by)
	from, to := -r.x/r.scale, (w-1-r.x)/r.scale
	top, bottom := -r.y/r.scale, (h-1-r.y)/r.scale
	in.Restyle(from/o.by, top/o.by, to/o.by-from/o.by+1, bottom/o.by-top/o.by+1, func(st paint.Style) paint.Style {
		return overlay(st, r.colors.viewport)
	})
	return o
}

// maxBlock is the maximum number of half cells and rows in a character of the overview.
const maxBlock = 12

// freePlace returns the place at the rim of the canvas where the overview hides the fewest pieces, of these the fewest
// cells, and not the cell in focus; and how many pieces it hides there. Of equal places it prefers a corner.
func (r *renderer) freePlace(o inset, focus mu.Hex) (x, y, pieces int) {
	w, h := r.c.Size()
	right, bottom := w-o.w-1, h-o.h-1
	columns := [...]int{right, 1, right * 3 / 4, right / 2, right / 4}
	rows := [...]int{bottom, 1, bottom * 3 / 4, bottom / 2, bottom / 4}
	fewest := -1
	for i, ox := range columns {
		for j, oy := range rows {
			if i > 1 && j > 1 {
				continue // not at the rim
			}
			hidden, hiddenPieces := 0, 0
			for _, c := range r.cells {
				if cx, cy := r.corner(c.At); cx >= ox-2*r.scale && cx <= ox+o.w && cy >= oy-r.scale && cy <= oy+o.h {
					hidden++
					if c.Men > 0 {
						hiddenPieces++
					}
					if c.At.Distance(focus) < 2 {
						hiddenPieces += len(r.cells)
					}
				}
			}
			if weight := hiddenPieces*len(r.cells) + hidden; fewest < 0 || weight < fewest {
				fewest, x, y, pieces = weight, ox, oy, hiddenPieces
			}
		}
	}
	return x, y, pieces
}

// blockCounts counts the men and the terrains in the square of one character.
type blockCounts struct {
	men     [maxSeats]int
	terrain [terrains]int
}

// drawBlocks draws a character for each square: the seat with the most men there, or the terrain.
func (r *renderer) drawBlocks(c paint.Canvas, by int) {
	w, _ := c.Size()
	blocks := make(map[int]*blockCounts)
	for _, cell := range r.cells {
		at := (int(cell.At.R)-r.top)/by*w + (halfColumn(cell.At)-r.left)/by
		if blocks[at] == nil {
			blocks[at] = new(blockCounts)
		}
		blocks[at].terrain[cell.Terrain]++
		if cell.Men > 0 {
			blocks[at].men[cell.Owner] += cell.Men
		}
	}
	for at, k := range blocks {
		sign, style := r.blockSign(k)
		c.Text(at%w, at/w, style, sign)
	}
}

func (r *renderer) blockSign(k *blockCounts) (string, paint.Style) {
	seat, terrain := 0, mu.Virgin
	for i, n := range k.men {
		if n > k.men[seat] {
			seat = i
		}
	}
	if k.men[seat] > 0 {
		return mark(seat, false, r.style), r.colors.besideBoard[seat]
	}
	for t, n := range k.terrain {
		if n > k.terrain[terrain] {
			terrain = mu.Terrain(t)
		}
	}
	return string(textures[terrain]), paint.Style{FG: r.colors.texture[terrain], BG: r.colors.ground}
}
