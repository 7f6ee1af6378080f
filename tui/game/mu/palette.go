package mu

import (
	"ayumu/engine/mu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

const (
	maxSeats = 6
	shades   = 4 // of one terrain; see segmentShades
	terrains = 3
)

// seatStyle has the name of a seat, whose initial is its mark in ASCII, and its shapes.
type seatStyle struct {
	name         string
	full, hollow string
}

var seatStyles = [maxSeats]seatStyle{
	{"Disc", "●", "○"}, {"Triangle", "▲", "△"}, {"Box", "■", "□"},
	{"Lozenge", "◆", "◇"}, {"Wedge", "▼", "▽"}, {"Star", "★", "☆"},
}

// mark returns a seat's sign; the hollow one is for pieces that cannot move.
func mark(seat int, hollow bool, style game.Style) string {
	s := &seatStyles[seat]
	switch {
	case !style.HasSymbols() && hollow:
		return string(s.name[0] | 0x20)
	case !style.HasSymbols():
		return s.name[:1]
	case hollow:
		return s.hollow
	}
	return s.full
}

// textures has the character of an empty cell of each terrain.
var textures = [terrains]rune{mu.Virgin: '·', mu.Commonwealth: '░', mu.Wall: '▓'}

// palette has the colours of a board.
type palette struct {
	// tiled reports that terrains and segments differ by their backgrounds. Otherwise lines separate the
	// segments, and signs and attributes show the terrains and what has changed.
	tiled       bool
	seat        [maxSeats]paint.Color // pieces
	besideBoard [maxSeats]paint.Style // marks outside the board
	ground      paint.Color           // around the cells of the overview
	background  [terrains][shades]paint.Color
	changed     [terrains]paint.Color // backgrounds of cells that the shown turn changed
	texture     [terrains]paint.Color
	tallAttr    [terrains]paint.Attr // of pieces that leave no space for a texture
	piece       paint.Attr           // of all pieces
	number      paint.Style          // of the headroom
	border      paint.Style
	// Overlays on a cell:
	critical, selected, cursor paint.Style
	target, capture            paint.Style // of the selected piece; a capture: with a piece to capture
	hint                       paint.Style // the engine's turn
	fitting, notFitting        paint.Style // the segment to lay
	clearable                  paint.Style // a segment that can be cleared
	viewport                   paint.Style // the part of the overview that is on the screen
}

func stylePalette(style game.Style) *palette {
	switch style.Theme.BuiltIn() {
	case &theme.Dark:
		return &tilesOnDark
	case &theme.Light:
		return &tilesOnLight
	case &theme.DarkRedGreen:
		return &redGreenOnDark
	case &theme.LightRedGreen:
		return &redGreenOnLight
	case &theme.ANSI, &theme.ANSILight, &theme.ANSIRedGreen, &theme.ANSILightRedGreen:
		return &ansiPalette
	}
	return &colorlessPalette
}

// overlay returns s with the colours of top that are not Default, and the attributes of both.
func overlay(s, top paint.Style) paint.Style {
	if top.FG != paint.Default {
		s.FG = top.FG
	}
	if top.BG != paint.Default {
		s.BG = top.BG
	}
	return s.With(top.Attr)
}

func rgb(n uint32) paint.Color { return paint.RGB(uint8(n>>16), uint8(n>>8), uint8(n)) }

func on(f, b uint32) paint.Style { return paint.Style{FG: rgb(f), BG: rgb(b), Attr: paint.Bold} }

// tiledPalette returns the palette with backgrounds, nearly the same in the dark and the light theme. Its
// colours are in the palette of 256, so that shades stay distinct on terminals without more.
func tiledPalette(beside [maxSeats]uint32, changed [terrains]uint32) palette {
	p := palette{
		tiled: true,
		background: [terrains][shades]paint.Color{
			mu.Virgin:       {rgb(0xffd7af), rgb(0xd7af87), rgb(0xd7afaf), rgb(0xffffaf)},
			mu.Commonwealth: {rgb(0x87d787), rgb(0x87d7af), rgb(0xafd75f), rgb(0x5fd787)},
			mu.Wall:         {rgb(0xb2b2b2), rgb(0xa8a8a8), rgb(0xbcbcbc), rgb(0xc6c6c6)},
		},
		texture: [terrains]paint.Color{rgb(0xaf875f), rgb(0x5faf5f), rgb(0x767676)},
		piece:   paint.Bold,
		number:  paint.Style{FG: rgb(0x4e4e4e)},
		border:  paint.Style{FG: rgb(0xaf875f)},

		critical:   on(0xffffff, 0xaf0000),
		target:     on(0x000000, 0x5fd7ff),
		capture:    on(0xffffff, 0xaf0000),
		selected:   on(0xffffff, 0x5f00af),
		cursor:     on(0xffffff, 0x005fff),
		hint:       on(0x000000, 0xffafff),
		fitting:    on(0x005f87, 0x5fd7ff),
		notFitting: on(0xffffff, 0xaf0000),
		clearable:  on(0x000000, 0x5fd7ff),
		viewport:   paint.Style{BG: rgb(0x585858)},
	}
	for i, c := range [maxSeats]uint32{0xaf0000, 0x0000d7, 0x5f3700, 0x8700af, 0x005f5f, 0x000000} {
		p.seat[i] = rgb(c)
	}
	for i, c := range beside {
		p.besideBoard[i].FG = rgb(c)
	}
	for i, c := range changed {
		p.changed[i] = rgb(c)
	}
	return p
}

var (
	tilesOnDark = tiledPalette([maxSeats]uint32{0xff5f5f, 0x87afff, 0xd7af5f, 0xd787ff, 0x5fd7d7, 0xffffff},
		[terrains]uint32{0xffffff, 0xd7ffd7, 0xdadada})
	tilesOnLight = tiledPalette([maxSeats]uint32{0xaf0000, 0x0000d7, 0x5f3700, 0x8700af, 0x005f5f, 0x000000},
		[terrains]uint32{0xffd75f, 0xd7ff87, 0xd0d0d0})
)

// redGreenPalette returns the tiled palette for red-green blindness: yellow, blue and grey terrains, and pieces and
// overlays that differ in lightness where they do not differ in blue.
func redGreenPalette(beside [maxSeats]uint32) palette {
	p := tiledPalette(beside, [terrains]uint32{0xffaf5f, 0xd7d7ff, 0xe4e4e4})
	p.background[mu.Virgin] = [shades]paint.Color{rgb(0xffffaf), rgb(0xffd787), rgb(0xffffd7), rgb(0xffff87)}
	p.background[mu.Commonwealth] = [shades]paint.Color{rgb(0x5fafff), rgb(0x87d7ff), rgb(0xafafff), rgb(0x5fd7ff)}
	p.texture[mu.Commonwealth] = rgb(0x005faf)
	for i, c := range redGreenSeats {
		p.seat[i] = rgb(c)
	}
	p.critical, p.capture, p.notFitting = on(0xffffff, 0xaf5f00), on(0xffffff, 0xaf5f00), on(0xffffff, 0xaf5f00)
	p.target, p.fitting, p.clearable = on(0xffffff, 0x005f87), on(0xffffff, 0x005f87), on(0xffffff, 0x005f87)
	p.hint = on(0xffff00, 0x000000)
	return p
}

var redGreenSeats = [maxSeats]uint32{0x870000, 0x0000ff, 0x000000, 0x8700af, 0x4e4e4e, 0x5f005f}

var (
	redGreenOnDark  = redGreenPalette([maxSeats]uint32{0xff8700, 0x5f87ff, 0xffffff, 0x8787af, 0x87875f, 0xffffaf})
	redGreenOnLight = redGreenPalette(redGreenSeats)
)

// ansiOn returns a style of two ANSI colours. Dark text is not bold, because many terminals show bold black as
// grey.
func ansiOn(f, b uint8) paint.Style {
	s := paint.Style{FG: paint.Index(f), BG: paint.Index(b)}
	if f > 7 {
		s.Attr = paint.Bold
	}
	return s
}

// untiledPalette returns what the palettes without tiles have in common.
func untiledPalette() palette {
	return palette{tallAttr: [terrains]paint.Attr{mu.Commonwealth: paint.Underline, mu.Wall: paint.Reverse}}
}

var (
	ansiPalette      = newANSIPalette()
	colorlessPalette = newColorlessPalette()
)

// newANSIPalette returns the palette of the 16 ANSI colours. Users can change these, so it relies only on the
// bright ones being legible on black. Users with red-green blindness have the same one: players differ by their shapes, terrains
// by their textures, and what is coloured red has ! or × too, so that no colour stands for anything alone. The board has a black background of its own, because that of the
// terminal may not be known.
func newANSIPalette() palette {
	const black, grey = 0, 7
	p := untiledPalette()
	p.ground = paint.Index(black)
	for i, n := range [maxSeats]uint8{9, 12, 11, 13, 14, 15} {
		p.seat[i] = paint.Index(n)
		p.besideBoard[i] = paint.Style{FG: p.seat[i], BG: p.ground}
	}
	for t, n := range [terrains]uint8{mu.Virgin: grey, mu.Commonwealth: 2, mu.Wall: grey} {
		p.texture[t] = paint.Index(n)
		for shade := range shades {
			p.background[t][shade] = p.ground
		}
	}
	p.number, p.border = ansiOn(grey, black), ansiOn(grey, black)
	p.critical, p.notFitting = ansiOn(15, 1), ansiOn(15, 1)
	p.target, p.fitting, p.clearable = ansiOn(black, 6), ansiOn(black, 6), ansiOn(black, 6)
	p.capture = ansiOn(15, 1)
	p.selected, p.cursor = ansiOn(15, 5), ansiOn(15, 4)
	p.hint = ansiOn(black, 3)
	p.viewport = paint.Style{Attr: paint.Reverse}
	return p
}

func newColorlessPalette() palette {
	p := untiledPalette()
	attr := func(a paint.Attr) paint.Style { return paint.Style{Attr: a} }
	p.number, p.border = attr(paint.Faint), attr(paint.Faint)
	p.critical, p.notFitting = attr(paint.Bold), attr(paint.Bold)
	p.capture = attr(paint.Bold | paint.Reverse)
	p.target, p.fitting, p.clearable = attr(paint.Bold|paint.Underline), attr(paint.Bold), attr(paint.Bold)
	p.selected, p.cursor = attr(paint.Bold|paint.Underline|paint.Reverse), attr(paint.Bold|paint.Reverse)
	p.hint = attr(paint.Bold)
	p.viewport = attr(paint.Reverse)
	return p
}
