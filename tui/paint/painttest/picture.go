// Package painttest turns frames into text for golden files. Only tests import it.
package painttest

import (
	"fmt"
	"strings"

	"ayumu/tui/paint"
)

// Picture returns the characters and the styles of a frame as text, for golden files: each row of characters is
// followed by "|" and a letter for the style of each character, and the letters are explained at the end. The
// default style of the terminal is a space. The frame must have no wide characters and at most 52 styles.
func Picture(f *paint.Frame) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	seen := map[paint.Style]byte{{}: ' '}
	var order []paint.Style
	var b strings.Builder
	w, h := f.Size()
	for y := range h {
		var styles []byte
		for x := range w {
			text, style := f.At(x, y)
			letter, ok := seen[style]
			if !ok {
				letter = letters[len(order)]
				seen[style], order = letter, append(order, style)
			}
			b.WriteString(text)
			styles = append(styles, letter)
		}
		b.WriteString(strings.TrimRight("|"+string(styles), " ") + "\n")
	}
	for _, style := range order {
		fmt.Fprintf(&b, "%c: %s\n", seen[style], describeStyle(style))
	}
	return b.String()
}

// describeStyle returns a style in words: "7 on 0, bold". Colours are indices of the palette, or RGB values.
func describeStyle(s paint.Style) string {
	color := func(c paint.Color) string {
		switch {
		case c == paint.Default:
			return "default"
		case c >= paint.Index(0) && c <= paint.Index(255):
			return fmt.Sprint(uint8(c))
		}
		return fmt.Sprintf("#%06x", uint32(c)&0xffffff)
	}
	text := color(s.FG) + " on " + color(s.BG)
	for i, name := range []string{"bold", "faint", "underline", "reverse"} {
		if s.Attr>>i&1 != 0 {
			text += ", " + name
		}
	}
	return text
}
