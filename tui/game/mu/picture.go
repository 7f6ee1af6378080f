package mu

import (
	"math"
	"slices"
	"strconv"
	"sync"

	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/picture"
	"ayumu/tui/theme"
)

// hexWidth is the distance of two cells of a row, in sides of a cell. Rows are 1.5 apart.
var hexWidth = math.Sqrt(3)

// hexCorners are the corners of a cell with sides of a length.
func hexCorners(side float64) []picture.Point {
	points := make([]picture.Point, 6)
	for i := range points {
		sin, cos := math.Sincos(math.Pi / 6 * float64(2*i+1))
		points[i] = picture.Point{X: side * cos, Y: side * sin}
	}
	return points
}

func hexCentre(h mu.Hex) (x, y float64) {
	return hexWidth * float64(halfColumn(h)) / 2, 1.5 * float64(h.R)
}

// cellLook is how a cell without a piece looks.
type cellLook struct {
	terrain           mu.Terrain
	shade             uint8
	changed, critical bool
}

// pieceLook is how a piece looks.
type pieceLook struct {
	seat, men int
	hollow    bool // it cannot move
}

// pictureSprites has what the pictures of a theme consist of, each made when it is first needed. Any goroutine may use it.
type pictureSprites struct {
	colors *palette

	mu     sync.Mutex
	cells  map[cellLook]*picture.Sprite
	pieces map[pieceLook]*picture.Sprite
	claims [maxSeats]*picture.Sprite
	right  *picture.Sprite // the centre of a segment from which a move can still be made
	left   *picture.Sprite // a cell that the last turn has left
	marks  [maxSeats]*picture.Sprite
}

var darkSprites, lightSprites = newPictureSprites(&theme.Dark), newPictureSprites(&theme.Light)

func newPictureSprites(t *theme.Theme) *pictureSprites {
	p := &pictureSprites{colors: stylePalette(game.Style{Theme: t}), cells: make(map[cellLook]*picture.Sprite), pieces: make(map[pieceLook]*picture.Sprite)}
	p.right = picture.NewSprite(picture.Ring(p.colors.number.FG, picture.Point{}, 0.2, 0.12))
	p.left = picture.NewSprite(picture.Ring(p.colors.number.FG, picture.Point{}, 0.36, 0.29))
	for seat := range maxSeats {
		p.claims[seat] = picture.NewSprite(pieceShape(p.colors.seat[seat], seat, 0.2))
		p.marks[seat] = picture.NewSprite(pieceShape(white, seat, 0.47), pieceShape(p.colors.seat[seat], seat, 0.4))
	}
	return p
}

var white = paint.RGB(0xff, 0xff, 0xff)

// pieceShape returns the sign of a seat around the middle of a cell.
func pieceShape(fill paint.Color, seat int, radius float64) picture.Shape {
	polygon := func(n int, turn, radius, inner float64) picture.Shape {
		var points []picture.Point
		for i := range n {
			r := radius
			if i%2 == 1 {
				r *= inner
			}
			sin, cos := math.Sincos(2*math.Pi*float64(i)/float64(n) + turn)
			points = append(points, picture.Point{X: r * sin, Y: -r * cos})
		}
		return picture.Polygon(fill, points...)
	}
	triangle := func(up float64) picture.Shape {
		const wide, high = 1.18, 1.12
		return picture.Polygon(fill, picture.Point{Y: -high * radius * up}, picture.Point{X: wide * radius, Y: 0.82 * radius * up}, picture.Point{X: -wide * radius, Y: 0.82 * radius * up})
	}
	switch seatStyles[seat].name {
	case "Disc":
		return picture.Disc(fill, picture.Point{}, radius)
	case "Triangle":
		return triangle(1)
	case "Box":
		return picture.RoundRect(fill, picture.Point{}, 1.76*radius, 1.76*radius, 0.16*radius)
	case "Lozenge":
		return polygon(4, 0, 1.22*radius, 1)
	case "Wedge":
		return triangle(-1)
	}
	return polygon(10, 0, 1.22*radius, 0.56)
}

// numberAt is where the height stands on the sign of a seat, in the middle of its area.
func numberAt(seat int) picture.Point {
	switch seatStyles[seat].name {
	case "Triangle":
		return picture.Point{Y: 0.14}
	case "Wedge":
		return picture.Point{Y: -0.13}
	}
	return picture.Point{}
}

func (p *pictureSprites) cell(l cellLook) *picture.Sprite {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.cells[l]
	if s == nil {
		s = p.newCell(l)
		p.cells[l] = s
	}
	return s
}

// newCell draws a cell. Its terrain has a texture as in the terminal, so that it can be recognized without colours.
func (p *pictureSprites) newCell(l cellLook) *picture.Sprite {
	ground := p.colors.background[l.terrain][l.shade]
	if l.changed {
		ground = p.colors.changed[l.terrain]
	}
	texture := p.colors.texture[l.terrain]
	shapes := []picture.Shape{picture.Polygon(paint.Mix(ground, texture, 0.45), hexCorners(1.0)...), picture.Polygon(ground, hexCorners(0.95)...)}
	var dots []picture.Point
	switch l.terrain {
	case mu.Virgin:
	case mu.Commonwealth:
		for i := range 6 {
			sin, cos := math.Sincos(math.Pi / 3 * float64(i))
			dots = append(dots, picture.Point{X: 0.66 * cos, Y: 0.66 * sin})
		}
	case mu.Wall:
		shapes = append(shapes, picture.Outline(texture, 0.82, hexCorners(0.88)...), picture.Outline(texture, 0.84, hexCorners(0.62)...))
	}
	for _, at := range dots {
		shapes = append(shapes, picture.Disc(paint.Mix(ground, texture, 0.8), at, 0.075))
	}
	if l.critical {
		shapes = append(shapes, picture.Outline(p.colors.critical.BG, 0.84, hexCorners(0.94)...))
	}
	return picture.NewSprite(shapes...)
}

