package tui

import (
	"fmt"
	"strings"

	"ayumu/tui/board"
	"ayumu/tui/paint"
)

// draw draws the whole screen.
func (a *app) draw(c paint.Canvas) {
	w, h := c.Size()
	if w < minWidth || h < minHeight {
		a.drawSmall(c)
		return
	}
	v := a.at
	if v == nil {
		return
	}
	if a.over != nil {
		v = a.over
	}
	v.draw(c.Sub(0, 0, w, h-2))
	a.drawTalk(c.Sub(0, 0, w, h-1), v)
	a.drawKeys(c.Sub(0, h-1, w, 1), a.currentKeys(v))
}

func (a *app) drawSmall(c paint.Canvas) {
	w, h := c.Size()
	text := fmt.Sprintf("Ayumu needs a window of at least %d×%d characters; this one has %d×%d. Make it larger, or the letters smaller.", minWidth, minHeight, w, h)
	for y, l := range wrap(text, w) {
		c.Text(0, y, a.look.Theme.Text, l)
	}
}

// drawTalk draws above the keys a question, what is being typed, what has just happened, or the
// screen's hint.
func (a *app) drawTalk(c paint.Canvas, v view) {
	t := a.look.Theme
	switch {
	case a.asking != nil:
		say(c, t.Note, a.asking.text)
	case a.line != nil:
		a.line.drawBelow(c, t)
	case a.note.text != "":
		s := t.Text
		if a.note.bad {
			s = t.Bad
		}
		say(c, s, a.note.text)
	default:
		text, s := v.hint()
		say(c, s, text)
	}
}

// said is how many rows a paragraph takes at most that is said above the keys.
const said = 3

// say writes paragraphs, with a line break between two, into the last rows of a canvas, for as long as
// they stand there.
func say(c paint.Canvas, s paint.Style, text string) {
	w, h := c.Size()
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		l := wrap(paragraph, w-2)
		if len(l) > said {
			l = append(l[:said-1], paint.Cut(strings.Join(l[said-1:], " "), w-2))
		}
		lines = append(lines, l...)
	}
	for i, l := range lines {
		y := h - len(lines) + i
		c.Fill(0, y, w, 1, paint.Style{}, ' ')
		c.Text(1, y, s, l)
	}
}

func (a *app) currentKeys(v view) []board.Key {
	switch {
	case a.asking != nil:
		var keys []board.Key
		for _, an := range a.asking.answers {
			keys = append(keys, an.Key)
		}
		return append(keys, board.Key{Key: "Esc", Does: a.asking.no})
	case a.line != nil:
		return []board.Key{{Key: "Enter", Does: a.line.does}, {Key: "Esc", Does: "close"}}
	}
	return v.keys()
}

// drawKeys draws as many keys as fit, the last one always.
func (a *app) drawKeys(c paint.Canvas, keys []board.Key) {
	t := a.look.Theme
	w, _ := c.Size()
	c.Fill(0, 0, w, 1, t.Bar, ' ')
	if len(keys) == 0 {
		return
	}
	width := func(k board.Key) int { return paint.Width(k.Key) + 1 + paint.Width(k.Does) + 2 }
	last := keys[len(keys)-1]
	room := w - 1 - width(last)
	x := 1
	for _, k := range keys[:len(keys)-1] {
		if n := width(k); n <= room {
			x += a.drawKey(c, x, k)
			room -= n
		}
	}
	a.drawKey(c, w-width(last)+1, last)
}

func (a *app) drawKey(c paint.Canvas, x int, k board.Key) int {
	t := a.look.Theme
	n := c.Text(x, 0, t.BarKey, k.Key)
	n += 1 + c.Text(x+n+1, 0, t.Bar, k.Does)
	return n + 2
}

// address says how people come here, which is also what one passes on to friends.
func (a *app) address() string {
	if a.visit.Host == "" {
		return ""
	}
	return "ssh " + a.visit.Host
}

// header draws the first line: what this is, and on the right what stands there.
func (a *app) header(c paint.Canvas, left, middle, right string) {
	t := a.look.Theme
	w, _ := c.Size()
	c.Fill(0, 0, w, 1, t.Bar, ' ')
	right = paint.Cut(right, w/2)
	rw := paint.Width(right)
	c.Text(w-rw-1, 0, t.Bar, right)
	n := c.Text(1, 0, t.Bar.With(paint.Bold), paint.Cut(left, w-rw-3))
	if room := w - rw - n - 5; room > 8 {
		c.Text(n+3, 0, t.BarDim, paint.Cut(middle, room))
	}
}

// rule draws a line with a title in it.
func (a *app) rule(c paint.Canvas, y int, title string, s paint.Style) {
	t := a.look.Theme
	w, _ := c.Size()
	c.Fill(0, y, w, 1, t.Rule, '─')
	if title != "" {
		c.Text(1, y, s, " "+paint.Cut(title, w-4)+" ")
	}
}
