package ayu

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// recordedGame is a line of testdata/ayu-games.jsonl.gz: a random game to its end, made by a program
// that shares no code with this one.
type recordedGame struct {
	Size    int
	Moves   []string
	Legal   []int // before each move, and at the end
	Samples []struct {
		At    int
		Moves []string
	}
	Winner string
}

func readRecordedGames(tb testing.TB) []recordedGame {
	tb.Helper()
	f, err := os.Open("testdata/ayu-games.jsonl.gz")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	var all []recordedGame
	for d := json.NewDecoder(z); ; {
		var r recordedGame
		if err := d.Decode(&r); err == io.EOF {
			break
		} else if err != nil {
			tb.Fatal(err)
		}
		all = append(all, r)
	}
	if len(all) != 360 {
		tb.Fatalf("there are %d records, want 360", len(all))
	}
	return all
}

// boards returns the boards of the recorded game, the last one too.
func (r recordedGame) boards(tb testing.TB) []Board {
	tb.Helper()
	b := NewBoard(r.Size)
	all := []Board{b}
	for _, text := range r.Moves {
		m, err := ParseMove(text)
		if err != nil {
			tb.Fatal(err)
		}
		b = b.After(m)
		all = append(all, b)
	}
	return all
}

func moveTexts(moves []Move) []string {
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = m.String()
	}
	slices.Sort(texts)
	return texts
}

func TestRecordedGames(t *testing.T) {
	var buf []Move
	for i, r := range readRecordedGames(t) {
		boards := r.boards(t)
		for at, b := range boards {
			buf = b.Moves(buf[:0])
			if len(buf) != r.Legal[at] || b.CountMoves() != r.Legal[at] {
				t.Fatalf("game %d before move %d (%s): %d moves, counted %d, want %d", i, at, b, len(buf), b.CountMoves(), r.Legal[at])
			}
			if b.IsImmobile() != (r.Legal[at] == 0) {
				t.Fatalf("game %d before move %d (%s): immobile is %t with %d moves", i, at, b, b.IsImmobile(), r.Legal[at])
			}
		}
		for _, s := range r.Samples {
			if got := moveTexts(boards[s.At].Moves(nil)); !slices.Equal(got, s.Moves) {
				t.Fatalf("game %d before move %d (%s): moves\n%v, want\n%v", i, s.At, boards[s.At], got, s.Moves)
			}
		}
		if last := boards[len(boards)-1]; last.Turn().String() != r.Winner {
			t.Errorf("game %d: %s is to move without a move, want %s", i, last.Turn(), r.Winner)
		}
	}
}

func BenchmarkGames11(b *testing.B) {
	var boards []Board
	moves := 0
	for _, r := range readRecordedGames(b) {
		if r.Size == 11 {
			boards = append(boards, r.boards(b)...)
			for _, n := range r.Legal {
				moves += n
			}
		}
	}
	buf := make([]Move, 0, 512)
	for b.Loop() {
		n := 0
		for _, board := range boards {
			n += len(board.Moves(buf))
		}
		if n != moves {
			b.Fatalf("%d moves, want %d", n, moves)
		}
	}
	b.ReportMetric(float64(len(boards))*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}

// BenchmarkPlayouts11 plays uniformly random games from the start to their end.
func BenchmarkPlayouts11(b *testing.B) {
	rng := rand.New(rand.NewPCG(11, 11))
	buf := make([]Move, 0, 512)
	plies := 0
	for b.Loop() {
		for board := NewBoard(11); ; plies++ {
			moves := board.Moves(buf)
			if len(moves) == 0 {
				break
			}
			board = board.After(moves[rng.IntN(len(moves))])
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "playouts/s")
	b.ReportMetric(float64(plies)/float64(b.N), "plies/playout")
}
