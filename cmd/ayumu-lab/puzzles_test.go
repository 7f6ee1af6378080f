package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ayumu/cmd/cli/clitest"
	"ayumu/cmd/games"
	"ayumu/engine/puzzle"
)

func TestPuzzlesAreGeneratedOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "puzzles.jsonl")
	generate := []string{"puzzles", "generate", "testdata/puzzles/game.ayumu", "--theme", "trap", "--out", file}
	_, errs, status := clitest.Run(t, "", generate...)
	if status != 0 || !strings.Contains(errs, "1 new puzzle of 1 record\n") {
		t.Fatalf("exit %d: %s", status, errs)
	}
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, errs, status := clitest.Run(t, "", generate...); status != 0 || !strings.Contains(errs, "0 new puzzles of 0 records\n") {
		t.Errorf("again: exit %d: %s", status, errs)
	}
	if again, err := os.ReadFile(file); err != nil || string(again) != string(first) {
		t.Errorf("the file has become\n%s\n%v", again, err)
	}
	if out, errs, status := clitest.Run(t, "", "puzzles", "check", file); status != 0 || out != "1 puzzle proven\n" {
		t.Errorf("exit %d: %s%s", status, out, errs)
	}
	wrong := strings.Replace(string(first), `"set":["`, `"set":["a1-a2","`, 1)
	if _, errs, status := clitest.Run(t, wrong, "puzzles", "check", "-"); status == 0 || !strings.Contains(errs, "1 of 1 puzzle cannot be proven") {
		t.Errorf("a wrong solution: exit %d: %s", status, errs)
	}
	if _, errs, status := clitest.Run(t, "{", "puzzles", "check", "-"); status == 0 || !strings.Contains(errs, "line 1") {
		t.Errorf("no JSON: exit %d: %s", status, errs)
	}
}

// TestMostIsNotNegative checks the flag for small numbers.
func TestMostIsNotNegative(t *testing.T) {
	file := filepath.Join(t.TempDir(), "puzzles.jsonl")
	for most, want := range map[string]string{"1": "0 new puzzles of 1 record\n", "-1": "must not be negative"} {
		_, errs, status := clitest.Run(t, "", "puzzles", "generate", "testdata/puzzles/game.ayumu", "--theme", "finish", "--most", most, "--out", file)
		if (status == 0) != (most == "1") || !strings.Contains(errs, want) {
			t.Errorf("--most %s: exit %d: %s", most, status, errs)
		}
	}
}

// TestShippedPuzzlesAreProven proves the puzzles of the program again: with -short every eighth.
func TestShippedPuzzlesAreProven(t *testing.T) {
	c, err := games.Puzzles()
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
		if all[i].MeasuredRating == 0 {
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
	for game, list := range games.Themes() {
		for _, theme := range list {
			if n := themesSeen[theme.Name()]; n == 0 || n > len(all)*3/10 {
				t.Errorf("%d of %d puzzles are of the theme %s of %s", n, len(all), theme.Name(), game)
			}
		}
	}
}

// TestFiguresOfShippedPuzzlesInTheDocument checks what docs/puzzles.md says of the puzzles that ship, as far as it follows from
// their file: numbers by theme, size and rating, and the limits of turns, sets and efforts.
func TestFiguresOfShippedPuzzlesInTheDocument(t *testing.T) {
	c, err := games.Puzzles()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../../docs/puzzles.md")
	if err != nil {
		t.Fatal(err)
	}
	document := strings.Join(strings.Fields(string(data)), " ")
	number := make(map[string]int) // by game, by theme, and by game and range of ratings
	large := 0
	for _, p := range c.All() {
		number[p.Game]++
		number[p.Theme]++
		number[fmt.Sprint(p.Game, min(max(p.MeasuredRating/200, 5), 9))]++
		if p.Game == "ayu" && !strings.HasPrefix(p.Position, "7 ") {
			large++
		}
		if p.Game == "mu" && !strings.HasPrefix(p.Setup, "2 ") {
			t.Errorf("%s is not one with two players", p.ID)
		}
		isRight := true
		switch p.Theme {
		case "finish":
			isRight = p.Number == 1 && p.Effort == 1 || p.Number >= 2 && p.Number <= 5 && p.Effort > 4
			if p.Number == 1 {
				number["wins with one move"]++
			}
		case "cut", "race":
			isRight = p.Effort > 4 && p.Effort <= 8192
		case "trap":
			isRight = len(p.Set) <= 6
		}
		if !isRight {
			t.Errorf("%s %s has the number %d, an effort of %d and a set of %d moves", p.Theme, p.ID, p.Number, p.Effort, len(p.Set))
		}
	}
	want := []string{
		fmt.Sprintf("%d puzzles of Ayu, %d of them on 5×5, 9×9 and 11×11, and %d of Mu with two players: %d finish, %d cut, %d trap, %d race, %d territory and %d explosions.",
			number["ayu"], large, number["mu"], number["finish"], number["cut"], number["trap"], number["race"], number["territory"], number["explosions"]),
		fmt.Sprintf("Of the %d hardest of Mu no level", number["mu9"]),
		fmt.Sprintf("Of the finishes %d are wins with one move", number["wins with one move"]),
	}
	for theme, title := range map[string]string{"ayu": "Ayu", "mu": "Mu", "finish": "finish", "cut": "cut", "trap": "trap", "race": "race", "territory": "territory", "explosions": "explosions"} {
		want = append(want, fmt.Sprintf("| %s | %d | −", title, number[theme]))
	}
	for _, text := range want {
		if !strings.Contains(document, text) {
			t.Errorf("docs/puzzles.md does not say %q", text)
		}
	}
	for band, name := range map[int]string{5: "below 1200", 6: "1200 to 1399", 7: "1400 to 1599", 8: "1600 to 1799", 9: "from 1800"} {
		row := regexp.MustCompile(fmt.Sprintf(`\| %s \| %d \|( \d+ %% \|){5} %d \|`, name, number[fmt.Sprint("ayu", band)], number[fmt.Sprint("mu", band)]))
		if !row.MatchString(document) {
			t.Errorf("docs/puzzles.md does not say that %d puzzles of Ayu and %d of Mu have ratings %s", number[fmt.Sprint("ayu", band)], number[fmt.Sprint("mu", band)], name)
		}
	}
}
