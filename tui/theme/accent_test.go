package theme

import (
	"fmt"
	"strings"
	"testing"

	"ayumu/tui/paint"
)

// TestAccentCanBeReadEverywhere checks the contrasts of text on many accents, and of the accents with the
// background, on each kind of terminal.
func TestAccentCanBeReadEverywhere(t *testing.T) {
	var all []paint.Color
	for r := 0; r < 256; r += 51 {
		for g := 0; g < 256; g += 51 {
			for b := 0; b < 256; b += 51 {
				all = append(all, paint.RGB(uint8(r), uint8(g), uint8(b)))
			}
		}
	}
	for name := range accents {
		c, err := ParseAccent(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	for _, accent := range all {
		accented := WithAccent(accent)
		for _, set := range []*ThemeSet{accented, accented.ForRedGreenBlind()} {
			for _, colors := range []paint.Colors{paint.Colors16, paint.Colors256, paint.TrueColor} {
				for ground, light := range map[paint.Color]bool{hex(black): false, hex(white): true} {
					th := set.For(colors, light)
					about := fmt.Sprintf("%06x, %s", uint32(accent)&0xffffff, th.Name)
					for role, s := range map[string]paint.Style{"bar": th.Bar, "key": th.BarKey, "dim": th.BarDim, "pick": th.Selected} {
						fg, bg := colors.Nearest(s.FG), colors.Nearest(s.BG)
						// The nearest colour of a palette differs a little.
						if c := paint.Contrast(fg, bg); c < minTextContrast-0.5 {
							t.Errorf("%s: %s has a contrast of %.1f", about, role, c)
						}
						if c := paint.Contrast(bg, ground); c < minAreaContrast-0.2 {
							t.Errorf("%s: %s has a contrast of %.1f with the background", about, role, c)
						}
					}
				}
			}
			if set.For(paint.NoColor, false) != &Plain {
				t.Fatal("there is an accent without colours")
			}
		}
	}
	if th := WithAccent(all[0]).For(paint.TrueColor, true); th.BuiltIn() != &Light || (&Dark).BuiltIn() != &Dark {
		t.Error("BuiltIn does not return the theme from which a theme was derived")
	}
}

func TestAccentIsANameOrACode(t *testing.T) {
	if c, err := ParseAccent("#1f5Fae"); err != nil || c != hex(0x1f5fae) {
		t.Errorf("%x, %v", uint32(c), err)
	}
	for _, s := range []string{"", "blau", "#12345", "#1234567", "#12345g", "1f5fae", "#+12345", "#1_2345"} {
		if _, err := ParseAccent(s); err == nil || !strings.Contains(err.Error(), "orange") {
			t.Errorf("%q: %v", s, err)
		}
	}
}
