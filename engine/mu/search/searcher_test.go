package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/engine/search"
)

// adviceOn returns the advice of a new player and checks it: whole legal turns, the best first, and
// chances that add up to 1.
func adviceOn(t *testing.T, ctx context.Context, p *mu.Position, o search.Options) search.Advice {
	t.Helper()
	a, err := newSearcher(defaultWeights()).Search(ctx, p, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Choices) == 0 {
		t.Fatalf("%s\nno turn is advised", p)
	}
	for _, c := range a.Choices {
		if _, err := engine.PlayTurn(p, c.Actions); err != nil {
			t.Fatalf("%s\n%v is advised: %v", p, c.Actions, err)
		}
		if !(c.Chance >= 0 && c.Chance <= 1) {
			t.Fatalf("%s\nthe chance after %v is %v", p, c.Actions, c.Chance)
		}
	}
	sum := 0.0
	for _, c := range a.Chances {
		sum += c
	}
	if len(a.Chances) != p.Seats() || math.Abs(sum-1) > 1e-9 {
		t.Fatalf("%s\nthe chances are %v", p, a.Chances)
	}
	return a
}

// TestWholeGames plays games of every number of players on all levels: all advice is legal, and the
// games end.
func TestWholeGames(t *testing.T) {
	for players := 2; players <= 6; players++ {
		o := mu.Options{Players: players, Segments: 7 - players, Min: players}
		t.Run(o.String(), func(t *testing.T) {
			p := mu.New(o)
			for turns := 0; p.Phase() != mu.Over; turns++ {
				if turns == maxTurns {
					t.Fatalf("%s\nthe game does not end", p)
				}
				level := search.MinLevel + p.Turn()%search.MaxLevel
				a := adviceOn(t, t.Context(), p, search.Options{Level: level, Playouts: 2, Seed: uint64(players)})
				next, _ := engine.PlayTurn(p, a.Choices[0].Actions)
				p = next.(*mu.Position)
			}
		})
	}
}

// anyOfPlay returns a position of play after random turns.
func anyOfPlay(players, segments, turns int, seed uint64) *mu.Position {
	rng := rand.New(rand.NewPCG(seed, 4))
	p := mu.New(mu.Options{Players: players, Segments: segments, Min: players})
	for n := 0; n < turns && p.Phase() != mu.Over; {
		actions := p.AppendLegal(nil)
		p = play(p, actions[rng.IntN(len(actions))])
		if p.Phase() == mu.Play && !p.MidTurn() {
			n++
		}
	}
	return p
}

func TestSameAdvice(t *testing.T) {
	for level := search.MinLevel; level <= search.MaxLevel; level++ {
		p := anyOfPlay(2, 3, 6, 5)
		o := search.Options{Level: level, Playouts: 30, Seed: 9}
		first := adviceOn(t, t.Context(), p, o)
		if again := adviceOn(t, t.Context(), p, o); !reflect.DeepEqual(first, again) {
			t.Errorf("level %d advises %v, and another time %v", level, first, again)
		}
		if first.Playouts > 30 {
			t.Errorf("level %d made %d playouts of 30", level, first.Playouts)
		}
	}
}

// TestWithinATurn checks that the advice completes a turn from every position within it, including
// pending explosions.
func TestWithinATurn(t *testing.T) {
	explosions := 0
	for seed := range uint64(40) {
		p := anyOfPlay(2+int(seed%3), 3, 12, seed)
		rng := rand.New(rand.NewPCG(seed, 5))
		for range 20 {
			actions := p.AppendLegal(nil)
			if p.MidTurn() {
				adviceOn(t, t.Context(), p, search.Options{Level: search.MaxLevel, Playouts: 2})
				if actions[0].Kind == mu.Explode {
					explosions++
				}
			}
			if len(actions) == 0 {
				break
			}
			p = play(p, actions[rng.IntN(len(actions))])
		}
	}
	if explosions == 0 {
		t.Error("no explosion was to be chosen")
	}
}

// TestIsStopped checks that a search with an ended context, or without time, returns a legal turn with
// next to no search.
func TestIsStopped(t *testing.T) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	for seed := range uint64(10) {
		p := anyOfPlay(3, 7, 15, seed)
		for _, a := range []search.Advice{
			adviceOn(t, over, p, search.Options{Level: search.MaxLevel, Time: time.Hour, Playouts: 1 << 40}),
			adviceOn(t, context.Background(), p, search.Options{Level: search.MaxLevel, Time: 1}),
		} {
			if a.Playouts > 1 {
				t.Errorf("%d playouts were made without time", a.Playouts)
			}
		}
	}
}

