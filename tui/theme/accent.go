package theme

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ayumu/tui/paint"
)

// ThemeSet holds a theme for each kind of terminal. It is immutable and shared by all sessions.
type ThemeSet struct {
	dark, light, ansi, ansiLight *Theme
	redGreen                     *ThemeSet
}

// DefaultSet holds the built-in themes.
var DefaultSet = &ThemeSet{&Dark, &Light, &ANSI, &ANSILight, redGreenSet}

var redGreenSet = &ThemeSet{&DarkRedGreen, &LightRedGreen, &ANSIRedGreen, &ANSILightRedGreen, nil}

// ForRedGreenBlind returns the same themes with colours for red-green blindness.
func (s *ThemeSet) ForRedGreenBlind() *ThemeSet { return s.redGreen }

// For returns the theme for a terminal with this number of colours and a light or dark background.
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

// BuiltIn returns the built-in theme from which t was derived, or t itself.
func (t *Theme) BuiltIn() *Theme {
	if t.Base != nil {
		return t.Base
	}
	return t
}

// accents maps the names of accent colours to RGB values.
var accents = map[string]uint32{
	"red": 0xb3261e, "orange": 0xc25e00, "gold": 0xc79a00, "green": 0x2e7d32, "teal": 0x00796b,
	"blue": 0x1f5fae, "indigo": 0x3f4aa8, "purple": 0x7b3fa0, "pink": 0xc2417c, "brown": 0x7a5230, "grey": 0x5c6470,
}

// ParseAccent parses a colour: a name, or #rrggbb.
func ParseAccent(s string) (paint.Color, error) {
	if n, ok := accents[s]; ok {
		return hex(n), nil
	}
	if digits, ok := strings.CutPrefix(s, "#"); ok && len(digits) == 6 {
		if n, err := strconv.ParseUint(digits, 16, 32); err == nil {
			return hex(uint32(n)), nil
		}
	}
	return 0, fmt.Errorf("%q is not a colour; use #rrggbb, as in #1f5fae, or one of %s", s, strings.Join(slices.Sorted(maps.Keys(accents)), ", "))
}

// The backgrounds that the themes assume, which are also the colours of text on an accent.
const (
	black = 0x000000
	white = 0xffffff
)

// WithAccent returns the built-in themes with an accent colour as background of the first line, the
// last line and the selected row. The colour is made lighter or darker until it has minAreaContrast to the
// terminal's background. Text on it is black or white, whichever has the higher contrast.
func WithAccent(accent paint.Color) *ThemeSet {
	set := DefaultSet.withAccent(accent)
	set.redGreen = redGreenSet.withAccent(accent)
	return set
}

func (s *ThemeSet) withAccent(accent paint.Color) *ThemeSet {
	return &ThemeSet{
		dark:      s.dark.withAccent(accent, hex(black), paint.TrueColor),
		light:     s.light.withAccent(accent, hex(white), paint.TrueColor),
		ansi:      s.ansi.withAccent(accent, hex(black), paint.Colors16),
		ansiLight: s.ansiLight.withAccent(accent, hex(white), paint.Colors16),
	}
}

// Minimum contrasts, as paint.Contrast measures them.
const (
	minAreaContrast = 1.5 // between an area and the background; no information depends on the area alone
	minTextContrast = 4.5
)

// withAccent returns base with an accent for terminals with this background and number of colours.
func (base *Theme) withAccent(accent, background paint.Color, colors paint.Colors) *Theme {
	away := hex(white) // the direction that increases contrast
	if background == away {
		away = hex(black)
	}
	area := accent
	for share := 0.0; paint.Contrast(colors.Nearest(area), background) < minAreaContrast; share += 0.05 {
		area = paint.Mix(accent, away, share)
	}
	area = colors.Nearest(area)
	// contrast returns the contrast of c on the area: on a terminal of 256 colours, if that is lower.
	contrast := func(c paint.Color) float64 {
		near := min(colors, paint.Colors256)
		return min(paint.Contrast(c, area), paint.Contrast(near.Nearest(c), near.Nearest(area)))
	}
	text := hex(black)
	if contrast(hex(white)) > contrast(text) {
		text = hex(white)
	}
	readable := func(c paint.Color) paint.Color {
		if c == paint.Default || contrast(c) < minTextContrast {
			return text
		}
		return c
	}
	t := *base
	t.Base = base
	t.Name += ", accent"
	t.Bar = paint.Style{FG: text, BG: area}
	t.BarDim = paint.Style{FG: readable(base.BarDim.FG), BG: area}
	t.BarKey = paint.Style{FG: readable(base.BarKey.FG), BG: area, Attr: base.BarKey.Attr}
	t.Selected = paint.Style{FG: text, BG: area}
	return &t
}
