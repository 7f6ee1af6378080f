package widget_test

import (
	"strings"
	"testing"

	"ayumu/lobby/sanitize"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
)

const smallPicture = `   ●─●   ○
   │  ╲ ╱
   ●   ○──○`

// largePicture has the maximum size.
var largePicture = strings.TrimSuffix(strings.Repeat(strings.Repeat("▒░", widget.PictureWidth/2)+"\n", widget.PictureHeight), "\n")

func mustPicture(t *testing.T, text string) []string {
	t.Helper()
	lines, err := widget.ReadPicture(text)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestPictureHarmsNoTerminal(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("x\n", 12) + "x": "line 13",
		"a\n" + strings.Repeat("x", 77): "line 2: it has 77 columns",
		"a\x1b[2J":                      "U+001B",
		"a\tb":                          "U+0009",
		"\u202eab":                      "U+202E",
		"e\u0301":                       "U+0301",
		"a\u200bb":                      "U+200B",
		"\u56f2":                        "U+56F2", // two columns wide
		"a\u00a0b":                      "U+00A0",
		"a\xff":                         "not UTF-8",
	} {
		if _, err := widget.ReadPicture(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %q", text, err, want)
		}
	}
	if got := mustPicture(t, " a  \r\n\n b\n\n"); len(got) != 3 || got[0] != " a" || got[2] != " b" {
		t.Errorf("%q", got)
	}
	if got := mustPicture(t, "\n"); got != nil {
		t.Errorf("an empty picture is %q", got)
	}
}

func FuzzPicture(f *testing.F) {
	f.Add(smallPicture)
	f.Add(largePicture)
	f.Fuzz(func(t *testing.T, text string) {
		lines, err := widget.ReadPicture(text)
		if err != nil {
			return
		}
		if len(lines) > widget.PictureHeight {
			t.Fatal("too tall")
		}
		for _, l := range lines {
			if paint.Width(l) > widget.PictureWidth || sanitize.Line(strings.ReplaceAll(l, " ", "x"), 100) != strings.ReplaceAll(l, " ", "x") {
				t.Fatalf("%q is accepted", l)
			}
		}
	})
}
