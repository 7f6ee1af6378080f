package theme

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ayumu/tui/paint"
)

// ThemeSet is the looks for all kinds of terminals. It is shared by all sessions and never changed.
type ThemeSet struct{ dark, light, ansi, ansiLight *Theme }

// DefaultSet is the usual looks.
var DefaultSet = &ThemeSet{&Dark, &Light, &ANSI, &ANSILight}

// For returns the look for a terminal with so many colours.
func (s *ThemeSet) For(colors paint.Colors, light bool) *Theme {
	switch {
	case colors == paint.NoColor:
		return &Plain
	case colors == paint.Colors16 && light:
		return s.ansiLight
	case colors == paint.Colors16:
		return s.ansi
	case light:
		return s.light
	}
	return s.dark
}

// BuiltIn returns the usual look that this one was made of.
func (t *Theme) BuiltIn() *Theme {
	if t.Base != nil {
		return t.Base
	}
	return t
}

// accents are the colours that have names.
var accents = map[string]uint32{
	"red": 0xb3261e, "orange": 0xc25e00, "gold": 0xc79a00, "green": 0x2e7d32, "teal": 0x00796b,
	"blue": 0x1f5fae, "indigo": 0x3f4aa8, "purple": 0x7b3fa0, "pink": 0xc2417c, "brown": 0x7a5230, "grey": 0x5c6470,
}

// ParseAccent reads a colour: a name, or #rrggbb.
func ParseAccent(s string) (paint.Color, error) {
	if n, ok := accents[s]; ok {
		return hex(n), nil
	}
	if digits, ok := strings.CutPrefix(s, "#"); ok && len(digits) == 6 {
		if n, err := strconv.ParseUint(digits, 16, 32); err == nil {
			return hex(uint32(n)), nil
		}
	}
	return 0, fmt.Errorf("%q is no colour such as #1f5fae, and none of %s", s, strings.Join(slices.Sorted(maps.Keys(accents)), ", "))
}

// The grounds on which the looks are made, and the inks for an accent.
const (
	black = 0x000000
	white = 0xffffff
)

// WithAccent makes the looks with a host's colour under the first and the last line and the chosen
// row. It is made lighter or darker as far as it takes to stand out from the terminal's ground, and
// what is written on it is black or white, whichever is read better.
func WithAccent(accent paint.Color) *ThemeSet {
	return &ThemeSet{
		dark:      withAccent(&Dark, accent, hex(black), paint.TrueColor),
		light:     withAccent(&Light, accent, hex(white), paint.TrueColor),
		ansi:      withAccent(&ANSI, accent, hex(black), paint.Colors16),
		ansiLight: withAccent(&ANSILight, accent, hex(white), paint.Colors16),
	}
}

// Contrasts, as paint.Contrast counts them.
const (
	minAreaContrast = 1.5 // an area from the ground beside it; a mark and words say the same
	minTextContrast = 4.5
)

// withAccent returns a look with an accent; colors is how many the terminal is known to have.
func withAccent(base *Theme, accent, ground paint.Color, colors paint.Colors) *Theme {
	away := hex(white) // from the ground
	if ground == away {
		away = hex(black)
	}
	area := accent
	for share := 0.0; paint.Contrast(colors.Nearest(area), ground) < minAreaContrast; share += 0.05 {
		area = paint.Mix(accent, away, share)
	}
	area = colors.Nearest(area)
	// A terminal of 256 colours shows something near to what one of more shows.
	contrast := func(c paint.Color) float64 {
		near := min(colors, paint.Colors256)
		return min(paint.Contrast(c, area), paint.Contrast(near.Nearest(c), near.Nearest(area)))
	}
	ink := hex(black)
	if contrast(hex(white)) > contrast(ink) {
		ink = hex(white)
	}
	read := func(c paint.Color) paint.Color {
		if c == paint.Default || contrast(c) < minTextContrast {
			return ink
		}
		return c
	}
	t := *base
	t.Base = base
	t.Name += ", accent"
	t.Bar = paint.Style{FG: ink, BG: area}
	t.BarDim = paint.Style{FG: read(base.BarDim.FG), BG: area}
	t.BarKey = paint.Style{FG: read(base.BarKey.FG), BG: area, Attr: base.BarKey.Attr}
	t.Selected = paint.Style{FG: ink, BG: area}
	return &t
}
