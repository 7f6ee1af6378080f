package mu

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"ayumu/engine"
)

var (
	_ engine.Game     = Game{}
	_ engine.Options  = Options{}
	_ engine.Position = (*Position)(nil)
)

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		raw  string
		want Options
		err  string
	}{
		{``, Options{Players: 3, Segments: 7, Min: 3}, ""},
		{`{}`, Options{Players: 3, Segments: 7, Min: 3}, ""},
		{`null`, Options{Players: 3, Segments: 7, Min: 3}, ""},
		{`{"players":null}`, Options{Players: 3, Segments: 7, Min: 3}, ""},
		{`{"players":6,"segments":1,"min":2,"size":11}`, Options{Players: 6, Segments: 1, Min: 2}, ""},
		{`{"players":2,"segments":8}`, Options{Players: 2, Segments: 8, Min: 2}, ""},
		{`{"players":1}`, Options{}, "players is 1, must be 2 to 6"},
		{`{"players":7}`, Options{}, "players is 7"},
		{`{"segments":0}`, Options{}, "segments is 0, must be 1 to 8"},
		{`{"segments":9}`, Options{}, "segments is 9"},
		{`{"min":1}`, Options{}, "min is 1, must be 2 to the number of players, 3"},
		{`{"min":4}`, Options{}, "min is 4"},
		{`{"players":"3"}`, Options{}, "players must be a whole number"},
		{`{"players":2.5}`, Options{}, "players must be a whole number"},
		{`[]`, Options{}, "object of whole numbers"},
		{`{`, Options{}, "object of whole numbers"},
	} {
		o, err := Game{}.ParseOptions(json.RawMessage(c.raw))
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want an error with %q", c.raw, err, c.err)
			}
			continue
		}
		if err != nil || o != engine.Options(c.want) {
			t.Errorf("%s: %+v, %v; want %+v", c.raw, o, err, c.want)
			continue
		}
		raw, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := (Game{}).ParseOptions(raw); err != nil || again != o {
			t.Errorf("%s is written as %s and read as %+v, %v", c.raw, raw, again, err)
		}
	}
	o := Options{Players: 6, Segments: 7, Min: 2}
	if low, high := o.Seats(); low != 2 || high != 6 {
		t.Errorf("seats %d to %d", low, high)
	}
	if got := o.WithSeats(4); got != engine.Options(Options{Players: 4, Segments: 7, Min: 4}) {
		t.Errorf("with four seats taken: %+v", got)
	}
	for o, want := range map[Options]string{
		{Players: 6, Segments: 7, Min: 2}: "2–6 players, 7 segments each",
		{Players: 3, Segments: 7, Min: 3}: "3 players, 7 segments each",
		{Players: 3, Segments: 1, Min: 3}: "3 players, 1 segment each",
	} {
		if o.String() != want {
			t.Errorf("%+v is described as %q, not %q", o, o.String(), want)
		}
	}
}

// TestLayoutAndClearing plays both phases of a small game and checks the seat to move.
func TestLayoutAndClearing(t *testing.T) {
	var p engine.Position = Game{}.New(Options{Players: 2, Segments: 2, Min: 2})
	if got := p.Legal(); !slices.Equal(got, []string{"place 0,0"}) {
		t.Fatalf("first actions: %v", got)
	}
	for _, c := range []struct {
		action string
		turn   int // after it
		legal  int
	}{
		{"place 0,0", 1, 12},
		{"place 1,2", 0, 16},
		{"place -2,3", 1, -1},
		{"place 3,-1", 0, 2},
		{"clear -2,3", 1, 2},
		{"clear 3,-1", 0, -1},
	} {
		next, err := p.Play(c.action)
		if err != nil {
			t.Fatal(err)
		}
		p = next
		if n := len(p.Legal()); p.Turn() != c.turn || p.MidTurn() || c.legal >= 0 && n != c.legal {
			t.Fatalf("after %s: turn %d, mid turn %v, %d legal actions", c.action, p.Turn(), p.MidTurn(), n)
		}
	}
	mu := p.(*Position)
	if mu.Phase() != Play || !slices.Equal(mu.Men(), []int{7, 7}) {
		t.Fatalf("phase %s, men %v", mu.Phase(), mu.Men())
	}
	checkCells(t, mu, "0,0:v0.1 1,0:v0.1 1,2:v1.1 0,2:v1.1 -2,3:v 3,-1:v")
	if got := mu.Rights(); !slices.Equal(got, []Hex{{0, 0}}) {
		t.Errorf("rights %v", got)
	}
	if got := mu.Board().Centres(); !slices.Equal(got, []Hex{{0, 0}, {1, 2}, {-2, 3}, {3, -1}}) {
		t.Errorf("centres %v", got)
	}
}

