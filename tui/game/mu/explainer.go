package mu

import (
	"fmt"
	"strings"

	"ayumu/engine/mu"
)

// explainer describes in words what a session can do now, and what is under its cursor.
type explainer struct {
	view    *seatView
	pointer *pointer
}

// prompt returns a sentence about what the player can do now; "" if the seat cannot act.
func (e explainer) prompt() string {
	p := e.view.shown()
	if !e.view.state.CanAct {
		return ""
	}
	switch phase := p.Phase(); {
	case phase == mu.Layout:
		return "Your turn: " + Game{}.DescribePhase(p) + "."
	case phase == mu.Clearing:
		return "Clear one of your segments; the last one is filled with men."
	case len(p.Critical()) > 0:
		return fmt.Sprintf("%d cells are critical: choose which explodes next, or * for all.", len(p.Critical()))
	case e.pointer.hasSelection && e.pointer.men > 0:
		return fmt.Sprintf("Move %s from %s where?", plural(e.pointer.men, "man"), e.pointer.selected)
	case e.pointer.hasSelection:
		return fmt.Sprintf("Move the piece on %s where? Numbers: how many men move.", e.pointer.selected)
	case e.view.draft.isStarted() && onlyWithMen(p, p.Turn()):
		return "No other player has men. e: end the turn and win, u: undo."
	case e.view.draft.isStarted() && len(p.Rights()) == 0:
		return "No moves left. e: end the turn, u: undo."
	case e.view.draft.isStarted():
		return movesLeft(p) + ". e: end the turn, u: undo."
	}
	return "Your turn: " + movesLeft(p) + ". Choose a piece, or press e to pass."
}

// onlyWithMen reports whether a player has men, and no other.
func onlyWithMen(p *mu.Position, seat int) bool {
	for s, n := range p.Men() {
		if (n > 0) != (s == seat) {
			return false
		}
	}
	return true
}

// describeCursor returns one line about the cell under the cursor: what is there, or what Enter would do.
func (e explainer) describeCursor() string {
	p := e.view.shown()
	c, ok := p.Cell(e.pointer.cursor)
	switch {
	case e.view.state.CanAct && p.Phase() == mu.Layout:
		return e.pointer.cursor.String() + ": " + e.describePlacement()
	case e.pointer.hasSelection && e.pointer.cursor != e.pointer.selected:
		return e.describeTarget()
	case !ok:
		return e.pointer.cursor.String() + ": Out of Bounds"
	case p.Phase() < mu.Play:
		return e.describeSegment(c)
	}
	if e.view.isStuck(c) && !e.view.hasRight(c) {
		why := "its segment has already moved"
		if !e.view.hadRight(c) {
			why = "can move from next turn"
		}
		return fmt.Sprintf("%s: %s, %s; %s", c.At, seatStyles[c.Owner].name, plural(c.Men, "man"), why)
	}
	return describePiece(c) + e.andCapacity(c)
}

// describePlacement returns why a segment cannot be laid around the cursor, or that it can.
func (e explainer) describePlacement() string {
	if why := e.view.shown().Explain(mu.Action{Kind: mu.Place, At: e.pointer.cursor}); why != "" {
		return why
	}
	return "a segment fits here"
}

// describeSegment describes a cell during layout and clearing, when only its segment matters.
func (e explainer) describeSegment(c mu.Cell) string {
	centre := e.view.segmentCentre(c)
	text := fmt.Sprintf("%s: in the segment %s", c.At, centre)
	man, _ := e.view.shown().Cell(centre)
	if man.Men > 0 {
		text += " of " + seatStyles[man.Owner].name
	} else {
		text += ", which is clear"
	}
	if !e.view.state.CanAct {
		return text
	}
	switch why := e.refusal(); {
	case why != "" && !e.view.isOwn(man):
		return text + "; not yours"
	case why != "":
		return text + "; " + why
	}
	return text + "; Enter clears it"
}

