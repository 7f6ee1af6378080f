package paint

// Modes is a set of inputs that the terminal reports in addition to plain keys.
type Modes uint8

const (
	Mouse    Modes = 1 << iota // presses, releases and the wheel, in SGR coordinates
	Paste                      // the beginning and the end of pasted text
	Focus                      // the window gets or loses the focus
	Keyboard                   // distinct sequences for all keys ("disambiguate" of kitty's protocol)
)

// privateModes has the numbers of the private modes, in the order in which they are set.
var privateModes = []struct {
	mode    Modes
	numbers string
}{
	{Mouse, "1000;1006"},
	{Paste, "2004"},
	{Focus, "1004"},
}

// appendModes appends the sequences that change the terminal's modes from one set to another.
func appendModes(b []byte, from, to Modes) []byte {
	set := func(modes Modes, final byte) {
		start := len(b)
		for _, m := range privateModes {
			if modes&m.mode != 0 {
				if len(b) == start {
					b = append(b, "\x1b[?"...)
				} else {
					b = append(b, ';')
				}
				b = append(b, m.numbers...)
			}
		}
		if len(b) > start {
			b = append(b, final)
		}
	}
	set(to&^from, 'h')
	set(from&^to, 'l')
	switch {
	case to&^from&Keyboard != 0:
		b = append(b, "\x1b[>1u"...)
	case from&^to&Keyboard != 0:
		b = append(b, "\x1b[<u"...)
	}
	return b
}

// terminalState is the state of a terminal apart from the characters it shows. The zero terminalState is a
// terminal to which nothing has been written.
type terminalState struct {
	initialized bool // the alternate screen is on
	synced      bool // synchronized output has been used
	modes       Modes
	title       string
	titled      bool // its own title has been saved on its stack of titles
}

// appendSetup appends the sequences that set up the terminal: the alternate screen, without cursor and
// without wrapping at the right edge, so that a window that has just become smaller does not scroll. If ask
// is set, it queries synchronized output and the background colour; this comes before the screen is cleared,
// because a terminal that does not know the queries may print them.
func (t *terminalState) appendSetup(b []byte, p Profile, ask bool) []byte {
	b = append(b, "\x1b[?1049h\x1b[?7;25l"...)
	if ask {
		b = append(b, "\x1b[?2026$p"...)
		if p.hasStrings() {
			b = append(b, "\x1b]11;?\x1b\\"...)
		}
	}
	t.initialized = true
	return b
}

// appendState appends the sequences that set modes and title.
func (t *terminalState) appendState(b []byte, p Profile, modes Modes, title string) []byte {
	b = appendModes(b, t.modes, modes)
	t.modes = modes
	if title != t.title && p.hasStrings() {
		if !t.titled {
			b = append(b, "\x1b[22;2t"...)
			t.titled = true
		}
		b = append(b, "\x1b]2;"...)
		b = append(b, title...)
		b = append(b, "\x1b\\"...)
		t.title = title
	}
	return b
}

// appendRestore appends the sequences that restore the terminal. The string terminator at the beginning ends
// a sequence that a failed write may have left incomplete. The screen is cleared for terminals without an
// alternate one, last, because those may print the sequences before it.
func (t *terminalState) appendRestore(b []byte) []byte {
	b = append(b, "\x1b\\"...)
	b = appendModes(b, t.modes, 0)
	if t.titled {
		b = append(b, "\x1b[23;2t"...)
	}
	if t.synced {
		b = append(b, "\x1b[?2026l"...)
	}
	b = append(b, "\x1b[?7;25h\x1b[m\x1b[H\x1b[2J\x1b[?1049l"...)
	*t = terminalState{}
	return b
}

// maxTitle is the maximum width of a title in columns.
const maxTitle = 64

// cleanTitle returns the title without control characters and combining marks, cut to maxTitle columns.
func cleanTitle(title string) string {
	var b []byte
	columns := 0
	for _, r := range title {
		r, w := classify(r)
		if columns += w; columns > maxTitle {
			break
		}
		if w > 0 {
			b = append(b, string(r)...)
		}
	}
	return string(b)
}
