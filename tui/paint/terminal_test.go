package paint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// fakeTerminal is a strict terminal: sequences that it does not know, or on which terminals differ, are recorded
// as faults. vt10x, the other terminal of these tests, shows every character in one column, knows neither
// faint nor synchronized output, and accepts malformed sequences.
type fakeTerminal struct {
	w, h         int
	erasesColor  bool // erased cells get the background that is set
	narrowWide   bool // shows wide characters in one column, as terminals with old tables do
	cells, other []shownCell
	alternate    bool
	x, y         int
	lost         bool // the column depends on the terminal
	pen          Style
	modes        map[string]bool // private modes that are set
	keyboard     int             // depth of kitty's stack
	title        string
	titles       []string
	bells        int
	asked        []string // questions that it was sent
	rest         []byte   // the beginning of a sequence
	faults       []string
}

// shownCell is a cell of a fakeTerminal. The second column of a wide character has the text "".
type shownCell struct {
	text  string
	style Style
}

var shownBlank = shownCell{text: " "}

func newFakeTerminal(w, h int) *fakeTerminal {
	t := &fakeTerminal{erasesColor: true, modes: map[string]bool{"7": true, "25": true}, title: "shell"}
	t.resize(w, h)
	return t
}

// resize leaves undefined content on the screen, as terminals that wrap lines again do.
func (t *fakeTerminal) resize(w, h int) {
	t.w, t.h = w, h
	t.cells = slices.Repeat([]shownCell{{"#", Style{Attr: Underline}}}, w*h)
	t.other = slices.Clone(t.cells)
	t.x, t.y, t.lost = min(t.x, w-1), min(t.y, h-1), true
}

func (t *fakeTerminal) fault(format string, args ...any) {
	t.faults = append(t.faults, fmt.Sprintf(format, args...))
}

func (t *fakeTerminal) Write(p []byte) (int, error) {
	t.rest = append(t.rest, p...)
	for len(t.rest) > 0 {
		n := t.consume(t.rest)
		if n == 0 {
			break
		}
		t.rest = t.rest[n:]
	}
	return len(p), nil
}

// consume handles one character or sequence and returns its length; 0 if it is not complete.
func (t *fakeTerminal) consume(b []byte) int {
	switch {
	case b[0] == 0x1b:
		return t.escape(string(b))
	case b[0] < 0x20 || b[0] == 0x7f:
		t.control(b[0])
		return 1
	case !utf8.FullRune(b):
		return 0
	}
	r, n := utf8.DecodeRune(b)
	t.print(r)
	return n
}

func (t *fakeTerminal) control(c byte) {
	switch c {
	case '\r':
		t.x, t.lost = 0, false
	case '\n':
		if t.x != 0 || t.lost || t.y == t.h-1 {
			t.fault("line feed at %d,%d", t.x, t.y)
		}
		t.y++
	case '\b':
		t.relative("BS")
		t.x = max(t.x-1, 0)
	case '\a':
		t.bells++
	default:
		t.fault("control %#x", c)
	}
}

// relative records as a fault a sequence whose effect depends on a column on which terminals differ.
func (t *fakeTerminal) relative(what string) {
	if t.lost {
		t.fault("%s in row %d where the column is not known", what, t.y)
	}
}

func (t *fakeTerminal) print(r rune) {
	if unicode.In(r, unicode.Mn, unicode.Me) || jamoMark(r) {
		t.lost = true
		at := t.y*t.w + min(t.x, t.w) - 1
		if t.cells[at].text == "" {
			at--
		}
		t.cells[at].text += string(r)
		return
	}
	t.relative(fmt.Sprintf("%q", r))
	if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector) {
		t.fault("%U got through", r)
		return
	}
	w := displaywidth.Rune(r)
	if w == 2 && t.narrowWide {
		w = 1
	}
	if t.x+w > t.w {
		t.fault("%q does not fit", r)
		return
	}
	t.set(t.x, shownCell{string(r), t.pen})
	if w == 2 {
		t.set(t.x+1, shownCell{"", t.pen})
		t.cells[t.y*t.w+t.x].text = string(r)
	}
	t.x += w
	t.lost = t.x == t.w || !glyph(r).hasCertainWidth() || w == 2
}

// set replaces a cell of the cursor's row; half of a wide character becomes blank.
func (t *fakeTerminal) set(x int, c shownCell) {
	row := t.cells[t.y*t.w : (t.y+1)*t.w]
	if row[x].text == "" && x > 0 {
		row[x-1].text = " "
	}
	if x+1 < t.w && row[x+1].text == "" {
		row[x+1].text = " "
	}
	row[x] = c
}

