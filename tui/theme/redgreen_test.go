package theme_test

import (
	"testing"

	"ayumu/tui/paint"
	"ayumu/tui/theme"
	"ayumu/tui/theme/themetest"
)

// TestRedGreenBlindnessTellsColoursApart compares the colours with a meaning, each pair as it is seen with normal sight,
// protanopia and deuteranopia. The standard themes, which the test of the measure uses, do not pass.
func TestRedGreenBlindnessTellsColoursApart(t *testing.T) {
	apart := func(name string, colors map[string]paint.Color, minimum float64) (failed int) {
		for a, x := range colors {
			for b, y := range colors {
				if d := themetest.Distance(x, y); a < b && d < minimum {
					failed++
					if name != "" {
						t.Errorf("%s: %s and %s have a distance of %.1f, not %.1f", name, a, b, d, minimum)
					}
				}
			}
		}
		return failed
	}
	set := theme.DefaultSet.ForRedGreenBlind()
	texts := func(th *theme.Theme, text paint.Color) map[string]paint.Color {
		return map[string]paint.Color{"text": text, "good": th.Good.FG, "bad": th.Bad.FG, "notice": th.Notice.FG, "dim": th.Dim.FG}
	}
	signs := func(b *theme.Board) map[string]paint.Color {
		return map[string]paint.Color{"board": b.Point.BG, "last": b.Last, "near": b.Near, "target": b.Target.BG, "cursor": b.Cursor.BG,
			"selected": b.Selected.BG, "hint": b.Hint.BG}
	}
	for light, text := range map[bool]paint.Color{false: paint.RGB(0xe0, 0xe0, 0xe0), true: paint.RGB(0, 0, 0)} {
		th := set.For(paint.TrueColor, light)
		apart(th.Name, texts(th, text), 20)
		apart(th.Name, signs(&th.Board), 17)
		standard := theme.DefaultSet.For(paint.TrueColor, light)
		if apart("", texts(standard, text), 20) == 0 || apart("", signs(&standard.Board), 17) == 0 {
			t.Errorf("the theme %s passes too: there is nothing to measure", standard.Name)
		}
	}
}
