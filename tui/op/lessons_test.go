package op

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"ayumu/lobby/learn"
	"ayumu/tui/game/gametest"
)

// TestAnswerTurnsSolveTheLessons checks that the answer to each lesson can be typed as a whole turn.
func TestAnswerTurnsSolveTheLessons(t *testing.T) {
	for _, g := range (&Visit{Config: &Config{Games: gametest.Games}}).TaughtGames() {
		for at, l := range g.Lessons() {
			lessons := Lessons{Game: g, At: at, list: g.Lessons()}
			typed := strings.Join(lessons.AnswerTurn(), "; ")
			turn, err := g.ParseTurn(l.Position, typed)
			if err != nil {
				t.Errorf("%s: lesson %d refuses the answer %q: %v", g.Name(), at+1, typed, err)
				continue
			}
			if o, why := l.Check(turn); o != learn.Solved {
				t.Errorf("%s: lesson %d is not solved by %q: %s", g.Name(), at+1, typed, why)
			}
		}
	}
}

// TestOlderProgressIsRead reads settings in which progress is a number of lessons, from the first one on.
func TestOlderProgressIsRead(t *testing.T) {
	var s lessonSettings
	if err := json.Unmarshal([]byte(`{"lessons":{"mu":3,"ayu":[0,5]}}`), &s); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.Lessons["mu"], []int{0, 1, 2}) || !slices.Equal(s.Lessons["ayu"], []int{0, 5}) {
		t.Errorf("the settings are %v", s)
	}
}
