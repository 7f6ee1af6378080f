package match

import (
	"strings"

	"ayumu/lobby"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
)

// below is what the panel shows below the turns: chat, or a text.
type below struct {
	title   string            // "": nothing is shown
	chat    *[]lobby.ChatLine // nil: none
	text    string            // paragraphs, shown without chat, each as a whole or not at all
	brief   string            // shown if there is no space for a paragraph; "" for none
	minRows int               // of the canvas; with fewer nothing is shown
	isFixed bool              // the text never changes, so that the turns get the space that it leaves
}

// rows returns the number of rows that the title and the text take in w columns.
func (b *below) rows(w int) int {
	rows := 1
	for paragraph := range strings.SplitSeq(b.text, "\n") {
		rows += len(widget.Wrap(paragraph, w))
	}
	return rows
}

// drawBelow draws what is below the turns.
func (v *content) drawBelow(c paint.Canvas) {
	w, h := c.Size()
	if h < v.below.minRows || v.below.title == "" {
		return
	}
	t := v.Style.Theme
	widget.DrawRule(c, t, 0, v.below.title, t.Dim)
	if v.below.chat != nil {
		widget.DrawChat(c.Sub(0, 1, w, h-1), t, *v.below.chat, "")
		return
	}
	y := 1
	for paragraph := range strings.SplitSeq(v.below.text, "\n") {
		lines := widget.Wrap(paragraph, w)
		if y+len(lines) > h {
			lines = widget.Wrap(v.below.brief, w)
		}
		for _, l := range lines {
			c.Text(0, y, t.Dim, l)
			y++
		}
	}
}
