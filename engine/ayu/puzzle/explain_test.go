package puzzle

import (
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/ayu/solve"
)

// TestHintsAndExplanations checks the words about the examples: hints grow, and what a wrong answer allows is so.
func TestHintsAndExplanations(t *testing.T) {
	for theme, want := range map[string]struct{ hints, explanation []string }{
		"finish": {[]string{"Move the stone on b1.", "The move is b1-f6."}, []string{"b1-f6 wins in 4 moves, whatever Black does; no other first move does.", "Best defence: b1-f6, b3-e7, c1-g6; from there more than one move wins."}},
		"cut":    {[]string{"Move the stone on a6.", "The move is a6-b4."}, []string{"After a6-b4, Black's path is 8 points long instead of 4. After any other move it is at most 4 points long."}},
		"trap":   {[]string{"There is one such move.", "It is b5-d1."}, []string{"After b5-d1, White wins with"}},
		"race":   {[]string{"Black's path is 4 points long and White's 5, so each side needs about as many moves."}, []string{"Black wins in 4 moves, whatever White does, starting with f3-e4."}},
	} {
		z, th := example(t, theme)
		start, err := z.Start(games)
		if err != nil {
			t.Fatal(err)
		}
		for what, texts := range map[string][2][]string{"hints": {th.Hints(&z, 0), want.hints}, "explanation": {th.Explain(&z, start), want.explanation}} {
			got, want := texts[0], texts[1]
			if len(got) != len(want) {
				t.Errorf("%s, %s: %q", theme, what, got)
				continue
			}
			for i := range got {
				if !strings.HasPrefix(got[i], want[i]) {
					t.Errorf("%s, %s: %q, want %q", theme, what, got[i], want[i])
				}
			}
		}
	}
	for theme, c := range map[string]struct{ answer, why string }{
		"finish": {"c4-f6", "cannot win in 3 moves"},
		"cut":    {"g6-f6", "Black's path is then 4 points long, and with the right move 8"},
	} {
		z, _ := example(t, theme)
		o, err := themes.Answer(games, &z, []string{c.answer})
		if err != nil || !o.Wrong || !strings.Contains(o.Reason, c.why) {
			t.Errorf("%s: %+v, %v; want %q", theme, o, err, c.why)
		}
	}
}

// TestRefutationsHold checks the reply that is named after a wrong answer: after it the win is not proven any more.
func TestRefutationsHold(t *testing.T) {
	z, th := example(t, "finish")
	start, err := z.Start(games)
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, action := range start.Legal() {
		ok, why, _ := th.Accepts(&z, 0, start, []string{action})
		if ok || why == "" {
			continue
		}
		named++
		reply := strings.TrimSuffix(strings.Fields(why)[3], ",")
		after, err := engine.PlayTurn(start, []string{action})
		if err == nil {
			after, err = engine.PlayTurn(after, []string{reply})
		}
		if err != nil {
			t.Fatalf("%s: %q: %v", action, why, err)
		}
		b, _, _ := board(after)
		s := solve.Solver{}
		if wins, _ := s.Wins(b, z.Number-1); wins {
			t.Errorf("%s: %q, but the win is proven", action, why)
		}
	}
	if named == 0 {
		t.Error("no wrong answer has a reason")
	}
}
