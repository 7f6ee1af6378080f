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

// TestLimitOfASearch checks that a search gives up once it has visited as many boards as the limit says and not before,
// and that each search begins with none, also on a solver that has made others.
func TestLimitOfASearch(t *testing.T) {
	for name, ask := range map[string]func(s *Solver, b ayu.Board) (wins, known bool){
		"Wins":      func(s *Solver, b ayu.Board) (wins, known bool) { return s.Wins(b, 3) },
		"WinsAfter": func(s *Solver, b ayu.Board) (wins, known bool) { return s.WinsAfter(b, 2) },
	} {
		compared, won := 0, 0
		for _, b := range lateBoards(7, 9, 60) {
			var unlimited Solver
			wins, _ := ask(&unlimited, b)
			needed := unlimited.visited
			if needed < 2 {
				continue
			}
			compared++
			if wins { // it is found by the last board that may be visited
				if wins, known := ask(&Solver{Limit: needed}, b); !wins || !known {
					t.Errorf("%s, %v: a win that is found after %d boards is %t, known: %t at a limit of %d", name, b, needed, wins, known, needed)
				}
				won++
				continue
			}
			if _, known := ask(&Solver{Limit: needed}, b); known {
				t.Errorf("%s, %v: a search that visits %d boards does not give up at a limit of %d", name, b, needed, needed)
			}
			enough := Solver{Limit: needed + 1}
			for i := range 3 {
				enough.proven = nil // so that each search visits all of them again
				if _, known := ask(&enough, b); !known {
					t.Fatalf("%s, %v: search %d, of %d boards, gives up before a limit of %d", name, b, i+1, needed, enough.Limit)
				}
			}
		}
		if won < 10 || compared-won < 10 {
			t.Errorf("%s: %d boards compared, of which %d are won: too few", name, compared, won)
		}
	}
}

// TestLargeSearchGivesUp checks the limit where the search without one would visit many more boards.
func TestLargeSearchGivesUp(t *testing.T) {
	for _, b := range lateBoards(11, 16, 5) {
		s := Solver{Limit: 100}
		s.Wins(b, 3)
		// Each of up to 3 own turns that were begun visits one more board for each of its moves.
		if most := s.Limit + 3*b.Size()*b.Size(); s.visited > most {
			t.Errorf("%v with a limit of %d boards visits %d, want at most %d", b, s.Limit, s.visited, most)
		}
	}
}

// TestProvenIsKept checks that what a search has proven, and what follows from it, is known without visiting a board.
func TestProvenIsKept(t *testing.T) {
	won, lost := 0, 0
	for _, b := range lateBoards(7, 8, 100) {
		if b.IsImmobile() {
			continue // its one visit costs less than keeping it
		}
		var s Solver
		wins, _ := s.Wins(b, 2)
		follows := []int{2, 1} // within fewer moves it does not win either
		if wins {
			follows = []int{2, 3}
			won++
		} else {
			lost++
		}
		for _, n := range follows {
			if again, _ := s.Wins(b, n); again != wins || s.visited != 0 {
				t.Errorf("%v: with %t proven within 2 moves, within %d it is %t, after visiting %d boards", b, wins, n, again, s.visited)
			}
		}
	}
	if won < 10 || lost < 10 {
		t.Errorf("%d won and %d lost boards: too few", won, lost)
	}
}

// TestProvenIsBounded checks that a full table is emptied, and that what is kept after it is.
func TestProvenIsBounded(t *testing.T) {
	defer func(n int) { maxProven = n }(maxProven)
	maxProven = 3
	var s Solver
	for i, b := range lateBoards(7, 8, 10) {
		s.keep(b, func(k *bounds) { k.loss = 1 })
		if want := i%maxProven + 1; len(s.proven) != want || s.proven[b].loss != 1 {
			t.Fatalf("after %d boards %d are kept, want %d; the last one as %+v", i+1, len(s.proven), want, s.proven[b])
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
