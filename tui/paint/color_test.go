package paint

import (
	"strings"
	"testing"
)

func TestLowerColors(t *testing.T) {
	tests := []struct {
		name string
		in   Color
		want [4]Color // by Colors
	}{
		{"the terminal's own", Default, [4]Color{Default, Default, Default, Default}},
		{"ANSI", Index(9), [4]Color{Default, Index(9), Index(9), Index(9)}},
		{"a red of the cube", Index(160), [4]Color{Default, Index(1), Index(160), Index(160)}},
		{"a dark blue of the cube", Index(17), [4]Color{Default, Index(4), Index(17), Index(17)}},
		{"a green of the cube", Index(28), [4]Color{Default, Index(2), Index(28), Index(28)}},
		{"a grey", Index(244), [4]Color{Default, Index(8), Index(244), Index(244)}},
		{"a true colour that the cube has", RGB(255, 135, 0), [4]Color{Default, Index(3), Index(208), Index(208)}},
		{"one near it", RGB(250, 130, 5), [4]Color{Default, Index(3), Index(208), RGB(250, 130, 5)}},
		{"nearly white", RGB(250, 250, 250), [4]Color{Default, Index(15), Index(231), RGB(250, 250, 250)}},
		{"nearly black", RGB(3, 3, 3), [4]Color{Default, Index(0), Index(16), RGB(3, 3, 3)}},
		{"a middle grey", RGB(120, 121, 119), [4]Color{Default, Index(8), Index(243), RGB(120, 121, 119)}},
	}
	for _, test := range tests {
		for colors, want := range test.want {
			p := Profile{Colors: Colors(colors)}
			if got := p.convert(Style{BG: test.in}).BG; got != want {
				t.Errorf("%s in %d colours is %#x, not %#x", test.name, colors, got, want)
			}
		}
	}
}

func TestNearest256IsNearest(t *testing.T) {
	for v := range 256 {
		off := func(level uint8) int { return max(v-int(level), int(level)-v) }
		// Beside a saturated part no grey is near, so the cube's level is what counts.
		_, got, _ := paletteRGB(nearest256(255, uint8(v), 0)).rgb()
		for _, level := range cubeLevels {
			if off(level) < off(got) {
				t.Errorf("%d becomes %d, but %d is nearer", v, got, level)
			}
		}
		if grey, _, _ := paletteRGB(nearest256(uint8(v), uint8(v), uint8(v))).rgb(); off(grey) > 8 {
			t.Errorf("grey %d becomes %d, which is further than half of the widest gap", v, grey)
		}
	}
	for i := 16; i < 256; i++ {
		c := paletteRGB(uint8(i))
		if n := nearest256(c.rgb()); paletteRGB(n) != c {
			t.Errorf("palette colour %d becomes %d", i, n)
		}
	}
}

func TestTextNeverDisappears(t *testing.T) {
	all := []Color{Default}
	for i := range 256 {
		all = append(all, Index(uint8(i)))
	}
	for v := range 60 {
		all = append(all, RGB(uint8(v*4), uint8(v*7), uint8(v*13)))
	}
	for colors := Colors16; colors <= TrueColor; colors++ {
		for _, fg := range all {
			for _, bg := range all {
				low := Profile{Colors: colors}.convert(Style{FG: fg, BG: bg})
				if low.FG == low.BG && fg != bg && low.FG != Default {
					t.Fatalf("%#x on %#x becomes %#x on itself in %d colours", fg, bg, low.FG, colors)
				}
				console := Profile{Colors: colors, Console: true}.convert(Style{FG: fg, BG: bg})
				if console.FG == console.BG && fg != bg && console.FG != Default && console.Attr&Bold == 0 {
					t.Fatalf("%#x on %#x becomes %#x on itself on a console of %d colours", fg, bg, console.FG, colors)
				}
			}
		}
	}
}

// TestConsoleHasNoBrightColours uses bold for bright foregrounds, as the Linux console does.
func TestConsoleHasNoBrightColours(t *testing.T) {
	p := Profile{Colors: Colors16, Console: true}
	for before, after := range map[Style]Style{
		{FG: Index(9), BG: Index(15)}:             {FG: Index(1), BG: Index(7), Attr: Bold},
		{FG: Index(8), BG: Index(7), Attr: Faint}: {FG: Index(0), BG: Index(7), Attr: Bold},
		{FG: Index(0), BG: Index(8)}:              {FG: Index(0), BG: Index(0), Attr: Bold},
		{FG: Index(0), BG: Index(7)}:              {FG: Index(0), BG: Index(7)},
		{Attr: Bold}:                              {Attr: Bold},
	} {
		if got := p.convert(before); got != after {
			t.Errorf("%+v becomes %+v, not %+v", before, got, after)
		}
	}
}

func TestNoColorKeepsAttributes(t *testing.T) {
	s := Style{RGB(1, 2, 3), Index(4), Bold | Underline | Reverse}
	if got := (Profile{}).convert(s); got != (Style{Attr: s.Attr}) {
		t.Errorf("%+v becomes %+v", s, got)
	}
}

