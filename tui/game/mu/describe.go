package mu

import (
	"fmt"
	"strings"

	"ayumu/engine/mu"
)

// dirWords are the directions in words.
var dirWords = [...]string{mu.E: "right", mu.NE: "up right", mu.NW: "up left", mu.W: "left", mu.SW: "down left", mu.SE: "down right"}

var terrainNames = [terrains]string{mu.Virgin: "virgin", mu.Commonwealth: "Commonwealth", mu.Wall: "Wall"}

func outOfBounds(h mu.Hex) string {
	return h.String() + " is Out of Bounds: no piece moves onto or over it, and it counts nowhere"
}

// plural returns a number with a noun: "1 man", "3 men", "2 cells".
func plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case what == "man":
		return fmt.Sprintf("%d men", n)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// movesLeft describes the unspent rights of the player to move: "2 moves left". Each is of another segment.
func movesLeft(p *mu.Position) string { return plural(len(p.Rights()), "move") + " left" }

// describePiece describes a cell's terrain and piece.
func describePiece(c mu.Cell) string {
	if c.Men == 0 {
		return fmt.Sprintf("%s: %s, empty", c.At, terrainNames[c.Terrain])
	}
	return fmt.Sprintf("%s: %s, %s of %s", c.At, terrainNames[c.Terrain], plural(c.Men, "man"), seatStyles[c.Owner].name)
}

// describeCapacity describes as a predicate how many more men a cell takes, as the number on it does, or when it
// explodes.
func describeCapacity(c mu.Cell) string {
	switch minimum := criticalHeight(c); {
	case c.Critical:
		return "critical"
	case c.Oscillating:
		return "oscillates"
	case c.Capacity == 0 && c.Terrain != mu.Virgin:
		return "will be empty after this turn"
	case c.Men == 0 && minimum == 1:
		return "explodes with any man"
	case c.Men >= minimum:
		return "explodes"
	case c.Headroom() == 0:
		return "takes no more"
	case c.Men == 0:
		return "takes " + plural(c.Headroom(), "man")
	}
	return fmt.Sprintf("takes %d more", c.Headroom())
}

// criticalHeight returns the minimum height at which a piece on the cell is critical.
func criticalHeight(c mu.Cell) int {
	if c.Terrain == mu.Wall {
		return c.Capacity + 1
	}
	return max(c.Capacity, 1)
}

// describeSteps describes the effects of an action beside its move; "" if there are none.
func describeSteps(steps []mu.Step) string {
	exploded, captured, walls, added := 0, 0, 0, 0
	for _, s := range steps {
		switch s.Kind {
		case mu.Exploded:
			exploded++
		case mu.Captured:
			captured += int(s.Taken)
		case mu.BecameWall:
			walls++
		case mu.ManAdded:
			added++
		}
	}
	var parts []string
	add := func(n int, what, verb string) {
		if n > 0 {
			parts = append(parts, plural(n, what)+" "+verb)
		}
	}
	add(captured, "man", "captured")
	add(exploded, "explosion", "")
	add(added, "cell", "joined the Commonwealth")
	add(walls, "cell", "became Wall")
	return strings.ReplaceAll(strings.Join(parts, ", "), " ,", ",")
}
