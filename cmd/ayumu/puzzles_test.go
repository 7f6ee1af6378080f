package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayumu/engine/puzzle"
)

func TestPuzzlesAreGeneratedOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "puzzles.jsonl")
	generate := []string{"puzzles", "generate", "testdata/puzzles/game.ayumu", "--theme", "trap", "--out", file}
	_, errs, status := ayumu(t, "", generate...)
	if status != 0 || !strings.Contains(errs, "1 new puzzle of 1 record\n") {
		t.Fatalf("exit %d: %s", status, errs)
	}
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, errs, status := ayumu(t, "", generate...); status != 0 || !strings.Contains(errs, "0 new puzzles of 0 records\n") {
		t.Errorf("again: exit %d: %s", status, errs)
	}
	if again, err := os.ReadFile(file); err != nil || string(again) != string(first) {
		t.Errorf("the file has become\n%s\n%v", again, err)
	}
	if out, errs, status := ayumu(t, "", "puzzles", "check", file); status != 0 || out != "1 puzzle proven\n" {
		t.Errorf("exit %d: %s%s", status, out, errs)
	}
	wrong := strings.Replace(string(first), `"set":["`, `"set":["a1-a2","`, 1)
	if _, errs, status := ayumu(t, wrong, "puzzles", "check", "-"); status == 0 || !strings.Contains(errs, "1 of 1 puzzle cannot be proven") {
		t.Errorf("a wrong solution: exit %d: %s", status, errs)
	}
	if _, errs, status := ayumu(t, "{", "puzzles", "check", "-"); status == 0 || !strings.Contains(errs, "line 1") {
		t.Errorf("no JSON: exit %d: %s", status, errs)
	}
}

// TestShippedPuzzlesAreProven proves the puzzles of the program again: with -short every eighth.
func TestShippedPuzzlesAreProven(t *testing.T) {
	c, err := shippedPuzzles()
	if err != nil {
		t.Fatal(err)
	}
	all := c.All()
	if len(all) < 280 {
		t.Errorf("there are %d puzzles", len(all))
	}
	themesSeen := make(map[string]int)
	for i := range all {
		themesSeen[all[i].Theme]++
		if all[i].FirstRating == 0 {
			t.Errorf("the difficulty of puzzle %s was not measured", all[i].ID)
		}
		if testing.Short() && i%8 != 0 {
			continue
		}
		if err := verifyPuzzle(&all[i]); err != nil {
			t.Error(err)
		}
		answer := all[i].Set
		switch all[i].Goal {
		case puzzle.GoalSide:
			answer = []string{all[i].Side}
		case puzzle.GoalLine:
			answer = nil
			for _, turn := range all[i].Line {
				answer = append(answer, turn.Actions...)
			}
		}
		if o, err := c.Answer(&all[i], answer); err != nil || !o.Solved {
			t.Errorf("puzzle %s: its solution is answered with %+v, %v", all[i].ID, o, err)
		}
	}
	for game, list := range themes() {
		for _, theme := range list {
			if n := themesSeen[theme.Name()]; n == 0 || n > len(all)*3/10 {
				t.Errorf("%d of %d puzzles are of the theme %s of %s", n, len(all), theme.Name(), game)
			}
		}
	}
}
