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
	"ayumu/engine/search"
	"ayumu/lobby/sanitize"
)

// CodeCupOptions returns the options of the first game of a list that was played at the CodeCup; false if
// none was.
func CodeCupOptions(games engine.Games) (engine.Options, bool) {
	for _, g := range games {
		if played, ok := g.(engine.CodeCupPlayer); ok {
			return played.CodeCupOptions(), true
		}
	}
	return nil, false
}

// RunCodeCup plays a game with CodeCupOptions of c.Games in the protocol of the CodeCup. The first line is
// "Start" if this player moves first, otherwise the opponent's move. Each move is a line in capitals; "Quit"
// or the end of in ends the game. All turns of this player together take less than total. The error is one of
// reading or writing, an illegal move, or that no game was played at the CodeCup.
func RunCodeCup(ctx context.Context, in io.Reader, out io.Writer, c Config, total time.Duration) error {
	o, ok := CodeCupOptions(c.Games)
	if !ok {
		return errors.New("none of the games was played at the CodeCup")
	}
	p, searcher := o.Game().New(o), c.Engines.NewSearcher(o.Game())
	left := total
	lines := bufio.NewScanner(in)
	for plies := 0; lines.Scan(); {
		began := time.Now()
		switch word := strings.TrimSpace(sanitize.WithoutControls(lines.Text())); {
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
		options := search.Options{Level: c.Level, Playouts: c.Playouts, Seed: c.Seed, Time: TurnTime(p, left, total), StopEarly: true,
			Threads: c.Threads}
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
	reserveFraction = 30                     // this fraction of the total is kept in reserve
	minReserve      = 100 * time.Millisecond // minimum reserve
	minMovesLeft    = 2                      // minimum number of own moves to keep time for
	defaultTurns    = 25                     // this fraction of the time left is for a turn of a game of unknown length
)

// TurnTime returns the time for the next turn in a position, given the time left of a total for all turns of the player. In a
// game of two it spreads the time left, minus a reserve, evenly over the player's expected turns. In a game of unknown
// length or with more seats it is always the same part of the time left.
func TurnTime(p engine.Position, left, total time.Duration) time.Duration {
	estimated, ok := p.(engine.LengthEstimator)
	if !ok || p.Seats() != 2 {
		return max(left/defaultTurns, time.Millisecond)
	}
	moves := max((estimated.RemainingTurns()+1)/2, minMovesLeft)
	left -= max(total/reserveFraction, minReserve)
	return max(left/time.Duration(moves), time.Millisecond)
}
