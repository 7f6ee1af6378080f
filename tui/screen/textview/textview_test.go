package textview_test

import (
	"fmt"
	"strings"
	"testing"

	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/screentest"
)

// TestColumnsStayAligned: the rows of a table keep their spaces, and are cut off where they are too long.
func TestColumnsStayAligned(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.SignIn("ana", "")
		d.Start(d.Open(dest.Text{Title: "A table", Body: "name    games\nana         3\n" + strings.Repeat("word  ", 20) + "\n"}))
		d.WantText("name    games", "ana         3", "word  word…")
	})
}

func TestTextIsScrolled(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.SignIn("ana", "")
		d.Start(d.Open(dest.Text{Title: "A text", Body: "Short.", Note: "A note."}))
		d.WantText("A text", "Short.", "A note.")
		d.WantNoText("scroll")
		d.Press("q")
		d.WantText("Open tables")
		var lines strings.Builder
		for i := range 50 {
			fmt.Fprintf(&lines, "line-%02d\n", i)
		}
		d.Start(d.Open(dest.Text{Title: "A text", Body: lines.String()}))
		d.WantText("scroll", "line-00", "line-18")
		d.WantNoText("line-19")
		d.Press("space")
		d.WantText("line-19", "line-37")
		d.WantNoText("line-18")
		d.Press("down up up pgup home end")
		d.WantText("line-49")
		d.Press("esc")
		d.WantText("Open tables")
	})
}
