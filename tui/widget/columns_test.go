package widget

import (
	"strings"
	"testing"

	"ayumu/tui/paint"
)

// The set of columns only grows with the width, and the first column gets what the others leave.
func TestColumnsDoNotDisappear(t *testing.T) {
	columns := []Column{{10, 2}, {4, 0}, {7, 3}, {12, 1}}
	shown := ""
	for width := 20; width < 80; width++ {
		l := LayOut(columns, 18, width)
		row := paint.Draw(nil, width, 1, func(c paint.Canvas) { l.Draw(c, paint.Style{}, "Aa", "Bb", "Cc", "Dd") }).String()
		for _, title := range strings.Fields(shown) {
			if !strings.Contains(row, title) {
				t.Errorf("%d columns: %s has disappeared: %q", width, title, row)
			}
		}
		shown = row
		if x := len(row) - len(strings.TrimLeft(row, " ")); strings.TrimSpace(row) != "" && x != l.First || l.First < 18 {
			t.Errorf("%d columns: the first column has %d, and %d are free", width, l.First, x)
		}
	}
	if got := strings.Join(strings.Fields(shown), " "); got != "Aa Bb Cc Dd" {
		t.Errorf("80 columns show %q", got)
	}
}
