package theme

import "ayumu/tui/paint"

// The themes for red-green blindness: colours with a meaning are blue, orange and yellow, or differ in lightness.
// Without colours there is nothing to replace.
var (
	DarkRedGreen      = redGreenDark()
	LightRedGreen     = redGreenLight()
	ANSIRedGreen      = redGreenANSI(&ANSI)
	ANSILightRedGreen = redGreenANSI(&ANSILight)
)

func redGreenDark() Theme {
	t := Dark
	t.Name = "dark, for red-green blindness"
	t.Notice, t.Good, t.Bad = bold(fg(0xffffaf)), bold(fg(0x5fafff)), bold(fg(0xff8700))
	t.BarKey.FG = t.Notice.FG
	t.Board = redGreenBoard(t.Board)
	return t
}

func redGreenLight() Theme {
	t := Light
	t.Name = "light, for red-green blindness"
	t.Notice, t.Good, t.Bad = bold(fg(0x4a2f00)), bold(fg(0x005fd7)), bold(fg(0xaf5000))
	t.BarKey.FG = t.Notice.FG
	t.Board = redGreenBoard(t.Board)
	return t
}

// redGreenBoard returns b with the last move in blue and the hint in yellow.
func redGreenBoard(b Board) Board {
	const last = 0x5fafff
	b.Last, b.From = hex(last), bold(on(0x080808, last))
	b.Hint = bold(on(0x000000, 0xffff00))
	b.Target = bold(on(0x00337f, 0xdadada))
	return b
}

// redGreenANSI returns the theme with a board on which no two signs are as green and yellow are, which look alike. The
// texts of the themes for 16 colours are white, blue or magenta where they are not red.
func redGreenANSI(base *Theme) Theme {
	t := *base
	t.Name += ", for red-green blindness"
	b := &t.Board
	b.Last, b.From = paint.Index(3), ansiOn(0, 3)
	b.Cursor, b.Target, b.Hint = bold(ansiOn(15, 0)), bold(ansiOn(15, 5)), bold(ansiOn(15, 1))
	return t
}
