// Package learntest checks the lessons of a game. Only tests import it.
package learntest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/lobby/learn"
)

// The limits of the texts, so that a lesson fits beside a small board.
const (
	maxTitle = 22
	maxText  = 240
	maxTask  = 90
	maxDone  = 240
)

// Check checks that every lesson can be solved, that all that is not a solution has a reason, and that texts are short.
func Check(t *testing.T, lessons []learn.Lesson) {
	t.Helper()
	titles := make(map[string]bool)
	for i := range lessons {
		l := &lessons[i]
		t.Run(l.Title, func(t *testing.T) {
			if titles[l.Title] {
				t.Error("the title occurs twice")
			}
			titles[l.Title] = true
			checkTexts(t, l)
			if _, over := l.Position.Result(); over {
				t.Fatal("the game is over")
			}
			checkSolutions(t, l)
			checkFirstActions(t, l)
			checkReasons(t, l)
			checkReactions(t, l)
		})
	}
}

func checkTexts(t *testing.T, l *learn.Lesson) {
	for _, text := range []struct {
		name, text string
		limit      int
	}{{"title", l.Title, maxTitle}, {"text", l.Text, maxText}, {"task", l.Task, maxTask}, {"done", l.Done, maxDone}} {
		if n := len([]rune(text.text)); n == 0 || n > text.limit {
			t.Errorf("the %s has %d characters, want 1 to %d", text.name, n, text.limit)
		}
		if text.name != "title" && !strings.HasSuffix(text.text, ".") && !strings.HasSuffix(text.text, "?") {
			t.Errorf("the %s does not end with a full stop: %q", text.name, text.text)
		}
	}
}

// checkSolutions plays each solution with what follows it, and checks that a part of it is none.
func checkSolutions(t *testing.T, l *learn.Lesson) {
	solutions := l.Solutions
	if len(solutions) == 0 {
		for _, action := range l.Position.Legal() {
			solutions = append(solutions, []string{action})
		}
	}
	for _, s := range solutions {
		if o, why := l.Check(s); o != learn.Solved {
			t.Errorf("%q is refused: %s", s, why)
			continue
		}
		if o, _ := l.Check(s[:len(s)-1]); o != learn.Incomplete {
			t.Errorf("%q without its last action is %d", s, o)
		}
		after, before, turn, err := l.After(s)
		if err != nil || after == nil || before == nil || len(turn) == 0 {
			t.Errorf("after %q: %v", s, err)
		}
		if rest := l.Rest(s[:len(s)-1]); len(l.Solutions) > 0 && (len(rest) == 0 || rest[0] == "") {
			t.Errorf("no answer after %q", s[:len(s)-1])
		}
	}
	if o, _ := l.Check(l.Rest(nil)); o != learn.Solved {
		t.Errorf("the answer %q is no solution", l.Rest(nil))
	}
}

// checkFirstActions tries every legal action at the beginning.
func checkFirstActions(t *testing.T, l *learn.Lesson) {
	for _, action := range l.Position.Legal() {
		begins := len(l.Solutions) == 0 || slices.ContainsFunc(l.Solutions, func(s []string) bool { return s[0] == action })
		o, why := l.Check([]string{action})
		if begins == (o == learn.Refused) || o == learn.Refused && why == "" {
			t.Errorf("%q: outcome %d, reason %q", action, o, why)
		}
	}
	if o, why := l.Check([]string{"nonsense"}); o != learn.Refused || why == "" {
		t.Errorf("what is no action has outcome %d, reason %q", o, why)
	}
}

// checkReactions plays every legal action after every beginning of a solution. What is refused has a reason of the lesson,
// and each reason of the lesson is shown.
func checkReactions(t *testing.T, l *learn.Lesson) {
	shown := make(map[string]bool)
	var try func(p engine.Position, actions []string)
	try = func(p engine.Position, actions []string) {
		for _, action := range p.Legal() {
			next, err := p.Play(action)
			if err != nil {
				t.Fatal(err)
			}
			tried := append(slices.Clip(actions), action)
			switch o, why := l.Check(tried); o {
			case learn.Refused:
				if shown[why] = true; why != l.Otherwise && why != l.Wrong[strings.Join(tried, "; ")] || why == "" {
					t.Errorf("%q is refused with %q", tried, why)
				}
			case learn.Incomplete:
				try(next, tried)
			}
		}
	}
	try(l.Position, nil)
	for _, text := range append(slices.Collect(maps.Values(l.Wrong)), l.Otherwise) {
		if text != "" && !shown[text] {
			t.Errorf("%q is never shown", text)
		}
	}
}

// checkReasons checks that the reasons of the lesson belong to legal actions that are refused with them.
func checkReasons(t *testing.T, l *learn.Lesson) {
	for actions, reason := range l.Wrong {
		if o, why := l.Check(strings.Split(actions, "; ")); o != learn.Refused || why != reason {
			t.Errorf("%q: outcome %d, reason %q, want %q", actions, o, why, reason)
		}
	}
}
