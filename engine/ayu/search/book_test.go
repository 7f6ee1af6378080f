package search

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ayumu/engine/ayu"
	"ayumu/engine/search"
	"ayumu/engine/search/searchtest"
)

// bookSearch is the number of simulations of a position of the book, and bookSizes are its sizes.
const bookSearch = 40_000

var bookSizes = [...]int{11, 9}

// Which positions the book has: all that one move can reach, and those that follow likely replies to the fairest of
// these.
const (
	bookPlies  = 4    // moves of the longest lines
	bookFair   = 0.04 // how far the share of wins of a first move that is followed may be from a half
	bookWidth  = 2    // replies that are followed, at most
	bookVisit  = 0.15 // of the visits, which a reply that is followed has at least
	bookFewest = 6    // first moves that are followed at least
)

// bookLine is a line of the book while it is made.
type bookLine struct {
	moves   []ayu.Move
	entry   bookEntry
	replies []ayu.Move // that are followed
}

// text returns the line as parseBookLine reads it.
func (l bookLine) text(size int) string {
	words := []string{fmt.Sprint(size)}
	for _, m := range append(slices.Clone(l.moves), l.entry.best) {
		words = append(words, m.String())
	}
	return fmt.Sprintf("%s %.0f\n", strings.Join(words, " "), 1000*l.entry.share)
}

// BenchmarkBook makes book.txt in a folder; docs/engines.md has the command. Everything but the time follows from
// -ayu.seed.
func BenchmarkBook(b *testing.B) {
	if *flagFolder == "" {
		b.Skip("-ayu.folder names no folder")
	}
	for b.Loop() {
		var out strings.Builder
		for _, size := range bookSizes {
			lines := [][]ayu.Move{}
			known := make(map[ayu.Board]bool)
			add := func(moves []ayu.Move) {
				board := ayu.NewBoard(size)
				for _, m := range moves {
					board = board.After(m)
				}
				if board, _ = canonical(board); !known[board] {
					known[board] = true
					lines = append(lines, moves)
				}
			}
			for _, m := range ayu.NewBoard(size).Moves(nil) {
				add([]ayu.Move{m})
			}
			for ply := 1; ply <= bookPlies; ply++ {
				found := make([]bookLine, len(lines))
				searchtest.InParallel(len(lines), *flagWorkers, func(i int) string {
					found[i] = searchLine(size, lines[i])
					return ""
				})
				slices.SortStableFunc(found, func(x, y bookLine) int { return cmp.Compare(x.unfairness(), y.unfairness()) })
				lines = nil
				for i, l := range found {
					out.WriteString(l.text(size))
					if ply > 1 || i < bookFewest || l.unfairness() < bookFair {
						for _, m := range l.replies {
							add(append(slices.Clone(l.moves), m))
						}
					}
				}
				fmt.Printf("%d×%d, %d moves: %d positions\n", size, size, ply, len(found))
			}
		}
		if err := os.WriteFile(filepath.Join(*flagFolder, "book.txt"), []byte(out.String()), 0o644); err != nil {
			b.Fatal(err)
		}
	}
}

// unfairness returns how far the share of wins is from a half.
func (l bookLine) unfairness() float64 { return math.Abs(float64(l.entry.share) - 0.5) }

// searchLine searches the position after some moves.
func searchLine(size int, moves []ayu.Move) bookLine {
	board := ayu.NewBoard(size)
	for _, m := range moves {
		board = board.After(m)
	}
	player := searcher{}
	o := search.Options{Level: search.MaxLevel, Seed: *flagSeed}
	player.search(ayu.FromBoard(board), o, bookSearch, 0, func(int) bool { return false })
	t := player.tree
	children := t.children()
	slices.SortStableFunc(children, t.compare)
	l := bookLine{moves: moves, entry: bookEntry{children[0].move, float32(t.winShare(children[0]))}}
	for _, k := range children[:min(len(children), bookWidth)] {
		if float64(k.visits) >= bookVisit*bookSearch {
			l.replies = append(l.replies, k.move)
		}
	}
	return l
}

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
