package search

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/search"
)

// start returns the first position of a game of Ayu.
func start(t testing.TB, options string) *ayu.Position {
	t.Helper()
	o, err := ayu.Game{}.ParseOptions(json.RawMessage(options))
	if err != nil {
		t.Fatal(err)
	}
	return ayu.Game{}.New(o).(*ayu.Position)
}

// best returns the first choice of a player.
func best(t testing.TB, pl search.Searcher, p engine.Position, o search.Options) search.Choice {
	t.Helper()
	a, err := pl.Search(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return a.Choices[0]
}

func after(t testing.TB, p engine.Position, actions ...string) engine.Position {
	t.Helper()
	p, err := engine.PlayTurn(p, actions)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// game plays to the end, each seat with its level and at most that many playouts.
func game(t testing.TB, p engine.Position, levels [2]int, playouts int) engine.Position {
	t.Helper()
	var players [2]searcher
	for {
		if _, over := p.Result(); over {
			return p
		}
		seat := p.Turn()
		p = after(t, p, best(t, &players[seat], p, search.Options{Level: levels[seat], Playouts: playouts, Seed: 3}).Actions...)
	}
}

func TestWholeGames(t *testing.T) {
	for _, options := range []string{`{"size":3}`, `{"size":5}`, `{"size":7,"pie":false}`, `{"size":15}`} {
		last := game(t, start(t, options), [2]int{search.MaxLevel, search.MinLevel}, 40)
		again := game(t, start(t, options), [2]int{search.MaxLevel, search.MinLevel}, 40)
		if again.String() != last.String() {
			t.Errorf("%s: one game ends in %s, the next in %s", options, last, again)
		}
	}
}

// winners5 are the winning first moves on 5×5; all others lose (docs/rules/ayu.md).
var winners5 = []string{"b1-b2", "b5-b4", "d1-d2", "d5-d4"}

// enough5 is a number of playouts that proves the winner on 5×5.
const enough5 = 100_000

func TestSolvedBoard(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	got := best(t, new(searcher), start(t, `{"size":5,"pie":false}`), search.Options{Level: search.MaxLevel, Playouts: enough5})
	if !slices.Contains(winners5, got.Actions[0]) || got.Chance < 0.6 {
		t.Errorf("%+v is chosen, want one of %q", got, winners5)
	}
	first := start(t, `{"size":5}`)
	for _, action := range append(winners5, "b1-c1", "b3-c3") {
		p := after(t, first, action)
		got := best(t, new(searcher), p, search.Options{Level: search.MaxLevel, Playouts: enough5})
		if swaps := got.Actions[0] == "swap"; swaps != slices.Contains(winners5, action) || got.Chance < 0.6 {
			t.Errorf("the answer to %s is %+v", action, got)
		}
	}
}

// TestFairOpening checks that with the pie rule the first move gives neither side much of an advantage.
func TestFairOpening(t *testing.T) {
	got := best(t, new(searcher), start(t, `{"size":9}`), search.Options{Level: search.MaxLevel, Playouts: 2000})
	if got.Chance < 0.4 || got.Chance > 0.5 {
		t.Errorf("%+v", got)
	}
}

// TestFirstMoveWasTried checks that few playouts, which do not try all first moves, choose one of those that they tried.
func TestFirstMoveWasTried(t *testing.T) {
	for level := search.MinLevel + 1; level <= search.MaxLevel; level++ { // the lowest does not search
		got := best(t, new(searcher), start(t, `{"size":13}`), search.Options{Level: level, Playouts: 20})
		if got.Visits == 0 || got.Chance < 0.25 {
			t.Errorf("level %d: %+v", level, got)
		}
	}
}

func TestTakesTheWin(t *testing.T) {
	// Once d5-c5 has joined Black's stones and White has moved, Black wins.
	b, err := ayu.ParseBoard("5 b xx.x./...../o...o/...../.....")
	if err != nil {
		t.Fatal(err)
	}
	got := best(t, new(searcher), ayu.FromBoard(b), search.Options{Level: search.MaxLevel, Playouts: 1_000_000})
	if !strings.HasSuffix(got.Actions[0], "-c5") || got.Chance != 1 {
		t.Errorf("%+v is chosen, want a stone on c5", got)
	}
}

// TestChancesAfterAProvenMove checks that the side to move has no chance after a move of the opponent that the exact search
// has proven to win, although none of its own moves has been visited.
func TestChancesAfterAProvenMove(t *testing.T) {
	b, err := ayu.ParseBoard("5 b xx.x./...../o...o/...../.....")
	if err != nil {
		t.Fatal(err)
	}
	var pl searcher
	o := search.Options{Level: search.MaxLevel, Playouts: 100}
	var p engine.Position = ayu.FromBoard(b)
	won := best(t, &pl, p, o)
	p = after(t, p, won.Actions...)
	a, err := pl.Search(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	if won.Chance != 1 || a.Chances[p.Turn()] != 0 || a.Chances[1-p.Turn()] != 1 {
		t.Errorf("the chance is %v before %v, then %v", won.Chance, won.Actions, a.Chances)
	}
}

// TestDoesNotLockIn checks that Black does not close the gap through which White can still move: a side
// locked in has won.
func TestDoesNotLockIn(t *testing.T) {
	p := game(t, start(t, `{"size":5,"pie":false}`), [2]int{search.MaxLevel, search.MinLevel}, 2000)
	if r, _ := p.Result(); !slices.Equal(r.Winners, []int{0}) {
		t.Errorf("the first player, who can win, has lost: %s", p)
	}
}

func TestNothingToChoose(t *testing.T) {
	b, err := ayu.ParseBoard("5 b ...../...../xx.../...../.....")
	if err != nil {
		t.Fatal(err)
	}
	if a, err := new(searcher).Search(t.Context(), ayu.FromBoard(b), search.Options{Level: search.MaxLevel}); !errors.Is(err, search.ErrNoTurn) {
		t.Errorf("%+v, %v after the end", a, err)
	}
}

// TestStopped checks that a search that is stopped, or has no time, still returns a turn.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, o := range []search.Options{{Level: search.MaxLevel}, {Level: search.MaxLevel, Time: 1}, {Level: search.MinLevel, Playouts: 1}} {
		a, err := new(searcher).Search(ctx, start(t, `{"size":15}`), o)
		if err != nil || len(a.Choices) == 0 || a.Playouts > simulationsPerTimeCheck {
			t.Errorf("%+v: %+v, %v", o, a, err)
		}
	}
}

// TestTreeIsKept checks that the tree is kept for later positions and is bounded.
func TestTreeIsKept(t *testing.T) {
	var pl searcher
	o := search.Options{Level: search.MaxLevel, Playouts: 3000}
	var p engine.Position = start(t, `{"size":7,"pie":false}`)
	p = after(t, p, best(t, &pl, p, o).Actions...)
	p = after(t, p, best(t, &pl, p, o).Actions...)
	o.Playouts = 1
	if db, err := pl.Search(t.Context(), p, o); err != nil || db.Choices[0].Visits < 50 {
		t.Errorf("%+v, %v", db, err)
	}
	if at := pl.tree.find(0, pl.tree.board, p.(*ayu.Position).Board(), 0); at != 0 {
		t.Errorf("the root is another board")
	}
	if seen := walk(t, pl.tree, 0, pl.tree.board); seen != len(pl.tree.nodes) {
		t.Errorf("%d of %d nodes are in the tree", seen, len(pl.tree.nodes))
	}
}

// walk checks that each node has all moves of its board, tried or not, and returns the number of nodes.
func walk(t *testing.T, tree *tree, at int32, b ayu.Board) int {
	n, seen := tree.nodes[at], 1
	if n.boardNode != 0 {
		if board := tree.nodes[n.boardNode]; board.boardNode != 0 || board.key != hashBoard(b) {
			t.Fatalf("a node of %s shares another board", b)
		}
		return seen
	}
	if n.untriedCount < 0 {
		return seen
	}
	moves := slices.Clone(tree.moves[n.untried:][:n.untriedCount])
	for child := n.firstChild; child != 0; child = tree.nodes[child].sibling {
		m := tree.nodes[child].move
		moves = append(moves, m)
		seen += walk(t, tree, child, b.After(m))
	}
	order := func(a, b ayu.Move) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) }
	all := b.Moves(nil)
	slices.SortFunc(moves, order)
	slices.SortFunc(all, order)
	if !slices.Equal(moves, all) {
		t.Fatalf("a node of %s has the moves %v, not %v", b, moves, all)
	}
	return seen
}

