package mu

import "crypto/sha256"

// history is the chain of the turns of play that began with as many men and as many virgin cells as
// there are now, the newest first. Both numbers say that no older position can recur: virgin
// cells only disappear, and with none of them gone men only do.
type history struct {
	prev    *history
	seat    uint8
	key     [16]byte // of the men on the cells
	men     int
	virgins int
	turns   int // in the chain, this one included
}

// recordTurn adds the turn that begins for a seat to the chain and returns how often the position
// has stood at the start of a turn by now (docs/rules/mu.md, section 8.2).
func (c *builder) recordTurn(seat uint8) int {
	now := &history{prev: c.history, seat: seat, key: c.key(), virgins: c.terrain.virgins}
	for _, n := range c.men {
		now.men += int(n)
	}
	if now.prev != nil && (now.prev.men != now.men || now.prev.virgins != now.virgins) {
		now.prev = nil
	}
	if now.turns = 1; now.prev != nil {
		now.turns += now.prev.turns
	}
	n := 0
	for t := now; t != nil; t = t.prev {
		if t.seat == seat && t.key == now.key {
			n++
		}
	}
	c.history = now
	return n
}

// QuietTurns returns how many turns in a row have ended with as many men and as many virgin cells as
// they began with, up to the present one, which is not counted. It is 0 outside play.
func (p *Position) QuietTurns() int {
	if p.history == nil {
		return 0
	}
	return p.history.turns - 1
}

// key is a digest of the men and where they stand; what the cells are is the same all along the
// chain. It is a cryptographic one, so that no player can build two positions that are taken for
// one.
func (p *Position) key() [16]byte {
	var buf [maxCells * 4]byte
	b := buf[:0]
	for i, pc := range p.pieces {
		if pc.men > 0 {
			b = append(b, byte(i), byte(i>>8)<<4|pc.owner, byte(pc.men), byte(pc.men>>8))
		}
	}
	sum := sha256.Sum256(b)
	return [16]byte(sum[:16])
}
