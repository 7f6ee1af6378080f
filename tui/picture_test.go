package tui

import (
	"strings"
	"testing"

	"ayumu/lobby"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

const smallPicture = `   ●─●   ○
   │  ╲ ╱
   ●   ○──○`

// largePicture is as large as one can be.
var largePicture = strings.TrimSuffix(strings.Repeat(strings.Repeat("▒░", pictureWidth/2)+"\n", pictureHeight), "\n")

func picture(t *testing.T, text string) []string {
	t.Helper()
	lines, err := ReadPicture(text)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestPictureHarmsNoTerminal(t *testing.T) {
	for text, says := range map[string]string{
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
		if _, err := ReadPicture(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, not %q", text, err, says)
		}
	}
	if got := picture(t, " a  \r\n\n b\n\n"); len(got) != 3 || got[0] != " a" || got[2] != " b" {
		t.Errorf("%q", got)
	}
	if got := picture(t, "\n"); got != nil {
		t.Errorf("nothing is %q", got)
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
			if paint.Width(l) > pictureWidth || lobby.CleanText(strings.ReplaceAll(l, " ", "x"), 100) != strings.ReplaceAll(l, " ", "x") {
				t.Fatalf("%q is taken", l)
			}
		}
	})
}

func TestHostsPictureIsShownWhereThereIsRoom(t *testing.T) {
	host := Visit{Club: "Stone Garden", Message: "Club night is on Friday at eight.", Picture: picture(t, smallPicture)}
	inHouse(t, func(h *house) {
		d := h.visit(setting{name: "ana", club: host})
		d.golden("name-picture")
		d.write("ana")
		d.press("enter")
		d.has("Welcome, ana.", "Club night is on Friday")
		d.golden("lobby-picture")
		d.press("down")
		d.lacks("Club night")
		h.visit(setting{name: "ana", club: host}).has("Club night")
	})
	inHouse(t, func(h *house) {
		d := h.visit(setting{name: "ana", club: host, w: 60, h: 20})
		d.has("●─●", "Press Enter to go on", "Club night")
		d.press("enter")
		d.has("What shall we call you?")
		d.lacks("●─●")
	})
	inHouse(t, func(h *house) {
		host.Picture = picture(t, largePicture)
		d := h.visit(setting{club: host})
		d.golden("welcome-picture")
		d.press("enter")
		d.has("Welcome to Stone Garden.", "as a guest")
		d.press("enter")
		d.has("Open tables")
		d.lacks("▒░")
		d = h.visit(setting{club: host, w: 120, h: 40})
		d.has("▒░", "as a guest")
		d.press("enter")
		d.has("▒░", "Open tables")
	})
}

// Where only ASCII is shown a picture is shown as far as it still is one.
func TestPictureWithoutUnicodeOrColours(t *testing.T) {
	inHouse(t, func(h *house) {
		host := Visit{Picture: picture(t, smallPicture)}
		d := h.visit(setting{club: host, profile: paint.Profile{ASCII: true}})
		d.has("●─●   ○") // each character of which the terminal gets as one of ASCII
		host.Picture = picture(t, "⠋⠙⠹")
		d = h.visit(setting{club: host, profile: paint.Profile{ASCII: true}})
		d.lacks("⠋⠙⠹")
	})
}

func TestAccentIsSharedByAllSessions(t *testing.T) {
	inHouse(t, func(h *house) {
		looks := theme.Accented(paint.RGB(0x80, 0, 0x20))
		host := Visit{Looks: looks}
		one := h.visit(setting{club: host, profile: paint.Profile{Colors: paint.TrueColor}})
		two := h.visit(setting{club: host, profile: paint.Profile{Colors: paint.TrueColor}})
		if one.look.Theme != two.look.Theme || one.look.Theme.House() != &theme.Dark || one.look.Theme == &theme.Dark {
			t.Errorf("two looks: %v %v", one.look.Theme.Name, two.look.Theme.Name)
		}
		if plain := h.visit(setting{club: host}); plain.look.Theme != &theme.Plain {
			t.Error("without colours there is an accent")
		}
	})
}
