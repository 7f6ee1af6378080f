// Package sanitize makes texts from outside safe to display, to store and to log. All of its functions are
// pure, accept any bytes, and return valid UTF-8 without control characters.
package sanitize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxCombining is the maximum number of combining marks on one character of a Line.
const maxCombining = 2

// brailleBlank is the space of Braille. Unicode counts it among the symbols.
const brailleBlank = '\u2800'

// isInvisible reports whether a character takes room, or part in a word, but shows nothing: fillers of Hangul, joiners
// and an empty note.
func isInvisible(r rune) bool {
	return r >= 0x80 && (unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || r == '\U0001d159')
}

// Line makes one safe line of text that a user typed. It removes control, format (bidirectional,
// zero-width), invisible, private and unassigned characters and all but two combining marks in a row, replaces white
// space by single spaces, and cuts at limit characters.
func Line(text string, limit int) string {
	var b strings.Builder
	n, marks, space := 0, 0, false
	for _, r := range text {
		if n >= limit || space && n+1 >= limit {
			break
		}
		switch {
		case r == utf8.RuneError, isInvisible(r):
			continue
		case unicode.IsSpace(r), r == brailleBlank:
			space = b.Len() > 0
			continue
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc):
			if marks++; marks > maxCombining || b.Len() == 0 {
				continue
			}
		case !unicode.IsGraphic(r):
			continue
		default:
			marks = 0
		}
		if space {
			b.WriteByte(' ')
			n++
			space = false
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// Printable returns text of a client in a form that can be logged: at most limit characters, without those
// that do not print by themselves (control and format characters, combining marks, separators other than the
// space, invalid bytes). It keeps all spaces.
func Printable(text string, limit int) string {
	var b strings.Builder
	n := 0
	for i := 0; i < len(text) && n < limit; {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if r == utf8.RuneError && size <= 1 || !unicode.IsPrint(r) || unicode.IsMark(r) || isInvisible(r) {
			continue
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// HasControl reports whether text has a control character or bytes that are not UTF-8, which names, ids and the words of
// commands never have.
func HasControl(text string) bool {
	return !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl)
}

// WithoutControls replaces tabs by spaces and removes all other control characters, line ends included, for
// the lines of a protocol. Invalid bytes become U+FFFD.
func WithoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, text)
}
