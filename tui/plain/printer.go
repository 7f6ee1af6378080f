package plain

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"ayumu/lobby"
)

// printer writes lines, and after each the input line that is being typed.
type printer struct {
	out    io.Writer
	editor editor
}

// printf writes one line without unprintable characters, and then the unfinished input line again.
func (p *printer) printf(format string, args ...any) {
	text := strings.Map(printable, fmt.Sprintf(format, args...))
	if typed := p.editor.text(); typed != "" {
		fmt.Fprintf(p.out, "\r\n%s\r\n%s", text, typed)
		return
	}
	fmt.Fprintf(p.out, "%s\r\n", text)
}

// printError prints the public part of an error.
func (p *printer) printError(err error) {
	_, text := lobby.PublicError(err)
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
