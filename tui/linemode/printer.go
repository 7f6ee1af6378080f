package linemode

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"ayumu/lobby"
	"ayumu/tui/paint"
)

// printer writes lines, and after each the input line that is being typed.
type printer struct {
	out    io.Writer
	width  int // of the terminal, in columns; 0: none, lines of any length
	editor editor
}

// printf writes one line without unprintable characters, and then the unfinished input line again. A line that is
// wider than the terminal is broken between words, because the terminal would break it within one.
func (p *printer) printf(format string, args ...any) {
	text := p.wrap(strings.Map(printable, fmt.Sprintf(format, args...)))
	if typed := p.editor.text(); typed != "" {
		fmt.Fprintf(p.out, "\r\n%s\r\n%s", text, typed)
		return
	}
	fmt.Fprintf(p.out, "%s\r\n", text)
}

// wrap breaks a line that is wider than the terminal at its last space that fits, again and again. A word that does
// not fit stays whole.
func (p *printer) wrap(line string) string {
	var b strings.Builder
	for p.width > 0 && paint.Width(line) > p.width {
		columns, at := 0, -1
		for i, r := range line {
			if r == ' ' && i > 0 && (columns <= p.width || at < 0) {
				at = i
			}
			if columns > p.width && at >= 0 {
				break
			}
			columns += paint.Width(string(r))
		}
		if at < 0 {
			break
		}
		b.WriteString(strings.TrimRight(line[:at], " ") + "\r\n")
		line = strings.TrimLeft(line[at:], " ")
	}
	return b.String() + line
}

// ringBell rings the terminal's bell.
func (p *printer) ringBell() { io.WriteString(p.out, "\a") }

// printError prints the public part of an error.
func (p *printer) printError(err error) {
	_, text := lobby.PublicError(err)
	if usage, ok := strings.CutPrefix(text, "usage: "); ok {
		p.printf("Usage: %s.", strings.TrimSuffix(usage, "."))
		return
	}
	p.printf("Error: %s.", strings.TrimSuffix(text, "."))
}

// printable drops unprintable characters and replaces those that screen readers mispronounce.
func printable(r rune) rune {
	switch r {
	case '×':
		return 'x'
	case '–':
		return '-'
	}
	if r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) {
		return r
	}
	return -1
}
