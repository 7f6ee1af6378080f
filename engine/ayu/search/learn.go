//go:build train

package search

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"ayumu/engine/ayu"
)

// position is a searched position of a training game, as playTraining writes it.
type position struct {
	game   int // number of the game, from 0
	board  ayu.Board
	last   ayu.Move
	share  float32 // of the wins of the side to move in the search
	next   string  // what was played: best, random or, for a position of the search tree only, nothing
	target float32 // the share that the evaluator is fitted to
	visits map[ayu.Move]int
}

// parsePosition reads a line, without what follows from the rest of its game.
func parsePosition(line string) (x position, err error) {
	words := strings.Fields(line)
	if len(words) < 6 || len(words)%2 == 1 {
		return x, errors.New("this is no position")
	}
	x.visits = make(map[ayu.Move]int)
	var errs [3]error
	var share float64
	x.board, errs[0] = ayu.ParseBoard(strings.Join(words[:3], " "))
	x.last, errs[1] = ayu.ParseMove(words[3])
	share, errs[2] = strconv.ParseFloat(words[4], 32)
	x.share, x.next = float32(share), words[5]
	for i := 6; i < len(words); i += 2 {
		m, err := ayu.ParseMove(words[i])
		n, e := strconv.Atoi(words[i+1])
		if err := errors.Join(err, e); err != nil {
			return x, err
		}
		x.visits[m] = n
	}
	return x, errors.Join(errs[:]...)
}

// testGames is the interval of games whose positions are the test set.
const testGames = 20

// forPositions calls f with each position of a file.
func forPositions(name string, f func(position)) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	games := 0
	var game []position
	for line := range strings.Lines(string(data)) {
		if color, isLast := strings.CutPrefix(strings.TrimSpace(line), "won "); isLast {
			setTargets(game, color)
			for _, x := range game {
				f(x)
			}
			games++
			game = game[:0]
			continue
		}
		x, err := parsePosition(line)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", name, strings.TrimSpace(line), err)
		}
		x.game = games
		game = append(game, x)
	}
	return nil
}

// nextPart is the part of the target of the next position in that of a position; the rest is what the search of the
// position itself says.
const nextPart = 0.95

// setTargets sets the targets of the positions of a game that a colour has won. What a search says of a position is wrong
// where the evaluator is; the later searches and the result are not, unless a random move was played in between.
func setTargets(game []position, color string) {
	black := float32(0) // the share of Black of the next position
	if color == ayu.Black.String() {
		black = 1
	}
	for i := len(game) - 1; i >= 0; i-- {
		x := &game[i]
		share := x.share
		if x.board.Turn() != ayu.Black {
			share = 1 - share
		}
		target := share
		switch x.next {
		case nextBest:
			black = nextPart*black + (1-nextPart)*share
			target = black
		case nextRandom:
			black = share
		}
		if x.target = target; x.board.Turn() != ayu.Black {
			x.target = 1 - target
		}
	}
}