// TestStopEarly checks that a search ends early only if the best move leads by more than it can lose in the rest of
// the time.
func TestStopEarly(t *testing.T) {
	for _, c := range []struct {
		first, second int32
		elapsed       time.Duration // of 8 s, after 640 simulations
		want          bool
	}{
		{600, 40, 4 * time.Second, true},   // 640 remain, and 320 would have to go to another move
		{400, 240, 4 * time.Second, false}, // it may catch up
		{400, 240, 7 * time.Second, true},  // 91 remain
		{640, 0, time.Second / 2, false},   // the rate is not known
		{300, 300, 7900 * time.Millisecond, false},
		{300, 300, 8 * time.Second, true}, // the time is up
	} {
		synctest.Test(t, func(t *testing.T) {
			m := searcher{tree: newTree(ayu.NewBoard(5), true)}
			m.tree.nodes = append(m.tree.nodes, node{visits: c.second, sibling: 2}, node{visits: c.first})
			m.tree.nodes[0].firstChild = 1
			deadline := time.Now().Add(8 * time.Second)
			stop := m.stopEarly(8*time.Second, func() bool { return !time.Now().Before(deadline) })
			time.Sleep(c.elapsed)
			if got := stop(640); got != c.want {
				t.Errorf("with %d and %d visits after %v of 8 s: %t, want %t", c.first, c.second, c.elapsed, got, c.want)
			}
		})
	}
}

