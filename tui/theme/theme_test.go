package theme

import (
	"math"
	"reflect"
	"testing"

	"ayumu/tui/paint"
)

// luminance is the relative luminance of an RGB colour (WCAG 2, "relative luminance").
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

// Text and marks stand out from their background: WCAG 2 requires 4.5 to 1 for text, 3 to 1 for shapes
// and for large or bold signs.
func TestContrast(t *testing.T) {
	grounds := map[*Theme]paint.Color{&Dark: hex(0x1c1c1c), &Light: hex(0xf8f8f8)}
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
	}
}

// The themes for 16 colours use the terminal's palette only, and the plain one uses no colours.
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
	for _, th := range []*Theme{&ANSI, &ANSILight} {
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