// TestPlacements compares the incremental list of placements with the rule applied to every cell around.
func TestPlacements(t *testing.T) {
	p := New(Options{Players: 6, Segments: 8, Min: 6})
	for n := 0; p.Phase() == Layout; n++ {
		list := p.Placements()
		for q := int16(-40); q <= 40; q++ {
			for r := int16(-40); r <= 40; r++ {
				h := Hex{q, r}
				if n == 0 {
					continue
				}
				want := !p.board.overlaps(h) && p.board.contactCount(h) >= 2
				if slices.Contains(list, h) != want || (p.Explain(Action{Kind: Place, At: h}) == "") != want {
					t.Fatalf("%s\n%s: in the list %v, by the rule %v", p, h, !want, want)
				}
			}
		}
		p = must(p.Do(Action{Kind: Place, At: list[n*5%len(list)]}))
	}
	if len(p.board.centres) != 48 || p.board.Size() != maxCells {
		t.Fatalf("%d segments, %d cells", len(p.board.centres), p.board.Size())
	}
}

// TestLongestBoard places 48 segments in a row, which reaches the largest coordinates.
func TestLongestBoard(t *testing.T) {
	p := New(Options{Players: 6, Segments: 8, Min: 6})
	for n := range int16(48) {
		p = must(p.Do(Action{Kind: Place, At: Hex{2 * n, n}}))
	}
	for p.Phase() < Play {
		p = must(p.Do(p.AppendLegal(nil)[0]))
	}
	low, high, ok := p.Board().Bounds()
	if !ok || low != (Hex{-1, -1}) || high != (Hex{95, 48}) {
		t.Errorf("bounds %s to %s", low, high)
	}
}

func TestResultIsACopy(t *testing.T) {
	p, _ := run(t, setUp(t, 2, "0,0", "v", "0,0:v0.1 1,0:v1.1", "0"), "end", "end")
	r, over := p.Result()
	if !over {
		t.Fatal("two passes do not end a game of two")
	}
	r.Winners[0], r.Scores[0], r.Places[0] = 9, 9, 9
	if again, _ := p.Result(); again.Winners[0] == 9 || again.Scores[0] == 9 || again.Places[0] == 9 {
		t.Error("the position's result has changed")
	}
	if _, err := p.Play("end"); !errors.Is(err, engine.ErrGameOver) {
		t.Errorf("play after the end: %v", err)
	}
	if list := p.Legal(); list == nil || len(list) != 0 {
		t.Errorf("legal actions after the end: %v", list)
	}
}

func TestDirections(t *testing.T) {
	from := Hex{2, -1}
	for _, d := range Dirs {
		to := from.Step(d, 3)
		if got, n, ok := from.DirTo(to); !ok || got != d || n != 3 {
			t.Errorf("from %s to %s: %s %d %v", from, to, got, n, ok)
		}
		if back := to.Step((d+3)%6, 3); back != from {
			t.Errorf("%s and back leads to %s", d, back)
		}
		if got, ok := ParseDir(d.String()); !ok || got != d {
			t.Errorf("%s is read as %s, %v", d, got, ok)
		}
		if from.Distance(to) != 3 {
			t.Errorf("%s is %d from %s", to, from.Distance(to), from)
		}
	}
	for _, to := range []Hex{from, {4, 0}, {0, -2}, {3, 1}} {
		if d, n, ok := from.DirTo(to); ok {
			t.Errorf("%s is in line with %s: %s %d", to, from, d, n)
		}
	}
	if _, ok := ParseDir("n"); ok {
		t.Error("n is a direction")
	}
}

// TestOrderOfLongMoves moves ten or more men: as text, 10 sorts before 2.
func TestOrderOfLongMoves(t *testing.T) {
	p := setUp(t, 2, "0,0;3,0;6,0;9,0;12,0", "w", "-1,0:w0.3 13,0:w1.1", "0")
	p.pieces[p.board.find(Hex{-1, 0})].men = 14
	list := p.Legal()
	if !slices.IsSorted(list) || !slices.Contains(list, "move -1,0 14 e") || !slices.Contains(list, "move -1,0 2 e") {
		t.Errorf("%v", list)
	}
}
