package picture

import (
	"bytes"
	"cmp"
	"compress/lzw"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"
	"time"
)

// The limits of an animation.
const (
	MaxFrames   = 600
	MaxGIFBytes = 4 << 20
)

// Frame is a picture of an animation and the time for which it is shown.
type Frame struct {
	*Drawing
	Delay time.Duration
}

// ErrTooLarge is the error of an animation that would have more than MaxFrames or MaxGIFBytes.
var ErrTooLarge = errors.New("the animation is too large")

// maxColors is the size of the palette of an animation. Colour 0 is transparent: what the frame before shows.
const maxColors = 64

// gifWriter writes an animation frame by frame, so that only one frame is in memory.
type gifWriter struct {
	out     bytes.Buffer
	raster  *raster
	theme   Theme
	origin  Point
	shown   *image.RGBA // the frame before
	next    *image.RGBA
	palette []color.RGBA
	index   map[color.RGBA]uint8 // the nearest colour of the palette
}

// GIF returns an animation of a width in pixels that repeats. All frames show the part of the plane that contains the visible
// parts of all of them. It returns ErrTooLarge if there are too many frames or bytes.
func GIF(ctx context.Context, frames []Frame, t Theme, width int) ([]byte, error) {
	if len(frames) == 0 || len(frames) > MaxFrames {
		return nil, ErrTooLarge
	}
	low, high := frames[0].Min, frames[0].Max
	for _, f := range frames {
		low = Point{min(low.X, f.Min.X), min(low.Y, f.Min.Y)}
		high = Point{max(high.X, f.Max.X), max(high.Y, f.Max.Y)}
	}
	scale := float64(width) / (high.X - low.X)
	size := image.Rect(0, 0, width, int(math.Round((high.Y-low.Y)*scale)))
	g := &gifWriter{raster: newRaster(scale, t), theme: t, origin: low, next: image.NewRGBA(size), index: make(map[color.RGBA]uint8)}
	g.choosePalette(frames)
	g.writeHeader()
	var before *Drawing
	for _, f := range frames {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g.writeFrame(f, before)
		before = f.Drawing
		if g.out.Len() > MaxGIFBytes {
			return nil, ErrTooLarge
		}
	}
	g.out.WriteByte(0x3b)
	return g.out.Bytes(), nil
}

