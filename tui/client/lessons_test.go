package client

import (
	"strings"
	"testing"

	"ayumu/lobby/learn"
	"ayumu/tui/game/gametest"
)

// TestAnswerTurnsSolveTheLessons checks that the answer to each lesson can be typed as a whole turn.
func TestAnswerTurnsSolveTheLessons(t *testing.T) {
	for _, g := range (Learner{&Client{Config: &Config{Games: gametest.Games}}}).TaughtGames() {
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