// describeTarget describes the move of the selected piece to the cursor, or why there is none.
func (e explainer) describeTarget() string {
	c, ok := e.view.shown().Cell(e.pointer.cursor)
	if _, isTarget := e.pointer.targets[e.pointer.cursor]; !isTarget && ok && e.view.canMove(c) {
		return describePiece(c) + "; Enter chooses it instead"
	}
	if why := e.refusal(); why != "" {
		return fmt.Sprintf("%s to %s: %s", e.pointer.selected, e.pointer.cursor, why)
	}
	men := e.pointer.targets[e.pointer.cursor]
	effect := fmt.Sprintf("move %s (%s, empty)", plural(men, "man"), terrainNames[c.Terrain])
	after := c // the move; a piece of another player's leaves the board
	after.Men = men
	switch {
	case e.view.isOwn(c):
		after.Men += c.Men
		effect = fmt.Sprintf("add %s (piece of %d)", plural(men, "man"), after.Men)
	case c.Men > 0:
		effect = fmt.Sprintf("move %s, capture %d of %s", plural(men, "man"), c.Men, seatStyles[c.Owner].name)
	}
	return fmt.Sprintf("%s: %s%s", e.pointer.cursor, effect, e.andCapacity(after))
}

// andCapacity returns describeCapacity after a semicolon, unless the board hides its numbers.
func (e explainer) andCapacity(c mu.Cell) string {
	if e.view.state.HidesMarks {
		return ""
	}
	return "; " + describeCapacity(c)
}

// refusal returns why Enter does nothing under the cursor; "" if it does something.
func (e explainer) refusal() string {
	p := e.view.shown()
	c, ok := p.Cell(e.pointer.cursor)
	switch {
	case p.Phase() == mu.Layout:
		return p.Explain(mu.Action{Kind: mu.Place, At: e.pointer.cursor})
	case e.pointer.hasSelection && p.Phase() == mu.Play:
		return e.noTargetReason(e.pointer.cursor)
	case !ok:
		return outOfBounds(e.pointer.cursor)
	case p.Phase() == mu.Clearing:
		return p.Explain(mu.Action{Kind: mu.Clear, At: e.view.segmentCentre(c)})
	case len(p.Critical()) > 0:
		return p.Explain(mu.Action{Kind: mu.Explode, At: e.pointer.cursor})
	case c.Men == 0:
		return fmt.Sprintf("no piece stands on %s; choose one of yours", e.pointer.cursor)
	case !e.view.isOwn(c):
		return fmt.Sprintf("the piece on %s is %s's", e.pointer.cursor, seatStyles[c.Owner].name)
	case e.view.canMove(c):
		return ""
	}
	return e.noMoveReason(c)
}

// noMoveReason returns why a piece of the player cannot move: no right, or what is in its way.
func (e explainer) noMoveReason(c mu.Cell) string {
	if !e.view.hasRight(c) {
		return e.noRightReason(c)
	}
	why := ""
	for _, t := range e.view.shown().Targets(c.At) {
		if why == "" || strings.Contains(t.Reason, "Wall") {
			why = t.Reason
		}
	}
	return "it has no target: " + why
}

// noRightReason returns why the segment of a cell has no right for the player to move.
func (e explainer) noRightReason(c mu.Cell) string {
	if e.view.hadRight(c) {
		return "a move from its segment was already made this turn"
	}
	return "no move from its segment this turn: you had no piece there when the turn began"
}

// noTargetReason returns why the selected piece cannot move to a cell.
func (e explainer) noTargetReason(to mu.Hex) string {
	p := e.view.shown()
	c, _ := p.Cell(e.pointer.selected)
	d, n, straight := e.pointer.selected.DirTo(to)
	switch {
	case to == e.pointer.selected:
		return ""
	case !straight:
		return "pieces move in straight lines only"
	case e.pointer.men == 1 && n != 1:
		return "1 man moves exactly 1 cell"
	case e.pointer.men > 0 && n != e.pointer.men:
		return fmt.Sprintf("%d men move exactly %d cells", e.pointer.men, e.pointer.men)
	case n > c.Men:
		return fmt.Sprintf("that takes %d men, one for each cell; the piece has %d", n, c.Men)
	}
	return p.Explain(mu.Action{Kind: mu.Move, At: e.pointer.selected, Men: uint16(n), Dir: d})
}
