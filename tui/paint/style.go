package paint

// Color is the colour of a character or of its background. The zero Color is Default.
type Color uint32

// The lowest 24 bits of a Color are its value, the two bits above them its kind. A cell uses the top bits.
const (
	kindIndex Color = 1 << 24
	kindRGB   Color = 2 << 24
	kindMask  Color = 3 << 24
	valueMask Color = 1<<24 - 1
)

// Default is the terminal's default foreground or background.
const Default Color = 0

// Index returns a colour of the terminal's palette: 0 to 15 are the ANSI colours, which users can change, 16
// to 231 a cube of 6×6×6 colours, 232 to 255 greys.
func Index(n uint8) Color { return kindIndex | Color(n) }

// RGB returns the colour with these components.
func RGB(r, g, b uint8) Color {
	return kindRGB | Color(r)<<16 | Color(g)<<8 | Color(b)
}

// index returns the number of a palette colour.
func (c Color) index() uint8 { return uint8(c) }

// rgb returns the components of an RGB colour.
func (c Color) rgb() (r, g, b uint8) { return uint8(c >> 16), uint8(c >> 8), uint8(c) }

// Components returns the red, green and blue of a colour, of a palette colour those that xterm has. Those of Default are 0.
func (c Color) Components() (r, g, b uint8) {
	if c&kindMask == kindIndex {
		c = paletteRGB(c.index())
	}
	return c.rgb()
}

// Attr is a set of attributes of a character.
type Attr uint8

// The attributes.
const (
	Bold Attr = 1 << iota
	Faint
	Underline
	Reverse

	allAttrs = Bold | Faint | Underline | Reverse
)

// Style is the appearance of a character. It is comparable. The zero Style has the terminal's default colours
// and no attributes.
type Style struct {
	FG, BG Color
	Attr   Attr
}

// With returns the style with the attributes of a added.
func (s Style) With(a Attr) Style {
	s.Attr |= a & allAttrs
	return s
}