// TestGamesDiffer checks that the highest level, whose search is not random by itself, does not begin all games alike if it
// may vary, and that the moves that it chooses are among the best.
func TestGamesDiffer(t *testing.T) {
	beginnings := make(map[string]bool)
	for seed := range uint64(8) {
		var p engine.Position = start(t, `{"size":11,"pie":false}`)
		p = after(t, p, "b5-b6")
		s := new(searcher)
		var turns []string
		for range 6 {
			o := search.Options{Level: search.MaxLevel, Playouts: 400, Seed: seed}
			best, err := new(searcher).Search(t.Context(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			o.Vary = true
			a, err := s.Search(t.Context(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			if a.Choices[0].Chance > best.Choices[0].Chance+0.05 || len(a.Choices) != len(best.Choices) {
				t.Errorf("%v, want about %v", a.Choices, best.Choices)
			}
			turns, p = append(turns, a.Choices[0].Actions...), after(t, p, a.Choices[0].Actions...)
		}
		beginnings[strings.Join(turns, " ")] = true
	}
	if len(beginnings) < 3 {
		t.Errorf("8 games have %d beginnings", len(beginnings))
	}
}

// TestVary checks which choices vary exchanges.
func TestVary(t *testing.T) {
	first := make(map[string]int)
	for seed := range uint64(60) {
		choices := []search.Choice{
			{Actions: []string{"a"}, Chance: 0.53, Visits: 1000}, {Actions: []string{"b"}, Chance: 0.527, Visits: 100},
			{Actions: []string{"c"}, Chance: 0.526, Visits: 10}, {Actions: []string{"d"}, Chance: 0.5, Visits: 600},
		}
		vary(choices, seed)
		first[choices[0].Actions[0]]++
		if choices[0].Chance < choices[1].Chance || choices[1].Chance < choices[2].Chance {
			t.Fatalf("the chances of %v are not in order", choices)
		}
	}
	if first["a"] < 10 || first["b"] < 10 || len(first) != 2 {
		t.Errorf("the first choices are %v", first)
	}
}

// TestProofsDecide checks which child of the root is selected, and by how many visits the best one leads, if one is proven.
func TestProofsDecide(t *testing.T) {
	for _, c := range []struct {
		name           string
		uniform        bool
		proof          proof // of the second child
		selected, lead int32 // number of the child
	}{
		{"unproven", false, unproven, 2, 500},
		{"won by another order of moves", false, provenWin, 2, 500},
		{"lost", false, provenLoss, 1, 60},
		{"equal visits, lost", true, provenLoss, 3, 0},
	} {
		tr := newTree(ayu.NewBoard(5), true)
		tr.uniform = c.uniform
		tr.nodes[0].firstChild, tr.nodes[0].untriedCount, tr.nodes[0].boardVisits = 1, 0, 700
		tr.nodes = append(tr.nodes, node{sibling: 2, visits: 100, boardVisits: 100, wins: 90},
			node{sibling: 3, visits: 600, boardVisits: 600, wins: 599}, node{visits: 40, boardVisits: 40, wins: 2})
		tr.nodes[2].proof = c.proof
		if c.proof == provenWin {
			tr.nodes[2].wins = 1 // most of its visits were before the proof
		}
		if at, lead := tr.selectChild(0, ayu.Black, nil), tr.lead(); at != c.selected || lead != c.lead {
			t.Errorf("%s: child %d is selected, and the best leads by %d visits, want %d and %d", c.name, at, lead, c.selected, c.lead)
		}
	}
}
