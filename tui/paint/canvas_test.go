package paint

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	tests := []struct {
		name, text string
		x, columns int
		row        string // of 8 columns that showed 12345678
	}{
		{"plain", "abc", 0, 3, "abc45678"},
		{"cut at the right", "abcdef", 5, 3, "12345abc"},
		{"cut at the left", "abcdef", -2, 6, "cdef5678"},
		{"outside at the right", "abc", 8, 0, "12345678"},
		{"outside at the left", "abc", -5, 3, "12345678"},
		{"wide", "世界", 1, 4, "1世界678"},
		{"wide cut at the right", "世界", 5, 3, "12345世 "},
		{"wide cut at the left", "世界", -1, 4, " 界45678"},
		{"combining marks", "e\u0301o\u0302\u0323x", 0, 3, "e\u0301o\u0302\u0323x45678"},
		{"too many marks", "e\u0301\u0302\u0303\u0304", 0, 1, "e\u0301\u03022345678"},
		{"a mark alone", "\u0301a", 0, 1, "a2345678"},
		{"a mark on a wide character", "世\u0301x", 0, 3, "世\u0301x45678"},
		{"a mark on a space", " \u0301", 0, 1, " \u03012345678"},
		{"a mark on what is cut off", "ab\u0301", 7, 1, "1234567a"},
		{"decomposed Korean", "\u1112\u1161\u11ab", 0, 2, "\u1112\u1161\u11ab345678"},
		{"Thai", "กำ", 0, 2, "กำ345678"},
		{"controls", "\x1b[m\x07\x7f\u009b\x00", 0, 7, "?[m????8"},
		{"tabs and line ends", "a\tb\nc", 0, 5, "a b c678"},
		{"invalid UTF-8", "\xffa\xc3", 0, 3, "?a?45678"},
		{"bidirectional controls", "a\u202eb\u2066c\u200f", 0, 3, "abc45678"},
		{"zero width", "a\u200bb\u200dc\ufeffd\u00ade", 0, 5, "abcde678"},
		{"emoji", "🙂\ufe0f👍🏽", 0, 4, "🙂👍5678"},
		{"a flag", "🇩🇪", 0, 2, "DE345678"},
		{"line separators and private use", "a\u2028\ue000\U000f0000", 0, 4, "a???5678"},
		{"other spaces", "a\u00a0b\u3000c", 0, 5, "a b c678"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var columns int
			f := Draw(nil, 8, 1, func(c Canvas) {
				c.Text(0, 0, Style{}, "12345678")
				columns = c.Text(test.x, 0, Style{}, test.text)
			})
			if got := strings.TrimSuffix(f.String(), "\n"); got != strings.TrimRight(test.row, " ") {
				t.Errorf("row is %q, not %q", got, test.row)
			}
			if columns != test.columns {
				t.Errorf("%d columns, not %d", columns, test.columns)
			}
		})
	}
}