func (t *fakeTerminal) escape(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '\\': // ends a string, or whatever else there was
		return 2
	case ']':
		end := strings.Index(s, "\x1b\\")
		if end < 0 {
			return 0
		}
		t.osc(s[2:end])
		return end + 2
	case '[':
		end := strings.IndexFunc(s[2:], func(r rune) bool { return r >= 0x40 && r <= 0x7e || r == 0x1b })
		if end < 0 {
			return 0
		}
		if s[2+end] == 0x1b {
			return 2 + end // another sequence ends this one
		}
		t.csi(s[2:2+end], s[2+end])
		return 3 + end
	}
	t.fault("ESC %q", s[1])
	return 2
}

func (t *fakeTerminal) osc(s string) {
	switch {
	case s == "11;?":
		t.asked = append(t.asked, s)
	case strings.HasPrefix(s, "2;"):
		t.title = s[2:]
	default:
		t.fault("OSC %q", s)
	}
}

func (t *fakeTerminal) csi(args string, final byte) {
	whole := args + string(final)
	switch whole {
	case "?2026$p":
		t.asked = append(t.asked, whole)
		return
	case ">1u":
		t.keyboard++
		return
	case "<u":
		t.keyboard = max(t.keyboard-1, 0)
		return
	case "22;2t":
		t.titles = append(t.titles, t.title)
		return
	case "23;2t":
		if last := len(t.titles) - 1; last >= 0 {
			t.title, t.titles = t.titles[last], t.titles[:last]
		}
		return
	}
	if final == 'h' || final == 'l' {
		t.mode(args, final == 'h')
		return
	}
	var numbers []int
	if args != "" {
		for s := range strings.SplitSeq(args, ";") {
			n, err := strconv.Atoi(s)
			if err != nil {
				t.fault("CSI %q", whole)
			}
			numbers = append(numbers, n)
		}
	}
	if final == 'm' {
		t.sgr(numbers)
		return
	}
	t.moveOrErase(numbers, final)
}

func (t *fakeTerminal) mode(args string, on bool) {
	list, private := strings.CutPrefix(args, "?")
	for number := range strings.SplitSeq(list, ";") {
		switch {
		case !private || !slices.Contains([]string{"7", "25", "1000", "1004", "1006", "1049", "2004", "2026"}, number):
			t.fault("mode %q", args)
		case number == "1049" && on != t.alternate:
			t.cells, t.other = t.other, t.cells
			if t.alternate = on; on {
				t.cells = slices.Repeat([]shownCell{shownBlank}, t.w*t.h)
			}
		}
		t.modes[number] = on
	}
}

func (t *fakeTerminal) moveOrErase(numbers []int, final byte) {
	arg := func(i int) int {
		if i < len(numbers) {
			return numbers[i]
		}
		return 1
	}
	if strings.IndexByte("ABCDGHd", final) >= 0 && slices.Contains(numbers, 0) {
		t.fault("CSI %v%c has a 0", numbers, final)
	}
	x, y := t.x, t.y
	switch final {
	case 'A':
		y -= arg(0)
	case 'B':
		y += arg(0)
	case 'C':
		t.relative("CUF")
		x += arg(0)
	case 'D':
		t.relative("CUB")
		x -= arg(0)
	case 'G':
		x, t.lost = arg(0)-1, false
	case 'H':
		x, y, t.lost = arg(1)-1, arg(0)-1, false
	case 'd':
		y = arg(0) - 1
	case 'K':
		t.relative("EL")
		for x := t.x; x < t.w; x++ {
			t.set(x, t.erased())
		}
	case 'X':
		t.relative("ECH")
		for x := t.x; x < min(t.x+arg(0), t.w); x++ {
			t.set(x, t.erased())
		}
	case 'L', 'M':
		if t.x != 0 || t.lost {
			t.fault("IL or DL in column %d", t.x)
		}
		t.shiftLines(min(arg(0), t.h-t.y), final == 'L')
	case 'J':
		if !slices.Equal(numbers, []int{2}) {
			t.fault("ED %v", numbers)
		}
		for i := range t.cells {
			t.cells[i] = t.erased()
		}
	default:
		t.fault("CSI %v%c", numbers, final)
	}
	if x < 0 || x >= t.w || y < 0 || y >= t.h {
		t.fault("CSI %v%c leads to %d,%d", numbers, final, x, y)
		return
	}
	t.x, t.y = x, y
}

