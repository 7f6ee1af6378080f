package widget

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"ayumu/tui/paint"
)

// The maximum size of an operator's picture, which fits a window of 80×24.
const (
	PictureWidth  = 76
	PictureHeight = 12
)

// Picture is an operator's picture made of characters; nil: none. ReadPicture is the constructor.
type Picture []string

// ReadPicture parses a picture made of characters: at most 12 lines of at most 76 columns. It returns
// an error that names the line for characters that are unsafe on a terminal or whose width is
// uncertain.
func ReadPicture(text string) (Picture, error) {
	var lines Picture
	for i, l := range strings.Split(strings.TrimRight(text, " \r\n"), "\n") {
		l = strings.TrimRight(l, " \r")
		if len(lines) == PictureHeight {
			return nil, fmt.Errorf("line %d: a picture has at most %d lines", i+1, PictureHeight)
		}
		if !utf8.ValidString(l) {
			return nil, fmt.Errorf("line %d: it is not UTF-8", i+1)
		}
		for _, r := range l {
			if !unicode.IsGraphic(r) || unicode.Is(unicode.M, r) || r != ' ' && unicode.IsSpace(r) || r == utf8.RuneError || paint.Width(string(r)) != 1 {
				return nil, fmt.Errorf("line %d: the character %U cannot be in a picture", i+1, r)
			}
		}
		if n := paint.Width(l); n > PictureWidth {
			return nil, fmt.Errorf("line %d: it has %d columns; a picture has at most %d", i+1, n, PictureWidth)
		}
		lines = append(lines, l)
	}
	if len(lines) == 1 && lines[0] == "" {
		return nil, nil
	}
	return lines, nil
}

// Size returns the size of the picture; 0, 0 if there is none or the terminal has only ASCII and cannot show it.
func (p Picture) Size(ascii bool) (w, h int) {
	for _, l := range p {
		if ascii && !paint.HasASCII(l) {
			return 0, 0
		}
		w = max(w, paint.Width(l))
	}
	return w, len(p)
}

// Draw draws the picture horizontally centred from row y on, if it fits into rows rows, and returns the rows
// used.
func (p Picture) Draw(c paint.Canvas, s paint.Style, ascii bool, y, rows int) int {
	w, _ := c.Size()
	pw, ph := p.Size(ascii)
	if ph == 0 || ph > rows || pw > w {
		return 0
	}
	for i, l := range p {
		c.Text((w-pw)/2, y+i, s, l)
	}
	return ph
}
