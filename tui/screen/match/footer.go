package match

import (
	"strings"

	"ayumu/lobby"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
)

// panelFooter is what the panel shows below the turns: chat, or a text.
type panelFooter struct {
	title   string            // "": nothing is shown
	chat    *[]lobby.ChatLine // nil: none
	text    string            // paragraphs, shown without chat, each as a whole or not at all
	brief   string            // shown if there is no space for a paragraph; "" for none
	minRows int               // of the canvas; with fewer nothing is shown
	isFixed bool              // the text never changes, so that the turns get the space that it leaves
}

// rows returns the number of rows that the title and the text take in w columns.
func (b *panelFooter) rows(w int) int {
	rows := 1
	for paragraph := range strings.SplitSeq(b.text, "\n") {
		rows += len(widget.Wrap(paragraph, w))
	}
	return rows
}

// drawFooter draws what is below the turns.
func (f *frameInput) drawFooter(c paint.Canvas) {
	w, h := c.Size()
	if h < f.footer.minRows || f.footer.title == "" {
		return
	}
	t := f.Style.Theme
	widget.DrawRule(c, t, 0, f.footer.title, t.Dim)
	if f.footer.chat != nil {
		widget.DrawChat(c.Sub(0, 1, w, h-1), t, *f.footer.chat, "")
		return
	}
	y := 1
	for paragraph := range strings.SplitSeq(f.footer.text, "\n") {
		lines := widget.Wrap(paragraph, w)
		if y+len(lines) > h {
			lines = widget.Wrap(f.footer.brief, w)
		}
		for _, l := range lines {
			c.Text(0, y, t.Dim, l)
			y++
		}
	}
}
