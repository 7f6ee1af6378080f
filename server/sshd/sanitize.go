package sshd

import (
	"strings"

	"ayumu/lobby/sanitize"
)

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
	return sanitize.Printable(value, len(value)) == value
}
