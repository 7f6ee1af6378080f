package puzzle

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/puzzle"
	"ayumu/engine/search"
)

var (
	games  = engine.Games{ayu.Game{}}
	themes = puzzle.Themes{"ayu": Themes}
)

// The puzzles below were found in games of the engine against itself.
var examples = map[string]string{
	"finish": "7 w ...x.../.xxxo../.x.xox./.xooox./.x.o.xo/..oo.xo/.oo....",
	"cut":    "7 w ...x.../o..xo.o/oxxx.../o...oxo/.xoxxx./..oooo./.x.x...",
	"trap":   "7 b ..xx.../.ooxo../.xxxox./.ooxo../.xoxooo/.xox.../.......",
	"race":   "7 b ...xx../..o.x../..o.xxo/ooo..oo/oxoxxxo/.xxo.../..x....",
}

// scripted is an engine that finds a move and the winner with 64 playouts, and not with fewer.
type scripted struct {
	move   string
	winner int
}

const scriptedEffort = 64

func (s scripted) NewSearcher() search.Searcher { return s }

func (s scripted) Search(_ context.Context, _ engine.Position, o search.Options) (search.Advice, error) {
	a := search.Advice{Choices: []search.Choice{{Actions: []string{"none"}}}, Chances: []float64{0.5, 0.5}}
	if o.Playouts >= scriptedEffort {
		a.Choices[0].Actions[0], a.Chances[s.winner] = s.move, 0.9
	}
	return a, nil
}

// example returns the puzzle of a theme among the examples.
func example(t *testing.T, theme string) (puzzle.Puzzle, puzzle.Theme) {
	t.Helper()
	b, err := ayu.ParseBoard(examples[theme])
	if err != nil {
		t.Fatal(err)
	}
	solutions := map[string]string{"finish": "b1-f6", "cut": "a6-b4"}
	for _, th := range Themes {
		if th.Name() == theme {
			z, ok := th.Find(context.Background(), ayu.FromBoard(b), scripted{move: solutions[theme]})
			if !ok {
				t.Fatalf("%s is not found", theme)
			}
			return z, th
		}
	}
	t.Fatalf("there is no theme %s", theme)
	return puzzle.Puzzle{}, nil
}

func TestPuzzlesAreFoundAndProven(t *testing.T) {
	for name := range examples {
		z, theme := example(t, name)
		start, err := z.Start(games)
		if err != nil {
			t.Fatal(err)
		}
		if err := theme.Verify(&z, start); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if task := theme.Task(&z); task == "" || !strings.HasSuffix(task, ".") && !strings.HasSuffix(task, "?") {
			t.Errorf("%s asks %q", name, task)
		}
		if z.Theme != "trap" && z.Effort != scriptedEffort {
			t.Errorf("%s has the effort %d", name, z.Effort)
		}
		if z.InitialRating() < 1000 || z.InitialRating() > 2400 {
			t.Errorf("%s has the rating %v", name, z.InitialRating())
		}
	}
}

func TestWrongSolutionsAreNotProven(t *testing.T) {
	wrong := map[string]func(*puzzle.Puzzle){
		"finish": func(z *puzzle.Puzzle) { z.Line[0].Actions = []string{"b1-a3"} },
		"cut":    func(z *puzzle.Puzzle) { z.Line[0].Actions = []string{"g4-g5"} },
		"trap":   func(z *puzzle.Puzzle) { z.Set = append(z.Set, "d7-c7") },
		"race":   func(z *puzzle.Puzzle) { z.Side = "w" },
	}
	for name, change := range wrong {
		z, theme := example(t, name)
		change(&z)
		start, err := z.Start(games)
		if err != nil {
			t.Fatal(err)
		}
		if theme.Verify(&z, start) == nil {
			t.Errorf("%s: a wrong solution is proven", name)
		}
	}
	z, theme := example(t, "finish")
	z.Number--
	start, err := z.Start(games)
	if err != nil {
		t.Fatal(err)
	}
	if theme.Verify(&z, start) == nil {
		t.Error("a faster win is proven")
	}
}

