package tui

import (
	"fmt"
	"strings"

	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// draw draws the whole window.
func (a *app) draw(c paint.Canvas) {
	w, h := c.Size()
	if w < minWidth || h < minHeight {
		a.drawTooSmall(c)
		return
	}
	v := a.current
	if v == nil {
		return
	}
	if a.overlay != nil {
		v = a.overlay
	}
	v.draw(c.Sub(0, 0, w, h-2))
	a.drawStatus(c.Sub(0, 0, w, h-1), v)
	a.drawKeys(c.Sub(0, h-1, w, 1), a.currentKeys(v))
}

func (a *app) drawTooSmall(c paint.Canvas) {
	w, h := c.Size()
	text := fmt.Sprintf("Ayumu needs a window of at least %d×%d characters; this one has %d×%d. Enlarge the window or reduce the font size.", minWidth, minHeight, w, h)
	for y, l := range wrap(text, w) {
		c.Text(0, y, a.style.Theme.Text, l)
	}
}

// drawStatus draws above the status bar the question, the prompt, the notice, or the screen's status
// line.
func (a *app) drawStatus(c paint.Canvas, v Screen) {
	t := a.style.Theme
	switch {
	case a.question != nil:
		drawWrapped(c, t.Notice, a.question.text)
	case a.prompt != nil:
		a.prompt.drawBelow(c, t)
	case a.notice.text != "":
		s := t.Text
		if a.notice.isError {
			s = t.Bad
		}
		drawWrapped(c, s, a.notice.text)
	default:
		text, s := v.statusLine()
		drawWrapped(c, s, text)
	}
}

// maxStatusRows is the maximum height of a paragraph above the status bar.
const maxStatusRows = 3

// drawWrapped draws paragraphs, separated by line breaks, in the last rows of a canvas.
func drawWrapped(c paint.Canvas, s paint.Style, text string) {
	w, h := c.Size()
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		l := wrap(paragraph, w-2)
		if len(l) > maxStatusRows {
			l = append(l[:maxStatusRows-1], paint.Cut(strings.Join(l[maxStatusRows-1:], " "), w-2))
		}
		lines = append(lines, l...)
	}
	for i, l := range lines {
		y := h - len(lines) + i
		c.Fill(0, y, w, 1, paint.Style{}, ' ')
		c.Text(1, y, s, l)
	}
}

func (a *app) currentKeys(v Screen) []game.Key {
	switch {
	case a.question != nil:
		var keys []game.Key
		for _, an := range a.question.answers {
			keys = append(keys, an.Key)
		}
		return append(keys, game.Key{Key: "Esc", Help: a.question.dismiss})
	case a.prompt != nil:
		return []game.Key{{Key: "Enter", Help: a.prompt.enterHelp}, {Key: "Esc", Help: "close"}}
	}
	return v.statusKeys()
}

// drawKeys draws as many keys as fit, and always the last one.
func (a *app) drawKeys(c paint.Canvas, keys []game.Key) {
	t := a.style.Theme
	w, _ := c.Size()
	c.Fill(0, 0, w, 1, t.Bar, ' ')
	if len(keys) == 0 {
		return
	}
	width := func(k game.Key) int { return paint.Width(k.Key) + 1 + paint.Width(k.Help) + 2 }
	last := keys[len(keys)-1]
	space := w - 1 - width(last)
	x := 1
	for _, k := range keys[:len(keys)-1] {
		if n := width(k); n <= space {
			x += a.drawKey(c, x, k)
			space -= n
		}
	}
	a.drawKey(c, w-width(last)+1, last)
}

func (a *app) drawKey(c paint.Canvas, x int, k game.Key) int {
	t := a.style.Theme
	n := c.Text(x, 0, t.BarKey, k.Key)
	n += 1 + c.Text(x+n+1, 0, t.Bar, k.Help)
	return n + 2
}

// siteAddress returns the command that connects to this server; "" if unknown.
func (a *app) siteAddress() string {
	if a.config.SSHTarget == "" {
		return ""
	}
	return "ssh " + a.config.SSHTarget
}

// drawHeader draws the first line: a title and details on the left, and right at the right edge.
func (a *app) drawHeader(c paint.Canvas, left, middle, right string) {
	t := a.style.Theme
	w, _ := c.Size()
	c.Fill(0, 0, w, 1, t.Bar, ' ')
	right = paint.Cut(right, w/2)
	rw := paint.Width(right)
	c.Text(w-rw-1, 0, t.Bar, right)
	n := c.Text(1, 0, t.Bar.With(paint.Bold), paint.Cut(left, w-rw-3))
	if space := w - rw - n - 5; space > 8 {
		c.Text(n+3, 0, t.BarDim, paint.Cut(middle, space))
	}
}

// drawRule draws a horizontal line with a title in it.
func (a *app) drawRule(c paint.Canvas, y int, title string, s paint.Style) {
	t := a.style.Theme
	w, _ := c.Size()
	c.Fill(0, y, w, 1, t.Rule, '─')
	if title != "" {
		c.Text(1, y, s, " "+paint.Cut(title, w-4)+" ")
	}
}