func TestWideCharactersAreWhole(t *testing.T) {
	f := Draw(nil, 6, 4, func(c Canvas) {
		for y := range 4 {
			c.Text(0, y, Style{FG: Index(1)}, "世界人")
		}
		c.Text(1, 0, Style{}, "a") // over a right half
		c.Text(2, 1, Style{}, "b") // over a left half
		c.Text(1, 2, Style{}, "大") // over two halves
		c.Fill(3, 3, 2, 1, Style{}, '-')
	})
	if got, want := f.String(), " a界人\n世b 人\n 大 人\n世 --\n"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestSubClips(t *testing.T) {
	f := Draw(nil, 6, 4, func(c Canvas) {
		c.Fill(0, 0, 6, 4, Style{}, '.')
		sub := c.Sub(1, 1, 3, 2)
		sub.Text(-1, 0, Style{}, "abcdef")
		sub.Text(0, 2, Style{}, "below")
		sub.Text(2, 1, Style{}, "世") // only its left half fits
		sub.Fill(-5, -5, 100, 6, Style{}, 'x')
		if w, h := c.Sub(4, 3, 10, 10).Size(); w != 2 || h != 1 {
			t.Errorf("a part that sticks out is %d×%d", w, h)
		}
		if w, h := c.Sub(9, 9, -1, 5).Size(); w != 0 || h != 0 {
			t.Errorf("a part outside is %d×%d", w, h)
		}
	})
	if got, want := f.String(), "......\n.xxx..\n... ..\n......\n"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestBoxAndCursor(t *testing.T) {
	f := Draw(nil, 5, 4, func(c Canvas) {
		c.Sub(1, 0, 4, 3).Box(Style{})
		c.Sub(0, 3, 1, 1).Box(Style{}) // too small for one
		c.Sub(1, 1, 2, 2).SetCursor(1, 1)
		c.Sub(1, 1, 2, 2).SetCursor(2, 0) // outside: ignored
	})
	if got, want := f.String(), " ┌──┐\n │  │\n └──┘\n\n"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if x, y, visible := f.Cursor(); x != 2 || y != 2 || !visible {
		t.Errorf("cursor at %d,%d (%t)", x, y, visible)
	}
}

func TestBlitSharesRows(t *testing.T) {
	board := Draw(nil, 20, 3, func(c Canvas) {
		for y := range 3 {
			c.Text(0, y, Style{FG: Index(uint8(y))}, "board of twenty cols")
		}
	})
	draw := func(clock string) func(Canvas) {
		return func(c Canvas) {
			c.Blit(2, 1, board)
			c.Text(30, 1, Style{}, clock)
			c.Restyle(5, 2, 2, 1, func(s Style) Style { return s.With(Reverse) })
		}
	}
	one := Draw(nil, 40, 5, draw("9:59"))
	two := Draw(one, 40, 5, draw("9:58"))
	for y := range 3 {
		p := one.lines[y+1][0]
		shares := &p.cells[0] == &board.lines[y][0].cells[0]
		if drawnOver := y == 1; shares == drawnOver {
			t.Errorf("row %d of the board shared: %t", y, shares)
		}
		same := one.lines[y+1].isSame(two.lines[y+1])
		if hasClock := y == 0; same == hasClock {
			t.Errorf("row %d of two frames the same: %t", y, same)
		}
	}
	if again := Draw(two, 40, 5, draw("9:58")); again != two {
		t.Error("the same drawing made another frame")
	}
	if _, style := two.At(5, 2); style.Attr != Reverse {
		t.Errorf("the cursor's style is %v", style)
	}
}

func TestBlitClips(t *testing.T) {
	part := Draw(nil, 6, 3, func(c Canvas) {
		c.Text(0, 0, Style{}, "世界人")
		c.Text(0, 1, Style{}, "abcdef")
		c.Text(0, 2, Style{}, "x")
	})
	tests := []struct {
		x, y int
		want string
	}{
		{0, 0, "世界\nabcd\nx\n"},
		{-1, 0, " 界\nbcde\n\n"},
		{1, 1, "....\n.世\n.abc\n"},
		{-5, -1, "f...\n ...\n....\n"},
		{4, 0, "....\n....\n....\n"},
		{0, 3, "....\n....\n....\n"},
		{0, -3, "....\n....\n....\n"},
	}
	for _, test := range tests {
		f := Draw(nil, 4, 3, func(c Canvas) {
			c.Fill(0, 0, 4, 3, Style{}, '.')
			c.Blit(test.x, test.y, part)
		})
		if got := f.String(); got != test.want {
			t.Errorf("at %d,%d: %q, not %q", test.x, test.y, got, test.want)
		}
	}
}

func TestEmptyFrames(t *testing.T) {
	f := Draw(nil, -1, 0, func(c Canvas) { c.Text(0, 0, Style{}, "x"); c.Box(Style{}); c.SetCursor(0, 0) })
	if w, h := f.Size(); w != 0 || h != 0 || f.String() != "" {
		t.Errorf("%d×%d: %q", w, h, f)
	}
	Draw(nil, 3, 3, func(c Canvas) { c.Blit(0, 0, f) })
}

func TestWidthAndCut(t *testing.T) {
	tests := []struct {
		text  string
		width int
		at4   string
	}{
		{"", 0, ""},
		{"abcd", 4, "abcd"},
		{"abcde", 5, "abc…"},
		{"世界", 4, "世界"},
		{"a世界", 5, "a世…"},
		{"世界人", 6, "世…"},
		{"e\u0301e\u0301e\u0301e\u0301e\u0301", 5, "e\u0301e\u0301e\u0301…"},
		{"\u200b\u200b", 0, "\u200b\u200b"},
	}
	for _, test := range tests {
		if w := Width(test.text); w != test.width {
			t.Errorf("width of %q is %d, not %d", test.text, w, test.width)
		}
		if got := Cut(test.text, 4); got != test.at4 {
			t.Errorf("%q cut to 4 is %q, not %q", test.text, got, test.at4)
		}
	}
	if got := Cut("abc", 0) + Cut("abc", -1) + Cut("abc", 1); got != "…" {
		t.Errorf("cut to nothing and to one: %q", got)
	}
}

// FuzzText draws any text anywhere: no control character may reach the terminal, the terminal must show the
// frame, and Text must return the columns of Width.
func FuzzText(f *testing.F) {
	for i, s := range samples {
		f.Add(s, int8(i-3), uint8(i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, text string, x int8, width, profile uint8) {
		w := int(width)%30 + 1
		p := painter{profile: testProfiles[int(profile)%len(testProfiles)], w: w, h: 2, visible: true}
		term := newFakeTerminal(w, 2)
		term.erasesColor = p.profile.colorsErase()
		term.Write(p.clear(nil))
		frame := Draw(nil, w, 2, func(c Canvas) {
			c.Fill(0, 0, w, 2, Style{BG: Index(4)}, '.')
			if n, want := c.Text(int(x), 1, Style{FG: Index(1)}, text), min(Width(text), max(w-int(x), 0)); n != want {
				t.Errorf("%q takes %d columns, not %d", text, n, want)
			}
		})
		out, _ := p.paint(nil, frame)
		term.Write(out)
		if d := term.differs(frame, p.profile); d != "" {
			t.Errorf("%q: %s", text, d)
		}
		if len(term.faults) > 0 || !utf8.Valid(out) {
			t.Errorf("%q: %q, faults %q", text, out, term.faults)
		}
		if short := Cut(text, w); Width(short) > w {
			t.Errorf("%q cut to %d has %d columns", text, w, Width(short))
		}
	})
}
