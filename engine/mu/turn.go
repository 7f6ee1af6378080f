package mu

import "ayumu/engine"

// beginPlay starts the first turn of play.
func (c *builder) beginPlay() {
	c.phase = Play
	c.seat = c.seats - 1
	c.nextTurn()
}

// end ends the turn of the seat to move (docs/rules/mu.md, sections 5.2, 7.6 and 8).
func (c *builder) end() {
	if c.hasMoved {
		c.passes = 0
	} else {
		c.passes++
	}
	c.cells.trimSections()
	c.endTurn()
}

// endTurn ends the match if the last turn decided it, and starts the next turn otherwise.
func (c *builder) endTurn() {
	if c.passes >= c.seats || c.countAlive() <= 1 {
		c.finish(engine.ReasonScore)
		return
	}
	c.nextTurn()
}

// countAlive returns the number of players who have men and have not left.
func (c *builder) countAlive() int {
	n := 0
	for seat := range c.seats {
		if c.men[seat] > 0 && !c.seatLeft(seat) {
			n++
		}
	}
	return n
}

// nextTurn starts the turn of the next player who is not passed over.
func (c *builder) nextTurn() {
	seat := (c.seat + 1) % c.seats
	for c.seatLeft(seat) || c.men[seat] == 0 {
		c.cells.addStep(Step{Kind: PassedOver, Seat: seat})
		if c.passes++; c.passes >= c.seats {
			c.finish(engine.ReasonScore)
			return
		}
		seat = (seat + 1) % c.seats
	}
	if c.recordTurn(seat) >= 3 {
		c.finish(engine.ReasonRepetition)
		return
	}
	c.seat = seat
	c.hasMoved = false
	c.rights = c.occupied(c.seat)
}

// occupied returns the bit set of segments in which a seat has a piece.
func (bs *boardState) occupied(seat uint8) uint64 {
	var segments uint64
	for i, pc := range bs.pieces {
		if pc.men > 0 && pc.owner == seat {
			segments |= 1 << bs.board.segment[i]
		}
	}
	return segments
}

// finish ends the match. The seat to move stays.
func (c *builder) finish(reason string) {
	c.result = c.outcome(reason)
	c.phase = Over
	c.hasMoved = false
	c.rights = 0
	c.history = nil
}
