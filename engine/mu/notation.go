package mu

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// String implements engine.Position. It returns the position line of docs/rules/mu.md, section 11.1.
func (p *Position) String() string { return string(p.line()) }

// Digest returns the first 16 hexadecimal digits of the SHA-256 of the position line.
func (p *Position) Digest() string {
	sum := sha256.Sum256(p.line())
	return hex.EncodeToString(sum[:8])
}

func (p *Position) line() []byte {
	dst := make([]byte, 0, 64+12*len(p.pieces))
	dst = append(dst, p.phase.String()...)
	dst = append(dst, '|')
	for i, h := range p.board.cells {
		if i > 0 {
			dst = append(dst, ';')
		}
		dst = h.append(dst)
		dst = append(dst, ':')
		dst = append(dst, p.terrain.cells[i].terrain.String()...)
		if pc := p.pieces[i]; pc.men > 0 {
			dst = strconv.AppendUint(dst, uint64(pc.owner), 10)
			dst = append(dst, '.')
			dst = strconv.AppendUint(dst, uint64(pc.men), 10)
		}
	}
	dst = append(dst, '|')
	dst = strconv.AppendUint(dst, uint64(p.seat), 10)
	dst = append(dst, '|')
	dst = appendHexes(dst, p.Rights())
	dst = append(dst, '|')
	dst = appendHexes(dst, p.Critical())
	dst = append(dst, '|')
	return strconv.AppendUint(dst, uint64(p.passes), 10)
}

func appendHexes(dst []byte, hexes []Hex) []byte {
	for i, h := range hexes {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = h.append(dst)
	}
	return dst
}
