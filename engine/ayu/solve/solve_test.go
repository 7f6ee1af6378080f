package solve

import (
	"math/rand/v2"
	"testing"

	"ayumu/engine/ayu"
)

// winsByDefinition is Wins without order, memory or limit.
func winsByDefinition(b ayu.Board, n int) bool {
	if b.IsImmobile() {
		return true
	}
	if n == 0 {
		return false
	}
	for _, m := range b.Moves(nil) {
		if winsAfterByDefinition(b.After(m), n-1) {
			return true
		}
	}
	return false
}

func winsAfterByDefinition(b ayu.Board, n int) bool {
	if b.IsImmobile() {
		return false
	}
	for _, m := range b.Moves(nil) {
		if !winsByDefinition(b.After(m), n) {
			return false
		}
	}
	return true
}

// lateBoards returns boards of random games in which both sides together need at most span moves.
func lateBoards(size, span, count int) []ayu.Board {
	rng := rand.New(rand.NewPCG(1, uint64(size)))
	var all []ayu.Board
	for len(all) < count {
		for b := ayu.NewBoard(size); ; {
			m, ok := b.RandomMove(rng.IntN)
			if !ok {
				break
			}
			if b = b.After(m); b.Span(ayu.Black)+b.Span(ayu.White) <= span && len(all) < count {
				all = append(all, b)
			}
		}
	}
	return all
}

func TestWinsAsDefined(t *testing.T) {
	var s Solver
	won := 0
	for _, b := range append(lateBoards(5, 8, 400), lateBoards(7, 6, 200)...) {
		for n := range 4 {
			want := winsByDefinition(b, n)
			if got, known := s.Wins(b, n); got != want || !known {
				t.Fatalf("%v within %d moves: %t, %t; want %t", b, n, got, known, want)
			}
			if want := winsAfterByDefinition(b, n); true {
				if got, known := s.WinsAfter(b, n); got != want || !known {
					t.Fatalf("%v after a move, within %d: %t, %t; want %t", b, n, got, known, want)
				}
			}
			if want {
				won++
			}
		}
	}
	if won < 100 {
		t.Errorf("%d wins: too few to compare", won)
	}
}

func TestShortestWin(t *testing.T) {
	var s Solver
	for _, b := range lateBoards(7, 8, 200) {
		n, ok := s.ShortestWin(b, 4)
		if !ok {
			continue
		}
		if !winsByDefinition(b, n) || n > 0 && winsByDefinition(b, n-1) {
			t.Errorf("%v: the shortest win is not of %d moves", b, n)
		}
	}
}

// TestALimitIsNoProof checks that a solver that has reached its limit gives up, says so, and keeps nothing that later calls would
// take for proven.
func TestALimitIsNoProof(t *testing.T) {
	for name, ask := range map[string]func(s *Solver, b ayu.Board) (wins, known bool){
		"Wins":      func(s *Solver, b ayu.Board) (wins, known bool) { return s.Wins(b, 4) },
		"WinsAfter": func(s *Solver, b ayu.Board) (wins, known bool) { return s.WinsAfter(b, 3) },
		"ShortestWin": func(s *Solver, b ayu.Board) (wins, known bool) {
			n, wins := s.ShortestWin(b, 4)
			return wins && n == 4, wins // false may be the limit
		},
	} {
		var limited, unlimited Solver
		unknown, won := 0, 0
		for _, b := range lateBoards(7, 9, 60) {
			want, _ := ask(&unlimited, b)
			if want {
				won++
			}
			for _, limited.Limit = range []int{10, 10, 100, 0} {
				wins, known := ask(&limited, b)
				// It gives up with up to 4 own turns begun, of which each visits one more board for each of its moves.
				if most := limited.Limit + 4*b.Size()*b.Size(); limited.Limit > 0 && limited.visited > most {
					t.Fatalf("%s, %v with a limit of %d boards visits %d", name, b, limited.Limit, limited.visited)
				}
				switch {
				case !known:
					unknown++
				case wins != want:
					t.Fatalf("%s, %v with a limit of %d boards: %t is said to be proven, but it is %t", name, b, limited.Limit, wins, want)
				}
			}
		}
		if unknown == 0 || won == 0 {
			t.Errorf("%s: the limit was reached %d times, and %d boards are won: too few to compare", name, unknown, won)
		}
	}
}

func BenchmarkWins(b *testing.B) {
	boards := lateBoards(11, 16, 64)
	for i := 0; b.Loop(); i++ {
		s := Solver{Limit: 100000}
		s.Wins(boards[i%len(boards)], 3)
	}
}
