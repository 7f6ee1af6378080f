package sshd

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean returns text from a client in a form that can be logged or shown: at most max runes, without
// characters that do not print by themselves (control and format characters, combining marks, separators
// other than the space, invalid bytes).
func clean(s string, max int) string {
	var b strings.Builder
	n := 0
	for i := 0; i < len(s) && n < max; {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if r == utf8.RuneError && size <= 1 || !unicode.IsPrint(r) || unicode.IsMark(r) {
			continue
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// cleanTerm returns s if it can be the name of a terminal, else "".
func cleanTerm(s string) string {
	const maxLength = 64
	if len(s) > maxLength {
		return ""
	}
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9',
			c == '.', c == '+', c == '_', c == '-':
		default:
			return ""
		}
	}
	return s
}

// isAllowedEnv reports whether a session keeps an environment variable: those about display and language,
// with printable values.
func isAllowedEnv(name, value string) bool {
	switch name {
	case "LANG", "COLORTERM", "NO_COLOR", "TERM_PROGRAM":
	default:
		category, ok := strings.CutPrefix(name, "LC_")
		if !ok || category == "" || strings.Trim(category, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
			return false
		}
	}
	return clean(value, len(value)) == value
}