// choosePalette chooses the colours: those of all sprites, and of the others, at the edges of shapes, the most frequent ones of
// some frames.
func (g *gifWriter) choosePalette(frames []Frame) {
	g.palette = []color.RGBA{{}}
	known := make(map[color.RGBA]bool)
	add := func(c color.RGBA) {
		if !known[c] && len(g.palette) < maxColors {
			known[c] = true
			g.palette = append(g.palette, c)
		}
	}
	add(rgba(g.theme.Background))
	add(rgba(g.theme.Text))
	seen := make(map[*Sprite]bool)
	for _, f := range frames {
		for _, t := range f.Tiles {
			if seen[t.Sprite] {
				continue
			}
			seen[t.Sprite] = true
			for _, s := range t.Sprite.shapes {
				if s.Fill != Ink {
					add(rgba(s.Fill))
				}
			}
		}
	}
	counts := make(map[color.RGBA]int)
	const samples = 6
	for i := range samples {
		f := frames[i*(len(frames)-1)/(samples-1)]
		g.render(f.Drawing, g.next.Rect)
		for p := 0; p < len(g.next.Pix); p += 4 {
			// Similar colours count as one, so that the palette has different ones.
			c := color.RGBA{g.next.Pix[p]&^15 | 8, g.next.Pix[p+1]&^15 | 8, g.next.Pix[p+2]&^15 | 8, 255}
			counts[c]++
		}
	}
	edges := make([]color.RGBA, 0, len(counts))
	for c := range counts {
		edges = append(edges, c)
	}
	slices.SortFunc(edges, func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	for _, c := range edges {
		if d := paletteDistance(g.palette, c); d > 12*12*3 {
			add(c)
		}
	}
}

// paletteDistance returns the square of the distance of a colour to the nearest one of a palette.
func paletteDistance(palette []color.RGBA, c color.RGBA) int {
	_, d := nearestColor(palette, c)
	return d
}

func nearestColor(palette []color.RGBA, c color.RGBA) (index uint8, distance int) {
	distance = math.MaxInt
	for i, p := range palette[1:] {
		r, g, b := int(p.R)-int(c.R), int(p.G)-int(c.G), int(p.B)-int(c.B)
		if d := 2*r*r + 4*g*g + 3*b*b; d < distance {
			index, distance = uint8(i+1), d
		}
	}
	return index, distance
}

// render draws a part of a frame.
func (g *gifWriter) render(d *Drawing, in image.Rectangle) {
	draw.Draw(g.next, in, image.NewUniform(rgba(g.theme.Background)), image.Point{}, draw.Src)
	g.raster.draw(g.next, in, d, g.origin)
}

// The bits of the size of the palette, and of the codes of LZW.
const paletteBits = 6

func (g *gifWriter) writeHeader() {
	size := g.next.Rect.Size()
	g.out.WriteString("GIF89a")
	g.writeShorts(size.X, size.Y)
	g.out.Write([]byte{0x80 | paletteBits - 1, 0, 0})
	for i := range maxColors {
		var c color.RGBA
		if i < len(g.palette) {
			c = g.palette[i]
		}
		g.out.Write([]byte{c.R, c.G, c.B})
	}
	g.out.WriteString("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
}

func (g *gifWriter) writeShorts(all ...int) {
	for _, n := range all {
		var b [2]byte
		binary.LittleEndian.PutUint16(b[:], uint16(n))
		g.out.Write(b[:])
	}
}

// writeFrame writes the part of a frame that differs from the one before.
func (g *gifWriter) writeFrame(f Frame, before *Drawing) {
	dirty := g.next.Rect
	if before != nil {
		dirty = g.changed(before, f.Drawing).Intersect(g.next.Rect)
	}
	if dirty.Empty() {
		dirty = image.Rect(0, 0, 1, 1)
	}
	g.render(f.Drawing, dirty)
	g.out.Write([]byte{0x21, 0xf9, 4, 1<<2 | 1}) // leave the frame in place; colour 0 is transparent
	g.writeShorts(int(f.Delay / (10 * time.Millisecond)))
	g.out.Write([]byte{0, 0, 0x2c})
	g.writeShorts(dirty.Min.X, dirty.Min.Y, dirty.Dx(), dirty.Dy())
	g.out.Write([]byte{0, paletteBits})
	blocks := blockWriter{out: &g.out}
	w := lzw.NewWriter(&blocks, lzw.LSB, paletteBits)
	_, _ = w.Write(g.pixels(dirty)) // a buffer takes everything
	_ = w.Close()
	blocks.flush()
	g.out.WriteByte(0)
	if g.shown == nil {
		g.shown = image.NewRGBA(g.next.Rect)
	}
	draw.Draw(g.shown, dirty, g.next, dirty.Min, draw.Src)
}

// pixels returns the colours of a part of the next frame, transparent where the frame before has the same.
func (g *gifWriter) pixels(in image.Rectangle) []byte {
	pixels := make([]byte, 0, in.Dx()*in.Dy())
	for y := in.Min.Y; y < in.Max.Y; y++ {
		i := g.next.PixOffset(in.Min.X, y)
		for range in.Dx() {
			p := g.next.Pix[i : i+4 : i+4]
			switch {
			case g.shown != nil && bytes.Equal(p, g.shown.Pix[i:i+4]):
				pixels = append(pixels, 0)
			default:
				pixels = append(pixels, g.colorIndex(color.RGBA{p[0], p[1], p[2], 255}))
			}
			i += 4
		}
	}
	return pixels
}

func (g *gifWriter) colorIndex(c color.RGBA) uint8 {
	i, known := g.index[c]
	if !known {
		i, _ = nearestColor(g.palette, c)
		g.index[c] = i
	}
	return i
}

// changed returns the rectangle around all tiles in which two drawings differ.
func (g *gifWriter) changed(a, b *Drawing) (dirty image.Rectangle) {
	counts := make(map[Tile]int, len(a.Tiles))
	for _, t := range a.Tiles {
		counts[t]++
	}
	for _, t := range b.Tiles {
		counts[t]--
	}
	for t, n := range counts {
		if n != 0 {
			box, _ := g.raster.place(t, g.origin)
			dirty = dirty.Union(box)
		}
	}
	return dirty
}

// blockWriter writes bytes in blocks of at most 255, as GIF has them.
type blockWriter struct {
	out *bytes.Buffer
	buf []byte
}

func (b *blockWriter) Write(p []byte) (int, error) {
	for _, c := range p {
		if b.buf = append(b.buf, c); len(b.buf) == 255 {
			b.flush()
		}
	}
	return len(p), nil
}

func (b *blockWriter) flush() {
	if len(b.buf) > 0 {
		b.out.WriteByte(byte(len(b.buf)))
		b.out.Write(b.buf)
		b.buf = b.buf[:0]
	}
}
