package mu

import "ayumu/engine"

// beginPlay gives the first turn of play.
func (c *change) beginPlay() {
	c.phase = Play
	c.seat = c.seats - 1
	c.nextTurn()
}

// end ends the turn of the seat to move (docs/rules/mu.md, sections 5.2, 7.6 and 8).
func (c *change) end() {
	if c.moved {
		c.passes = 0
	} else {
		c.passes++
	}
	c.trim()
	c.endTurn()
}

// endTurn ends the game where the turn that is over did so, and begins the next one.
func (c *change) endTurn() {
	if c.passes >= c.seats || c.alive() <= 1 {
		c.finish(engine.Score)
		return
	}
	c.nextTurn()
}

// alive counts the players who have men and have not left.
func (c *change) alive() int {
	n := 0
	for seat := range c.seats {
		if c.men[seat] > 0 && !c.gone(seat) {
			n++
		}
	}
	return n
}

// nextTurn begins the turn of the next player who is not passed over.
func (c *change) nextTurn() {
	seat := (c.seat + 1) % c.seats
	for c.gone(seat) || c.men[seat] == 0 {
		c.tell(Step{Kind: PassedOver, Seat: seat})
		if c.passes++; c.passes >= c.seats {
			c.finish(engine.Score)
			return
		}
		seat = (seat + 1) % c.seats
	}
	if c.remember(seat) >= 3 {
		c.finish(engine.Repetition)
		return
	}
	c.seat = seat
	c.moved = false
	c.rights = c.occupied()
}

// occupied returns the segments in which the seat to move has a piece.
func (p *Position) occupied() uint64 {
	var segments uint64
	for i, pc := range p.pieces {
		if pc.men > 0 && pc.owner == p.seat {
			segments |= 1 << p.board.segment[i]
		}
	}
	return segments
}

// finish ends the game; the seat whose turn it was stays.
func (c *change) finish(reason string) {
	c.result = c.outcome(reason)
	c.phase = Over
	c.moved = false
	c.rights = 0
	c.past = nil
}
