package picture

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ayumu/tui/paint"
)

// Theme has the colours around a board.
type Theme struct {
	Background, Panel, Text, Dim paint.Color
}

// The themes.
var (
	Light = Theme{paint.RGB(0xf6, 0xf3, 0xec), paint.RGB(0xea, 0xe4, 0xd8), paint.RGB(0x24, 0x20, 0x1a), paint.RGB(0x65, 0x5d, 0x50)}
	Dark  = Theme{paint.RGB(0x17, 0x18, 0x1c), paint.RGB(0x23, 0x25, 0x2b), paint.RGB(0xec, 0xe8, 0xe0), paint.RGB(0xa4, 0x9d, 0x90)}
)

// SVG returns the drawing as an SVG document of a width in pixels, with a background and a title for screen readers. A width
// of 0 is none: the document fills what is around it.
func (d *Drawing) SVG(title string, t Theme, width int) []byte {
	w, h := d.Size()
	size := ""
	if width > 0 {
		size = fmt.Sprintf(` width="%d" height="%d"`, width, int(math.Round(float64(width)*h/w)))
	}
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg"` + size)
	d.writeSVG(&b, title, "", hexColor(t.Text), fmt.Sprintf(`<path fill="%s" d="M%s %sh%sv%sh-%sz"/>`, hexColor(t.Background), number(d.Min.X), number(d.Min.Y), number(w), number(h), number(w)))
	return []byte(b.String())
}

// Inline returns the drawing as an element of a page, without a background; text has the colour of the page's. prefix is a
// word of letters that no other drawing on the page has.
func (d *Drawing) Inline(title, prefix string) string {
	var b strings.Builder
	b.WriteString("<svg")
	d.writeSVG(&b, title, prefix, "currentColor", "")
	return b.String()
}

// writeSVG writes the rest of an svg element, whose beginning has been written.
func (d *Drawing) writeSVG(b *strings.Builder, title, prefix, ink, background string) {
	w, h := d.Size()
	fmt.Fprintf(b, ` viewBox="%s %s %s %s" role="img" aria-labelledby="%st"><title id="%[5]st">%s</title><defs>`, number(d.Min.X), number(d.Min.Y), number(w), number(h), prefix, EscapeXML(title))
	id := make(map[*Sprite]int)
	for _, t := range d.Tiles {
		if _, known := id[t.Sprite]; known {
			continue
		}
		id[t.Sprite] = len(id)
		fmt.Fprintf(b, `<g id="%ss%d">`, prefix, id[t.Sprite])
		for _, s := range t.Sprite.shapes {
			color := ink
			if s.Fill != Ink {
				color = hexColor(s.Fill)
			}
			fmt.Fprintf(b, `<path fill="%s" d="`, color)
			writePath(b, s.Path)
			b.WriteString(`"/>`)
		}
		b.WriteString("</g>")
	}
	b.WriteString("</defs>" + background)
	for _, t := range d.Tiles {
		fmt.Fprintf(b, `<use href="#%ss%d" x="%s" y="%s"/>`, prefix, id[t.Sprite], number(t.At.X), number(t.At.Y))
	}
	b.WriteString("</svg>\n")
}

func writePath(b *strings.Builder, p Path) {
	for i, g := range p {
		switch {
		case g.Move:
			if i > 0 {
				b.WriteByte('z')
			}
			b.WriteString("M")
		case g.Curve:
			b.WriteString("C" + number(g.C1.X) + " " + number(g.C1.Y) + " " + number(g.C2.X) + " " + number(g.C2.Y) + " ")
		default:
			b.WriteString("L")
		}
		b.WriteString(number(g.To.X) + " " + number(g.To.Y))
	}
	b.WriteByte('z')
}

// number formats a coordinate with three digits after the point.
func number(f float64) string {
	return strconv.FormatFloat(math.Round(f*1000)/1000+0, 'f', -1, 64)
}

func hexColor(c paint.Color) string {
	r, g, b := c.Components()
	return fmt.Sprintf("#%02x%02x%02x", r, g, b)
}

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// EscapeXML returns a text for an element or an attribute of XML or HTML.
func EscapeXML(s string) string { return xmlEscapes.Replace(s) }
