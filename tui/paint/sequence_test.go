package paint

import (
	"strings"
	"testing"
)

func TestMoves(t *testing.T) {
	tests := []struct {
		from, to position
		want     string
	}{
		{position{0, 0}, position{0, 0}, ""},
		{position{5, 5}, position{0, 0}, "\x1b[H"},
		{position{5, 5}, position{0, 5}, "\r"},
		{position{5, 5}, position{4, 5}, "\b"},
		{position{5, 5}, position{6, 5}, "\x1b[C"},
		{position{5, 5}, position{15, 5}, "\x1b[10C"},
		{position{50, 5}, position{1, 5}, "\x1b[2G"},
		{position{50, 5}, position{41, 5}, "\x1b[9D"},
		{position{5, 5}, position{0, 6}, "\r\n"},
		{position{70, 5}, position{1, 6}, "\r\n\x1b[C"},
		{position{5, 5}, position{5, 6}, "\x1b[B"},
		{position{5, 5}, position{4, 4}, "\x1b[A\b"},
		{position{50, 20}, position{50, 0}, "\x1b[d"},
		{position{50, 20}, position{30, 10}, "\x1b[11;31H"},
		{position{-1, 5}, position{9, 5}, "\x1b[10G"},
		{position{-1, 5}, position{0, 5}, "\r"},
		{position{-1, 5}, position{9, 6}, "\r\n\x1b[9C"},
	}
	for _, test := range tests {
		if got := string(appendMove([]byte("x"), test.from, test.to)); got != "x"+test.want {
			t.Errorf("%v to %v: %q, not %q", test.from, test.to, got[1:], test.want)
		}
	}
}

func TestEveryMoveArrives(t *testing.T) {
	const w, h = 12, 12
	for from := range w * h {
		for to := range w * h {
			term := newFakeTerminal(w, h)
			term.x, term.y, term.lost = from%w, from/w, false
			b := appendMove(nil, position{from % w, from / w}, position{to % w, to / w})
			if len(b) > len("\x1b[12;12H") {
				t.Fatalf("%q is longer than an absolute move", b)
			}
			term.Write(b)
			if term.x != to%w || term.y != to/w || len(term.faults) > 0 {
				t.Fatalf("%d to %d: %q leads to %d,%d, faults %q", from, to, b, term.x, term.y, term.faults)
			}
		}
	}
}

func TestStyleChanges(t *testing.T) {
	tests := []struct {
		from, to Style
		want     string
	}{
		{Style{}, Style{}, ""},
		{Style{Attr: Bold}, Style{}, "\x1b[m"},
		{Style{}, Style{FG: Index(1)}, "\x1b[31m"},
		{Style{}, Style{FG: Index(9), BG: Index(12)}, "\x1b[91;104m"},
		{Style{}, Style{BG: Index(200)}, "\x1b[48;5;200m"},
		{Style{}, Style{FG: RGB(1, 20, 255)}, "\x1b[38;2;1;20;255m"},
		{Style{FG: Index(1), Attr: Bold}, Style{FG: Index(1)}, "\x1b[22m"},
		{Style{Attr: Bold}, Style{Attr: Faint}, "\x1b[0;2m"},
		{Style{Attr: Bold | Faint}, Style{Attr: Faint}, "\x1b[0;2m"},
		{Style{FG: Index(200), BG: Index(201), Attr: Bold | Underline}, Style{Attr: Reverse}, "\x1b[0;7m"},
		{Style{FG: RGB(1, 2, 3), Attr: Bold}, Style{FG: RGB(1, 2, 3), Attr: Reverse}, "\x1b[22;7m"},
	}
	for _, test := range tests {
		if got := string(appendStyle(nil, test.from, test.to)); got != test.want {
			t.Errorf("%+v to %+v: %q, not %q", test.from, test.to, got, test.want)
		}
	}
}

func TestEveryStyleChangeArrives(t *testing.T) {
	var styles []Style
	for _, fg := range testColors[2:] {
		for _, bg := range []Color{Default, Index(7), Index(15), RGB(0, 0, 1)} {
			for a := range allAttrs + 1 {
				styles = append(styles, Style{fg, bg, a})
			}
		}
	}
	term := newFakeTerminal(1, 1)
	for _, from := range styles {
		for _, to := range styles {
			b := appendStyle(nil, from, to)
			term.pen = from
			term.Write(b)
			if term.pen != to || len(term.faults) > 0 {
				t.Fatalf("%+v to %+v: %q gives %+v, faults %q", from, to, b, term.pen, term.faults)
			}
			if fresh := appendStyle(nil, Style{}, to); to != (Style{}) && len(b) > len(fresh)+len("0;") {
				t.Fatalf("%+v to %+v: %q is longer than %q after a reset", from, to, b, fresh)
			}
		}
	}
}

func TestTitlesAreCleaned(t *testing.T) {
	tests := map[string]string{
		"Ayumu":                 "Ayumu",
		"a\x1b]0;evil\x07\nb":   "a?]0;evil? b",
		"\u202eabc\u200b\u0301": "abc",
		"世界 🇩🇪":                 "世界 DE",
		strings.Repeat("世", 99): strings.Repeat("世", 32),
	}
	for in, want := range tests {
		if got := cleanTitle(in); got != want {
			t.Errorf("%q becomes %q, not %q", in, got, want)
		}
	}
}
