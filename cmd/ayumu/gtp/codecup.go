package gtp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/search"
)

// CodeCupSize is the board size of the CodeCup of 2015.
const CodeCupSize = 11

// RunCodeCup plays a game of Ayu on 11×11 without pie in the protocol of the CodeCup of 2015. The first
// line is "Start" if this player moves first, otherwise the opponent's move. Each move is a line such as
// B1-B2; "Quit" or the end of in ends the game. All turns of this player together take less than total.
// The error is one of reading or writing, or an illegal move.
func RunCodeCup(ctx context.Context, in io.Reader, out io.Writer, c Config, total time.Duration) error {
	o := ayu.Options{Size: CodeCupSize}
	var p engine.Position = ayu.Game{}.New(o)
	searcher := c.Engines.NewSearcher(ayu.Game{})
	left := total
	lines := bufio.NewScanner(in)
	for plies := 0; lines.Scan(); {
		began := time.Now()
		switch word := strings.TrimSpace(clean(lines.Text())); {
		case word == "":
			continue
		case word == "Quit":
			return nil
		case word == "Start" && plies == 0:
		default:
			next, err := p.Play(word)
			if err != nil {
				return fmt.Errorf("move %d of the game: %w", plies+1, err)
			}
			p, plies = next, plies+1
		}
		if _, over := p.Result(); over {
			continue // Quit comes next
		}
		options := search.Options{Level: c.Level, Playouts: c.Playouts, Seed: c.Seed, Time: TurnTime(left, total, CodeCupSize, plies)}
		advice, err := searcher.Search(ctx, p, options)
		if err != nil {
			return err
		}
		move := advice.Choices[0].Actions[0]
		if p, err = p.Play(move); err != nil {
			return fmt.Errorf("the built-in player's move: %w", err)
		}
		plies++
		if _, err := fmt.Fprintln(out, strings.ToUpper(move)); err != nil {
			return fmt.Errorf("writing a move: %w", err)
		}
		left -= time.Since(began)
	}
	if err := lines.Err(); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading moves: %w", err)
	}
	return nil
}

// Distribution of the time of a game over its moves.
const (
	reserveFraction = 20                     // this fraction of the total is kept in reserve
	minReserve      = 100 * time.Millisecond // minimum reserve
	minMovesLeft    = 6                      // minimum number of own moves to keep time for
)

// TurnTime returns the time for the next turn of a game of Ayu after plies plies, given the time left of a
// total for all turns of the player. It spreads the time left, minus a reserve, evenly over the player's
// moves in a game of usual length. Games on 11×11 have 56 to 97 plies with a median of 72; the last ten
// take no time, since their result is known.
func TurnTime(left, total time.Duration, size, plies int) time.Duration {
	expectedPlies := size * size * 3 / 5
	moves := max((expectedPlies-plies+1)/2, minMovesLeft)
	left -= max(total/reserveFraction, minReserve)
	return max(left/time.Duration(moves), time.Millisecond)
}