func TestAnswers(t *testing.T) {
	finish, _ := example(t, "finish")
	trap, _ := example(t, "trap")
	race, _ := example(t, "race")
	if len(finish.Line) < 2 {
		t.Fatalf("the line is %v", finish.Line)
	}
	start, err := finish.Start(games)
	if err != nil {
		t.Fatal(err)
	}
	after, err := engine.PlayTurn(start, finish.Line[0].Actions)
	if err == nil {
		after, err = engine.PlayTurn(after, finish.Line[0].Reply)
	}
	if err != nil {
		t.Fatal(err)
	}
	other := slices.DeleteFunc(after.Legal(), func(a string) bool { return a == finish.Line[1].Actions[0] })[0]
	own := []string{finish.Line[0].Actions[0], finish.Line[1].Actions[0]}
	for _, c := range []struct {
		z       puzzle.Puzzle
		actions []string
		want    puzzle.Outcome
	}{
		{finish, own[:1], puzzle.Outcome{Turns: 1, Reply: finish.Line[0].Reply}},
		{finish, own, puzzle.Outcome{Turns: 2, Solved: len(finish.Line) == 2, Reply: finish.Line[1].Reply}},
		{finish, []string{"b1-d1"}, puzzle.Outcome{Wrong: true}},
		{finish, []string{own[0], other}, puzzle.Outcome{Wrong: true, Turns: 1}},
		{trap, trap.Set, puzzle.Outcome{Turns: 1, Solved: true}},
		{race, []string{race.Side}, puzzle.Outcome{Turns: 1, Solved: true}},
		{race, []string{"w"}, puzzle.Outcome{Wrong: true}},
	} {
		got, err := themes.Answer(games, &c.z, c.actions)
		if isTurn := c.want.Wrong && c.z.Goal == puzzle.GoalLine; (got.Refuted != nil) != isTurn || isTurn && got.Refuted.Turn[0] != c.actions[len(c.actions)-1] {
			t.Errorf("%s %v: refuted is %+v", c.z.Theme, c.actions, got.Refuted)
		}
		got.Refuted = nil
		if got.Reason = ""; err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %v: %+v, %v; want %+v", c.z.Theme, c.actions, got, err, c.want)
		}
	}
}

func TestAnswersThatCannotBePlayedAreNoAttempts(t *testing.T) {
	finish, _ := example(t, "finish")
	trap, _ := example(t, "trap")
	race, _ := example(t, "race")
	var refused *engine.ActionError
	for _, c := range []struct {
		z       puzzle.Puzzle
		actions []string
	}{
		{finish, []string{"z9-z8"}},
		{finish, []string{"a1-a2"}},
		{trap, []string{"a1-a2"}},
		{race, []string{"x"}},
		{race, nil},
	} {
		if _, err := themes.Answer(games, &c.z, c.actions); !errors.As(err, &refused) {
			t.Errorf("%s %v: %v", c.z.Theme, c.actions, err)
		}
	}
}

func TestPartOfASetIsWrong(t *testing.T) {
	b, err := ayu.ParseBoard("7 w ......./..xxxo./o.oxox./.ooxoo./...xxxo/.oox..o/..xx...")
	if err != nil {
		t.Fatal(err)
	}
	z, ok := trap{}.Find(context.Background(), ayu.FromBoard(b), scripted{})
	if !ok || len(z.Set) < 2 {
		t.Fatalf("%+v, %t", z, ok)
	}
	got, err := themes.Answer(games, &z, z.Set[:1])
	if err != nil || !got.Wrong || !strings.Contains(got.Reason, "more than 1") {
		t.Errorf("%+v, %v", got, err)
	}
	reversed := slices.Clone(z.Set)
	slices.Reverse(reversed)
	if got, err := themes.Answer(games, &z, append(reversed, reversed[0])); err != nil || !got.Solved {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTrivialPositionsAreNoPuzzles(t *testing.T) {
	for name, line := range examples {
		b, err := ayu.ParseBoard(line)
		if err != nil {
			t.Fatal(err)
		}
		for _, theme := range Themes {
			if theme.Name() != name || name == "trap" {
				continue
			}
			if z, ok := theme.Find(context.Background(), ayu.FromBoard(b), atOnce{}); ok {
				t.Errorf("%s is a puzzle although the engine finds it at once: %+v", name, z)
			}
		}
	}
	for _, theme := range Themes {
		if _, ok := theme.Find(context.Background(), ayu.FromBoard(ayu.NewBoard(7)), scripted{}); ok {
			t.Errorf("the first position is a puzzle of %s", theme.Name())
		}
	}
}

// atOnce is an engine that finds everything with a few playouts.
type atOnce struct{}

func (atOnce) NewSearcher() search.Searcher { return atOnce{} }

func (atOnce) Search(_ context.Context, p engine.Position, _ search.Options) (search.Advice, error) {
	move := map[string]string{examples["finish"]: "b1-f6", examples["cut"]: "a6-b4"}[p.String()]
	return search.Advice{Choices: []search.Choice{{Actions: []string{move}}}, Chances: []float64{0.9, 0.9}}, nil
}
