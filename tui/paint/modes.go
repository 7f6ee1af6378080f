package paint

// Modes is a set of what the terminal reports beside plain keys.
type Modes uint8

const (
	Mouse    Modes = 1 << iota // presses, releases and the wheel, in SGR coordinates
	Paste                      // where a paste begins and ends
	Focus                      // when the window gets or loses the focus
	Keyboard                   // keys that look the same otherwise ("disambiguate" of kitty's protocol)
)

// The private modes of each, in the order in which they are set.
var privateModes = []struct {
	mode    Modes
	numbers string
}{
	{Mouse, "1000;1006"},
	{Paste, "2004"},
	{Focus, "1004"},
}

// appendModes appends what changes the terminal's modes from one set to another.
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

// terminalState is what a painter's terminal was told beside what it shows.
type terminalState struct {
	initialized bool // the alternate screen is on
	synced      bool // it was sent synchronized output
	modes       Modes
	title       string
	titled      bool // its own title is kept on its stack
}

// appendSetup appends what makes the terminal ready: the alternate screen without cursor and
// without wrapping at the right edge, so that a window that has just become smaller does not
// scroll. The questions come first in what will be cleared, because a terminal that does not
// understand them may print them.
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

// appendState appends what changes modes and title.
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

// appendRestore appends what leaves the terminal as it was found. The string terminator at its
// beginning ends whatever sequence a broken write may have left unfinished. The screen is cleared
// for terminals that have no alternate one, after all that these might print.
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

// maxTitle bounds a title, in columns.
const maxTitle = 64

// cleanTitle returns the title without anything that is not shown in a row.
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
