package words_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayumu/engine/puzzle"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/tui/game/gametest"
	"ayumu/tui/words"
)

// TestPuzzlesReadAsMovesDo checks that hints and solutions of all puzzles that ship have no action of a program in them, and two
// of them word by word.
func TestPuzzlesReadAsMovesDo(t *testing.T) {
	want := map[string][]string{
		"41fd4b4e": {"Begin on the cell 2,-6.", "First: move 2 men from 2,-6 down left to 0,-4.", "move 2 men from 2,-6 down left to 0,-4, explode 1,-4"},
		"fe176fdc": {"There is one such move.", "It is b6-d6.", "b6-d6"},
		"aa0a76bb": {"White's path is 5 points long and Black's 4, so each side needs about as many moves. A path is the total length of the shortest connections that join the units of a side; what cannot be joined adds nothing.", "Black wins"},
	}
	program, seen := regexp.MustCompile(`\b(move|explode) -?\d+,-?\d+ \d|; end\b`), 0
	for _, p := range puzzlestest.Shipped(t) {
		c := puzzlestest.OnlyOf(t, p)
		try := c.NewTry(&c.All()[0])
		var texts []string
		for try.HasHint() {
			var err error
			if try, err = try.WithHint(); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, words.PuzzleHint(gametest.Games, &try, len(try.Hints)-1))
		}
		texts = append(texts, words.PuzzleSolution(c, gametest.Games, try.Puzzle))
		if w, ok := want[p.ID]; ok && !slices.Equal(texts, w) {
			t.Errorf("%s: %q, want %q", p.ID, texts, w)
		}
		seen += len(want[p.ID])
		for _, text := range texts {
			if program.MatchString(text) {
				t.Errorf("%s: %q has an action of a program", p.ID, text)
			}
		}
	}
	if seen != 3+3+2 {
		t.Errorf("%d texts were compared", seen)
	}
}

// TestReasonsDoNotRepeatTheSolution checks that no puzzle that ships says its line again in the explanation that follows it.
func TestReasonsDoNotRepeatTheSolution(t *testing.T) {
	var lines int
	for _, p := range puzzlestest.Shipped(t) {
		c := puzzlestest.OnlyOf(t, p)
		solution := p.Solution()
		if p.Goal != puzzle.GoalLine || len(solution) == 1 {
			continue
		}
		lines++
		for _, sentence := range c.Explain(&c.All()[0]) {
			reason := words.PuzzleReason(&c.All()[0], sentence)
			if strings.Contains(reason, strings.Join(solution, ", ")) || strings.Contains(reason, strings.Join(solution, "; ")) {
				t.Errorf("%s: %q repeats %q", p.ID, reason, solution)
			}
		}
	}
	if lines == 0 {
		t.Error("no puzzle has a line of several moves")
	}
}

// TestAnswersAreTypedAsInGames checks that a turn of Mu is an answer in the forms that a game takes, and in those of programs.
func TestAnswersAreTypedAsInGames(t *testing.T) {
	for _, p := range puzzlestest.Shipped(t) {
		if p.ID != "41fd4b4e" {
			continue
		}
		c := puzzlestest.OnlyOf(t, p)
		try := c.NewTry(&c.All()[0])
		for _, text := range []string{"2,-6:2sw !1,-4 end", "2,-6 2 sw; 1,-4; end", "move 2,-6 2 sw; explode 1,-4; end"} {
			after, o, err := try.Answer(words.PuzzleActions(gametest.Games, &try, text), true)
			if err != nil || !o.Solved || !after.IsSolved {
				t.Errorf("%q: %+v, %v", text, o, err)
			}
		}
		return
	}
	t.Error("the puzzle is missing")
}
