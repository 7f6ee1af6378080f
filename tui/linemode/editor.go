package linemode

import (
	"unicode"
	"unicode/utf8"
)

// maxLine is the maximum length of a line in characters; a long turn with six players takes a few
// hundred.
const maxLine = 2000

// editor assembles lines from input bytes. It handles Backspace, Ctrl+U, Ctrl+C and Ctrl+D, and drops the
// escape sequences of other keys. The zero editor is ready.
type editor struct {
	runes     []rune
	escape    int    // state in an escape sequence: 0 outside, 1 after ESC, 2 in its parameters
	partial   []byte // the beginning of an incomplete character
	cr        bool   // the last byte was a carriage return
	overLimit bool   // more than maxLine characters were typed
}

// Lines that stand for keys.
const (
	interrupt = "\x03"
	endOfText = "\x04"
	overlong  = "\x00" // a line of more than maxLine characters, which is refused and not cut
)

func (e *editor) text() string { return string(e.runes) }

// feed consumes the first n bytes of p, at least one. It returns the echo to write and, if done, a complete
// line.
func (e *editor) feed(p []byte) (n int, echo, line string, done bool) {
	c := p[0]
	afterCR := e.cr
	e.cr = c == '\r'
	switch {
	case e.escape > 0:
		e.skipSequence(c)
	case c == 0x1b:
		e.escape = 1
	case c == '\n' && afterCR:
		// the second half of CR LF
	case c == '\r' || c == '\n':
		line = e.text()
		if e.overLimit {
			line = overlong
		}
		e.clear()
		return 1, "\r\n", line, true
	case c == 0x03, c == 0x04 && len(e.runes) == 0:
		e.clear()
		return 1, "\r\n", string(rune(c)), true
	case c == 0x7f || c == 0x08:
		if k := len(e.runes); k > 0 {
			e.runes = e.runes[:k-1]
			echo = "\b \b"
		}
	case c == 0x15:
		if len(e.runes) > 0 {
			e.clear()
			echo = "\r\n"
		}
	case c == '\t':
		echo = e.add(' ')
	case c >= 0x20:
		return e.character(p)
	}
	return 1, echo, "", false
}

// clear drops the line, and the memory of a long one.
func (e *editor) clear() {
	e.overLimit = false
	if e.runes = e.runes[:0]; cap(e.runes) > 300 {
		e.runes = nil
	}
}

// skipSequence drops a byte of an escape sequence.
func (e *editor) skipSequence(c byte) {
	switch {
	case e.escape == 1 && (c == '[' || c == 'O'):
		e.escape = 2
	case e.escape == 2 && (c < 0x40 || c > 0x7e):
		// a parameter
	default:
		e.escape = 0
	}
}

// character is feed for a printable character or a byte of one.
func (e *editor) character(p []byte) (n int, echo, line string, done bool) {
	b := append(e.partial, p[0])
	if !utf8.FullRune(b) {
		e.partial = b
		return 1, "", "", false
	}
	e.partial = nil
	switch r, _ := utf8.DecodeRune(b); {
	case r != utf8.RuneError:
		echo = e.add(r)
	case len(b) > 1:
		return e.feed(p) // the byte does not continue the character, so it may begin another
	}
	return 1, echo, "", false
}

func (e *editor) add(r rune) string {
	switch {
	case !unicode.IsGraphic(r):
		return ""
	case len(e.runes) >= maxLine:
		e.overLimit = true
		return ""
	}
	e.runes = append(e.runes, r)
	return string(r)
}
