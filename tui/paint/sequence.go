package paint

import "strconv"

// The sequences are those of ECMA-48 and of xterm's "Control Sequences". A parameter before others is never
// omitted, because some terminals misread that.

// position is a position of the terminal's cursor; x is -1 if the column is not known.
type position struct{ x, y int }

// appendMove appends the shortest sequence that moves the cursor.
func appendMove(b []byte, from, to position) []byte {
	if from == to {
		return b
	}
	start := len(b)
	b = appendAbsolute(b, to)
	best := len(b) - start
	var room [24]byte
	try := func(m []byte) {
		if len(m) < best {
			b = append(b[:start], m...)
			best = len(m)
		}
	}
	try(appendColumn(appendLine(room[:0], from.y, to.y), from.x, to.x))
	try(appendColumn(appendLine(append(room[:0], '\r'), from.y, to.y), 0, to.x))
	if dy := to.y - from.y; dy > 0 && dy < 4 {
		m := room[:0]
		for range dy {
			m = append(m, "\r\n"...) // some SSH libraries turn a line feed alone into both anyway
		}
		try(appendColumn(m, 0, to.x))
	}
	return b
}

// appendAbsolute appends CUP.
func appendAbsolute(b []byte, to position) []byte {
	b = append(b, "\x1b["...)
	if to.x > 0 {
		b = strconv.AppendInt(b, int64(to.y+1), 10)
		b = append(b, ';')
		b = strconv.AppendInt(b, int64(to.x+1), 10)
	} else if to.y > 0 {
		b = strconv.AppendInt(b, int64(to.y+1), 10)
	}
	return append(b, 'H')
}

// appendLine appends a move to another row in the same column: CUD, CUU or VPA, whichever has the smallest
// parameter.
func appendLine(b []byte, from, to int) []byte {
	switch {
	case from == to:
		return b
	case from < to:
		return appendCSI(b, to-from, 'B')
	case from-to <= to:
		return appendCSI(b, from-to, 'A')
	}
	return appendCSI(b, to+1, 'd')
}

// appendColumn appends a move within a row: CUF, backspaces, CUB or CHA.
func appendColumn(b []byte, from, to int) []byte {
	switch {
	case from == to:
		return b
	case from >= 0 && from < to:
		return appendCSI(b, to-from, 'C')
	case from > to && from-to < 4:
		return append(b, "\b\b\b"[:from-to]...)
	case from > to && from-to <= to:
		return appendCSI(b, from-to, 'D')
	}
	return appendCSI(b, to+1, 'G')
}

// appendCSI appends a control sequence with one parameter, which is omitted if it is 1.
func appendCSI(b []byte, n int, final byte) []byte {
	b = append(b, "\x1b["...)
	if n != 1 {
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return append(b, final)
}

// appendStyle appends the shortest SGR sequence that changes one style to another.
func appendStyle(b []byte, from, to Style) []byte {
	if from == to {
		return b
	}
	if to == (Style{}) {
		return append(b, "\x1b[m"...)
	}
	start := len(b)
	b = append(b, "\x1b["...)
	b = appendStyleChange(b, from, to)
	b[len(b)-1] = 'm'
	if len(b)-start <= len("\x1b[0;1m") {
		return b
	}
	var room [64]byte
	reset := appendStyleChange(append(room[:0], "\x1b[0;"...), Style{}, to)
	reset[len(reset)-1] = 'm'
	if len(reset) < len(b)-start {
		b = append(b[:start], reset...)
	}
	return b
}

// appendStyleChange appends the SGR parameters of a change of style, each followed by a semicolon.
func appendStyleChange(b []byte, from, to Style) []byte {
	off, on := from.Attr&^to.Attr, to.Attr&^from.Attr
	if off&(Bold|Faint) != 0 { // parameter 22 resets both
		b = append(b, "22;"...)
		on |= to.Attr & (Bold | Faint)
	}
	if off&Underline != 0 {
		b = append(b, "24;"...)
	}
	if off&Reverse != 0 {
		b = append(b, "27;"...)
	}
	for i, code := range [...]byte{'1', '2', '4', '7'} {
		if on>>i&1 != 0 {
			b = append(b, code, ';')
		}
	}
	if from.FG != to.FG {
		b = appendColor(b, to.FG, 30)
	}
	if from.BG != to.BG {
		b = appendColor(b, to.BG, 40)
	}
	return b
}

// appendColor appends the SGR parameters of a colour, each followed by a semicolon. base is 30 for the
// foreground and 40 for the background.
func appendColor(b []byte, c Color, base int64) []byte {
	number := func(n int64) { b = append(strconv.AppendInt(b, n, 10), ';') }
	i := int64(c.index())
	switch {
	case c == Default:
		number(base + 9)
	case c&kindMask == kindRGB:
		number(base + 8)
		number(2)
		r, g, bl := c.rgb()
		number(int64(r))
		number(int64(g))
		number(int64(bl))
	case i < 8:
		number(base + i)
	case i < 16:
		number(base + 60 + i - 8)
	default:
		number(base + 8)
		number(5)
		number(i)
	}
	return b
}
