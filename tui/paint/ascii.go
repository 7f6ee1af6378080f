package paint

// lookalikes maps characters to the ASCII character that looks most like them.
var lookalikes = makeLookalikes(map[byte]string{
	'-':  "‐‑‒–—―─━┄┅┈┉╌╍═−¯",
	'|':  "│┃┆┇┊┋╎╏║▏▕",
	'+':  "┌┍┎┏┐┑┒┓└┕┖┗┘┙┚┛├┝┠┣┤┥┨┫┬┯┰┳┴┷┸┻┼┿╂╋╔╗╚╝╠╣╦╩╬╭╮╯╰",
	'/':  "╱⁄∕↗↙",
	'\\': "╲↖↘",
	'x':  "×✕✗╳✘",
	'*':  "•●◉⬢⬤★✓✔◆♦▪■◼",
	'o':  "○◌◯⬡☆◇◦▫□◻°",
	'^':  "↑▲△▴⌃",
	'v':  "↓▼▽▾⌄",
	'<':  "←◀◁◂‹«",
	'>':  "→▶▷▸›»",
	'#':  "█▓▀▄▌▐▉▊▋",
	':':  "▒░⋮",
	'.':  "·…∙⋅",
	'\'': "‘’′",
	'"':  "“”″",
	'=':  "≡≠≈",
	'~':  "±",
	'a':  "àáâãäåā", 'A': "ÀÁÂÃÄÅĀ", 'c': "çćč", 'C': "ÇĆČ", 'e': "èéêëēę", 'E': "ÈÉÊËĒĘ",
	'i': "ìíîïī", 'I': "ÌÍÎÏĪ", 'l': "ł", 'L': "Ł", 'n': "ñńň", 'N': "ÑŃŇ",
	'O': "ÒÓÔÕÖØŌ", 's': "śšß", 'S': "ŚŠ", 'u': "ùúûüū", 'U': "ÙÚÛÜŪ", 'y': "ýÿ", 'Y': "Ý", 'z': "źżž", 'Z': "ŹŻŽ",
})

func makeLookalikes(sets map[byte]string) map[rune]byte {
	m := make(map[rune]byte)
	for to, from := range sets {
		for _, r := range from {
			m[r] = to
		}
	}
	for _, r := range "òóôõöøō" { // beside the circles, which have the same lookalike
		m[r] = 'o'
	}
	return m
}

// ascii returns the glyph's ASCII lookalike, or '?' if it has none. Combining marks are dropped, and the
// second column of a wide character becomes blank.
func (g glyph) ascii() glyph {
	r := rune(g & runeMask)
	switch {
	case g == blank || g == trailing:
		return blank
	case r < 0x80:
		return glyph(r)
	}
	if to, ok := lookalikes[r]; ok {
		return glyph(to)
	}
	return '?'
}

// HasASCII reports whether each character of a text is ASCII or has an ASCII lookalike.
func HasASCII(s string) bool {
	for _, r := range s {
		if _, ok := lookalikes[r]; r >= 0x80 && !ok {
			return false
		}
	}
	return true
}
