package puzzle

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ayumu/engine/ayu"
	"ayumu/engine/ayu/solve"
	"ayumu/engine/puzzle"
)

// boardsOfGames returns the boards of the second half of random games on 7×7.
func boardsOfGames(games int) (all []ayu.Board) {
	rng := rand.New(rand.NewPCG(1, 7))
	for range games {
		b := ayu.NewBoard(7)
		for {
			m, ok := b.RandomMove(rng.IntN)
			if !ok {
				break
			}
			if b = b.After(m); b.Span(ayu.Black)+b.Span(ayu.White) <= 16 {
				all = append(all, b)
			}
		}
	}
	return all
}

// find returns the puzzle of a theme on a board, with an engine that finds the move and the winner with 64 playouts.
func find(t *testing.T, theme puzzle.Theme, b ayu.Board, move string, winner ayu.Color) (puzzle.Puzzle, bool) {
	return theme.Find(t.Context(), ayu.FromBoard(b), scripted{move: move, winner: int(winner)})
}

// TestPuzzlesAreWithinTheirLimits compares which positions of random games become puzzles with the limits in docs/puzzles.md,
// section 1.
func TestPuzzlesAreWithinTheirLimits(t *testing.T) {
	yes, no := make(map[string]int), make(map[string]int)
	check := func(theme puzzle.Theme, b ayu.Board, want, got bool, facts ...any) {
		if want {
			yes[theme.Name()]++
		} else {
			no[theme.Name()]++
		}
		if want != got {
			t.Errorf("%s, %s: a puzzle: %t, want %t: %v", theme.Name(), b, got, want, facts)
		}
	}
	for _, b := range boardsOfGames(40) {
		moves, own, other := b.Moves(nil), b.Turn(), b.Turn().Other()
		if len(moves) < 5 {
			continue
		}
		slices.SortFunc(moves, func(x, y ayu.Move) int { return b.After(y).Span(other) - b.After(x).Span(other) })
		first, second := b.After(moves[0]).Span(other), b.After(moves[1]).Span(other)
		if first > second {
			_, got := find(t, cut{}, b, moves[0].String(), own)
			check(cut{}, b, first-b.Span(other) >= 2 && first-second >= 2, got, "ways before, after the longest cut and after the second", b.Span(other), first, second)
		}

		var s solve.Solver
		losing := 0
		for _, m := range moves {
			if wins, _ := s.Wins(b.After(m), 1); wins {
				losing++
			}
		}
		if losing > 0 {
			_, got := find(t, trap{}, b, "", own)
			check(trap{}, b, len(moves) >= 8 && losing <= 6, got, "moves, and those that lose", len(moves), losing)
		}

		// Longer ways take the solver minutes.
		ways := []int{b.Span(own), b.Span(other)}
		slices.Sort(ways)
		if ways[1] <= 5 && ways[0]+ways[1] <= 8 {
			limited := solve.Solver{Limit: findLimit}
			if w, ok := winner(&limited, b); ok {
				_, got := find(t, race{}, b, "", w)
				check(race{}, b, ways[1]-ways[0] <= 1 && ways[0] >= 3, got, "ways", ways)
			}
		}
	}
	for _, theme := range []puzzle.Theme{cut{}, trap{}, race{}} {
		if name := theme.Name(); yes[name] == 0 || no[name] == 0 {
			t.Errorf("%s: %d positions are within the limits and %d are not: too few to compare", name, yes[name], no[name])
		}
	}
}

// TestWinsWithOneMove compares which boards of random games become wins with one move with the limits in docs/puzzles.md, section 1,
// and checks that each move that wins is accepted, and that no other is.
func TestWinsWithOneMove(t *testing.T) {
	theme := finish{}.AtMost(1)
	yes, no := 0, 0
	for _, b := range boardsOfGames(600) {
		moves := b.Moves(nil)
		if len(moves) < 5 || b.Span(b.Turn()) > 3 { // with a longer path only being cut off wins at once, and Find leaves it out
			continue
		}
		var wins []string
		for _, m := range moves {
			after, isWon := b.After(m), true
			for _, reply := range after.Moves(nil) {
				isWon = isWon && after.After(reply).IsImmobile()
			}
			if isWon && !after.IsImmobile() {
				wins = append(wins, m.String())
			}
		}
		want := len(wins) > 0 && len(moves) >= 2*len(wins)
		z, got := find(t, theme, b, "", b.Turn())
		if got != want || got && (z.Number != 1 || z.Effort != 1) {
			t.Errorf("%s: %v of %d moves win; a puzzle: %t, %+v", b, wins, len(moves), got, z)
		}
		if !got {
			no++
			continue
		}
		yes++
		for _, m := range moves {
			ok, why, refutation := theme.Accepts(&z, 0, ayu.FromBoard(b), []string{m.String()})
			if ok != slices.Contains(wins, m.String()) || !ok && why == "" {
				t.Errorf("%s: %s is accepted: %t, %q, %v; %v win", b, m, ok, why, refutation, wins)
			}
		}
		if err := theme.Verify(&z, ayu.FromBoard(b)); err != nil {
			t.Errorf("%s: %v", b, err)
		}
	}
	if yes < 5 || no < 100 {
		t.Errorf("%d wins with one move, %d others: too few to compare", yes, no)
	}
}

// TestRepliesResistLongest finds the puzzles of finish that ship again: no reply of their lines allows a faster win than is left,
// as the explanation says ("Best defence").
func TestRepliesResistLongest(t *testing.T) {
	shipped, err := puzzle.Read(strings.NewReader(Shipped))
	if err != nil {
		t.Fatal(err)
	}
	replies := 0
	for _, z := range shipped {
		if z.Theme != "finish" {
			continue
		}
		b, err := ayu.ParseBoard(z.Position)
		if err != nil {
			t.Fatal(err)
		}
		found, ok := find(t, finish{}, b, z.Line[0].Actions[0], b.Turn())
		if !ok {
			t.Errorf("%s is not found again", z.ID)
			continue
		}
		var s solve.Solver
		for i, turn := range found.Line[:len(found.Line)-1] {
			for _, text := range append(turn.Actions, turn.Reply...) {
				m, err := ayu.ParseMove(text)
				if err != nil {
					t.Fatal(err)
				}
				b = b.After(m)
			}
			replies++
			left := z.Number - i - 1
			if wins, _ := s.Wins(b, left-1); wins {
				t.Errorf("%s: after the reply %s the win takes fewer than the %d turns that are left", z.ID, turn.Reply, left)
			}
		}
	}
	if replies < 20 {
		t.Errorf("%d replies: too few to check", replies)
	}
}