func TestDetect(t *testing.T) {
	tests := []struct {
		term string
		env  map[string]string
		want Profile
	}{
		{"xterm-256color", nil, Profile{Colors: Colors256}},
		{"xterm-256color", map[string]string{"COLORTERM": "truecolor", "LANG": "de_DE.UTF-8"}, Profile{Colors: TrueColor}},
		{"xterm-256color", map[string]string{"COLORTERM": "24bit", "NO_COLOR": "1"}, Profile{}},
		{"xterm-256color", map[string]string{"NO_COLOR": ""}, Profile{Colors: Colors256}},
		{"xterm-256color", map[string]string{"TERM_PROGRAM": "iTerm.app"}, Profile{Colors: TrueColor}},
		{"xterm-direct", nil, Profile{Colors: TrueColor}},
		{"xterm-kitty", nil, Profile{Colors: TrueColor, Sync: true}},
		{"xterm", nil, Profile{Colors: Colors16}},
		{"screen", nil, Profile{Colors: Colors16}},
		{"tmux-256color", nil, Profile{Colors: Colors256}},
		{"linux", nil, Profile{Colors: Colors16, Console: true}},
		{"linux-16color", map[string]string{"LANG": "C"}, Profile{Colors: Colors16, Console: true, ASCII: true}},
		{"screen", map[string]string{"COLORTERM": "truecolor"}, Profile{Colors: TrueColor}},
		{"xterm", map[string]string{"TERM_PROGRAM": "Apple_Terminal"}, Profile{Colors: Colors256}},
		{"something new", nil, Profile{Colors: Colors16}},
		{"", nil, Profile{Colors: Colors16}},
		{"vt220", nil, Profile{}},
		{"vte-256color", nil, Profile{Colors: Colors256}},
		{"dumb", nil, Profile{}},
		{"xterm", map[string]string{"LANG": "C"}, Profile{Colors: Colors16, ASCII: true}},
		{"xterm", map[string]string{"LANG": "C", "LC_ALL": "C.UTF-8"}, Profile{Colors: Colors16}},
		{"xterm", map[string]string{"LANG": "en_US.utf8", "LC_CTYPE": "en_US.ISO-8859-1"}, Profile{Colors: Colors16, ASCII: true}},
	}
	for _, test := range tests {
		test.want.Term = test.term
		if got := Detect(test.term, func(name string) string { return test.env[name] }); got != test.want {
			t.Errorf("%q with %v: %+v, not %+v", test.term, test.env, got, test.want)
		}
	}
}

// TestHasAnswered raises terminals of 16 colours to 256, and no others.
func TestHasAnswered(t *testing.T) {
	for before, after := range map[Colors]Colors{NoColor: NoColor, Colors16: Colors256, Colors256: Colors256, TrueColor: TrueColor} {
		p := Profile{Term: "xterm", Colors: before, ASCII: true, Sync: true}
		want := p
		want.Colors = after
		if got := p.HasAnswered(); got != want {
			t.Errorf("%+v becomes %+v", p, got)
		}
	}
}

// shownAs returns the rows of a frame as a terminal with a profile is sent them.
func shownAs(profile Profile, f *Frame) string {
	p := painter{profile: profile, w: f.w, h: f.h}
	row := make([]cell, f.w)
	var got string
	for _, l := range f.lines {
		l.copyTo(row)
		p.convertRow(row)
		for _, c := range row {
			got += string(c.glyph.append(nil))
		}
		got += "\n"
	}
	return got
}

// TestConsoleHasNoFaintText leaves out what the Linux console shows as dark grey.
func TestConsoleHasNoFaintText(t *testing.T) {
	s := Style{FG: Index(7), BG: Index(4), Attr: Faint | Underline}
	if got := (Profile{Colors: Colors16, Console: true}).convert(s); got.Attr != Underline {
		t.Errorf("the console has the attributes %v", got.Attr)
	}
	if got := (Profile{Colors: Colors16}).convert(s); got.Attr != s.Attr {
		t.Errorf("other terminals have the attributes %v", got.Attr)
	}
}

// TestConsole shows symbols by those of code page 437, and leaves letters and wide characters alone.
func TestConsole(t *testing.T) {
	f := Draw(nil, 16, 2, func(c Canvas) {
		c.Text(0, 0, Style{}, "╭─╮▗█▖ ●○★ …↗→→")
		c.Text(0, 1, Style{}, "éłЖ 世 × ☃ ⌚ ░▸")
	})
	if got, want := shownAs(Profile{Console: true}, f), "┌─┐▄█▄ •○☼ ./→→ \néłЖ 世 x ? ⌚ ░► \n"; strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("%q, not %q", got, want)
	}
	for g, to := range consoleLookalikes {
		if _, w := classify(g); w != 1 || !strings.ContainsRune(consoleSymbols, rune(to)) {
			t.Errorf("%q, of %d columns, looks like %q", g, w, string(to.append(nil)))
		}
	}
	for _, r := range consoleSymbols {
		if g := glyph(r); g.console() != g {
			t.Errorf("%q is replaced by %q", r, string(g.console().append(nil)))
		}
	}
}

func TestASCII(t *testing.T) {
	f := Draw(nil, 12, 4, func(c Canvas) {
		c.Sub(0, 0, 5, 3).Box(Style{})
		c.Text(1, 1, Style{}, "●○▲")
		c.Text(6, 0, Style{}, "→ é世x")
		c.Text(0, 3, Style{}, "é ☃ × …")
	})
	got := shownAs(Profile{ASCII: true}, f)
	if want := "+---+ > e? x\n|*o^|       \n+---+       \ne ? x .     \n"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	for g, to := range lookalikes {
		if g < 0x80 || to < 0x21 || to > 0x7e {
			t.Errorf("%q looks like %q", g, to)
		}
		if _, w := classify(g); w != 1 {
			t.Errorf("%q is %d columns wide", g, w)
		}
	}
}
