package main

import (
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hinshun/vt10x"
)

// The size of a cell of a terminal in a picture, and the space around them, in pixels.
const (
	cellWidth, cellHeight = 10, 20
	svgMargin             = 12
)

// Colours of a picture for what has the default colours of the terminal.
const (
	svgBackground = "#14141c"
	svgForeground = "#dcdcdc"
	svgBorder     = "#3a3a4a" // so that the picture has an edge on a dark page, too
)

// drawSVG returns a picture of what a terminal shows. Text stays text; block elements and lines are drawn, so that they
// do not depend on fonts. Equal screens have equal pictures.
func drawSVG(title string, term vt10x.Terminal) []byte {
	columns, rows := term.Size()
	width, height := columns*cellWidth+2*svgMargin, rows*cellHeight+2*svgMargin
	d := svgDrawing{fills: make(map[string]string), strokes: make(map[string]string)}
	for y := range rows {
		for x := 0; x < columns; {
			x = d.background(term, x, y, columns)
		}
		for x := range columns {
			d.shape(term.Cell(x, y), svgMargin+x*cellWidth, svgMargin+y*cellHeight)
		}
		d.row(term, y, columns)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", escapeXML(title))
	fmt.Fprintf(&b, `<rect x="0.5" y="0.5" width="%d" height="%d" rx="8" fill="%s" stroke="%s"/>`+"\n", width-1, height-1, svgBackground, svgBorder)
	for _, fill := range slices.Sorted(maps.Keys(d.fills)) {
		fmt.Fprintf(&b, `<path shape-rendering="crispEdges" fill="%s" d="%s"/>`+"\n", strings.TrimLeft(fill, "01"), d.fills[fill])
	}
	for _, stroke := range slices.Sorted(maps.Keys(d.strokes)) {
		color, width, _ := strings.Cut(stroke, " ")
		fmt.Fprintf(&b, `<path fill="none" stroke="%s" stroke-width="%s" d="%s"/>`+"\n", color, width, d.strokes[stroke])
	}
	fmt.Fprintf(&b, `<g font-family="DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace" font-size="16" xml:space="preserve">`+"\n%s</g>\n</svg>\n", d.text.String())
	return []byte(b.String())
}

// svgDrawing collects what a picture consists of.
type svgDrawing struct {
	fills   map[string]string // path data of rectangles, by their colour after 0 for a background and 1 for a shape
	strokes map[string]string // path data of lines, by their colour and width
	text    strings.Builder   // text elements
}

// background adds the background of the cells from x on that have the same, and returns the first one that has not.
func (d *svgDrawing) background(term vt10x.Terminal, x, y, columns int) (next int) {
	_, color := svgColors(term.Cell(x, y))
	for next = x + 1; next < columns; next++ {
		if _, other := svgColors(term.Cell(next, y)); other != color {
			break
		}
	}
	if color != svgBackground {
		d.rectangle("0"+color, svgMargin+x*cellWidth, svgMargin+y*cellHeight, (next-x)*cellWidth, cellHeight)
	}
	return next
}

func (d *svgDrawing) rectangle(fill string, x, y, width, height int) {
	d.fills[fill] += fmt.Sprintf("M%d %dh%dv%dh-%dz", x, y, width, height, width)
}

// quadrants are the block elements, as the quarters of a cell that they fill: 1 and 2 above, 4 and 8 below.
var quadrants = map[rune]int{
	'▘': 1, '▝': 2, '▀': 3, '▖': 4, '▌': 5, '▞': 6, '▛': 7, '▗': 8, '▚': 9, '▐': 10, '▜': 11, '▄': 12, '▙': 13, '▟': 14, '█': 15,
}

// boxArms are the box-drawing characters: the width of the line to the left, right, top and bottom. 4 is a double
// line.
var boxArms = map[rune][4]int{
	'─': {1, 1, 0, 0}, '│': {0, 0, 1, 1}, '┌': {0, 1, 0, 1}, '┐': {1, 0, 0, 1}, '└': {0, 1, 1, 0}, '┘': {1, 0, 1, 0},
	'├': {0, 1, 1, 1}, '┤': {1, 0, 1, 1}, '┬': {1, 1, 0, 1}, '┴': {1, 1, 1, 0}, '┼': {1, 1, 1, 1},
	'╭': {0, 1, 0, 1}, '╮': {1, 0, 0, 1}, '╰': {0, 1, 1, 0}, '╯': {1, 0, 1, 0},
	'━': {3, 3, 0, 0}, '┃': {0, 0, 3, 3}, '┏': {0, 3, 0, 3}, '┓': {3, 0, 0, 3}, '┗': {0, 3, 3, 0}, '┛': {3, 0, 3, 0},
	'═': {4, 4, 0, 0}, '║': {0, 0, 4, 4}, '╔': {0, 4, 0, 4}, '╗': {4, 0, 0, 4}, '╚': {0, 4, 4, 0}, '╝': {4, 0, 4, 0},
}

// isShape reports whether a character is drawn, and is no text.
func isShape(r rune) bool {
	_, isBox := boxArms[r]
	return isBox || quadrants[r] > 0
}

// shape adds a block element or lines in the cell at (x, y).
func (d *svgDrawing) shape(cell vt10x.Glyph, x, y int) {
	color, _ := svgColors(cell)
	const w, h = cellWidth / 2, cellHeight / 2
	switch quarters := quadrants[cell.Char]; {
	case quarters == 15:
		d.rectangle("1"+color, x, y, 2*w, 2*h)
	case quarters&3 == 3:
		d.rectangle("1"+color, x, y, 2*w, h)
		quarters &^= 3
		fallthrough
	default:
		for i := range 4 {
			if quarters&(1<<i) != 0 {
				d.rectangle("1"+color, x+i%2*w, y+i/2*h, w, h)
			}
		}
	}
	ends := [4][2]int{{0, h}, {2 * w, h}, {w, 0}, {w, 2 * h}}
	for i, width := range boxArms[cell.Char] {
		dx, dy := ends[i][0]-w, ends[i][1]-h
		line := func(width, offsetX, offsetY int) {
			// From the far side of the centre, so that a corner has no notch.
			back := func(n int) int { return -sign(n) * (width + max(offsetX, -offsetX, offsetY, -offsetY)*2) / 2 }
			d.strokes[fmt.Sprint(color, " ", width)] += fmt.Sprintf("M%d %dL%d %d", x+w+back(dx)+offsetX, y+h+back(dy)+offsetY, x+w+dx+offsetX, y+h+dy+offsetY)
		}
		switch width {
		case 0:
		case 4:
			line(1, 2*sign(dy), 2*sign(dx))
			line(1, -2*sign(dy), -2*sign(dx))
		default:
			line(width, 0, 0)
		}
	}
}

func sign(n int) int { return min(max(n, -1), 1) }

// row adds the text of a row: a text element for each part in one style without two spaces, or a symbol alone, whose
// width depends on the font.
func (d *svgDrawing) row(term vt10x.Terminal, y, columns int) {
	type style struct {
		color string
		bold  bool
	}
	styleAt := func(x int) style {
		color, _ := svgColors(term.Cell(x, y))
		return style{color, term.Cell(x, y).Mode&4 != 0} // vt10x does not export the bit of bold
	}
	at := func(x int) rune {
		if r := term.Cell(x, y).Char; r != 0 && !isShape(r) {
			return r
		}
		return ' '
	}
	for x := 0; x < columns; x++ {
		if at(x) == ' ' {
			continue
		}
		s, begin := styleAt(x), x
		if at(x) < 128 {
			for x+1 < columns && at(x+1) < 128 && (at(x+1) == ' ' || styleAt(x+1) == s) && !(at(x) == ' ' && at(x+1) == ' ') {
				x++
			}
			for at(x) == ' ' {
				x--
			}
		}
		var text strings.Builder
		for i := begin; i <= x; i++ {
			text.WriteRune(at(i))
		}
		bold, place := "", fmt.Sprintf(`x="%d" textLength="%d"`, svgMargin+begin*cellWidth, (x+1-begin)*cellWidth)
		if s.bold {
			bold = ` font-weight="bold"`
		}
		if at(x) >= 128 {
			place = fmt.Sprintf(`x="%d" text-anchor="middle"`, svgMargin+begin*cellWidth+cellWidth/2)
		}
		fmt.Fprintf(&d.text, `<text %s y="%d" fill="%s"%s>%s</text>`+"\n", place, svgMargin+y*cellHeight+15, s.color, bold, escapeXML(text.String()))
	}
}

func escapeXML(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}

// svgColors returns the colours of a cell.
func svgColors(cell vt10x.Glyph) (foreground, background string) {
	return svgColor(cell.FG), svgColor(cell.BG)
}

// svgColor returns a colour of a terminal: a default, one of the 16, of the cube of 6×6×6, of the greys, or of 24
// bits.
func svgColor(c vt10x.Color) string {
	basic := [16]int{
		0x000000, 0xcd3131, 0x0dbc79, 0xe5e510, 0x2472c8, 0xbc3fbc, 0x11a8cd, 0xe5e5e5,
		0x666666, 0xf14c4c, 0x23d18b, 0xf5f543, 0x3b8eea, 0xd670d6, 0x29b8db, 0xffffff,
	}
	level := func(n int) int {
		if n == 0 {
			return 0
		}
		return 55 + 40*n
	}
	n := int(c)
	switch {
	case c == vt10x.DefaultFG:
		return svgForeground
	case c == vt10x.DefaultBG || c == vt10x.DefaultCursor:
		return svgBackground
	case n < 16:
		n = basic[n]
	case n < 232:
		n -= 16
		n = level(n/36)<<16 | level(n/6%6)<<8 | level(n%6)
	case n < 256:
		n = (8 + 10*(n-232)) * 0x010101
	}
	return fmt.Sprintf("#%06x", n)
}
