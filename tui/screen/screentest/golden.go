package screentest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"
)

var update = flag.Bool("update", false, "update the golden screens; review the diff before committing it")

// Sizes are the windows in which golden screens are compared: the reference, the smallest for all boards, the smallest
// of all, and two large ones.
var Sizes = []Setting{{Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 40, Height: 16}, {Width: 120, Height: 40}, {Width: 200, Height: 60}}

// Suffix returns the size of the window for the name of a golden screen; "" for 80×24.
func (s Setting) Suffix() string {
	if s.Width == 80 {
		return ""
	}
	return fmt.Sprintf("-%dx%d", s.Width, s.Height)
}

// Golden compares the screen with testdata/NAME.golden. Of each pair of texts, such as a random id and what it is called
// there, the second one stands for the first one.
func (d *Session) Golden(name string, replaced ...string) {
	d.t.Helper()
	d.Same(name, strings.NewReplacer(replaced...).Replace(d.Text()))
}

// GoldenSizes compares the screen with golden ones in all Sizes, as Golden does, and returns to the window it had.
func (d *Session) GoldenSizes(name string, replaced ...string) {
	d.t.Helper()
	was := tea.WindowSizeMsg{Width: d.Width, Height: d.Height}
	for _, size := range Sizes {
		d.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
		d.Golden(name+size.Suffix(), replaced...)
	}
	d.Send(was)
}

// Same compares a text with testdata/NAME.golden.
func (d *Session) Same(name, got string) {
	d.t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			d.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	if got != string(want) {
		d.t.Errorf("%s: the screen is\n%s\nand was\n%s", name, got, want)
	}
}