func (p *pictureSprites) piece(l pieceLook) *picture.Sprite {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.pieces[l]
	if s == nil {
		s = p.newPiece(l)
		p.pieces[l] = s
	}
	return s
}

// newPiece draws a piece with its height.
func (p *pictureSprites) newPiece(l pieceLook) *picture.Sprite {
	const radius = 0.56
	color := p.colors.seat[l.seat]
	shapes := []picture.Shape{pieceShape(white, l.seat, radius+0.07), pieceShape(color, l.seat, radius)}
	number := white
	if l.hollow {
		shapes, number = append(shapes, pieceShape(white, l.seat, radius-0.12)), color
	}
	if l.men > 1 {
		size := 0.62
		if l.men > 9 {
			size = 0.48
		}
		if seatStyles[l.seat].name == "Triangle" || seatStyles[l.seat].name == "Wedge" {
			size *= 0.86
		}
		shapes = append(shapes, picture.Text(number, numberAt(l.seat), strconv.Itoa(l.men), picture.Bold, size, picture.Middle))
	}
	return picture.NewSprite(shapes...)
}

func spritesFor(light bool) *pictureSprites {
	if light {
		return lightSprites
	}
	return darkSprites
}

// Picture implements game.Picturer.
func (Game) Picture(s game.State, light bool) *picture.Drawing {
	p := s.Position.(*mu.Position)
	d := newPictureDrawer(p, spritesFor(light))
	previous, _ := s.Previous.(*mu.Position)
	return d.draw(p.Cells(), previous, true)
}

// PictureSteps implements game.Picturer: it returns the moves and explosions of a turn.
func (g Game) PictureSteps(s game.State, light bool) []*picture.Drawing {
	p, previous := s.Position.(*mu.Position), s.Previous
	before, ok := previous.(*mu.Position)
	if !ok || before == nil || before.Phase() != mu.Play {
		return nil
	}
	r := newReplay(before, p, parseActions(s.LastTurn))
	var steps []*picture.Drawing
	for frame := 1; frame < len(r.frameEnds); frame++ {
		d := newPictureDrawer(p, spritesFor(light))
		steps = append(steps, d.draw(r.cells(d.geometry, frame), before, false))
	}
	return steps
}

// MarkPicture implements game.Picturer.
func (Game) MarkPicture(_ engine.Position, seat int) *picture.Sprite { return darkSprites.marks[seat] }

// pictureDrawer draws the cells of one board.
type pictureDrawer struct {
	*geometry
	position *mu.Position
	sprites  *pictureSprites
}

func newPictureDrawer(p *mu.Position, s *pictureSprites) *pictureDrawer {
	return &pictureDrawer{newGeometry(p), p, s}
}

// draw draws cells and what the turn from previous, which may be nil, has changed; rights and territory only of the
// position itself.
func (d *pictureDrawer) draw(cells []mu.Cell, previous *mu.Position, isPosition bool) *picture.Drawing {
	out := &picture.Drawing{Min: picture.Point{X: math.Inf(1), Y: math.Inf(1)}, Max: picture.Point{X: math.Inf(-1), Y: math.Inf(-1)}}
	var old []mu.Cell
	if previous != nil {
		old = previous.Cells()
	}
	var claims []int
	if isPosition && d.position.Phase() == mu.Over {
		claims = zoneClaims(d.position, d.geometry)
	}
	rights := d.position.Rights()
	isPlay := isPosition && d.position.Phase() == mu.Play
	for i, c := range cells {
		x, y := hexCentre(c.At)
		out.Min = picture.Point{X: min(out.Min.X, x-1.1), Y: min(out.Min.Y, y-1.2)}
		out.Max = picture.Point{X: max(out.Max.X, x+1.1), Y: max(out.Max.Y, y+1.2)}
		isNew := old != nil && len(old) < len(cells) && c.Segment == len(d.centre)-1
		changed := isNew || old != nil && len(old) == len(cells) && (old[i].Men != c.Men || old[i].Owner != c.Owner || old[i].Terrain != c.Terrain)
		out.Add(x, y, d.sprites.cell(cellLook{c.Terrain, d.shade[c.Segment], changed, c.Critical && isPosition}))
		right := isPlay && slices.Contains(rights, d.centre[c.Segment])
		switch {
		case c.Men > 0:
			out.Add(x, y, d.sprites.piece(pieceLook{c.Owner, c.Men, isPlay && c.Owner == d.position.Turn() && !right}))
		case changed && !isNew:
			out.Add(x, y, d.sprites.left)
		case claims != nil && claims[i] >= 0:
			out.Add(x, y, d.sprites.claims[claims[i]])
		case right && d.isCentre(c):
			out.Add(x, y, d.sprites.right)
		}
	}
	return out
}
