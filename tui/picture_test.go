package tui_test

import (
	"strings"
	"testing"

	"ayumu/lobby/sanitize"
	"ayumu/tui"
	"ayumu/tui/client"
	"ayumu/tui/paint"
	"ayumu/tui/screen/screentest"
	"ayumu/tui/theme"
)

const smallPicture = `   ●─●   ○
   │  ╲ ╱
   ●   ○──○`

// largePicture has the maximum size.
var largePicture = strings.TrimSuffix(strings.Repeat(strings.Repeat("▒░", tui.PictureWidth/2)+"\n", tui.PictureHeight), "\n")

func mustPicture(t *testing.T, text string) []string {
	t.Helper()
	lines, err := tui.ReadPicture(text)
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
		if _, err := tui.ReadPicture(text); err == nil || !strings.Contains(err.Error(), want) {
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
		lines, err := tui.ReadPicture(text)
		if err != nil {
			return
		}
		if len(lines) > tui.PictureHeight {
			t.Fatal("too tall")
		}
		for _, l := range lines {
			if paint.Width(l) > tui.PictureWidth || sanitize.Line(strings.ReplaceAll(l, " ", "x"), 100) != strings.ReplaceAll(l, " ", "x") {
				t.Fatalf("%q is accepted", l)
			}
		}
	})
}

func TestPictureIsShownWhereItFits(t *testing.T) {
	club := tui.Config{Config: client.Config{Message: "Club night is on Friday at eight."}, SiteName: "Stone Garden", Picture: mustPicture(t, smallPicture)}
	screentest.With(t, func(h *screentest.Harness) {
		d := h.Visit(screentest.Setting{Name: "ana", Site: club})
		d.Golden("name-picture")
		d.TypeText("ana")
		d.Press("enter")
		d.WantText("Welcome, ana.", "Club night is on Friday")
		d.Golden("lobby-picture")
		d.Press("down")
		d.WantNoText("Club night")
		h.Visit(screentest.Setting{Name: "ana", Site: club}).WantText("Club night")
	})
	screentest.With(t, func(h *screentest.Harness) {
		d := h.Visit(screentest.Setting{Name: "ana", Site: club, Width: 60, Height: 20})
		d.WantText("●─●", "Press Enter to continue", "Club night")
		d.Press("enter")
		d.WantText("Choose your name.")
		d.WantNoText("●─●")
	})
	screentest.With(t, func(h *screentest.Harness) {
		club.Picture = mustPicture(t, largePicture)
		d := h.Visit(screentest.Setting{Site: club})
		d.Golden("welcome-picture")
		d.Press("enter")
		d.WantText("Welcome to Stone Garden.", "as a guest")
		d.Press("enter")
		d.WantText("Open tables")
		d.WantNoText("▒░")
		d = h.Visit(screentest.Setting{Site: club, Width: 120, Height: 40})
		d.WantText("▒░", "as a guest")
		d.Press("enter")
		d.WantText("▒░", "Open tables")
	})
}

// In ASCII mode a picture is shown if all its characters have ASCII replacements.
func TestPictureWithoutUnicodeOrColours(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		club := tui.Config{Picture: mustPicture(t, smallPicture)}
		d := h.Visit(screentest.Setting{Site: club, Profile: paint.Profile{ASCII: true}})
		d.WantText("●─●   ○") // the painter replaces each character
		club.Picture = mustPicture(t, "⠋⠙⠹")
		d = h.Visit(screentest.Setting{Site: club, Profile: paint.Profile{ASCII: true}})
		d.WantNoText("⠋⠙⠹")
	})
}

func TestAccentIsSharedByAllSessions(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		themes := theme.WithAccent(paint.RGB(0x80, 0, 0x20))
		club := tui.Config{Themes: themes}
		one := h.Visit(screentest.Setting{Site: club, Profile: paint.Profile{Colors: paint.TrueColor}})
		two := h.Visit(screentest.Setting{Site: club, Profile: paint.Profile{Colors: paint.TrueColor}})
		if one.Style.Theme != two.Style.Theme || one.Style.Theme.BuiltIn() != &theme.Dark || one.Style.Theme == &theme.Dark {
			t.Errorf("two themes: %v %v", one.Style.Theme.Name, two.Style.Theme.Name)
		}
		if plain := h.Visit(screentest.Setting{Site: club}); plain.Style.Theme != &theme.Plain {
			t.Error("without colours there is an accent")
		}
	})
}
