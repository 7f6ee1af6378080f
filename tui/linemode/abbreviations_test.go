package linemode

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"ayumu/tui/admin"
	"ayumu/tui/op"
)

var update = flag.Bool("update", false, "write testdata/abbreviations.txt anew")

// TestAbbreviations holds testdata/abbreviations.txt against what each beginning of each name of a command means: in
// general, and while a lesson is open where that differs. A beginning that means none is refused.
func TestAbbreviations(t *testing.T) {
	const path = "testdata/abbreviations.txt"
	all := op.NewOperations(append(op.All(), admin.All()...)...)
	var names []string
	for _, o := range all.All() {
		for _, n := range o.Info().On.Line.All(o.Info().Name) {
			if !strings.Contains(n, " ") { // a second word has no abbreviation
				names = append(names, n)
			}
		}
	}
	var b strings.Builder
	b.WriteString("# BEGINNING COMMAND, or the commands between which it does not decide\n")
	for _, beginning := range beginnings(names) {
		if o := all.ForLine(beginning); o != nil {
			fmt.Fprintf(&b, "%s %s\n", beginning, o.Info().On.Line.All(o.Info().Name)[0])
		} else {
			fmt.Fprintf(&b, "%s ? %s\n", beginning, strings.Join(all.LineNames(beginning, func(*op.Info) bool { return true }), " "))
		}
	}
	b.WriteString("\n# while a lesson is open\n")
	for _, beginning := range beginnings(lessonNames()) {
		if c, ok := findLessonCommand(beginning); ok {
			fmt.Fprintf(&b, "%s %s\n", beginning, c.name)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	now, listed := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for _, line := range listed {
		if !slices.Contains(now, line) {
			t.Errorf("%s has %q, which is no longer so", path, line)
		}
	}
	for _, line := range now {
		if !slices.Contains(listed, line) {
			t.Errorf("%s lacks %q; -update writes it anew", path, line)
		}
	}
}

// lessonNames returns the names of the commands while a lesson is open.
func lessonNames() []string {
	names := []string{"leave"} // which is lobby
	for _, c := range lessonTable {
		names = append(names, c.name)
	}
	return names
}

// beginnings returns each beginning of each name, once, sorted.
func beginnings(names []string) []string {
	all := make(map[string]bool)
	for _, name := range names {
		for n := 1; n <= len(name); n++ {
			all[name[:n]] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
