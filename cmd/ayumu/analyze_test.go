package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ayumu/cmd/cli/clitest"
)

func TestAnalyze(t *testing.T) {
	text := goodRecord(t)
	out, errs, status := clitest.Run(t, text, "analyze", "-", "--playouts", "300")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || len(lines) < 19 || lines[0] != "Ayu 5×5, pie · ana – bob · 15 turns · 0-1 immobile" || lines[2] != "seat 1: bob" {
		t.Fatalf("exit %d\n%s%s", status, out, errs)
	}
	turn := regexp.MustCompile(`^ +\d+\.  0*1*  [01]: (swap|[a-e][1-5]-[a-e][1-5]) \d+ %(, the best|, -\d+ %( \?\??)?; best (swap|[a-e][1-5]-[a-e][1-5]) \d+ %)$`)
	for _, l := range lines[4:19] {
		if !turn.MatchString(l) {
			t.Errorf("a line is %q", l)
		}
	}
	cost := regexp.MustCompile(`^( +\d+\.  -\d+ %  (swap|[a-e][1-5]-[a-e][1-5]); best (swap|[a-e][1-5]-[a-e][1-5])|what cost (ana|bob) most, as the engine estimates:)$`)
	for _, l := range lines[19:] {
		if !cost.MatchString(l) {
			t.Errorf("a line of the costliest turns is %q", l)
		}
	}
	if losses := regexp.MustCompile(`\d+ %, -[1-9]\d* %`).FindAllString(out, -1); len(losses) < 2 {
		t.Errorf("%d turns lose something", len(losses))
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
	if again, _, _ := clitest.Run(t, text, "analyze", "-", "--playouts", "300"); again != out {
		t.Error("it says something else the second time")
	}
	if out, errs, status := clitest.Run(t, text, "analyze", "-", "--playouts", "300", "--threads", "2"); status != 0 || !turn.MatchString(strings.Split(out, "\n")[4]) {
		t.Errorf("with two threads: exit %d\n%s%s", status, out, errs)
	}
	out, errs, status = clitest.Run(t, text, "analyze", "-", "--playouts", "300", "--json")
	lines = strings.Split(strings.TrimSpace(out), "\n")
	var start analyzedStart
	var last analyzedTurn
	if n := strings.Count(out, `"loss":0.`); n == 0 {
		t.Error("no turn has a loss in JSON")
	}
	err := errors.Join(json.Unmarshal([]byte(strings.Replace(lines[0], `"options":{"size":5,"pie":true},`, "", 1)), &start), json.Unmarshal([]byte(lines[len(lines)-1]), &last))
	if status != 0 || err != nil || len(lines) != 16 || start.Game != "ayu" || len(start.Seats) != 2 || start.Seats[1] != "bob" || len(start.Chances) != 2 ||
		last.Turn != 15 || last.Seat != 1 && last.Seat != 0 || len(last.Actions) != 1 || len(last.Best) != 1 || last.Chances[1] != 1 {
		t.Errorf("exit %d, %v\n%s%s", status, err, out, errs)
	}
}

// TestAnalyzeMu checks that the loss of each turn of Mu is printed.
func TestAnalyzeMu(t *testing.T) {
	folder := t.TempDir()
	if out, errs, status := clitest.Run(t, "", "match", "random", "random", "--game", "mu", "--segments", "1", "--games", "1", "--max-turns", "10", "--records", folder); status != 0 {
		t.Fatalf("exit %d\n%s%s", status, out, errs)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the records are %v, %v", files, err)
	}
	out, errs, status := clitest.Run(t, "", "analyze", files[0], "--playouts", "20")
	turn := regexp.MustCompile(`(?m)^ +\d+\.  0*1*  +[01]: .* \d+ %(, the best|, -\d+ %( \?\??)?; best .* \d+ %)$`)
	if found := turn.FindAllString(out, -1); status != 0 || len(found) < 5 || !strings.Contains(out, " %, -") {
		t.Errorf("exit %d, %d lines of turns\n%s%s", status, len(found), out, errs)
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
		"--level is 6, must be 0 to 5":        {wrong, "--level", "6"},
		"--playouts and --time must not be n": {wrong, "--playouts", "-1"},
		"--threads is 0, must be 1 to 64":     {wrong, "--threads", "0"},
	} {
		out, errs, status := clitest.Run(t, "", append([]string{"analyze"}, args...)...)
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
