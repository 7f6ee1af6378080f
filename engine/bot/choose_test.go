package bot

import (
	"encoding/json"
	"slices"
	"testing"

	"ayumu/engine"
	"ayumu/engine/ayu"
)

// game plays from p to the end, each seat on its level, and returns the last position.
func game(t *testing.T, p engine.Position, levels [2]int) engine.Position {
	t.Helper()
	for {
		action, ok := Choose(p, levels[p.Turn()])
		if !ok {
			return p
		}
		p = play(p, action)
	}
}

func start(t *testing.T, options string) engine.Position {
	t.Helper()
	o, err := ayu.Game{}.ParseOptions(json.RawMessage(options))
	if err != nil {
		t.Fatal(err)
	}
	return ayu.Game{}.New(o)
}

func TestWholeGames(t *testing.T) {
	for _, options := range []string{`{"size":3}`, `{"size":5}`, `{"size":7}`, `{"size":11}`} {
		for level := MinLevel; level <= MaxLevel; level++ {
			last := game(t, start(t, options), [2]int{level, level})
			if _, over := last.Result(); !over {
				t.Errorf("%s, level %d: no action is chosen in %s", options, level, last)
			}
			if again := game(t, start(t, options), [2]int{level, level}); again.String() != last.String() {
				t.Errorf("%s, level %d: one game ends in %s, the next in %s", options, level, last, again)
			}
		}
	}
}

// The highest level wins against the lowest with both colours after most first moves.
func TestLevelsDiffer(t *testing.T) {
	first := start(t, `{"size":7,"pie":false}`)
	wins, games := 0, 0
	for _, opening := range first.Legal() {
		p := play(first, opening)
		for seat, levels := range [][2]int{{MaxLevel, MinLevel}, {MinLevel, MaxLevel}} {
			result, _ := game(t, p, levels).Result()
			games++
			if slices.Equal(result.Winners, []int{seat}) {
				wins++
			}
		}
	}
	if wins*4 < games*3 {
		t.Errorf("level %d wins %d of %d games against level %d", MaxLevel, wins, games, MinLevel)
	}
	t.Logf("level %d won %d of %d games", MaxLevel, wins, games)
}

func TestNothingToChoose(t *testing.T) {
	b, err := ayu.ParseBoard("5 b ...../...../xx.../...../.....")
	if err != nil {
		t.Fatal(err)
	}
	if action, ok := Choose(ayu.FromBoard(b), MaxLevel); ok {
		t.Errorf("%s is chosen after the end", action)
	}
}

func TestTakesTheWin(t *testing.T) {
	// Once d5-c5 has joined Black's stones and White, who can still move, has moved, Black wins.
	b, err := ayu.ParseBoard("5 b xx.x./...../o...o/...../.....")
	if err != nil {
		t.Fatal(err)
	}
	if action, _ := Choose(ayu.FromBoard(b), MaxLevel); action != "d5-c5" {
		t.Errorf("%s is chosen, want d5-c5", action)
	}
}
