package mu

import (
	"fmt"
	"strings"

	"ayumu/engine/mu"
	"ayumu/lobby/text"
	"ayumu/tui/paint"
)

// The territory view shows for each cell whose territory it would be if the game ended now.

// Claims of cells that no seat has.
const (
	neutral = -1
	noClaim = -2 // a cell of the Wall
)

// zoneClaims returns for each cell of a position the seat whose territory it would be, neutral or noClaim.
func zoneClaims(p *mu.Position, g *geometry) []int {
	claims := make([]int, len(g.index))
	for i := range claims {
		claims[i] = noClaim
	}
	for _, a := range p.Areas() {
		for _, h := range a.Cells {
			claims[g.index[h]] = a.Owner
		}
	}
	return claims
}

// hasTerritory reports whether a phase has territory.
func hasTerritory(phase mu.Phase) bool { return phase == mu.Play || phase == mu.Over }

// drawClaim draws the hollow sign of the seat that claims a cell, or a hatching on a neutral cell: in the second
// column of a small cell that has no height there, in the lower row of a large one.
func (r *renderer) drawClaim(i, x, y int, base paint.Style) {
	claim, c := r.claims[i], r.cells[i]
	sign, first, style := "/", "/", base
	switch {
	case claim == noClaim:
		return
	case claim != neutral:
		sign, first = mark(claim, true, r.style), " "
		style.FG = r.colors.seat[claim]
	}
	switch {
	case r.scale == large:
		r.c.Text(x, y+1, style, strings.Repeat(sign, 2*large))
	case c.Men == 0:
		r.c.Text(x, y, style, first+sign)
	case c.Men == 1 && claim == neutral:
		r.c.Text(x+1, y, style, sign)
	}
}

// describeTerritory returns one line about the section of the cell under the cursor: its size, and whose it
// would be; "" if the cell is in none.
func (e explainer) describeTerritory() string {
	for _, a := range e.view.shown().Areas() {
		for _, h := range a.Cells {
			if h == e.pointer.cursor {
				return fmt.Sprintf("%s: %s, %s", h, plural(len(a.Cells), "cell"), summarizeOwner(a))
			}
		}
	}
	return ""
}

// summarizeOwner is describeOwner in few words.
func summarizeOwner(a mu.Area) string {
	players := func(seats []int) string {
		if len(seats) > 2 {
			return fmt.Sprintf("%d players", len(seats))
		}
		return joinNames(seats)
	}
	switch {
	case a.Owner >= 0 && len(a.Held) == 0:
		return "territory of " + seatStyles[a.Owner].name + ", from the Wall"
	case a.Owner >= 0:
		return "territory of " + seatStyles[a.Owner].name
	case len(a.Held) > 1:
		return "neutral: pieces of " + players(a.Held)
	case len(a.Held) == 1 || len(a.Reached) == 1:
		return "neutral: " + joinNames(append(a.Held, a.Reached...)) + " left the game"
	case len(a.Reached) > 1:
		return "neutral: " + players(a.Reached) + " reach it"
	}
	return "neutral: no player reaches it"
}

// joinNames returns the names of seats: "Disc, Box and Star".
func joinNames(seats []int) string {
	var list []string
	for _, seat := range seats {
		list = append(list, seatStyles[seat].name)
	}
	return text.List(list)
}
