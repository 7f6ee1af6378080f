package widget_test

import (
	"strings"
	"testing"

	"ayumu/tui/paint"
	"ayumu/tui/theme"
	"ayumu/tui/widget"
)

// drawn returns the rows of a chart without trailing spaces.
func drawn(ch widget.Chart, w, h int) string {
	f := paint.Draw(nil, w, h, func(c paint.Canvas) { ch.Draw(c, theme.DefaultSet.For(paint.NoColor, false)) })
	var rows []string
	for _, row := range strings.Split(f.String(), "\n") {
		rows = append(rows, strings.TrimRight(row, " "))
	}
	return strings.TrimRight(strings.Join(rows, "\n"), "\n")
}

func TestChart(t *testing.T) {
	ch := widget.Chart{Shares: []float64{0.5, 0.75, 1, 0.25, 0}, All: 6, At: 1, Noted: []int{3}}
	if got, want := drawn(ch, 11, 5), `100%   █
      ██
 50% ███───
  0% ████▄
      ^ ?`; got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
	ch.ASCII = true
	if got, want := drawn(ch, 17, 5), `100%     ##
       ####
 50% ######──────
  0% ########..
       ^   ?`; got != want {
		t.Errorf("with two columns for each it is\n%s\nwant\n%s", got, want)
	}
	// Two shares for each bar: the marked and the noted one are shown, otherwise the last.
	if got, want := drawn(ch, 8, 3), `100% .
  0% #.
     ^?`; got != want {
		t.Errorf("with fewer columns than shares it is\n%s\nwant\n%s", got, want)
	}
	if got := drawn(ch, 5, 5) + drawn(ch, 20, 1); got != "" {
		t.Errorf("without space it is\n%s", got)
	}
}
