package picture

import (
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"ayumu/tui/paint"
)

// Font is one of the embedded fonts.
type Font int

// The fonts.
const (
	Regular Font = iota
	Bold
	Mono
)

// fonts are parsed at the first text.
var fonts = [...]func() *sfnt.Font{parse(goregular.TTF), parse(gobold.TTF), parse(gomono.TTF)}

func parse(ttf []byte) func() *sfnt.Font {
	return sync.OnceValue(func() *sfnt.Font {
		f, err := sfnt.Parse(ttf)
		if err != nil {
			panic(err) // an embedded file
		}
		return f
	})
}

// Anchor is which part of a text stands at its point.
type Anchor float64

// The anchors.
const (
	Start  Anchor = 0
	Middle Anchor = 0.5
	End    Anchor = 1
)

// capHeight is the height of capital letters and digits in the Go fonts, as a share of the size.
const capHeight = 0.72

// Text returns a text as an outline. size is that of the font; at is the middle of the height of its capital letters.
// Characters that the font does not have are left out.
func Text(fill paint.Color, at Point, text string, f Font, size float64, anchor Anchor) Shape {
	at.X -= TextWidth(text, f, size) * float64(anchor)
	at.Y += size * capHeight / 2
	return Shape{outline(text, f, size, at), fill}
}

// TextWidth returns the width of a text.
func TextWidth(text string, f Font, size float64) float64 {
	var b sfnt.Buffer
	width := 0.0
	for _, r := range text {
		width += advance(&b, f, r) * size
	}
	return width
}

// em is the size at which glyphs are read. It is large, because their points are multiples of 1/64.
const em = 2048

// glyph returns the index of a character; 0 if the font does not have it.
func glyph(b *sfnt.Buffer, f Font, r rune) sfnt.GlyphIndex {
	i, err := fonts[f]().GlyphIndex(b, r)
	if err != nil {
		return 0
	}
	return i
}

func advance(b *sfnt.Buffer, f Font, r rune) float64 {
	i := glyph(b, f, r)
	if i == 0 {
		return 0
	}
	a, err := fonts[f]().GlyphAdvance(b, i, fixed.I(em), font.HintingNone)
	if err != nil {
		return 0
	}
	return float64(a) / 64 / em
}

// outline returns the outline of a text whose base line begins at a point.
func outline(text string, f Font, size float64, at Point) (path Path) {
	var b sfnt.Buffer
	for _, r := range text {
		i := glyph(&b, f, r)
		if i == 0 {
			continue
		}
		glyphs, err := fonts[f]().LoadGlyph(&b, i, fixed.I(em), nil)
		if err != nil {
			continue
		}
		point := func(p fixed.Point26_6) Point {
			return Point{at.X + float64(p.X)/64/em*size, at.Y + float64(p.Y)/64/em*size}
		}
		var from Point
		for _, g := range glyphs {
			s := Segment{To: point(g.Args[0])}
			switch g.Op {
			case sfnt.SegmentOpMoveTo:
				s.Move = true
			case sfnt.SegmentOpQuadTo:
				c := s.To
				s.To = point(g.Args[1])
				s.Curve, s.C1, s.C2 = true, between(from, c), between(s.To, c)
			case sfnt.SegmentOpCubeTo:
				s.Curve, s.C1, s.C2, s.To = true, s.To, point(g.Args[1]), point(g.Args[2])
			}
			from = s.To
			path = append(path, s)
		}
		at.X += advance(&b, f, r) * size
	}
	return path
}

// between returns the point at two thirds of the way from p to c, which makes a cubic curve of a quadratic one.
func between(p, c Point) Point { return Point{p.X + (c.X-p.X)*2/3, p.Y + (c.Y-p.Y)*2/3} }
