package mu

import "crypto/sha256"

// history is a list of turns of play, the newest first. It goes back to the last turn with more men or
// more virgin cells than now. No older position can recur: the number of virgin cells only falls, and
// while it is constant so does the number of men.
type history struct {
	prev    *history
	seat    uint8
	key     [16]byte // hash of the men on the cells
	men     int
	virgins int
	turns   int // in the list, including this one
}

// recordTurn adds the turn that starts for a seat and returns how often the position has occurred at the
// start of a turn (docs/rules/mu.md, section 8.2).
func (c *builder) recordTurn(seat uint8) int {
	cur := &history{prev: c.history, seat: seat, key: c.key(), virgins: c.terrain.virgins}
	for _, n := range c.men {
		cur.men += int(n)
	}
	if cur.prev != nil && (cur.prev.men != cur.men || cur.prev.virgins != cur.virgins) {
		cur.prev = nil
	}
	if cur.turns = 1; cur.prev != nil {
		cur.turns += cur.prev.turns
	}
	n := 0
	for t := cur; t != nil; t = t.prev {
		if t.seat == seat && t.key == cur.key {
			n++
		}
	}
	c.history = cur
	return n
}

// QuietTurns returns the number of consecutive turns before this one that ended with as many men and
// virgin cells as they started with. It is 0 outside play.
func (p *Position) QuietTurns() int {
	if p.history == nil {
		return 0
	}
	return p.history.turns - 1
}

// key returns a hash of the men and their cells; the terrain is constant within the list. The hash is
// cryptographic, so that no player can construct two positions with the same key.
func (bs *boardState) key() [16]byte {
	var buf [maxCells * 4]byte
	b := buf[:0]
	for i, pc := range bs.pieces {
		if pc.men > 0 {
			b = append(b, byte(i), byte(i>>8)<<4|pc.owner, byte(pc.men), byte(pc.men>>8))
		}
	}
	sum := sha256.Sum256(b)
	return [16]byte(sum[:16])
}
