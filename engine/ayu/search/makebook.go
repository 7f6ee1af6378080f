//go:build train

package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"ayumu/engine/ayu"
	"ayumu/engine/search"
	"ayumu/engine/search/fit"
)

// bookSizes are the sizes of the boards of the book.
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

// MakeBook implements search.BookMaker: it makes book.txt. It searches the positions with the weights of the build.
func (Engine) MakeBook(ctx context.Context, c search.BookConfig) (string, error) {
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
			found, err := fit.InParallel(ctx, len(lines), c.AtOnce, func(i int) bookLine { return searchLine(size, lines[i], c) })
			if err != nil {
				return "", err
			}
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
			fmt.Fprintf(c.Log, "%d×%d, %d moves: %d positions\n", size, size, ply, len(found))
		}
	}
	return out.String(), nil
}

// unfairness returns how far the share of wins is from a half.
func (l bookLine) unfairness() float64 { return math.Abs(float64(l.entry.share) - 0.5) }

// searchLine searches the position after some moves.
func searchLine(size int, moves []ayu.Move, c search.BookConfig) bookLine {
	board := ayu.NewBoard(size)
	for _, m := range moves {
		board = board.After(m)
	}
	player := searcher{}
	o := search.Options{Level: search.MaxLevel, Seed: c.Seed}
	player.search(ayu.FromBoard(board), o, c.Playouts, 0, func(int) bool { return false })
	t := player.tree
	children := t.children()
	slices.SortStableFunc(children, t.compare)
	l := bookLine{moves: moves, entry: bookEntry{children[0].move, float32(t.winShare(children[0]))}}
	for _, k := range children[:min(len(children), bookWidth)] {
		if float64(k.visits) >= bookVisit*float64(c.Playouts) {
			l.replies = append(l.replies, k.move)
		}
	}
	return l
}
