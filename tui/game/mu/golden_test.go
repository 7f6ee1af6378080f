package mu

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/paint/painttest"
	"ayumu/tui/theme"
)

var update = flag.Bool("update", false, "write the golden screens")

// screens returns states of all phases, from recorded games and on compact boards.
func screens(t testing.TB) []struct {
	name  string
	state game.State
	keys  string
	look  game.Style
} {
	all := readRecordedGames(t)
	return []struct {
		name  string
		state game.State
		keys  string
		look  game.Style
	}{
		{"layout-first", all[7].after(t, 0), "", plainLook},
		{"layout-fits", all[7].after(t, 12), "", plainLook},
		{"layout-overlaps", all[29].after(t, 5), "l", asciiLook},
		{"clearing", all[7].after(t, 30), "", plainLook},
		{"opening-2x3", opening(t, 2, 3), "", plainLook},
		{"opening-3x7", opening(t, 3, 7), "", plainLook},
		{"opening-6x7", opening(t, 6, 7), "", plainLook},
		{"opening-6x7-ascii", opening(t, 6, 7), "", asciiLook},
		{"chosen", all[27].after(t, 718), "tab enter", plainLook},
		{"chosen-two-men", all[27].after(t, 718), "tab enter 2 h", asciiLook},
		{"room", all[28].after(t, 72), "numbers", plainLook},
		{"capture", duelState(t), "shift+tab enter LARGE", plainLook},
		{"critical", all[9].after(t, 161), "", plainLook},
		{"late", all[27].after(t, 850), "", plainLook},
		{"late-ascii", all[27].after(t, 850), "", asciiLook},
		{"territory", all[27].after(t, 850), "s", plainLook},
		{"territory-ascii", all[27].after(t, 850), "s", asciiLook},
		{"territory-large", all[27].after(t, 718), "LARGE s", plainLook},
		{"scrolled", all[29].after(t, 65), "LARGE", plainLook},
		{"replay", all[20].after(t, 262), "steps", plainLook},
		{"hint-layout", all[7].hint(t, 12), "", plainLook},
		{"hint-clearing", all[7].hint(t, 30), "", plainLook},
		{"hint-opening", duelHint(t), "", plainLook},
		{"hint-opening-large-ascii", duelHint(t), "LARGE", asciiLook},
		{"hint-late", all[27].hint(t, 718), "", plainLook},
		{"hint-late-ascii", all[27].hint(t, 718), "", asciiLook},
		{"hint-critical", all[9].hint(t, 161), "", plainLook},
	}
}

// TestGolden compares screens without colours with those that were looked at.
func TestGolden(t *testing.T) {
	for _, test := range screens(t) {
		for _, size := range [][2]int{{80, 24}, {160, 50}} {
			name := fmt.Sprintf("%s-%dx%d", test.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				s := newSession(t, test.state)
				s.draw(size[0], size[1], test.look)
				s.keys(test.keys)
				compare(t, name, s.draw(size[0], size[1], test.look).String())
			})
		}
	}
}

// TestGoldenStyles compares boards with 16 colours and on the Linux console with those that were looked at.
func TestGoldenStyles(t *testing.T) {
	all := readRecordedGames(t)
	linux := paint.Detect("linux", func(string) string { return "" })
	for _, test := range []struct {
		name    string
		state   game.State
		keys    string
		w, h    int
		profile paint.Profile
	}{
		{"16-late", all[27].after(t, 850), "", 80, 24, paint.Profile{Colors: paint.Colors16}},
		{"16-selected", all[27].after(t, 718), "LARGE tab enter", 100, 40, paint.Profile{Colors: paint.Colors16}},
		{"16-territory", all[27].after(t, 850), "s", 80, 24, paint.Profile{Colors: paint.Colors16}},
		{"16-layout", all[7].after(t, 12), "", 60, 20, paint.Profile{Colors: paint.Colors16}},
		{"linux-late", all[27].after(t, 850), "", 80, 24, linux},
		{"linux-hint", all[27].hint(t, 718), "", 80, 24, linux},
	} {
		t.Run(test.name, func(t *testing.T) {
			look := game.Style{Theme: theme.DefaultSet.For(test.profile.Colors, false), Console: test.profile.Console}
			s := newSession(t, test.state)
			s.draw(test.w, test.h, look)
			s.keys(test.keys)
			compare(t, test.name, painttest.Picture(s.draw(test.w, test.h, look).ShownBy(test.profile)))
		})
	}
}

func compare(t *testing.T, name, got string) {
	t.Helper()
	got = strings.TrimRight(got, "\n") + "\n"
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got\n%swant\n%s", file, got, want)
	}
}

// TestASCII shows every screen on a terminal that has only ASCII.
func TestASCII(t *testing.T) {
	for _, test := range screens(t) {
		look := test.look
		look.ASCII = true
		s := newSession(t, test.state)
		s.draw(80, 24, look)
		s.keys(test.keys)
		frame := s.draw(80, 24, look)
		if n := strings.Count(frame.String(), "?"); n > 1 || n == 1 && !strings.Contains(s.Prompt(), "?") {
			t.Fatalf("%s: a question mark on the board", test.name)
		}
		out := new(bytes.Buffer)
		screen := paint.NewScreen(out, 80, 24, paint.Options{Profile: paint.Profile{ASCII: true}})
		screen.Show(frame)
		if err := screen.Close(); err != nil {
			t.Fatal(err)
		}
		shown := strings.ReplaceAll(out.String(), "\x1b[?", "") // modes
		for i, c := range []byte(shown) {
			if c >= 0x80 {
				t.Fatalf("%s: byte %#x", test.name, c)
			}
			if c == '?' && !strings.Contains(s.Prompt(), "?") {
				t.Fatalf("%s: a character without a lookalike near %q", test.name, shown[max(0, i-20):i+1])
			}
		}
	}
}
