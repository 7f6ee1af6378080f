package ayu

import (
	"strings"
	"testing"
)

func TestParseBoardRefuses(t *testing.T) {
	const rows = ".x.x./o.o.o/.x.x./o.o.o/.x.x."
	for _, line := range []string{
		"",
		"5",
		"5 b",
		"5 b ",
		"5 b  " + rows,
		" 5 b " + rows,
		"5 b " + rows + " ",
		"5\tb\t" + rows,
		"05 b " + rows,
		"+5 b " + rows,
		"5 B " + rows,
		"5 x " + rows,
		"5  " + rows,
		"4 b ..../..../..../....",
		"1 b x",
		"17 b " + strings.Repeat("................./", 16) + ".................",
		"7 b " + rows,
		"5 b .x.x./o.o.o/.x.x./o.o.o",
		"5 b " + rows + "/",
		"5 b .x.x/o.o.o/.x.x./o.o.o/.x.x.",
		"5 b .x.x../o.o.o/.x.x./o.o.o/.x.x.",
		"5 b .X.x./o.o.o/.x.x./o.o.o/.x.x.",
		"5 b é...../o.o.o/.x.x./o.o.o/.x.x.",
		"5 b é.../o.o.o/.x.x./o.o.o/.x.x.",
	} {
		if b, err := ParseBoard(line); err == nil {
			t.Errorf("%q is read as %q", line, b)
		}
	}
}

func TestParseBoard(t *testing.T) {
	const start = "5 b .x.x./o.o.o/.x.x./o.o.o/.x.x."
	b, err := ParseBoard(start)
	if err != nil || b != NewBoard(5) {
		t.Errorf("the start is read as %v, %v", b, err)
	}
	if got := NewBoard(5).String(); got != start {
		t.Errorf("the start is printed as %q, want %q", got, start)
	}
}

func TestParseMove(t *testing.T) {
	for text, want := range map[string]Move{
		"b1-b2":   {At(1, 0), At(1, 1)},
		"B1-b2":   {At(1, 0), At(1, 1)},
		"O15-A10": {At(14, 14), At(0, 9)},
	} {
		if got, err := ParseMove(text); err != nil || got != want {
			t.Errorf("%q is read as %v, %v", text, got, err)
		}
	}
	for _, text := range []string{
		"", "-", "b1", "b1b2", "b1-", "-b2", "b1-b2-b3", "b1 - b2", "b01-b2", "b0-b1", "b16-b15", "p1-o1",
		"b1-b2 ", "@1-b2", "b+1-b2", "b1–b2", "swap",
	} {
		if m, err := ParseMove(text); err == nil {
			t.Errorf("%q is read as %s", text, m)
		}
	}
}

func FuzzMove(f *testing.F) {
	for _, seed := range []string{"b1-b2", "B1-C1", "o15-o14", "a10-a1", "b1b2", "swap", "p1-a16", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMove(text)
		if err != nil {
			if _, again := ParseMove(strings.ToUpper(text)); again == nil && isASCII(text) {
				t.Errorf("%q is refused and its upper case is not", text)
			}
			return
		}
		if got := m.String(); got != strings.ToLower(text) {
			t.Errorf("%q is printed as %q", text, got)
		}
	})
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 127 }) < 0
}

func FuzzBoard(f *testing.F) {
	f.Add("3 b .x./o.o/.x.")
	f.Add("5 w .x.x./o.o.o/.x.x./o.o.o/.x.x.")
	f.Add("5 b xx.../x.xo./xxx../...../...x.")
	f.Add("7 b x....../xooo.../xo.ooo./xo...o./xo...../xoo..x./..o..o.")
	f.Add("5 b")
	f.Fuzz(func(t *testing.T, line string) {
		b, err := ParseBoard(line)
		if err != nil {
			return
		}
		if got := b.String(); got != line {
			t.Fatalf("%q is printed as %q", line, got)
		}
		if b.Size() <= 7 {
			checkBoard(t, b)
		}
	})
}
