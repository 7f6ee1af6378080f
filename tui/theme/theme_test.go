package theme

import (
	"math"
	"reflect"
	"testing"

	"ayumu/tui/paint"
	"ayumu/tui/theme/themetest"
)

// luminance returns the relative luminance of an RGB colour by WCAG 2.
func luminance(c paint.Color) float64 {
	linear := func(v paint.Color) float64 {
		f := float64(v&255) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c>>16) + 0.7152*linear(c>>8) + 0.0722*linear(c)
}

func contrast(a, b paint.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// TestContrast checks the contrast of text and signs with their background. WCAG 2 requires 4.5 to 1 for text,
// 3 to 1 for shapes and for large or bold signs.
func TestContrast(t *testing.T) {
	grounds := map[*Theme]paint.Color{&Dark: hex(0x1c1c1c), &Light: hex(0xf8f8f8), &DarkRedGreen: hex(0x1c1c1c), &LightRedGreen: hex(0xf8f8f8)}
	for th, ground := range grounds {
		check := func(role string, s paint.Style, minimum float64) {
			if s.FG == paint.Default {
				return // the terminal's default
			}
			bg := s.BG
			if bg == paint.Default {
				bg = ground
			}
			if c := contrast(s.FG, bg); c < minimum {
				t.Errorf("%s: %s has a contrast of %.1f, not %.1f", th.Name, role, c, minimum)
			}
		}
		texts := reflect.ValueOf(*th)
		for i := range texts.NumField() {
			if s, ok := texts.Field(i).Interface().(paint.Style); ok {
				minimum := 4.5
				if name := texts.Type().Field(i).Name; name == "Rule" {
					minimum = 1.5 // separators are not text
				}
				check(texts.Type().Field(i).Name, s, minimum)
			}
		}
		b := th.Board
		check("label", b.Label, 4.5)
		for role, s := range map[string]paint.Style{"black": b.Black, "white": b.White, "target": b.Target, "from": b.From,
			"path": b.Path, "number": b.Number, "cursor": b.Cursor, "chosen": b.Selected, "hint": b.Hint} {
			check(role, s, 3)
		}
		if c := contrast(b.Black.FG, b.White.FG); c < 10 {
			t.Errorf("%s: black and white stones have a contrast of %.1f", th.Name, c)
		}
	}
}

// palettes has the default values of the 16 colours of several terminals.
var palettes = map[string][16]uint32{
	"xterm": {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
		0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff},
	"Linux console": {0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa,
		0x555555, 0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff},
	"PuTTY": {0x000000, 0xbb0000, 0x00bb00, 0xbbbb00, 0x0000bb, 0xbb00bb, 0x00bbbb, 0xbbbbbb,
		0x555555, 0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff},
	"Tango": {0x2e3436, 0xcc0000, 0x4e9a06, 0xc4a000, 0x3465a4, 0x75507b, 0x06989a, 0xd3d7cf,
		0x555753, 0xef2929, 0x8ae234, 0xfce94f, 0x729fcf, 0xad7fa8, 0x34e2e2, 0xeeeeec},
}

// TestContrastOf16Colours checks the board of 16 colours with the palettes of several terminals: 4.5 to 1 for
// stones, 3 to 1 for signs. 2.5 to 1 is enough for stones that cannot move.
func TestContrastOf16Colours(t *testing.T) {
	for _, th := range []*Theme{&ANSI, &ANSIRedGreen} {
		testContrastOf16Colours(t, &th.Board)
	}
}

func testContrastOf16Colours(t *testing.T, b *Board) {
	for name, colors := range palettes {
		check := func(role string, s paint.Style, minimum float64) {
			fg, bg := hex(colors[s.FG&255]), hex(colors[s.BG&255])
			if c := contrast(fg, bg); c < minimum {
				t.Errorf("%s: %s has a contrast of %.1f, not %.1f", name, role, c, minimum)
			}
		}
		ink := func(bg paint.Color) paint.Style { return paint.Style{FG: b.Black.FG, BG: bg} }
		for role, s := range map[string]paint.Style{"black": b.Black, "white": b.White, "inside of white": ink(b.Hollow)} {
			check(role, s, 4.5)
		}
		for role, s := range map[string]paint.Style{"target": b.Target, "from": b.From, "path": b.Path, "number": b.Number,
			"cursor": b.Cursor, "selected": b.Selected, "hint": b.Hint, "last": ink(b.Last), "near": ink(b.Near)} {
			check(role, s, 3)
		}
		if b.Last == ANSIRedGreen.Board.Last { // signs that differ with red-green blindness too
			for i, x := range []paint.Color{b.Point.BG, b.Last, b.Cursor.BG, b.Selected.BG, b.Target.BG, b.Hint.BG} {
				for j, y := range []paint.Color{b.Point.BG, b.Last, b.Cursor.BG, b.Selected.BG, b.Target.BG, b.Hint.BG}[:i] {
					if d := themetest.Distance(hex(colors[x&255]), hex(colors[y&255])); d < 10 {
						t.Errorf("%s: signs %d and %d have a distance of %.1f", name, j, i, d)
					}
				}
			}
		}
		check("stuck black", paint.Style{FG: b.StuckBlack.FG, BG: b.BlackInside}, 2.5)
		check("stuck white", paint.Style{FG: b.StuckWhite.FG, BG: b.Hollow}, 2.5)
	}
}

// TestANSIIsLegibleOnAnyBackground checks the texts without a background of the theme that is used if the
// background is not known.
func TestANSIIsLegibleOnAnyBackground(t *testing.T) {
	texts := reflect.ValueOf(ANSI)
	for i := range texts.NumField() {
		s, ok := texts.Field(i).Interface().(paint.Style)
		if !ok || s.FG == paint.Default || s.BG != paint.Default {
			continue
		}
		fg := hex(palettes["xterm"][s.FG&255])
		if dark, light := contrast(fg, hex(black)), contrast(fg, hex(white)); dark < 3 || light < 3 {
			t.Errorf("%s has a contrast of %.1f on black and %.1f on white", texts.Type().Field(i).Name, dark, light)
		}
	}
}

func TestThemeForEveryTerminal(t *testing.T) {
	for _, c := range []struct {
		colors paint.Colors
		light  bool
		want   *Theme
	}{
		{paint.NoColor, false, &Plain}, {paint.NoColor, true, &Plain},
		{paint.Colors16, false, &ANSI}, {paint.Colors16, true, &ANSILight},
		{paint.Colors256, false, &Dark}, {paint.Colors256, true, &Light},
		{paint.TrueColor, false, &Dark}, {paint.TrueColor, true, &Light},
	} {
		if got := DefaultSet.For(c.colors, c.light); got != c.want {
			t.Errorf("%v, light %v: %s", c.colors, c.light, got.Name)
		}
		if got := DefaultSet.ForRedGreenBlind().For(c.colors, c.light); (got == c.want) != (c.want == &Plain) {
			t.Errorf("%v, light %v, for red-green blindness: %s", c.colors, c.light, got.Name)
		}
	}
}

// TestTablesKeepToTheirColours checks that the themes for 16 colours use only those, and that the plain one uses
// none.
func TestTablesKeepToTheirColours(t *testing.T) {
	styles := func(th *Theme) map[string]paint.Style {
		all := make(map[string]paint.Style)
		for _, v := range []reflect.Value{reflect.ValueOf(*th), reflect.ValueOf(th.Board)} {
			for i := range v.NumField() {
				if s, ok := v.Field(i).Interface().(paint.Style); ok {
					all[v.Type().Field(i).Name] = s
				}
			}
		}
		return all
	}
	for _, th := range []*Theme{&ANSI, &ANSILight, &ANSIRedGreen, &ANSILightRedGreen} {
		for role, s := range styles(th) {
			for _, c := range []paint.Color{s.FG, s.BG} {
				if c != paint.Default && (c < paint.Index(0) || c > paint.Index(15)) {
					t.Errorf("%s: %s has the colour %x", th.Name, role, c)
				}
			}
		}
	}
	for role, s := range styles(&Plain) {
		if s.FG != paint.Default || s.BG != paint.Default {
			t.Errorf("plain: %s has a colour", role)
		}
	}
}
