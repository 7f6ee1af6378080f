package puzzle_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/ayu"
	ayupuzzle "ayumu/engine/ayu/puzzle"
	"ayumu/engine/puzzle"
	"ayumu/engine/search"
)

// Puzzles with each form of an answer.
const examples = `{"id":"da19da14","game":"ayu","position":"7 w ...x.../.xxxo../.x.xox./.xooox./.x.o.xo/..oo.xo/.oo....","turn":1,"theme":"finish","goal":"line","number":4,"effort":256,"line":[{"actions":["b1-f6"],"reply":["b3-e7"]},{"actions":["c1-g6"]}]}
{"id":"3367d548","game":"ayu","position":"7 b ..xx.../.ooxo../.xxxox./.ooxo../.xoxooo/.xox.../.......","turn":0,"theme":"trap","goal":"set","effort":40,"set":["b5-d1"]}
{"id":"0730e10f","game":"ayu","position":"7 b ...xx../..o.x../..o.xxo/ooo..oo/oxoxxxo/.xxo.../..x....","turn":0,"theme":"race","goal":"side","effort":64,"side":"b"}`

// graded is an engine that plays the moves of a table, and knows the winner, from a number of playouts on.
type graded struct {
	from   int
	moves  map[string]string // by position; elsewhere it has none
	err    error
	limits bool // level n has n·8 playouts, and not only the highest a limit
}

func (g graded) NewSearcher() search.Searcher { return g }

func (g graded) LevelPlayouts(level int) int {
	if g.limits && level < search.MaxLevel {
		return 8 * level
	}
	return 0
}

func (g graded) Search(_ context.Context, p engine.Position, o search.Options) (search.Advice, error) {
	if g.err != nil {
		return search.Advice{}, g.err
	}
	a := search.Advice{Choices: []search.Choice{{Actions: []string{"none"}}}, Chances: []float64{0.4, 0.6}}
	if o.Playouts >= g.from {
		a.Chances = []float64{0.9, 0.1}
		if move, ok := g.moves[p.String()]; ok {
			a.Choices[0].Actions = []string{move}
		}
	}
	return a, nil
}

