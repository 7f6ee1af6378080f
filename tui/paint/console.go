package paint

// consoleSymbols has the symbols of code page 437 among the characters that console replaces.
const consoleSymbols = "•◘○◙♂♀♪♫☼►◄↕‼▬↨↑↓→←∟↔▲▼☺☻♥♦♣♠⌂■∙√ⁿ≡≥≤⌠⌡≈∞∩" +
	"─│┌┐└┘├┤┬┴┼═║╒╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡╢╣╤╥╦╧╨╩╪╫╬▀▄█▌▐░▒▓"

// consoleLookalikes maps symbols to the one of code page 437 that looks most like them. Symbols that are not
// here become their ASCII lookalike.
var consoleLookalikes = makeConsoleLookalikes(map[rune]string{
	'─': "━┄┅┈┉╌╍", '│': "┃┆┇┊┋╎╏▏▕",
	'┌': "┍┎┏╭", '┐': "┑┒┓╮", '└': "┕┖┗╰", '┘': "┙┚┛╯",
	'├': "┝┠┣", '┤': "┥┨┫", '┬': "┯┰┳", '┴': "┷┸┻", '┼': "┿╂╋",
	'▄': "▖▗▂▃", '▀': "▘▝", '█': "▙▚▛▜▞▟▅▆▇▉▊", '▌': "▋▍▎",
	'•': "●◉⬢⬤◆", '○': "◯◌⬡◦◇", '■': "▪◼", '▲': "▴△", '▼': "▾▽",
	'►': "▶▷▸▹", '◄': "◀◁◂◃", '√': "✓✔", '☼': "★",
})

func makeConsoleLookalikes(sets map[rune]string) map[rune]glyph {
	m := make(map[rune]glyph)
	for to, from := range sets {
		for _, r := range from {
			m[r] = glyph(to)
		}
	}
	for _, r := range consoleSymbols {
		m[r] = glyph(r)
	}
	return m
}

// console returns the lookalike of a symbol in code page 437, or else in ASCII, or '?' if it has none. Symbols
// are the characters of one column from U+2000 to U+2BFF, and ×. All others are kept, because the console may
// have a font for them.
func (g glyph) console() glyph {
	r := rune(g & runeMask)
	if (r < 0x2000 || r > 0x2bff) && r != '×' {
		return g
	}
	if to, ok := consoleLookalikes[r]; ok {
		if to == glyph(r) {
			return g // with its marks
		}
		return to
	}
	if to, ok := lookalikes[r]; ok {
		return glyph(to)
	}
	if _, w := classify(r); w != 1 {
		return g
	}
	return '?'
}
