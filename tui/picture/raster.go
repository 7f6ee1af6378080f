package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"

	"golang.org/x/image/vector"

	"ayumu/tui/paint"
)

// raster draws drawings in pixels. It draws each sprite once for each part of a pixel at which it begins.
type raster struct {
	scale   float64 // pixels per unit
	ink     paint.Color
	sprites map[spriteKey]spriteImage
	drawer  vector.Rasterizer
}

// subpixels is into how many parts a pixel is divided, in each direction, for the position of a sprite.
const subpixels = 4

type spriteKey struct {
	sprite *Sprite
	x, y   uint8 // in parts of a pixel
}

// spriteImage is a sprite in pixels, whose upper left corner is at offset from the pixel of its point.
type spriteImage struct {
	image  *image.RGBA
	offset image.Point
}

func newRaster(scale float64, t Theme) *raster {
	return &raster{scale: scale, ink: t.Text, sprites: make(map[spriteKey]spriteImage)}
}

// draw draws the tiles of a drawing that are in a rectangle of the image. origin is the point of the drawing at the upper
// left corner of the image.
func (r *raster) draw(dst *image.RGBA, in image.Rectangle, d *Drawing, origin Point) {
	part := dst.SubImage(in).(*image.RGBA)
	for _, t := range d.Tiles {
		box, s := r.place(t, origin)
		if box.Overlaps(in) {
			draw.Draw(part, box, s.image, image.Point{}, draw.Over)
		}
	}
}

// place returns the rectangle of a tile and its sprite in pixels.
func (r *raster) place(t Tile, origin Point) (image.Rectangle, spriteImage) {
	x, fx := split((t.At.X - origin.X) * r.scale)
	y, fy := split((t.At.Y - origin.Y) * r.scale)
	key := spriteKey{t.Sprite, fx, fy}
	s, known := r.sprites[key]
	if !known {
		s = r.render(key)
		r.sprites[key] = s
	}
	return s.image.Rect.Add(image.Pt(x, y).Add(s.offset)), s
}

// split returns the whole pixels of a coordinate and the parts of a pixel beyond.
func split(f float64) (pixels int, parts uint8) {
	n := int(math.Round(f * subpixels))
	pixels = n / subpixels
	if n%subpixels < 0 {
		pixels--
	}
	return pixels, uint8(n - pixels*subpixels)
}

func (r *raster) render(k spriteKey) spriteImage {
	s := k.sprite
	if len(s.shapes) == 0 || s.min.X > s.max.X {
		return spriteImage{image: new(image.RGBA)}
	}
	shift := Point{float64(k.x) / subpixels, float64(k.y) / subpixels}
	x0, y0 := int(math.Floor(s.min.X*r.scale+shift.X)), int(math.Floor(s.min.Y*r.scale+shift.Y))
	w := int(math.Ceil(s.max.X*r.scale+shift.X)) - x0
	h := int(math.Ceil(s.max.Y*r.scale+shift.Y)) - y0
	img := image.NewRGBA(image.Rect(0, 0, max(w, 1), max(h, 1)))
	for _, shape := range s.shapes {
		fill := shape.Fill
		if fill == Ink {
			fill = r.ink
		}
		r.fill(img, shape, Point{shift.X - float64(x0), shift.Y - float64(y0)}, rgba(fill))
	}
	return spriteImage{img, image.Pt(x0, y0)}
}

// fill fills a shape whose point 0,0 is at a point of the image, in pixels.
func (r *raster) fill(dst *image.RGBA, s Shape, at Point, c color.RGBA) {
	box := NewSprite(s)
	x0, y0 := int(math.Floor(box.min.X*r.scale+at.X)), int(math.Floor(box.min.Y*r.scale+at.Y))
	x1, y1 := int(math.Ceil(box.max.X*r.scale+at.X)), int(math.Ceil(box.max.Y*r.scale+at.Y))
	area := image.Rect(x0, y0, x1, y1).Intersect(dst.Rect)
	if area.Empty() {
		return
	}
	z := &r.drawer
	z.Reset(area.Dx(), area.Dy())
	point := func(p Point) (x, y float32) {
		return float32(p.X*r.scale + at.X - float64(area.Min.X)), float32(p.Y*r.scale + at.Y - float64(area.Min.Y))
	}
	for i, g := range s.Path {
		x, y := point(g.To)
		switch {
		case g.Move:
			if i > 0 {
				z.ClosePath()
			}
			z.MoveTo(x, y)
		case g.Curve:
			ax, ay := point(g.C1)
			bx, by := point(g.C2)
			z.CubeTo(ax, ay, bx, by, x, y)
		default:
			z.LineTo(x, y)
		}
	}
	z.ClosePath()
	z.Draw(dst, area, image.NewUniform(c), image.Point{})
}

func rgba(c paint.Color) color.RGBA {
	r, g, b := c.Components()
	return color.RGBA{r, g, b, 255}
}

// PNG returns the drawing as a PNG image of a width in pixels.
func (d *Drawing) PNG(t Theme, width int) []byte {
	w, h := d.Size()
	scale := float64(width) / w
	img := image.NewRGBA(image.Rect(0, 0, width, int(math.Round(h*scale))))
	draw.Draw(img, img.Rect, image.NewUniform(rgba(t.Background)), image.Point{}, draw.Src)
	newRaster(scale, t).draw(img, img.Rect, d, d.Min)
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err) // a buffer takes everything, and the image is not empty
	}
	return b.Bytes()
}
