package search

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/ayu/solve"
	"ayumu/engine/search"
)

// movesLeft returns the number of own moves within which the side to move wins.
func movesLeft(t *testing.T, b ayu.Board) int {
	t.Helper()
	var exact solve.Solver
	n, wins := exact.ShortestWin(b, 20)
	if !wins {
		t.Fatalf("the side to move does not win: %s", b)
	}
	return n
}

// TestLongestDefence checks that in lost positions the opponent needs as many moves as possible.
func TestLongestDefence(t *testing.T) {
	lost, differ := 0, 0
	for seed := uint64(0); lost < 5; seed++ {
		rng := rand.New(rand.NewPCG(seed, 2))
		b := ayu.NewBoard(7)
		for b.Span(ayu.Black)+b.Span(ayu.White) > 9 {
			m, ok := b.RandomMove(rng.IntN)
			if !ok {
				break
			}
			b = b.After(m)
		}
		var exact solve.Solver
		if b.IsImmobile() {
			continue
		}
		if wins, _ := exact.WinsAfter(b, 5); !wins {
			continue
		}
		lost++
		longest := make(map[ayu.Move]int)
		for _, m := range b.Moves(nil) {
			longest[m] = movesLeft(t, b.After(m))
		}
		most, least := 0, 20
		for _, n := range longest {
			most, least = max(most, n), min(least, n)
		}
		if most > least {
			differ++
		}
		var pl searcher
		a, err := pl.Search(context.Background(), ayu.FromBoard(b), search.Options{Level: search.MaxLevel, Playouts: 200_000})
		if err != nil {
			t.Fatal(err)
		}
		m, err := ayu.ParseMove(a.Choices[0].Actions[0])
		if err != nil {
			t.Fatal(err)
		}
		if longest[m] < most || a.Choices[0].Chance != 0 {
			t.Errorf("%s: %s loses in %d moves with a chance of %v; others in up to %d", b, m, longest[m], a.Choices[0].Chance, most)
		}
	}
	if differ == 0 {
		t.Error("all moves of all positions lose as soon")
	}
}

// TestProofsAreTrue checks the proof of each node of trees of 5×5, with and without a policy and an exact search, against a
// solver without a limit.
func TestProofsAreTrue(t *testing.T) {
	var exact solve.Solver
	checked := make(map[proof]int)
	for seed := range uint64(12) {
		b := opening(5, 4+int(seed%4), seed)
		for _, c := range []struct{ level, boards int }{{3, 0}, {search.MaxLevel, 0}, {search.MaxLevel, 40}, {search.MaxLevel, 400}} {
			var m searcher
			m.search(ayu.FromBoard(b), search.Options{Level: c.level, Seed: seed}, 1000, c.boards, func(int) bool { return false })
			for i, at := range nodeBoards(m.tree) {
				switch p := m.tree.nodes[i].proof; p {
				case unproven:
					continue
				case provenWin:
					if wins, _ := exact.WinsAfter(at, longestWin); !wins {
						t.Fatalf("opening %d, %+v: %s is proven to be won by the side that moved, but is lost", seed, c, at)
					}
					checked[p]++
				case provenLoss:
					if wins, _ := exact.Wins(at, longestWin); !wins {
						t.Fatalf("opening %d, %+v: %s is proven to be lost by the side that moved, but is not", seed, c, at)
					}
					checked[p]++
				}
			}
		}
	}
	if checked[provenWin] < 100 || checked[provenLoss] < 100 {
		t.Errorf("%d nodes are proven to be won and %d to be lost: too few to check", checked[provenWin], checked[provenLoss])
	}
}

// TestExactSearchMarksTheSoonestWins checks which moves of the root are proven by an exact search without simulations, however
// early it gives up: none that wins later than another, or not at all.
func TestExactSearchMarksTheSoonestWins(t *testing.T) {
	marked := 0
	for seed := range uint64(40) {
		b := opening(5, 4+int(seed%8), seed)
		var exact solve.Solver
		soonest, wins := exact.ShortestWin(b, longestWin)
		if b.IsImmobile() || !wins {
			continue
		}
		for _, limit := range []int{1, 3, 10, 30, 100, 300, 1000, exactBoards} {
			var m searcher
			m.search(ayu.FromBoard(b), search.Options{Level: search.MaxLevel}, 1, limit, func(int) bool { return true })
			if !m.tree.isSolved() {
				continue
			}
			for i := m.tree.nodes[0].firstChild; i != 0; i = m.tree.nodes[i].sibling {
				if m.tree.boardNode(i).proof != provenWin {
					continue
				}
				marked++
				move := m.tree.nodes[i].move
				if isSoonest, _ := exact.WinsAfter(b.After(move), soonest-1); !isSoonest {
					t.Errorf("%s with a limit of %d boards: %s is marked, but does not win within %d moves", b, limit, move, soonest)
				}
			}
		}
	}
	if marked < 100 {
		t.Errorf("%d moves are marked: too few to check", marked)
	}
}

// nodeBoards returns the boards of the nodes of a tree that have one, by their indices.
func nodeBoards(tr *tree) map[int32]ayu.Board {
	all := make(map[int32]ayu.Board)
	var visit func(at int32, b ayu.Board)
	visit = func(at int32, b ayu.Board) {
		if board := tr.nodes[at].boardNode; board != 0 {
			at = board
		}
		if _, seen := all[at]; seen {
			return
		}
		all[at] = b
		for child := tr.nodes[at].firstChild; child != 0; child = tr.nodes[child].sibling {
			visit(child, b.After(tr.nodes[child].move))
		}
	}
	visit(0, tr.board)
	return all
}

// TestChancesDescend checks that no choice has a higher chance than those before it, also where the opponent's first
// move may be swapped.
func TestChancesDescend(t *testing.T) {
	for _, actions := range [][]string{{}, {"b1-b2"}, {"b1-b2", "a2-a3"}} {
		var p engine.Position = start(t, `{"size":7}`)
		for _, action := range actions {
			p = after(t, p, action)
		}
		for _, playouts := range []int{30, 300} {
			a, err := new(searcher).Search(t.Context(), p, search.Options{Level: search.MaxLevel, Playouts: playouts})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.IsSortedFunc(a.Choices, func(x, y search.Choice) int { return cmp.Compare(y.Chance, x.Chance) }) {
				t.Errorf("after %v the choices are %+v", actions, a.Choices)
			}
		}
	}
}
