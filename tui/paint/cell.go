package paint

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// glyph is the content of a cell: a character in the lowest 21 bits and up to two combining marks in the 42
// bits above them. Two are enough for all living languages that are written one column at a time
// (Vietnamese, Thai, Hebrew, decomposed Korean). More occur only in texts meant to disturb other lines.
type glyph uint64

const (
	blank    glyph = 0       // a space
	trailing glyph = 1 << 63 // the second column of the wide character to its left

	runeBits       = 21
	runeMask glyph = 1<<runeBits - 1
)

// parts returns the character and its combining marks; 0 stands for a missing mark.
func (g glyph) parts() (r, mark1, mark2 rune) {
	r = rune(g & runeMask)
	if g == blank {
		r = ' '
	}
	return r, rune(g >> runeBits & runeMask), rune(g >> (2 * runeBits) & runeMask)
}

// mark returns the glyph with a combining mark added; a third one is dropped.
func (g glyph) mark(m rune) glyph {
	if g == blank {
		g = ' '
	}
	switch {
	case g>>runeBits == 0:
		return g | glyph(m)<<runeBits
	case g>>(2*runeBits) == 0:
		return g | glyph(m)<<(2*runeBits)
	}
	return g
}

// append appends the glyph in UTF-8; the second column of a wide character has no bytes.
func (g glyph) append(b []byte) []byte {
	if g == trailing {
		return b
	}
	r, m1, m2 := g.parts()
	b = utf8.AppendRune(b, r)
	if m1 != 0 {
		b = utf8.AppendRune(b, m1)
	}
	if m2 != 0 {
		b = utf8.AppendRune(b, m2)
	}
	return b
}

// hasCertainWidth reports whether the glyph is one column wide on all terminals. After any other glyph the
// painter assumes that the cursor's column is unknown.
func (g glyph) hasCertainWidth() bool {
	r := rune(g)
	return g <= runeMask && (r < 0x0590 || r >= 0x2000 && r < 0x2e80)
}

// cell is one column of a row, in 16 bytes without pointers. Two cells are equal if and only if they look the
// same. The zero cell is blank in the terminal's default colours. The top bits of fg are the attributes.
type cell struct {
	glyph  glyph
	fg, bg Color
}

const attrShift = 28

func newCell(g glyph, s Style) cell {
	if g == ' ' {
		g = blank
	}
	c := cell{g, s.FG&(kindMask|valueMask) | Color(s.Attr&allAttrs)<<attrShift, s.BG & (kindMask | valueMask)}
	if g == blank && s.Attr&(Underline|Reverse) == 0 {
		c.fg = Default // the foreground of a blank is invisible
	}
	return c
}

func (c cell) style() Style {
	return Style{c.fg & (kindMask | valueMask), c.bg, Attr(c.fg >> attrShift)}
}

// classify returns the character that is shown for r, and its width in columns. A character of width 0 is a
// combining mark, or is dropped if shown is 0.
func classify(r rune) (shown rune, width int) {
	switch {
	case r >= 0x20 && r < 0x7f, r > 0xa0 && r < 0x300 && r != 0xad, r >= 0x2500 && r < 0x25fd:
		return r, 1 // the fast path: ASCII, Latin, box drawing, blocks and geometric shapes
	case r == '\t' || r == '\n' || unicode.Is(unicode.Zs, r):
		return ' ', 1
	case r == utf8.RuneError || unicode.Is(unicode.Cc, r):
		return '?', 1
	case r >= 0x1f1e6 && r <= 0x1f1ff: // letters of flags, which terminals show in different widths
		return 'A' + r - 0x1f1e6, 1
	case r >= 0x1f3fb && r <= 0x1f3ff || unicode.In(r, unicode.Cf, unicode.Variation_Selector):
		return 0, 0
	case unicode.In(r, unicode.Mn, unicode.Me) || jamoMark(r):
		return r, 0
	case !unicode.IsPrint(r): // unassigned, private use, line separators
		return '?', 1
	}
	if displaywidth.Rune(r) == 2 {
		return r, 2
	}
	return r, 1
}

// jamoMark reports whether r is a vowel or a final consonant of decomposed Korean. Terminals draw it over the
// initial consonant of its syllable.
func jamoMark(r rune) bool {
	return r >= 0x1160 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7ff
}

// Width returns the number of columns that Text takes for s on a row that is wide enough.
func Width(s string) int {
	n := 0
	for _, r := range s {
		_, w := classify(r)
		n += w
	}
	return n
}

// Cut returns s if it takes at most width columns, else its beginning with an ellipsis in the last column.
func Cut(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	n := 0
	for i, r := range s {
		_, w := classify(r)
		if n+w > width-1 {
			if width < 1 {
				return ""
			}
			return s[:i] + "…"
		}
		n += w
	}
	return s
}
