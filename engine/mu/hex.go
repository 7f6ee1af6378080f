package mu

import (
	"bytes"
	"strconv"
	"strings"
)

// Hex names a cell by its axial coordinates (docs/rules/mu.md, section 1.1).
type Hex struct{ Q, R int16 }

// String is the cell's name in every notation: "q,r".
func (h Hex) String() string { return string(h.append(nil)) }

func (h Hex) append(dst []byte) []byte {
	dst = strconv.AppendInt(dst, int64(h.Q), 10)
	dst = append(dst, ',')
	return strconv.AppendInt(dst, int64(h.R), 10)
}

// Step returns the cell n steps away in direction d.
func (h Hex) Step(d Dir, n int) Hex {
	v := dirVectors[d]
	return Hex{h.Q + v.Q*int16(n), h.R + v.R*int16(n)}
}

// Distance returns the number of steps between two cells.
func (h Hex) Distance(o Hex) int {
	q, r := int(h.Q)-int(o.Q), int(h.R)-int(o.R)
	return max(q, -q, r, -r, q+r, -q-r)
}

// before orders cells by q and then r, as positions list them.
func (h Hex) before(o Hex) bool { return h.Q < o.Q || h.Q == o.Q && h.R < o.R }

// compareText orders cells as the texts of actions that name them are ordered; whatever follows
// the cell in such a text is a space or nothing, which sorts below every character of a cell.
func (h Hex) compareText(o Hex) int {
	var a, b [16]byte
	return bytes.Compare(h.append(a[:0]), o.append(b[:0]))
}

// maxCoordinate bounds both coordinates of every centre: 48 segments in a line reach no further.
const maxCoordinate = 3 * maxPlayers * maxSegments

// parseHex reads a centre or a cell as String writes it, and nothing else.
func parseHex(s string) (Hex, bool) {
	qs, rs, ok := strings.Cut(s, ",")
	if !ok {
		return Hex{}, false
	}
	q, okQ := parseInt(qs, maxCoordinate+1)
	r, okR := parseInt(rs, maxCoordinate+1)
	return Hex{int16(q), int16(r)}, okQ && okR
}

// parseInt reads a decimal integer of size at most limit in its one canonical form.
func parseInt(s string, limit int) (int, bool) {
	if len(s) > 6 {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	if err != nil || strconv.Itoa(n) != s || n > limit || n < -limit {
		return 0, false
	}
	return n, true
}

// Dir is one of the six directions, 0 to 5, counterclockwise from e.
type Dir uint8

// The directions (docs/rules/mu.md, section 1.1).
const (
	E Dir = iota
	NE
	NW
	W
	SW
	SE
)

// Dirs are the six directions, counterclockwise from e.
var Dirs = [6]Dir{E, NE, NW, W, SW, SE}

var (
	dirVectors = [6]Hex{{1, 0}, {1, -1}, {0, -1}, {-1, 0}, {-1, 1}, {0, 1}}
	dirNames   = [6]string{"e", "ne", "nw", "w", "sw", "se"}
	// dirsByName are the directions in the order of their names.
	dirsByName = [6]Dir{E, NE, NW, SE, SW, W}
)

// String is the direction's name: e, ne, nw, w, sw or se.
func (d Dir) String() string { return dirNames[d] }

// Opposite returns the direction that leads back.
func (d Dir) Opposite() Dir { return (d + 3) % 6 }

// ParseDir reads a direction's name.
func ParseDir(s string) (Dir, bool) {
	for d, name := range dirNames {
		if s == name {
			return Dir(d), true
		}
	}
	return 0, false
}

// DirTo returns the direction of a straight line from one cell to another and the distance;
// false when they are not in line, or the same.
func DirTo(from, to Hex) (Dir, int, bool) {
	n := from.Distance(to)
	for _, d := range Dirs {
		if n > 0 && from.Step(d, n) == to {
			return d, n, true
		}
	}
	return 0, 0, false
}
