package paint

import "math"

// Nearest returns the nearest colour to c that a terminal with n colours has.
func (n Colors) Nearest(c Color) Color { return n.nearest(c) }

// Contrast returns the contrast ratio of two colours by WCAG 2, from 1 to 21; text should have 4.5 or more.
// For the 16 ANSI colours it assumes xterm's defaults. Default is not allowed.
func Contrast(a, b Color) float64 {
	la, lb := a.relativeLuminance(), b.relativeLuminance()
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// relativeLuminance returns the relative luminance of WCAG 2, from 0 to 1.
func (c Color) relativeLuminance() float64 {
	if c&kindMask == kindIndex {
		c = paletteRGB(c.index())
	}
	linear := func(v uint8) float64 {
		f := float64(v) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	r, g, b := c.rgb()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// Mix returns the RGB colour between two RGB colours: a if share is 0, b if share is 1.
func Mix(a, b Color, share float64) Color {
	part := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + (float64(y)-float64(x))*share)) }
	ar, ag, ab := a.rgb()
	br, bg, bb := b.rgb()
	return RGB(part(ar, br), part(ag, bg), part(ab, bb))
}
