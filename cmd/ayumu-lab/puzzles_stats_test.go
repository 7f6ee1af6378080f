package main

import (
	"fmt"
	"strings"
	"testing"

	"ayumu/cmd/cli/clitest"
	"ayumu/engine/puzzle"
)

// TestStatsOfPuzzles searches one puzzle of each form of an answer with all levels.
func TestStatsOfPuzzles(t *testing.T) {
	lines := `{"id":"bef60e35","game":"ayu","position":"7 b ...x.../..ox.../..xxo../oooxoo./.xoxox./.xooox./...x.x.","turn":0,"theme":"trap","goal":"set","effort":24,"set":["c5-e6"]}
{"id":"0730e10f","game":"ayu","position":"7 b ...xx../..o.x../..o.xxo/ooo..oo/oxoxxxo/.xxo.../..x....","turn":0,"theme":"race","goal":"side","effort":64,"side":"b"}
`
	out, errs, status := clitest.Run(t, lines, "puzzles", "stats", "-")
	for _, want := range []string{"Ayu: 2 puzzles.", "from 0", "from 1200", "all, 2 puzzles: ", "Trap, 1 puzzle: ", ", playouts "} {
		if status != 0 || !strings.Contains(out, want) {
			t.Fatalf("exit %d, %q is missing: %s%s", status, want, out, errs)
		}
	}
}

// TestPuzzlesAreRated checks that rating a puzzle prints it with its rating, that what was measured is printed beside it,
// and that a rating of a file replaces an earlier one.
func TestPuzzlesAreRated(t *testing.T) {
	line := `{"id":"3367d548","game":"ayu","position":"7 b ..xx.../.ooxo../.xxxox./.ooxo../.xoxooo/.xox.../.......","turn":0,"theme":"trap","goal":"set","effort":40,"rating":2345,"set":["b5-d1"]}
`
	out, errs, status := clitest.Run(t, line, "puzzles", "rate", "-")
	all, err := puzzle.Read(strings.NewReader(out))
	if status != 0 || err != nil || len(all) != 1 || !strings.HasPrefix(errs, "3367d548 trap: ") {
		t.Fatalf("exit %d: %q, %q, %v", status, out, errs, err)
	}
	if r := all[0].MeasuredRating; r < 600 || r > 1500 || !strings.HasSuffix(errs, fmt.Sprintf("rating %d\n", r)) {
		t.Errorf("the rating is %d: %s", r, errs)
	}
	if out, errs, status := clitest.Run(t, strings.Replace(line, "trap", "ladder", 1), "puzzles", "rate", "-"); status == 0 || !strings.Contains(errs, `no theme "ladder"`) {
		t.Errorf("an unknown theme: exit %d: %s%s", status, out, errs)
	}
}
