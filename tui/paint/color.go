package paint

// convert returns the style with the nearest colours that the terminal has. If a foreground and a different
// background have the same nearest colour, the foreground becomes black or white, so that text stays visible.
// For a console it uses no bright colours.
func (p Profile) convert(s Style) Style {
	if p.Colors == NoColor {
		return Style{Attr: s.Attr}
	}
	low := Style{p.Colors.nearest(s.FG), p.Colors.nearest(s.BG), s.Attr}
	if low.FG == low.BG && s.FG != s.BG && low.FG != Default {
		low.FG = Index(0)
		if s.BG.luminance() < 128 {
			low.FG = Index(15)
		}
	}
	if p.Console {
		low.Attr &^= Faint // which it shows as dark grey, with a contrast of 2.8 to black
		return low.dimmed()
	}
	return low
}

// dimmed returns the style with the bright ANSI colours replaced as the Linux console shows them: a bright foreground
// by the dark one in bold, a bright background by the dark one. It keeps text visible. On that console the sequence of
// a bright foreground turns bold on, so that a dark colour after it would be bright too.
func (s Style) dimmed() Style {
	isBright := func(c Color) bool { return c&kindMask == kindIndex && c.index() >= 8 && c.index() < 16 }
	if isBright(s.FG) {
		s.FG, s.Attr = Index(s.FG.index()-8), s.Attr&^Faint|Bold
	}
	if isBright(s.BG) {
		s.BG = Index(s.BG.index() - 8)
	}
	if s.FG == s.BG && s.FG != Default {
		s.Attr |= Bold
	}
	return s
}

// nearest returns the nearest of n colours. A true colour that is in the palette of 256 becomes its index,
// which takes fewer bytes.
func (n Colors) nearest(c Color) Color {
	switch c & kindMask {
	case kindIndex:
		if n == Colors16 {
			return Index(ansiOf256[c.index()])
		}
	case kindRGB:
		i := nearest256(c.rgb())
		switch {
		case n == TrueColor && paletteRGB(i) != c:
			return c
		case n == Colors16:
			return Index(ansiOf256[i])
		}
		return Index(i)
	}
	return c
}

// The palette of xterm: 16 colours that users can change (these are xterm's defaults), then a cube of
// 6×6×6 colours and 24 greys, which are computed.
var (
	ansiRGB = [16]Color{
		RGB(0, 0, 0), RGB(205, 0, 0), RGB(0, 205, 0), RGB(205, 205, 0),
		RGB(0, 0, 238), RGB(205, 0, 205), RGB(0, 205, 205), RGB(229, 229, 229),
		RGB(127, 127, 127), RGB(255, 0, 0), RGB(0, 255, 0), RGB(255, 255, 0),
		RGB(92, 92, 255), RGB(255, 0, 255), RGB(0, 255, 255), RGB(255, 255, 255),
	}
	cubeLevels = [6]uint8{0, 95, 135, 175, 215, 255}
	ansiOf256  = makeANSIOf256()
)

// paletteRGB returns a colour of the palette as an RGB colour.
func paletteRGB(i uint8) Color {
	switch {
	case i < 16:
		return ansiRGB[i]
	case i < 232:
		i -= 16
		return RGB(cubeLevels[i/36], cubeLevels[i/6%6], cubeLevels[i%6])
	}
	grey := 8 + 10*(i-232)
	return RGB(grey, grey, grey)
}

// nearest256 returns the index of the nearest colour of the cube and the greys. It never returns one of the
// first 16, because users can change those.
func nearest256(r, g, b uint8) uint8 {
	level := func(v uint8) uint8 {
		if v < 48 {
			return 0
		}
		if v < 115 {
			return 1
		}
		return (v - 35) / 40
	}
	cube := 16 + 36*level(r) + 6*level(g) + level(b)
	mean := (int(r) + int(g) + int(b)) / 3
	grey := uint8(232 + clamp((mean-3)/10, 0, 23))
	c := RGB(r, g, b)
	if distance(c, paletteRGB(grey)) < distance(c, paletteRGB(cube)) {
		return grey
	}
	return cube
}

// distance returns how different two RGB colours look, by the approximation "redmean".
func distance(a, b Color) int {
	ar, ag, ab := a.rgb()
	br, bg, bb := b.rgb()
	dr, dg, db := int(ar)-int(br), int(ag)-int(bg), int(ab)-int(bb)
	mean := (int(ar) + int(br)) / 2
	return (512+mean)*dr*dr>>8 + 4*dg*dg + (767-mean)*db*db>>8
}

// luminance returns the brightness of a colour, from 0 to 255. For Default it returns 0.
func (c Color) luminance() int {
	r, g, b := c.Components()
	return (299*int(r) + 587*int(g) + 114*int(b)) / 1000
}

// makeANSIOf256 returns for each colour of the palette the most similar of the 16 ANSI colours. Grey has a
// penalty for colours with a hue; without it every pale colour would become grey.
func makeANSIOf256() (table [256]uint8) {
	for i := range table {
		if i < 16 {
			table[i] = uint8(i)
			continue
		}
		c := paletteRGB(uint8(i))
		best := -1
		for a, rgb := range ansiRGB {
			d := distance(c, rgb)
			if c.saturation() > 60 && rgb.saturation() == 0 {
				d *= 3
			}
			if best < 0 || d < best {
				best, table[i] = d, uint8(a)
			}
		}
	}
	return table
}

// saturation returns the difference between the largest and the smallest component of an RGB colour, from 0
// for grey to 255.
func (c Color) saturation() int {
	r, g, b := c.rgb()
	return int(max(r, g, b)) - int(min(r, g, b))
}
