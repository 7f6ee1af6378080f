package mu

import (
	"fmt"

	"ayumu/engine/mu"
)

// paragraphs returns what game.Explainer.Explain does.
func (e explainer) paragraphs() []string {
	p := e.view.shown()
	c, ok := p.Cell(e.pointer.cursor)
	if !ok {
		parts := []string{outOfBounds(e.pointer.cursor) + "."}
		if why := e.refusal(); e.view.state.CanAct && p.Phase() == mu.Layout {
			parts = append(parts, e.explainPlace(why))
		}
		return parts
	}
	parts := []string{e.explainCell(c), explainCapacity(c)}
	if p.Phase() == mu.Play || p.Phase() == mu.Over {
		parts = append(parts, e.explainTerritory(c))
	}
	if e.view.state.CanAct {
		parts = append(parts, e.explainEnter(c))
	}
	return parts
}

// explainPlace describes whether a segment may be laid around the cursor; why is the reason if not.
func (e explainer) explainPlace(why string) string {
	if why != "" {
		return "A segment with its centre here is not allowed: " + why + "."
	}
	return "A segment with its centre here fits: Enter lays it, with one of your men on its centre."
}

// explainCell describes a cell's terrain, segment and piece.
func (e explainer) explainCell(c mu.Cell) string {
	p := e.view.shown()
	is := map[mu.Terrain]string{
		mu.Virgin: "is virgin", mu.Commonwealth: "is a cell of the Commonwealth", mu.Wall: "is a cell of the Wall",
	}[c.Terrain]
	text := fmt.Sprintf("%s %s. It belongs to the segment %s", c.At, is, e.view.segmentCentre(c))
	switch {
	case p.Phase() != mu.Play:
	case e.view.hasRight(c):
		text += ", from which " + seatStyles[p.Turn()].name + " can still move this turn"
	default:
		text += ", from which " + seatStyles[p.Turn()].name + " cannot move this turn"
	}
	switch {
	case c.Men == 0:
		return text + ". It is empty."
	case e.view.isOwn(c):
		return text + ". It holds your piece of " + plural(c.Men, "man") + "."
	}
	return text + ". It holds a piece of " + seatStyles[c.Owner].name + ", " + plural(c.Men, "man") + "."
}

// explainCapacity describes a cell's capacity and its explosion.
func explainCapacity(c mu.Cell) string {
	counted := map[mu.Terrain]string{
		mu.Virgin:       "the number of its virgin neighbours",
		mu.Commonwealth: "the number of its neighbours in the Commonwealth and in Virginity",
		mu.Wall:         "the number of its neighbours on the Wall",
	}[c.Terrain]
	text := fmt.Sprintf("Its capacity is %d, %s: a piece of %d or more is critical and explodes", c.Capacity, counted, criticalHeight(c))
	switch {
	case c.Capacity == 0 && c.Terrain != mu.Virgin:
		return fmt.Sprintf("Its capacity is 0: no neighbour counts. It is a closed section of one cell, which oscillates as soon as it holds a man, and is trimmed when the turn ends: %s.", describeCapacity(c))
	case c.Oscillating:
		return text + ". Its section oscillates, so nothing explodes there any more; it is trimmed when the turn ends."
	case c.Critical:
		return text + ". It is critical now: the player whose turn it is chooses what explodes next."
	}
	text += ". Then one man goes to each of those neighbours, and the others stay"
	if c.Terrain == mu.Virgin {
		text += "; the cell joins the Commonwealth with a new man on it, or becomes Wall where it lies between two sections"
	}
	if c.Men > 0 {
		text += ". The piece here " + describeCapacity(c)
	}
	return text + "."
}

// explainTerritory describes for whom the cell would count if the game ended now.
func (e explainer) explainTerritory(c mu.Cell) string {
	if c.Terrain == mu.Wall {
		return "Cells of the Wall count for nobody."
	}
	for _, a := range e.view.shown().Areas() {
		for _, h := range a.Cells {
			if h == c.At {
				return fmt.Sprintf("If the game ended now, it would count in a section of %s: %s.",
					plural(len(a.Cells), "cell"), describeOwner(a))
			}
		}
	}
	return ""
}

// describeOwner returns whose territory an area would be, and why.
func describeOwner(a mu.Area) string {
	switch {
	case a.Owner >= 0 && len(a.Held) > 0:
		return "territory of " + seatStyles[a.Owner].name
	case a.Owner >= 0:
		return "territory of " + seatStyles[a.Owner].name + ", the only player who reaches it from the Wall"
	case len(a.Held) > 1:
		return "neutral, because " + joinNames(a.Held) + " have pieces in it"
	case len(a.Held) == 1 || len(a.Reached) == 1:
		return "neutral, because " + joinNames(append(a.Held, a.Reached...)) + " left the game"
	case len(a.Reached) > 1:
		return "neutral, because " + joinNames(a.Reached) + " reach it from the Wall"
	}
	return "neutral, because no player has a piece in it or reaches it from the Wall"
}

// explainEnter describes what Enter does here, or why it is not allowed.
func (e explainer) explainEnter(c mu.Cell) string {
	p := e.view.shown()
	why := e.refusal()
	switch {
	case p.Phase() == mu.Layout:
		return e.explainPlace(why)
	case why != "" && e.pointer.hasSelection:
		return fmt.Sprintf("The piece on %s cannot move here: %s.", e.pointer.selected, why)
	case why != "":
		return "Nothing can be done here now: " + why + "."
	case p.Phase() == mu.Clearing:
		return "Enter clears this segment: your man is removed from its centre, the segment stays."
	case len(p.Critical()) > 0:
		return "Enter explodes this cell next."
	case e.pointer.hasSelection && e.pointer.cursor != e.pointer.selected:
		return fmt.Sprintf("Enter moves %s here from %s.", plural(e.pointer.targets[e.pointer.cursor], "man"), e.pointer.selected)
	}
	if c.Men == 1 {
		return "This piece can move: a single man moves one cell. Enter chooses it."
	}
	return fmt.Sprintf("This piece can move: the top man moves one cell, the top two move two cells, and so on, up to %s. Enter chooses it.", plural(c.Men, "cell"))
}
