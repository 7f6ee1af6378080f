package ayu

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"ayumu/engine"
)

func newGame(t *testing.T, options string) engine.Position {
	t.Helper()
	o, err := Game{}.ParseOptions(json.RawMessage(options))
	if err != nil {
		t.Fatal(err)
	}
	return Game{}.New(o)
}

func play(t *testing.T, p engine.Position, actions ...string) engine.Position {
	t.Helper()
	for _, a := range actions {
		next, err := p.Play(a)
		if err != nil {
			t.Fatal(err)
		}
		p = next
	}
	return p
}

func TestOptions(t *testing.T) {
	for raw, want := range map[string]Options{
		``:                               {Size: 11, Pie: true},
		`{}`:                             {Size: 11, Pie: true},
		`{"size":3}`:                     {Size: 3, Pie: true},
		`{"size":15,"pie":false,"x":[]}`: {Size: 15, Pie: false},
	} {
		o, err := Game{}.ParseOptions(json.RawMessage(raw))
		if err != nil || o != want {
			t.Errorf("%s is read as %v, %v", raw, o, err)
			continue
		}
		printed, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := (Game{}).ParseOptions(printed); err != nil || again != o {
			t.Errorf("%s is printed as %s and read as %v, %v", raw, printed, again, err)
		}
	}
	for raw, want := range map[string]string{
		`{"size":4}`:    "size must be an odd number from 3 to 15, not 4",
		`{"size":1}`:    "size must be an odd number from 3 to 15, not 1",
		`{"size":17}`:   "size must be an odd number from 3 to 15, not 17",
		`{"size":-11}`:  "size must be an odd number from 3 to 15, not -11",
		`{"size":11.5}`: "size must be an odd number from 3 to 15, not number 11.5",
		`{"size":"11"}`: "size must be an odd number from 3 to 15, not string",
		`{"pie":1}`:     "pie must be true or false, not number",
		`[]`:            "the options must be a JSON object, not array",
		`{`:             "the options are not valid JSON: unexpected end of JSON input",
	} {
		if o, err := (Game{}).ParseOptions(json.RawMessage(raw)); err == nil || err.Error() != want {
			t.Errorf("%s is read as %v, %v; want %q", raw, o, err, want)
		}
	}
	if got := (Options{Size: 9, Pie: true}).String() + "; " + (Options{Size: 13, Pie: false}).String(); got != "9×9, pie; 13×13" {
		t.Errorf("String returns %q", got)
	}
}

func TestSwap(t *testing.T) {
	start := newGame(t, `{"size":5}`)
	if slices.Contains(start.Legal(), "swap") {
		t.Error("Black may swap")
	}
	first := play(t, start, "b1-b2")
	if !slices.Contains(first.Legal(), "swap") || first.Turn() != 1 {
		t.Errorf("seat %d may play %v", first.Turn(), first.Legal())
	}
	swapped := play(t, first, "SWAP")
	if swapped.Turn() != 0 || swapped.Side(0) != "w" || swapped.Side(1) != "b" {
		t.Errorf("after the swap seat %d is to move and seat 0 has %s", swapped.Turn(), swapped.Side(0))
	}
	if swapped.String() != first.String() {
		t.Errorf("the swap made %s of %s", swapped, first)
	}
	if _, over := swapped.Result(); over {
		t.Error("a swap is a recurrence")
	}
	if first.Side(0) != "b" {
		t.Error("the position before the swap has changed")
	}
	second := play(t, swapped, "a2-a3")
	for _, c := range []struct {
		p    engine.Position
		want string
	}{
		{start, "swap: only White may swap, and only on their first turn"},
		{swapped, "swap: the colours have already been swapped"},
		{second, "swap: the colours have already been swapped"},
		{play(t, first, "a2-a3"), "swap: only White may swap, and only on their first turn"},
		{play(t, first, "a2-a3", "b5-b4"), "swap: only White may swap, and only on their first turn"},
		{play(t, newGame(t, `{"size":5,"pie":false}`), "b1-b2"), "swap: this game is played without the pie rule"},
	} {
		if slices.Contains(c.p.Legal(), "swap") {
			t.Errorf("%s: swap is legal", c.p)
		}
		if _, err := c.p.Play("swap"); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %q", c.p, err, c.want)
		}
	}
}

