package tui

import (
	"strings"
	"testing"

	"ayumu/lobby/sanitize"
	"ayumu/tui/client"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

const smallPicture = `   ●─●   ○
   │  ╲ ╱
   ●   ○──○`

// largePicture has the maximum size.
var largePicture = strings.TrimSuffix(strings.Repeat(strings.Repeat("▒░", pictureWidth/2)+"\n", pictureHeight), "\n")

func mustPicture(t *testing.T, text string) []string {
	t.Helper()
	lines, err := ReadPicture(text)
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
		if _, err := ReadPicture(text); err == nil || !strings.Contains(err.Error(), want) {
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
		lines, err := ReadPicture(text)
		if err != nil {
			return
		}
		if len(lines) > pictureHeight {
			t.Fatal("too tall")
		}
		for _, l := range lines {
			if paint.Width(l) > pictureWidth || sanitize.Line(strings.ReplaceAll(l, " ", "x"), 100) != strings.ReplaceAll(l, " ", "x") {
				t.Fatalf("%q is accepted", l)
			}
		}
	})
}

func TestPictureIsShownWhereItFits(t *testing.T) {
	club := Config{Config: client.Config{Message: "Club night is on Friday at eight."}, SiteName: "Stone Garden", Picture: mustPicture(t, smallPicture)}
	withHarness(t, func(h *harness) {
		d := h.visit(setting{name: "ana", club: club})
		d.golden("name-picture")
		d.typeText("ana")
		d.press("enter")
		d.wantText("Welcome, ana.", "Club night is on Friday")
		d.golden("lobby-picture")
		d.press("down")
		d.wantNoText("Club night")
		h.visit(setting{name: "ana", club: club}).wantText("Club night")
	})
	withHarness(t, func(h *harness) {
		d := h.visit(setting{name: "ana", club: club, w: 60, h: 20})
		d.wantText("●─●", "Press Enter to continue", "Club night")
		d.press("enter")
		d.wantText("Choose your name.")
		d.wantNoText("●─●")
	})
	withHarness(t, func(h *harness) {
		club.Picture = mustPicture(t, largePicture)
		d := h.visit(setting{club: club})
		d.golden("welcome-picture")
		d.press("enter")
		d.wantText("Welcome to Stone Garden.", "as a guest")
		d.press("enter")
		d.wantText("Open tables")
		d.wantNoText("▒░")
		d = h.visit(setting{club: club, w: 120, h: 40})
		d.wantText("▒░", "as a guest")
		d.press("enter")
		d.wantText("▒░", "Open tables")
	})
}

// In ASCII mode a picture is shown if all its characters have ASCII replacements.
func TestPictureWithoutUnicodeOrColours(t *testing.T) {
	withHarness(t, func(h *harness) {
		club := Config{Picture: mustPicture(t, smallPicture)}
		d := h.visit(setting{club: club, profile: paint.Profile{ASCII: true}})
		d.wantText("●─●   ○") // the painter replaces each character
		club.Picture = mustPicture(t, "⠋⠙⠹")
		d = h.visit(setting{club: club, profile: paint.Profile{ASCII: true}})
		d.wantNoText("⠋⠙⠹")
	})
}

func TestAccentIsSharedByAllSessions(t *testing.T) {
	withHarness(t, func(h *harness) {
		themes := theme.WithAccent(paint.RGB(0x80, 0, 0x20))
		club := Config{Themes: themes}
		one := h.visit(setting{club: club, profile: paint.Profile{Colors: paint.TrueColor}})
		two := h.visit(setting{club: club, profile: paint.Profile{Colors: paint.TrueColor}})
		if one.Style.Theme != two.Style.Theme || one.Style.Theme.BuiltIn() != &theme.Dark || one.Style.Theme == &theme.Dark {
			t.Errorf("two themes: %v %v", one.Style.Theme.Name, two.Style.Theme.Name)
		}
		if plain := h.visit(setting{club: club}); plain.Style.Theme != &theme.Plain {
			t.Error("without colours there is an accent")
		}
	})
}
