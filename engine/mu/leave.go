package mu

import (
	"math/bits"

	"ayumu/engine"
)

// Leave implements engine.Position (docs/rules/mu.md, section 9). It fails within a turn, for a seat that
// does not exist or has already left, and after the end.
func (p *Position) Leave(seat int) (engine.Position, error) {
	next, _, err := p.LeaveSteps(seat)
	if err != nil {
		return nil, err
	}
	return next, nil
}

// LeaveSteps is like Leave and also returns what it did.
func (p *Position) LeaveSteps(seat int) (*Position, []Step, error) {
	if err := p.checkLeave(seat); err != nil {
		return nil, nil, err
	}
	var steps []Step
	c := p.newBuilder(&steps)
	c.leave(uint8(seat))
	return c.Position, steps, nil
}

func (c *builder) leave(seat uint8) {
	c.left |= 1 << seat
	if c.phase != Play {
		c.cells.removeMen(seat)
	} else if seat == c.seat {
		c.passes++
	}
	switch {
	case bits.OnesCount8(c.left) >= int(c.seats)-1:
		c.finish(engine.ReasonLeft)
	case c.phase == Play && c.countAlive() <= 1:
		c.finish(engine.ReasonScore)
	case seat != c.seat:
	case c.phase == Layout:
		c.nextPlacement()
	case c.phase == Clearing:
		c.clearNext(seat + 1)
	default:
		c.endTurn()
	}
}
