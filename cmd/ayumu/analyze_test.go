package main

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ayumu/lobby/record"
)

func TestAnalyze(t *testing.T) {
	text := goodRecord(t)
	out, errs, status := ayumu(t, text, "analyze", "-", "--playouts", "300")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || len(lines) < 19 || lines[0] != "Ayu 5×5, pie · ana – bob · 15 turns · 0-1 immobile" || lines[2] != "seat 1: bob" {
		t.Fatalf("exit %d\n%s%s", status, out, errs)
	}
	turn := regexp.MustCompile(`^ +\d+\.  0*1*  [01]: (swap|[a-e][1-5]-[a-e][1-5]) \d+ %(, the best|( \?\??)?; best (swap|[a-e][1-5]-[a-e][1-5]) \d+ %)$`)
	for _, l := range lines[4:19] {
		if !turn.MatchString(l) {
			t.Errorf("a line is %q", l)
		}
	}
	cost := regexp.MustCompile(`^( +\d+\.  -\d+ %  (swap|[a-e][1-5]-[a-e][1-5]); best (swap|[a-e][1-5]-[a-e][1-5])|what cost (ana|bob) most:)$`)
	for _, l := range lines[19:] {
		if !cost.MatchString(l) {
			t.Errorf("a line of the costliest turns is %q", l)
		}
	}
	if marked := strings.Count(out, " ?"); (marked > 0) != (len(lines) > 19) {
		t.Errorf("%d turns are marked, and %d lines list the costliest", marked, len(lines)-19)
	}
	// Seat 1 has won, and the engine knows it at the end.
	if last := lines[18]; !strings.Contains(last, "  "+strings.Repeat("1", barColumns)+"  ") {
		t.Errorf("the last line is %q", last)
	}
	if !strings.Contains(errs, "16 of 16 positions") {
		t.Errorf("of its progress it says %q", errs)
	}
	if again, _, _ := ayumu(t, text, "analyze", "-", "--playouts", "300"); again != out {
		t.Error("it says something else the second time")
	}
	out, errs, status = ayumu(t, text, "analyze", "-", "--playouts", "300", "--json")
	lines = strings.Split(strings.TrimSpace(out), "\n")
	var start analyzedStart
	var last analyzedTurn
	err := errors.Join(json.Unmarshal([]byte(strings.Replace(lines[0], `"options":{"size":5,"pie":true},`, "", 1)), &start), json.Unmarshal([]byte(lines[len(lines)-1]), &last))
	if status != 0 || err != nil || len(lines) != 16 || start.Game != "ayu" || len(start.Seats) != 2 || start.Seats[1] != "bob" || len(start.Chances) != 2 ||
		last.Turn != 15 || last.Seat != 1 && last.Seat != 0 || len(last.Actions) != 1 || len(last.Best) != 1 || last.Chances[1] != 1 {
		t.Errorf("exit %d, %v\n%s%s", status, err, out, errs)
	}
}

// TestCostliestTurns lists three turns of a seat, the costliest first, and none of a seat without mistakes.
func TestCostliestTurns(t *testing.T) {
	var out strings.Builder
	r := &record.Record{Seats: []record.Seat{{Name: "ana"}, {Name: "bob"}, {Name: "cyd"}}}
	var all []mistake
	for i, loss := range []float64{0.2, 0.5, 0.1, 0.3, 0.4} {
		l := record.Line{Seat: i / 4, Actions: []string{"move " + strconv.Itoa(i), "end"}}
		all = append(all, mistake{i + 1, l, evaluation{best: []string{"best"}}, loss})
	}
	err := (&analysis{out: &out}).writeMistakes(r, all)
	want := `what cost ana most:
   2.  -50 %  move 1; end; best best
   4.  -30 %  move 3; end; best best
   1.  -20 %  move 0; end; best best
what cost bob most:
   5.  -40 %  move 4; end; best best
`
	if err != nil || out.String() != want {
		t.Errorf("%v\n%s", err, &out)
	}
}

// TestLossOfATurn: the best turn loses nothing, whatever the second search says.
func TestLossOfATurn(t *testing.T) {
	before, after := evaluation{best: []string{"b1-b2"}, chance: 0.6}, evaluation{chances: []float64{0.25, 0.75}}
	for want, l := range map[float64]record.Line{
		0.35: {Seat: 0, Actions: []string{"d1-d2"}},
		0:    {Seat: 0, Actions: []string{"b1-b2"}},
	} {
		if got := lossOf(l, before, after); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v loses %g, want %g", l.Actions, got, want)
		}
	}
	if got := lossOf(record.Line{Seat: 1, Actions: []string{"a2-a3"}}, before, after) + lossOf(record.Line{Seat: 0, Reason: "resign"}, before, after); got != 0 {
		t.Errorf("a better turn and a leave lose %g", got)
	}
}

func TestAnalyzeRefuses(t *testing.T) {
	wrong := filepath.Join(t.TempDir(), "wrong")
	if err := os.WriteFile(wrong, []byte(strings.Replace(goodRecord(t), "3. 0 a4-b4", "3. 0 a4-e4", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		wrong + ":19: a4-e4: ":                {wrong},
		"no such file":                        {"/nonexistent"},
		"usage: ayumu analyze RECORD":         nil,
		"--level is 6, must be 1 to 5":        {wrong, "--level", "6"},
		"--playouts and --time must not be n": {wrong, "--playouts", "-1"},
	} {
		out, errs, status := ayumu(t, "", append([]string{"analyze"}, args...)...)
		if status != 1 || out != "" || !strings.Contains(strings.ToLower(errs), strings.ToLower(want)) {
			t.Errorf("%v: exit %d, %s%s; want %q", args, status, out, errs, want)
		}
	}
}

func TestAnalysisBar(t *testing.T) {
	for want, chances := range map[string][]float64{
		"00000000001111111111": {0.5, 0.5},
		"11111111111111111111": {0, 1},
		"00000000000011112222": {0.6, 0.2, 0.2},
		"00000001111112222222": {1. / 3, 1. / 3, 1. / 3},
	} {
		if got := bar(chances); got != want {
			t.Errorf("%v is drawn as %s, want %s", chances, got, want)
		}
	}
}
