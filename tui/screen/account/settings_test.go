package account_test

import (
	"regexp"
	"strings"
	"testing"

	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/screentest"
	"ayumu/tui/theme"
)

func TestSettingsAreKept(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Profile: paint.Profile{Colors: paint.TrueColor}})
		d.Press("o left down right down right q")
		if d.Style.Theme.Name != "no colours" {
			h.T.Errorf("the theme is %q", d.Style.Theme.Name)
		}
		d.Drain()
		again := h.Visit(screentest.Setting{Name: "ana", Profile: paint.Profile{Colors: paint.TrueColor}})
		if want := (screen.Settings{Background: screen.BackgroundDark, Plain: true, Confirm: true, ReplaySpeed: screen.DefaultSpeed, Walk: true, Coach: true}); again.Settings != want {
			h.T.Errorf("the settings came back as %+v, not %+v", again.Settings, want)
		}
	})
	for _, raw := range []string{"", "not JSON", `{"pace":99,"ground":-4}`, `{"bell":3}`} {
		if s := screen.ReadSettings([]byte(raw)); s.ReplaySpeed < 0 || s.ReplaySpeed >= len(screen.ReplaySpeeds) || s.Background < 0 || s.Background > screen.BackgroundLight {
			t.Errorf("%q became %+v", raw, s)
		}
	}
}

// The palette for red-green blindness is chosen and kept, and so are the colours of a server.
func TestPaletteForRedGreenBlindness(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		terminal := screentest.Setting{Name: "ana", Profile: paint.Profile{Colors: paint.TrueColor}}
		d := h.Visit(terminal)
		d.Press("o down down down right q")
		if d.Style.Theme != &theme.DarkRedGreen {
			t.Errorf("the theme is %q", d.Style.Theme.Name)
		}
		d.Drain()
		if again := h.Visit(terminal); again.Style.Theme != &theme.DarkRedGreen {
			t.Errorf("the theme came back as %q", again.Style.Theme.Name)
		}
	})
}

// From the help page, o returns to the settings that it covers, so that their changes are stored.
func TestHelpReturnsToTheSettings(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.SignIn("ana", "")
		d.Press("o left ? o")
		d.WantText("Background", "Confirmations")
		d.WantNoText("Help")
		d.Press("q")
		d.WantText("Open tables")
		if again := h.Visit(screentest.Setting{Name: "ana"}); again.Settings.Bell {
			t.Error("the change was not stored")
		}
	})
}

func TestGoldenSettings(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.With(t, func(h *screentest.Harness) {
			h.Account("ana")
			size.Name = "ana"
			d := h.Visit(size)
			d.Press("o")
			d.Golden("settings" + size.Suffix())
		})
	}
}

// The setting of the replay speed names the key that starts autoplay.
func TestSettingsNameTheKeyOfAutoplay(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.Finished("ana", "bob", `{"size":5,"pie":false}`)
		d := h.Visit(screentest.Setting{Name: "ana", Open: "replay " + m.Info.ID, Width: 120, Height: 40})
		d.Press("?")
		key := regexp.MustCompile(`(\S+) +in a replay: autoplay`).FindStringSubmatch(d.HelpText())
		if key == nil {
			t.Fatalf("no key starts autoplay:\n%s", d.Text())
		}
		d.Press("q :settings")
		for range 20 {
			if d.Press("down"); strings.Contains(d.Text(), "The speed of autoplay") {
				break
			}
		}
		d.WantText("The speed of autoplay (" + key[1] + ")")
	})
}
