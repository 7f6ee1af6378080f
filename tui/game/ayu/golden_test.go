package ayu

import (
	"flag"
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

// TestGolden compares boards on terminals of 16 colours and on the Linux console with those that were looked
// at: the last move, stones that cannot move, a selected stone with its targets, a hint, and distances.
func TestGolden(t *testing.T) {
	console := paint.Detect("linux", func(string) string { return "" })
	const line = "7 b .x.x.../o.oo..o/xx...x./o..o..o/.x.x.xo/o.o.o../.x...xx"
	for _, test := range []struct {
		name, keys string
		w, h       int
		profile    paint.Profile
	}{
		{"16-small", "enter", 17, 8, paint.Profile{Colors: paint.Colors16}},
		{"16-medium", "enter", 32, 15, paint.Profile{Colors: paint.Colors16}},
		{"16-large", "distances", 46, 22, paint.Profile{Colors: paint.Colors16}},
		{"16-distances", "distances", 17, 8, paint.Profile{Colors: paint.Colors16}},
		{"16-ascii", "enter", 17, 8, paint.Profile{Colors: paint.Colors16, ASCII: true}},
		{"linux-small", "enter", 17, 8, console},
		{"linux-medium", "enter", 32, 15, console},
		{"linux-large", "distances", 46, 22, console},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := position(t, line)
			b := Game{}.New().(*Board)
			b.Show(game.State{Position: p, LastTurn: []string{"g2-g3"}, Hint: []string{"f3-e3"}, Seat: p.Turn(), CanAct: true})
			for key := range strings.FieldsSeq(test.keys) {
				run(b, key)
				b.Key(key)
			}
			look := game.Style{Theme: theme.DefaultSet.For(test.profile.Colors, false), ASCII: test.profile.ASCII, Console: test.profile.Console}
			got := painttest.Picture(drawn(b, test.w, test.h, look).ShownBy(test.profile))
			file := filepath.Join("testdata", test.name+".txt")
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
		})
	}
}
