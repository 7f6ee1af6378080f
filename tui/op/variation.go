package op

import (
	"errors"

	"ayumu/engine"
)

// maxVariation bounds a variation, in turns.
const maxVariation = 500

// Variation is a line of turns that branches off a match. It is local to the session; the match does not change.
// NewVariation is the constructor.
type Variation struct {
	Positions []engine.Position // at the branch, and after each turn of the line
	Turns     [][]string
	Shown     int // number of turns before the position that is shown
}

// NewVariation returns an empty variation at a position. A position that is over is an error.
func NewVariation(p engine.Position) (Variation, error) {
	if _, over := p.Result(); over {
		return Variation{}, errors.New("the game is over here; step back first")
	}
	return Variation{Positions: []engine.Position{p}}, nil
}

// Position returns the position that is shown.
func (v *Variation) Position() engine.Position { return v.Positions[v.Shown] }

// Play appends a turn after the position that is shown and removes later ones.
func (v *Variation) Play(turn []string) error {
	next, err := engine.PlayTurn(v.Position(), turn)
	switch {
	case err != nil:
		return err
	case v.Shown == maxVariation:
		return errors.New("no more moves can be tried; return to the game")
	}
	v.Turns = append(v.Turns[:v.Shown:v.Shown], turn)
	v.Positions = append(v.Positions[:v.Shown+1:v.Shown+1], next)
	v.Shown++
	return nil
}

// Step shows the position a number of turns later, or earlier if by is negative, and stops at the ends. It reports
// whether the position changed.
func (v *Variation) Step(by int) bool {
	before := v.Shown
	v.Shown = max(min(v.Shown+by, len(v.Turns)), 0)
	return v.Shown != before
}
