package search

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ayumu/engine/ayu"
	"ayumu/engine/search"
)

// TestBook checks that the moves of the book are legal, and that level 5 plays them on all reflections of a board.
func TestBook(t *testing.T) {
	lines := slices.Collect(strings.Lines(bookText))
	if len(lines) == 0 || len(bookText) > 200<<10 {
		t.Fatalf("the book has %d lines and %d bytes", len(lines), len(bookText))
	}
	for at, line := range lines {
		b, e, err := parseBookLine(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		replayed := ayu.NewBoard(b.Size())
		words := strings.Fields(line)
		for _, word := range words[1 : len(words)-1] {
			m, _ := ayu.ParseMove(word)
			if why := replayed.Explain(m); why != "" {
				t.Errorf("%s: %s", line, why)
			}
			replayed = replayed.After(m)
		}
		if e.share <= 0 || e.share >= 1 {
			t.Errorf("%s: a share of %v", line, e.share)
		}
		if at%50 > 0 {
			continue
		}
		for _, r := range reflections {
			board := r.board(b)
			got := best(t, new(searcher), ayu.FromBoard(board), search.Options{Level: search.MaxLevel, Playouts: 50})
			m, err := ayu.ParseMove(got.Actions[0])
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.Chance-float64(e.share)) > 0.01 || r.board(b.After(e.best)) != board.After(m) && canonicalAfter(b, e.best) != canonicalAfter(board, m) {
				t.Errorf("%s: %s with %.3f is chosen on %s", line, m, got.Chance, board)
			}
		}
	}
}

func canonicalAfter(b ayu.Board, m ayu.Move) ayu.Board {
	c, _ := canonical(b.After(m))
	return c
}

// TestReflections checks that each reflection undoes itself, and takes moves where it takes the board.
func TestReflections(t *testing.T) {
	for seed := range uint64(8) {
		b := opening([]int{5, 7, 11, 15}[seed%4], int(seed), seed)
		for _, r := range reflections {
			if r.board(r.board(b)) != b {
				t.Errorf("%+v does not undo itself on %s", r, b)
			}
			for _, m := range b.Moves(nil) {
				if r.board(b.After(m)) != r.board(b).After(r.move(m, b.Size())) {
					t.Fatalf("%+v takes %s elsewhere on %s", r, m, b)
				}
			}
		}
	}
}

// TestSwapsByTheBook checks that the opponent of a bot which may swap decides by the book.
func TestSwapsByTheBook(t *testing.T) {
	swapped, kept := 0, 0
	for line := range strings.Lines(bookText) {
		words := strings.Fields(line)
		b, e, err := parseBookLine(line)
		if err != nil {
			t.Fatal(err)
		}
		if len(words) != 4 || b.Size() != 9 || math.Abs(float64(e.share)-0.5) < 0.02 {
			continue
		}
		p := after(t, start(t, `{"size":9}`), words[1])
		swaps := best(t, new(searcher), p, search.Options{Level: search.MaxLevel, Playouts: 30}).Actions[0] == "swap"
		if swaps != (e.share < 0.5) {
			t.Errorf("%s: swaps: %t", line, swaps)
		}
		if swaps {
			swapped++
		} else {
			kept++
		}
	}
	if swapped == 0 || kept == 0 {
		t.Errorf("%d first moves are answered with a swap, %d with a move", swapped, kept)
	}
}