// TestCompletesLayouts checks that the highest level completes layouts before it places or clears:
// reproducibly, within its limit, with the best choice first.
func TestCompletesLayouts(t *testing.T) {
	for players := 2; players <= 3; players++ {
		setUpOn(t, mu.New(mu.Options{Players: players, Segments: 2, Min: players}))
	}
}

func setUpOn(t *testing.T, p *mu.Position) {
	rng := rand.New(rand.NewPCG(1, 6))
	p = play(p, p.AppendLegal(nil)[0])
	for p.Phase() < mu.Play {
		const most = 24
		o := search.Options{Level: search.MaxLevel, Playouts: most, Seed: 3}
		a := adviceOn(t, t.Context(), p, o)
		if again := adviceOn(t, t.Context(), p, o); !reflect.DeepEqual(a, again) {
			t.Errorf("%s\nthe advice is %v, and another time %v", p, a, again)
		}
		if a.Playouts == 0 || a.Playouts > most {
			t.Errorf("%s\n%d layouts of %d were completed", p, a.Playouts, most)
		}
		if !slices.IsSortedFunc(a.Choices, func(a, b search.Choice) int { return cmp.Compare(b.Chance, a.Chance) }) {
			t.Errorf("%s\nthe advice is %v", p, a.Choices)
		}
		over, cancel := context.WithCancel(t.Context())
		cancel()
		if a := adviceOn(t, over, p, o); a.Playouts > 0 {
			t.Errorf("%s\n%d layouts were completed without time", p, a.Playouts)
		}
		actions := p.AppendLegal(nil)
		p = play(p, actions[rng.IntN(len(actions))])
	}
}

// checkLimit is a context that ends after a number of calls of Err.
type checkLimit struct {
	context.Context
	left int
}

func (l *checkLimit) Err() error {
	if l.left--; l.left >= 0 {
		return nil
	}
	return context.DeadlineExceeded
}

// TestKeepsWhatWasCompleted checks that completed layouts count when time runs out, unless they are too few.
func TestKeepsWhatWasCompleted(t *testing.T) {
	p := mu.New(mu.Options{Players: 2, Segments: 3, Min: 2})
	p = play(p, p.AppendLegal(nil)[0])
	o := search.Options{Level: search.MaxLevel, Playouts: 500, Seed: 4}
	all := adviceOn(t, t.Context(), p, o)
	some := adviceOn(t, &checkLimit{t.Context(), 3000}, p, o)
	few := adviceOn(t, &checkLimit{t.Context(), 100}, p, o)
	if some.Playouts == 0 || some.Playouts >= all.Playouts || few.Playouts > 0 {
		t.Errorf("%d, %d and %d layouts were completed", all.Playouts, some.Playouts, few.Playouts)
	}
}

// TestTreeIsBounded checks that a search without any other limit ends when its tree is full.
func TestTreeIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	m := newSearcher(defaultWeights())
	m.tree.turns.isTimeUp = func() bool { return false }
	p := anyOfPlay(2, 1, 1, 1)
	root := m.tree.search(p, 0)
	count := 0
	var walk func(n *node)
	walk = func(n *node) {
		count++
		for _, k := range n.children {
			walk(k)
		}
	}
	walk(root)
	if limit := maxBytes/nodeBytes(p.Board().Size()) + rootBreadth.keep + 2; count > limit {
		t.Errorf("the tree has %d nodes, more than %d", count, limit)
	}
}

// TestBeginsEven checks that all seats have equal chances before the first placement.
func TestBeginsEven(t *testing.T) {
	for players := 2; players <= 4; players++ {
		a := adviceOn(t, t.Context(), mu.New(mu.Options{Players: players, Segments: 2, Min: players}), search.Options{Level: search.MaxLevel})
		for _, c := range a.Chances {
			if math.Abs(c-1/float64(players)) > 1e-9 {
				t.Errorf("the chances of %d are %v", players, a.Chances)
			}
		}
	}
}

