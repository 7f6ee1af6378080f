package mu

import (
	"fmt"
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
		c.removeMen(seat)
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

// removeMen removes all men of a seat from the board.
func (c *builder) removeMen(seat uint8) {
	for i, pc := range c.pieces {
		if pc.men > 0 && pc.owner == seat {
			c.pieces[i] = piece{}
			c.addStep(Step{Kind: Removed, Seat: seat, At: c.board.cells[i]})
		}
	}
	c.men[seat] = 0
}

// checkLeave returns an error if the seat cannot leave now.
func (p *Position) checkLeave(seat int) error {
	refuse := func(reason string) error {
		return &engine.ActionError{Action: fmt.Sprintf("leave %d", seat), Reason: reason}
	}
	switch {
	case p.phase == Over:
		return engine.ErrGameOver
	case seat < 0 || seat >= int(p.seats):
		return refuse(fmt.Sprintf("the seats are 0 to %d", p.seats-1))
	case p.seatLeft(uint8(seat)):
		return refuse("that seat has already left")
	case p.MidTurn():
		return refuse("a seat cannot leave within a turn")
	}
	return nil
}
