package mu

import "crypto/sha256"

// past is the chain of the turns of play that began with as many men and as many virgin cells as
// there are now, the newest first. Both numbers say that no older position can recur: virgin
// cells only disappear, and with none of them gone men only do.
type past struct {
	older   *past
	seat    uint8
	key     [16]byte // of the men on the cells
	men     int
	virgins int
	turns   int // in the chain, this one included
}

// remember adds the turn that begins for a seat to the chain and returns how often the position
// has stood at the start of a turn by now (docs/rules/mu.md, section 8.2).
func (c *change) remember(seat uint8) int {
	now := &past{older: c.past, seat: seat, key: c.key(), virgins: c.land.virgins}
	for _, n := range c.men {
		now.men += int(n)
	}
	if now.older != nil && (now.older.men != now.men || now.older.virgins != now.virgins) {
		now.older = nil
	}
	if now.turns = 1; now.older != nil {
		now.turns += now.older.turns
	}
	n := 0
	for t := now; t != nil; t = t.older {
		if t.seat == seat && t.key == now.key {
			n++
		}
	}
	c.past = now
	return n
}

// Quiet returns how many turns in a row have ended with as many men and as many virgin cells as
// they began with, up to the present one, which is not counted. It is 0 outside play.
func (p *Position) Quiet() int {
	if p.past == nil {
		return 0
	}
	return p.past.turns - 1
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