// TestAfterOneHasLeft plays with the remaining seats.
func TestAfterOneHasLeft(t *testing.T) {
	p := anyOfPlay(3, 3, 9, 2)
	gone := (p.Turn() + 1) % 3
	next, err := p.Leave(gone)
	if err != nil {
		t.Fatal(err)
	}
	a := adviceOn(t, t.Context(), next.(*mu.Position), search.Options{Level: search.MaxLevel, Playouts: 10})
	if a.Chances[gone] != 0 {
		t.Errorf("the chances are %v after seat %d has left", a.Chances, gone)
	}
}

// parsePosition returns a position of two players on a board of two segments, seat 0 to move. Listed cells
// are as in "0,0:c0.1 3,-1:w" (terrain, owner, men); the others are empty Commonwealth.
func parsePosition(t *testing.T, given string, passes int) *mu.Position {
	t.Helper()
	what := make(map[string]string)
	for _, cell := range strings.Fields(given) {
		name, is, _ := strings.Cut(cell, ":")
		what[name] = is
	}
	var cells, rights []string
	for q := int16(-1); q <= 4; q++ {
		for r := int16(-2); r <= 1; r++ {
			h := mu.Hex{Q: q, R: r}
			for _, centre := range []mu.Hex{{}, {Q: 3, R: -1}} {
				if h.Distance(centre) > 1 {
					continue
				}
				is := cmp.Or(what[h.String()], "c")
				cells = append(cells, h.String()+":"+is)
				if strings.HasPrefix(is[1:], "0.") && !slices.Contains(rights, centre.String()) {
					rights = append(rights, centre.String())
				}
			}
		}
	}
	line := fmt.Sprintf("play|%s|0|%s||%d", strings.Join(cells, ";"), strings.Join(rights, " "), passes)
	p, err := mu.ParsePosition(2, "0,0;3,-1", line)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestKnowsWhatToDo has positions with one clearly best turn.
func TestKnowsWhatToDo(t *testing.T) {
	const walled = " 1,0:w 1,-1:w" // splits the board into five and seven cells
	for _, c := range []struct {
		name, cells string
		passes      int
		good        func(best search.Choice) bool
	}{
		{"takes the last piece", "0,0:c0.1 3,-1:c0.2 1,0:c1.3", 0, func(best search.Choice) bool {
			return slices.Contains(best.Actions, "move 0,0 1 e") && best.Chance == 1
		}},
		{"takes what stands open", "0,0:c0.1 3,-1:c0.2 1,0:c1.3 4,-1:c1.1", 0, func(best search.Choice) bool {
			return slices.Contains(best.Actions, "move 0,0 1 e")
		}},
		{"passes where that wins", "3,-1:c0.1 0,0:c1.1" + walled, 1, func(best search.Choice) bool {
			return slices.Equal(best.Actions, []string{"end"}) && best.Chance == 1
		}},
		{"does not pass where that loses", "0,0:c0.1 3,-1:c1.1" + walled, 1, func(best search.Choice) bool {
			return len(best.Actions) > 1
		}},
		{"passes where nothing is to be gained", "3,-1:c0.1 0,0:c1.1" + walled, 0, func(best search.Choice) bool {
			return slices.Equal(best.Actions, []string{"end"})
		}},
	} {
		a := adviceOn(t, t.Context(), parsePosition(t, c.cells, c.passes), search.Options{Level: search.MaxLevel, Playouts: 200})
		if !c.good(a.Choices[0]) {
			t.Errorf("%s: the advice is %v", c.name, a.Choices)
		}
	}
}

// TestIsBetter plays a few reproducible games; docs/engines.md has the results of many.
func TestIsBetter(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	o := mu.Options{Players: 2, Segments: 3, Min: 2}
	const games = 4
	for name, other := range map[string]func(int) actor{
		"greedy":  func(int) actor { return greedy(rand.New(rand.NewPCG(7, 8))) },
		"level 1": func(int) actor { return thinker(search.Options{Level: search.MinLevel, Seed: 1}) },
	} {
		var score tally
		for g := range games {
			score.play(o, g, thinker(search.Options{Level: search.MaxLevel, Playouts: 40, Seed: uint64(g)}), other)
		}
		if score.wins < games-1 || score.unended > 0 {
			t.Errorf("against %s: %s", name, &score)
		}
	}
}

func TestNothingToThinkAbout(t *testing.T) {
	p := anyOfPlay(2, 1, 100_000, 1)
	if _, err := newSearcher(defaultWeights()).Search(t.Context(), p, search.Options{Level: search.MaxLevel}); err != search.ErrNoTurn {
		t.Errorf("after the end the error is %v", err)
	}
}
