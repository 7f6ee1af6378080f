package widget

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ayumu/tui/paint"
)

// Wrap breaks a text into lines of at most width columns, between words where possible.
func Wrap(text string, width int) []string {
	if paint.Width(text) <= width && hasSingleSpaces(text) {
		return []string{text}
	}
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		for paint.Width(word) > width && width > 0 {
			if line != "" {
				lines, line = append(lines, line), ""
			}
			head := clip(word, width)
			lines = append(lines, head)
			word = word[len(head):]
		}
		switch {
		case line == "":
			line = word
		case paint.Width(line)+1+paint.Width(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// hasSingleSpaces reports whether a text consists of words with a single space between them.
func hasSingleSpaces(text string) bool {
	space := true
	for _, r := range text {
		if unicode.IsSpace(r) && (space || r != ' ') {
			return false
		}
		space = r == ' '
	}
	return !space
}

// WrapCommand breaks a shell command into lines that end in a backslash, so that they can be copied
// into a shell.
func WrapCommand(text string, width int) []string {
	if text = strings.TrimSpace(text); paint.Width(text) <= width {
		return []string{text}
	}
	const on = " \\"
	lines := Wrap(text, width-len(on))
	for i := range lines[:len(lines)-1] {
		lines[i] += on
	}
	return lines
}

// clip returns the longest prefix of s that fits into width columns, at least one character.
func clip(s string, width int) string {
	end := 0
	for i, r := range s {
		next := i + utf8.RuneLen(r)
		if end > 0 && paint.Width(s[:next]) > width {
			break
		}
		end = next
	}
	return s[:end]
}