// measure measures an example with an engine that plays moves one after the other, from that number of playouts on.
func measure(t *testing.T, n int, e graded) (puzzle.Difficulty, error) {
	t.Helper()
	all, err := puzzle.Read(strings.NewReader(examples))
	if err != nil {
		t.Fatal(err)
	}
	p := &all[n]
	games := engine.Games{ayu.Game{}}
	start, err := p.Start(games)
	if err != nil {
		t.Fatal(err)
	}
	theme, _ := puzzle.Themes{"ayu": ayupuzzle.Themes}.Of(p)
	e.moves = make(map[string]string)
	at := start
	for _, turn := range p.Line {
		e.moves[at.String()] = turn.Actions[0]
		for _, list := range [][]string{turn.Actions, turn.Reply} {
			if at, err = engine.PlayTurn(at, list); err != nil && len(list) > 0 {
				t.Fatal(err)
			}
		}
	}
	if p.Goal == puzzle.GoalSet { // the opponent's answer that wins
		after, err := start.Play(p.Set[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, reply := range after.Legal() {
			r := theme.(puzzle.Recognizer)
			if r.Recognizes(start, p.Set[0], func(engine.Position) []string { return []string{reply} }) {
				e.moves[after.String()] = reply
			}
		}
		if len(e.moves) != 1 {
			t.Fatalf("%d replies win", len(e.moves))
		}
	}
	return puzzle.Measure(t.Context(), e, theme, p, start, 1, 4)
}

func TestMeasure(t *testing.T) {
	always := [search.MaxLevel]float64{1, 1, 1, 1, 1}
	for _, c := range []struct {
		name     string
		example  int
		engine   graded
		success  [search.MaxLevel]float64
		playouts int
	}{
		{"a line from 64 playouts on", 0, graded{from: 64}, always, 64},
		{"a line that nobody finds", 0, graded{from: 1 << 20}, [search.MaxLevel]float64{}, puzzle.NotFound},
		{"a line that needs level 3", 0, graded{from: 24, limits: true}, [search.MaxLevel]float64{0, 0, 1, 1, 1}, 32},
		{"a side from 64 playouts on", 2, graded{from: 64}, always, 64},
		{"a side that nobody finds", 2, graded{from: 1 << 20}, [search.MaxLevel]float64{}, puzzle.NotFound},
	} {
		d, err := measure(t, c.example, c.engine)
		if err != nil || d.Success != c.success || d.Playouts != c.playouts {
			t.Errorf("%s: %+v, %v; want %v, %d", c.name, d, err, c.success, c.playouts)
		}
	}
	if _, err := measure(t, 0, graded{err: errors.New("broken")}); err == nil || !strings.Contains(err.Error(), "da19da14: broken") {
		t.Errorf("an engine that fails: %v", err)
	}
}

// TestMeasureOfSets checks that the playouts of a turn are shared between the legal moves: the example has 10, so that
// 2 playouts for each need 32 in powers of 2, and level 1 does not search two of them.
func TestMeasureOfSets(t *testing.T) {
	d, err := measure(t, 1, graded{from: 1, limits: true})
	if err != nil || d.Success[0] == 1 || d.Success[1] != 1 || d.Success[4] != 1 || d.Playouts > 16 {
		t.Errorf("with one playout for each move: %+v, %v", d, err)
	}
	if d, err = measure(t, 1, graded{from: 2}); err != nil || d.Playouts != 32 {
		t.Errorf("with two playouts for each move: %+v, %v", d, err)
	}
}

func TestRatingOfDifficulty(t *testing.T) {
	success := func(levels int) (s [search.MaxLevel]float64) {
		for i := search.MaxLevel - levels; i < search.MaxLevel; i++ {
			s[i] = 1
		}
		return s
	}
	before := 0
	for levels := search.MaxLevel; levels >= 0; levels-- {
		rating := puzzle.Difficulty{Success: success(levels), Playouts: 256}.Rating(4)
		if rating <= before {
			t.Errorf("%d levels find it: rating %d, not above %d", levels, rating, before)
		}
		before = rating
	}
	few, many := puzzle.Difficulty{Success: success(2), Playouts: 8}.Rating(4), puzzle.Difficulty{Success: success(2), Playouts: 4096}.Rating(4)
	if few >= many {
		t.Errorf("8 playouts have the rating %d, 4096 have %d", few, many)
	}
	if d := (puzzle.Difficulty{Playouts: 1, Reading: 5}); d.Rating(0) < 999 || d.Rating(0) > 1001 {
		t.Errorf("without tries: %d, not the mean of 900 and 1100", d.Rating(0))
	}
	for _, d := range []puzzle.Difficulty{{success(5), 1, 0}, {success(0), puzzle.NotFound, 100}} {
		if r := d.Rating(1000); r < 600 || r > 2400 {
			t.Errorf("%+v has the rating %d", d, r)
		}
	}
}

// TestRatingIsTheMostProbable compares ratings of puzzles without anything to read with the means of 750 and the most probable
// ratings by the figures of docs/puzzles.md, section 1.
func TestRatingIsTheMostProbable(t *testing.T) {
	for _, playouts := range []int{1, 2, 64, 1024} {
		for _, success := range [][search.MaxLevel]float64{{}, {0, 0, 0, 0.25, 0.75}, {0.25, 0.5, 0.75, 0.75, 1}, {1, 1, 1, 1, 1}} {
			for _, tries := range []int{0, 1, 4} {
				d := puzzle.Difficulty{Success: success, Playouts: playouts}
				want, highest := 0, math.Inf(-1)
				for r := 600; r <= 2400; r++ {
					deviations := (float64(r) - (900 + 90*math.Log2(float64(playouts)))) / 150
					likelihood := -deviations * deviations / 2
					for i, ability := range []float64{1100, 1300, 1500, 1700, 1900} {
						p := 1 / (1 + math.Pow(10, (float64(r)-ability)/400))
						likelihood += float64(tries) * (success[i]*math.Log(p) + (1-success[i])*math.Log(1-p))
					}
					if likelihood > highest {
						want, highest = r, likelihood
					}
				}
				if got := 2*d.Rating(tries) - 750; got < want-2 || got > want+2 {
					t.Errorf("%+v after %d tries by each level: the rating is that of %d, the most probable %d", d, tries, got, want)
				}
			}
		}
	}
}

// TestReadingGrowsWithLengthAndBreadth measures the examples: 4 turns of a line, 2 actions for a set of one move, which needs a
// reply, and half of the winner's moves of a side.
func TestReadingGrowsWithLengthAndBreadth(t *testing.T) {
	for n, length := range map[int]float64{0: 4, 1: 2, 2: 4 / 2.} {
		d, err := measure(t, n, graded{from: 1})
		if err != nil {
			t.Fatal(err)
		}
		all, err := puzzle.Read(strings.NewReader(examples))
		if err != nil {
			t.Fatal(err)
		}
		start, err := all[n].Start(engine.Games{ayu.Game{}})
		if err != nil {
			t.Fatal(err)
		}
		if want := length * math.Log2(float64(len(start.Legal()))); math.Abs(d.Reading-want) > 1e-9 {
			t.Errorf("%s: %.2f to read, want %.2f", all[n].Theme, d.Reading, want)
		}
	}
}

// TestRatingByEffort checks the rating of a puzzle that was not measured.
func TestRatingByEffort(t *testing.T) {
	for _, c := range []struct {
		p    puzzle.Puzzle
		want float64
	}{
		{puzzle.Puzzle{Goal: puzzle.GoalLine, Effort: 1}, 900},
		{puzzle.Puzzle{Goal: puzzle.GoalLine, Effort: 256}, 1620},
		{puzzle.Puzzle{Goal: puzzle.GoalSide, Effort: 256}, 1260},
		{puzzle.Puzzle{Goal: puzzle.GoalSet, Effort: 1 << 30}, 2400},
		{puzzle.Puzzle{Goal: puzzle.GoalLine, Effort: 256, MeasuredRating: 1234}, 1234},
	} {
		if got := c.p.InitialRating(); got != c.want {
			t.Errorf("%s with an effort of %d: the rating is %v, want %v", c.p.Goal, c.p.Effort, got, c.want)
		}
	}
}
