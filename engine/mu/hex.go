package mu

import (
	"bytes"
	"strconv"
	"strings"
)

// Hex is a cell by its axial coordinates (docs/rules/mu.md, section 1.1).
type Hex struct{ Q, R int16 }

// String returns the text of the cell in every notation: "q,r".
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

// before orders cells by q and then r, as in position lines.
func (h Hex) before(o Hex) bool { return h.Q < o.Q || h.Q == o.Q && h.R < o.R }

// compareText compares cells as the texts of actions that name them. A cell in such a text is followed by
// a space or nothing, which sorts below every character of a cell.
func (h Hex) compareText(o Hex) int {
	var a, b [16]byte
	return bytes.Compare(h.append(a[:0]), o.append(b[:0]))
}

// maxCoordinate bounds both coordinates of every centre: 48 segments in a line reach no further.
const maxCoordinate = 3 * maxPlayers * maxSegments

// parseHex reads a cell in exactly the form of String.
func parseHex(s string) (Hex, bool) {
	qs, rs, ok := strings.Cut(s, ",")
	if !ok {
		return Hex{}, false
	}
	q, okQ := parseInt(qs, maxCoordinate+1)
	r, okR := parseInt(rs, maxCoordinate+1)
	return Hex{int16(q), int16(r)}, okQ && okR
}

// parseInt reads a decimal integer in canonical form with an absolute value of at most limit.
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

// Dirs has the six directions, counterclockwise from e.
var Dirs = [6]Dir{E, NE, NW, W, SW, SE}

var (
	dirVectors = [6]Hex{{1, 0}, {1, -1}, {0, -1}, {-1, 0}, {-1, 1}, {0, 1}}
	dirNames   = [6]string{"e", "ne", "nw", "w", "sw", "se"}
	// dirsByName has the directions in alphabetical order of their names.
	dirsByName = [6]Dir{E, NE, NW, SE, SW, W}
)

// String returns the name of the direction: e, ne, nw, w, sw or se.
func (d Dir) String() string { return dirNames[d] }

// ParseDir reads the name of a direction.
func ParseDir(s string) (Dir, bool) {
	for d, name := range dirNames {
		if s == name {
			return Dir(d), true
		}
	}
	return 0, false
}

// DirTo returns the direction and the distance from one cell to another on a straight line. It returns
// false if they are not in line or the same.
func (from Hex) DirTo(to Hex) (Dir, int, bool) {
	n := from.Distance(to)
	for _, d := range Dirs {
		if n > 0 && from.Step(d, n) == to {
			return d, n, true
		}
	}
	return 0, 0, false
}
