package web

import (
	"strings"
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
)

// TestPuzzleOfTheDay answers it: nothing of the solution is said before an answer is right.
func TestPuzzleOfTheDay(t *testing.T) {
	c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, puzzlestest.Puzzles(t)[:1])
	if err != nil {
		t.Fatal(err)
	}
	h := open(t, func(config *Config) { config.Puzzles = func() *puzzles.Collection { return c } })
	if r := h.status(200, "/"); !strings.Contains(r.body, "/puzzle/ayu") {
		t.Error("the first page has no link to the puzzle")
	}
	page := h.status(200, "/puzzle/ayu")
	if !strings.Contains(page.body, "White to move") || !strings.Contains(page.body, "<svg viewBox") || !strings.Contains(page.body, `<label for="answer">`) {
		t.Errorf("%s", page.body)
	}
	for answer, want := range map[string]string{"b1-f6+c1-g6": "Solved.", "b1-f6": "Right so far", "c4-f6": "Wrong", "a1-a2": "a1", "%3Cscript%3E": "&lt;script&gt;"} {
		r := h.status(200, "/puzzle/ayu?answer="+answer)
		if !strings.Contains(r.body, want) || strings.Contains(r.body, "<script>") {
			t.Errorf("%s: %s", answer, r.body)
		}
		if want != "Solved." && strings.Contains(r.body, "c1-g6") {
			t.Errorf("%s: the page names the solution", answer)
		}
	}
	h.status(404, "/puzzle/mu")
	h.status(404, "/puzzle/chess")
	h.status(400, "/puzzle/ayu?answer="+strings.Repeat("a", maxAnswer+1))
}
