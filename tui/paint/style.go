package paint

// Color is the colour of a character or of its background. The zero Color is the terminal's own.
type Color uint32

// A Color's kind stands above its value's 24 bits; the bits above those are free for a cell's use.
const (
	kindIndex Color = 1 << 24
	kindRGB   Color = 2 << 24
	kindMask  Color = 3 << 24
	valueMask Color = 1<<24 - 1
)

// Default is the terminal's own foreground or background.
const Default Color = 0

// Index is a colour of the terminal's palette: 0 to 15 are the ANSI colours that people choose for
// themselves, 16 to 231 a cube of six levels each, 232 to 255 greys.
func Index(n uint8) Color { return kindIndex | Color(n) }

// RGB is a colour by its red, green and blue parts.
func RGB(r, g, b uint8) Color {
	return kindRGB | Color(r)<<16 | Color(g)<<8 | Color(b)
}

// index returns a palette colour's number.
func (c Color) index() uint8 { return uint8(c) }

// rgb returns the parts of an RGB colour.
func (c Color) rgb() (r, g, b uint8) { return uint8(c >> 16), uint8(c >> 8), uint8(c) }

// Attr is a set of attributes of a character.
type Attr uint8

const (
	Bold Attr = 1 << iota
	Faint
	Underline
	Reverse

	allAttrs = Bold | Faint | Underline | Reverse
)

// Style is how a character looks. It is comparable; the zero Style is the terminal's own look.
type Style struct {
	FG, BG Color
	Attr   Attr
}

// With returns the style with these attributes added.
func (s Style) With(a Attr) Style {
	s.Attr |= a & allAttrs
	return s
}
