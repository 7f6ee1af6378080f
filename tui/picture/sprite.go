package picture

import (
	"math"

	"ayumu/tui/paint"
)

// Ink is the colour of text beside a board: that of the theme of a picture, and in a page that of its text.
const Ink paint.Color = 0xffffffff

// Point is a position on the plane of a drawing. y grows downwards. The unit is the distance of two neighbours on a board.
type Point struct{ X, Y float64 }

// Shape is an area in one colour. Its outline is closed; where parts of it overlap, the direction of their points counts,
// so that a part in the opposite direction is a hole.
type Shape struct {
	Path Path
	Fill paint.Color
}

// Path is the outline of a shape: lines and curves, each of which starts where the one before has ended.
type Path []Segment

// Segment is a part of a path: with Move the start of a further outline at To, with Curve a cubic curve to To, otherwise
// a line to To.
type Segment struct {
	Move, Curve bool
	C1, C2, To  Point
}

// Sprite is a small picture around the point 0,0, which a drawing can show at many points. A game makes each sprite once,
// because two sprites are the same only if their pointers are.
type Sprite struct {
	shapes   []Shape
	min, max Point // of the box around all shapes
}

// NewSprite returns a sprite of shapes, back to front.
func NewSprite(shapes ...Shape) *Sprite {
	s := &Sprite{shapes: shapes, min: Point{math.Inf(1), math.Inf(1)}, max: Point{math.Inf(-1), math.Inf(-1)}}
	for _, shape := range shapes {
		for _, g := range shape.Path {
			s.include(g.To)
			if g.Curve {
				s.include(g.C1)
				s.include(g.C2)
			}
		}
	}
	return s
}

func (s *Sprite) include(p Point) {
	s.min = Point{min(s.min.X, p.X), min(s.min.Y, p.Y)}
	s.max = Point{max(s.max.X, p.X), max(s.max.Y, p.Y)}
}

// Scaled returns the sprite in another size.
func (s *Sprite) Scaled(by float64) *Sprite {
	shapes := make([]Shape, len(s.shapes))
	for i, shape := range s.shapes {
		shapes[i] = shape.transformed(by, Point{})
	}
	return NewSprite(shapes...)
}

func (s Shape) transformed(by float64, to Point) Shape {
	move := func(p Point) Point { return Point{p.X*by + to.X, p.Y*by + to.Y} }
	path := make(Path, len(s.Path))
	for i, g := range s.Path {
		path[i] = Segment{g.Move, g.Curve, move(g.C1), move(g.C2), move(g.To)}
	}
	return Shape{path, s.Fill}
}

// Polygon returns a shape with straight edges between points.
func Polygon(fill paint.Color, points ...Point) Shape {
	return Shape{polygon(points), fill}
}

func polygon(points []Point) Path {
	path := make(Path, len(points))
	for i, p := range points {
		path[i] = Segment{Move: i == 0, To: p}
	}
	return path
}

// Rect returns a rectangle of w by h around a point.
func Rect(fill paint.Color, at Point, w, h float64) Shape {
	return Polygon(fill, Point{at.X - w/2, at.Y - h/2}, Point{at.X + w/2, at.Y - h/2}, Point{at.X + w/2, at.Y + h/2}, Point{at.X - w/2, at.Y + h/2})
}

// RoundRect returns a rectangle of w by h around a point with corners of a radius.
func RoundRect(fill paint.Color, at Point, w, h, radius float64) Shape {
	x0, y0, x1, y1 := at.X-w/2, at.Y-h/2, at.X+w/2, at.Y+h/2
	c := radius * (1 - quarter)
	line := func(x, y float64) Segment { return Segment{To: Point{x, y}} }
	curve := func(ax, ay, bx, by, x, y float64) Segment {
		return Segment{Curve: true, C1: Point{ax, ay}, C2: Point{bx, by}, To: Point{x, y}}
	}
	return Shape{Path{
		{Move: true, To: Point{x0 + radius, y0}},
		line(x1-radius, y0), curve(x1-c, y0, x1, y0+c, x1, y0+radius),
		line(x1, y1-radius), curve(x1, y1-c, x1-c, y1, x1-radius, y1),
		line(x0+radius, y1), curve(x0+c, y1, x0, y1-c, x0, y1-radius),
		line(x0, y0+radius), curve(x0, y0+c, x0+c, y0, x0+radius, y0),
	}, fill}
}

// quarter is the distance of the control points of a cubic curve that is a quarter of a circle of radius 1.
const quarter = 0.5522847498

// Disc returns a disc around a point.
func Disc(fill paint.Color, at Point, radius float64) Shape { return Shape{circle(at, radius), fill} }

// Ring returns the area between two circles around a point.
func Ring(fill paint.Color, at Point, outer, inner float64) Shape {
	return Shape{append(circle(at, outer), circle(at, -inner)...), fill}
}

// circle returns the outline of a circle, with a negative radius in the opposite direction.
func circle(at Point, radius float64) Path {
	r, y := math.Abs(radius), radius
	q, qy := r*quarter, y*quarter
	curve := func(ax, ay, bx, by, x, y float64) Segment {
		return Segment{Curve: true, C1: Point{at.X + ax, at.Y + ay}, C2: Point{at.X + bx, at.Y + by}, To: Point{at.X + x, at.Y + y}}
	}
	return Path{
		{Move: true, To: Point{at.X + r, at.Y}},
		curve(r, qy, q, y, 0, y), curve(-q, y, -r, qy, -r, 0),
		curve(-r, -qy, -q, -y, 0, -y), curve(q, -y, r, -qy, r, 0),
	}
}

// Outline returns the edge of a polygon: the area between it and the same polygon in another size around 0,0.
func Outline(fill paint.Color, inner float64, points ...Point) Shape {
	inside := make([]Point, len(points))
	for i, p := range points {
		inside[len(points)-1-i] = Point{p.X * inner, p.Y * inner}
	}
	return Shape{append(polygon(points), polygon(inside)...), fill}
}

// Drawing is a picture of a position: sprites on a plane, back to front. It must not be changed once it has been used.
type Drawing struct {
	Min, Max Point // the visible part
	Tiles    []Tile
}

// Tile is a sprite at a point.
type Tile struct {
	At     Point
	Sprite *Sprite
}

// Add adds a sprite at a point.
func (d *Drawing) Add(x, y float64, s *Sprite) { d.Tiles = append(d.Tiles, Tile{Point{x, y}, s}) }

// Size returns the size of the visible part.
func (d *Drawing) Size() (w, h float64) { return d.Max.X - d.Min.X, d.Max.Y - d.Min.Y }
