package ayu

import (
	"errors"
	"fmt"

	"ayumu/engine"
)

// MaxHandicap returns the largest handicap on n×n points: half of the size, rounded down.
func MaxHandicap(n int) int { return n / 2 }

// StartAt implements engine.Starter.
func (Game) StartAt(p engine.Position) (engine.Options, error) {
	from := p.(*Position)
	switch {
	case from.isOver():
		return nil, engine.ErrGameOver
	case from.extra > 0:
		return nil, errors.New("the moves of the handicap have not all been made")
	case from.board == NewBoard(from.board.Size()):
		return Options{Size: from.board.Size()}, nil
	}
	return Options{Size: from.board.Size(), Position: from.board.String()}, nil
}

// parseStart returns the board of a text with which a match can begin.
func parseStart(text string) (Board, error) {
	if len(text) > engine.MaxStartBytes {
		return Board{}, fmt.Errorf("a position has at most %d characters", engine.MaxStartBytes)
	}
	b, err := ParseBoard(text)
	switch {
	case err != nil:
		return Board{}, fmt.Errorf("position: %w", err)
	case b.IsImmobile():
		return Board{}, fmt.Errorf("position: %w, because %s has no move", engine.ErrGameOver, b.Turn().Name())
	}
	return b, nil
}

// StartPosition implements engine.PositionOptions: the one-line form of the first board.
func (o Options) StartPosition() string { return o.Position }

// HasHandicap implements engine.HandicapOptions.
func (o Options) HasHandicap() bool { return o.Handicap > 0 }
