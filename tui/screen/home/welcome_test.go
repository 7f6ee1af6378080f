package home_test

import (
	"strings"
	"testing"

	"ayumu/lobby/account"
	"ayumu/tui"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen/screentest"
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

func TestGoldenWelcome(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "new", NameHint: "an"})
		d.GoldenSizes("name")
		d.Press("a enter")
		d.Golden("name-taken")
		g := h.Visit(screentest.Setting{})
		g.GoldenSizes("guest")
		for _, s := range []*screentest.Session{d, g} {
			s.Press("?")
			s.WantText("Help", "q back")
			s.Press("o") // there is no account to show
			s.WantText("Background", "q back")
			s.WantNoText("account …")
			s.Press("q")
			s.WantNoText("q back")
		}
	})
}

func TestPictureIsShownWhereItFits(t *testing.T) {
	club := tui.Config{Config: op.Config{SiteName: "Stone Garden", Message: "Club night is on Friday at eight."}, Picture: mustPicture(t, smallPicture)}
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
		d.WantText("Choose your name.") // at once: a first visit needs one Enter
		d.WantNoText("●─●")
	})
	screentest.With(t, func(h *screentest.Harness) {
		club.Picture = mustPicture(t, largePicture)
		d := h.Visit(screentest.Setting{Site: club})
		d.Golden("welcome-picture")
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

// The SSH user is proposed as a name, unless it is a login that many machines have.
func TestSystemLoginsAreNotProposed(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		for hint, name := range map[string]string{"carol": "carol", "root": "", "Ubuntu": "", "admin": "", "ec2-user": "", "rooter": "rooter"} {
			d := h.Visit(screentest.Setting{Name: "key of " + hint, NameHint: hint})
			d.WantText("Name " + name + strings.Repeat("_", account.MaxName+1-len(name)) + "\n")
			if name == "" {
				d.WantNoText(hint)
			}
			d.Close()
		}
	})
}

func TestNameIsCheckedAsItIsTyped(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("bob")
		d := h.Visit(screentest.Setting{Name: "someone", NameHint: "no name!"})
		d.WantText("Choose your name.")
		for typed, want := range map[string]string{
			"1ana":              "begins with a letter",
			"an a":              "only letters a to z",
			"admin2":            "cannot begin with",
			"ana":               "Press Enter to sign in with this name",
			"a2345678901234567": "Press Enter to sign in with this name", // the field holds 16
		} {
			d.Press("ctrl+u")
			d.TypeText(typed)
			if shown := strings.Join(strings.Fields(d.Text()), " "); !strings.Contains(shown, want) {
				h.T.Errorf("%q lacks %q:\n%s", typed, want, d.Text())
			}
		}
		d.Press("ctrl+u")
		d.TypeText("B0B")
		d.Press("enter")
		d.WantText("is taken")
		d.Press("ctrl+u")
		d.TypeText("ana")
		d.Press("enter")
		d.WantText("Welcome, ana", "Open tables")
		if a, known, err := h.Accounts.ByKey(h.T.Context(), screentest.KeyOf("someone")); err != nil || !known || a.Name != "ana" {
			h.T.Errorf("the account is %+v, %v, %v", a, known, err)
		}
	})
}