func TestPlayRefuses(t *testing.T) {
	p := newGame(t, `{"size":5}`)
	for action, reason := range map[string]string{
		"":      "a move is written like b1-b2",
		"b1":    "a move is written like b1-b2",
		"b1-z2": "a point is a letter from a to o and a number from 1 to 15, such as b1",
		"b1-d2": "d2 is not next to the stone on b1",
	} {
		_, err := p.Play(action)
		var refused *engine.ActionError
		if !errors.As(err, &refused) || refused.Action != action || refused.Reason != reason {
			t.Errorf("%q is refused with %v", action, err)
		}
	}
	if _, err := p.Leave(1); err == nil || p.HasLeft(1) {
		t.Error("a seat has left")
	}
}

func TestRecordedResults(t *testing.T) {
	for i, r := range readRecordedGames(t) {
		if r.Size > 9 {
			continue
		}
		p := engine.Position(FromBoard(NewBoard(r.Size)))
		for at, move := range r.Moves {
			if _, over := p.Result(); over {
				t.Fatalf("game %d is over before move %d", i, at)
			}
			p = play(t, p, strings.ToUpper(move))
		}
		result, over := p.Result()
		if !over || result.Reason != engine.ReasonImmobile || len(result.Winners) != 1 || p.Side(result.Winners[0]) != r.Winner {
			t.Errorf("game %d ends with %+v, want %s to win", i, result, r.Winner)
		}
		if len(p.Legal()) != 0 {
			t.Errorf("game %d is over and %v are legal", i, p.Legal())
		}
		if _, err := p.Play(r.Moves[0]); !errors.Is(err, engine.ErrGameOver) {
			t.Errorf("game %d is over and goes on: %v", i, err)
		}
	}
}

// TestResultAfterSwap checks that the side that cannot move wins, whichever seat has that colour.
func TestResultAfterSwap(t *testing.T) {
	p := play(t, newGame(t, `{"size":3}`), "b1-b2", "swap", "a2-a1")
	result, over := p.Result()
	if !over || !slices.Equal(result.Winners, []int{1}) || p.Side(1) != "b" {
		t.Errorf("the result is %+v, %t", result, over)
	}
}

func TestRepetition(t *testing.T) {
	b := mustBoard(t, "7 b x....../xooo.../xo.ooo./xo...o./xo...../xoo..x./..o..o.")
	p := play(t, FromBoard(b), "f2-g2", "c1-f3", "g2-f2")
	if result, over := p.Result(); over {
		t.Fatalf("it is over before the position recurs: %+v", result)
	}
	p = play(t, p, "f3-c1")
	result, over := p.Result()
	if !over || result.Reason != engine.ReasonRepetition || !slices.Equal(result.Winners, []int{0, 1}) {
		t.Errorf("the result is %+v, %t", result, over)
	}
	if len(p.Legal()) != 0 {
		t.Errorf("after the draw %v are legal", p.Legal())
	}
	if _, err := p.Play("f2-g2"); !errors.Is(err, engine.ErrGameOver) {
		t.Errorf("after the draw the game goes on: %v", err)
	}
	if b.IsImmobile() {
		t.Error("the board itself is no end")
	}
}

func TestExplainForSeats(t *testing.T) {
	p := newGame(t, `{"size":5}`).(*Position)
	m := mustMove(t, "b1-b2")
	if got := p.Explain(0, m); got != "" {
		t.Errorf("seat 0 may not move: %s", got)
	}
	if got := p.Explain(1, m); got != "it is Black's turn" {
		t.Errorf("the reason for seat 1 is %q", got)
	}
	over := FromBoard(mustBoard(t, "5 b ...../...../xx.../...../....."))
	if got := over.Explain(0, mustMove(t, "a3-c3")); got != "the game is over" {
		t.Errorf("the reason after the end is %q", got)
	}
}
