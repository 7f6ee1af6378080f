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
	"ayumu/engine/bot"
)

// CodeCupSize is the size of the boards of the CodeCup of 2015.
const CodeCupSize = 11

// RunCodeCup plays a game of Ayu on 11×11 without pie as the CodeCup of 2015 has it: "Start" comes
// first where the player moves first, otherwise the opponent's move; each move is a line such as
// B1-B2, and "Quit" or the end of in ends it. All of the player's turns together take less than
// total. The error is one of reading or writing, or of a line that is no legal move.
func RunCodeCup(ctx context.Context, in io.Reader, out io.Writer, c Config, total time.Duration) error {
	o := ayu.Options{Size: CodeCupSize}
	var p engine.Position = ayu.Game{}.New(o)
	var player bot.Player
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
		options := bot.Options{Level: c.Level, Playouts: c.Playouts, Seed: c.Seed, Time: TurnTime(left, total, CodeCupSize, plies)}
		advice, err := player.Think(ctx, p, options)
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

// How a whole game's time is spread over the moves of Ayu.
const (
	reserveFraction = 20                     // one part in so many is kept back
	minReserve      = 100 * time.Millisecond // and never less than this
	minMovesLeft    = 6                      // own moves that the time left must always be enough for
)

// TurnTime returns how long the next turn of a game of Ayu may take that has had so many plies, with
// the time left of a total for all turns of the player: what is left, but for a reserve, spread
// evenly over his moves of a game of usual length. On 11×11 games have 56 to 97 plies, half of them at
// most 72, and the last ten take no time since their result is known.
func TurnTime(left, total time.Duration, size, plies int) time.Duration {
	usual := size * size * 3 / 5
	moves := max((usual-plies+1)/2, minMovesLeft)
	left -= max(total/reserveFraction, minReserve)
	return max(left/time.Duration(moves), time.Millisecond)
}