// shiftLines inserts or deletes n lines from the cursor's row on.
func (t *fakeTerminal) shiftLines(n int, in bool) {
	below := t.cells[t.y*t.w:]
	fresh := slices.Repeat([]shownCell{t.erased()}, n*t.w)
	if in {
		copy(below, append(fresh, below[:len(below)-n*t.w]...))
	} else {
		copy(below, append(slices.Clone(below[n*t.w:]), fresh...))
	}
}

func (t *fakeTerminal) erased() shownCell {
	if t.pen.Attr&(Reverse|Underline) != 0 {
		t.fault("erased with reverse or underline, about which terminals disagree")
	}
	if !t.erasesColor {
		return shownBlank
	}
	return shownCell{" ", Style{BG: t.pen.BG}}
}

func (t *fakeTerminal) sgr(n []int) {
	if len(n) == 0 {
		n = []int{0}
	}
	for i := 0; i < len(n); i++ {
		c := n[i]
		switch {
		case c == 0:
			t.pen = Style{}
		case c == 1:
			t.pen.Attr |= Bold
		case c == 2:
			t.pen.Attr |= Faint
		case c == 4:
			t.pen.Attr |= Underline
		case c == 7:
			t.pen.Attr |= Reverse
		case c == 22:
			t.pen.Attr &^= Bold | Faint
		case c == 24:
			t.pen.Attr &^= Underline
		case c == 27:
			t.pen.Attr &^= Reverse
		case c == 38 || c == 48:
			color := Index(uint8(n[i+2]))
			if n[i+1] == 2 {
				color = RGB(uint8(n[i+2]), uint8(n[i+3]), uint8(n[i+4]))
				i += 2
			}
			i += 2
			t.color(c-8, color)
		case c == 39 || c == 49:
			t.color(c-9, Default)
		case c >= 30 && c < 50:
			t.color(c/10*10, Index(uint8(c%10)))
		case c >= 90 && c < 108:
			t.color(c/10*10-60, Index(uint8(8+c%10)))
		default:
			t.fault("SGR %d", c)
		}
	}
}

func (t *fakeTerminal) color(base int, c Color) {
	if base == 30 {
		t.pen.FG = c
	} else {
		t.pen.BG = c
	}
}

// differs compares the screen with a frame as the profile converts it. It returns the first difference, or "".
func (t *fakeTerminal) differs(f *Frame, p Profile) string {
	for y := range t.h {
		for x := range t.w {
			got := t.cells[y*t.w+x]
			if got.text == " " && got.style.Attr&(Reverse|Underline) == 0 {
				got.style = Style{BG: got.style.BG} // nothing else shows
			}
			if want := wantCell(f, p, x, y, t.w); got != want {
				return fmt.Sprintf("column %d of row %d shows %+v, not %+v", x, y, got, want)
			}
		}
	}
	x, y, visible := f.Cursor()
	visible = visible && x < t.w && y < t.h
	if t.modes["25"] != visible || visible && (t.lost || t.x != x || t.y != y) {
		return fmt.Sprintf("the cursor is at %d,%d (%t), not %d,%d (%t)", t.x, t.y, t.modes["25"], x, y, visible)
	}
	return ""
}

// wantCell returns what a terminal of w columns should show in a cell.
func wantCell(f *Frame, p Profile, x, y, w int) shownCell {
	text, style := f.At(x, y)
	if next, _ := f.At(x+1, y); x == w-1 && x+1 < f.w && next == "" {
		text = " " // the other half is cut off
	}
	switch {
	case p.ASCII:
		text = asciiOf(text)
	case p.Console:
		text = consoleOf(text)
	}
	if text == " " && style.Attr&(Reverse|Underline) == 0 {
		style = Style{BG: style.BG}
	}
	style = p.convert(style)
	if text == " " && style.Attr&(Reverse|Underline) == 0 {
		style = Style{BG: style.BG}
	}
	return shownCell{text, style}
}

func asciiOf(text string) string {
	if text == "" {
		return " "
	}
	r, _ := utf8.DecodeRuneInString(text)
	return string(glyph(r).ascii().append(nil))
}

// consoleOf replaces a symbol, with its combining marks, as a profile with Console does.
func consoleOf(text string) string {
	r, _ := utf8.DecodeRuneInString(text)
	if g := glyph(r); text != "" && g.console() != g {
		return string(g.console().append(nil))
	}
	return text
}
