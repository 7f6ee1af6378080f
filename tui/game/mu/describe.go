package mu

import (
	"fmt"
	"slices"
	"strings"

	"ayumu/engine/mu"
	"ayumu/tui/game"
)

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

// Prompt implements game.Board.
func (b *Board) Prompt() string {
	p := b.shown()
	if !b.state.CanAct {
		return ""
	}
	switch phase := p.Phase(); {
	case phase == mu.Layout:
		return fmt.Sprintf("Your turn: lay a segment (%d left).", p.Segments()-p.Men()[b.state.Seat])
	case phase == mu.Clearing:
		return "Clear one of your segments; the last one is filled with men."
	case len(p.Critical()) > 0:
		return fmt.Sprintf("%d cells are critical: choose which explodes next, or a for all.", len(p.Critical()))
	case b.hasSelection && b.men > 0:
		return fmt.Sprintf("Move %s from %s where?", plural(b.men, "man"), b.selected)
	case b.hasSelection:
		return fmt.Sprintf("Move the piece on %s where? Numbers: how many men move.", b.selected)
	case b.draft.isStarted() && len(p.Rights()) == 0:
		return "No moves left. e: end the turn, z: undo."
	case b.draft.isStarted():
		return movesLeft(p) + ". e: end the turn, z: undo."
	}
	return "Your turn: " + movesLeft(p) + ". Choose a piece, or press e to pass."
}

// movesLeft describes the unspent rights of the player to move: "2 moves left (2 segments)".
func movesLeft(p *mu.Position) string {
	n := len(p.Rights())
	return fmt.Sprintf("%s left (%s)", plural(n, "move"), plural(n, "segment"))
}

// StatusKeys implements game.Board.
func (b *Board) StatusKeys() []game.Key {
	view := []game.Key{{Key: "c", Help: "headroom"}, {Key: "+-", Help: "size"}}
	p := b.shown()
	switch {
	case b.replayFrame > 0:
		return []game.Key{{Key: "Space", Help: "skip"}}
	case !b.state.CanAct:
		return append([]game.Key{{Key: "p", Help: "steps"}}, view...)
	case b.typed != "":
		return []game.Key{{Key: "Enter", Help: "play"}, {Key: "Esc", Help: "clear"}}
	case p.Phase() == mu.Layout:
		return append([]game.Key{{Key: "Enter", Help: "lay"}, {Key: "Tab", Help: "next"}}, view...)
	case p.Phase() == mu.Clearing:
		return append([]game.Key{{Key: "Enter", Help: "clear"}, {Key: "Tab", Help: "next"}}, view...)
	case len(p.Critical()) > 0:
		return append([]game.Key{{Key: "Enter", Help: "explode"}, {Key: "a", Help: "all"}, {Key: "Tab", Help: "next"}, {Key: "z", Help: "undo"}}, view...)
	case b.hasSelection:
		return append([]game.Key{{Key: "Enter", Help: "move"}, {Key: "1-9", Help: "men"}, {Key: "Tab", Help: "target"}, {Key: "Esc", Help: "cancel"}}, view...)
	}
	keys := []game.Key{{Key: "Enter", Help: "choose"}, {Key: "e", Help: "end turn"}}
	if b.draft.isStarted() {
		keys = append(keys, game.Key{Key: "z", Help: "undo"})
	}
	if len(b.draft.undone) > 0 {
		keys = append(keys, game.Key{Key: "Z", Help: "redo"})
	}
	return append(append(keys, game.Key{Key: "Tab", Help: "next"}), view...)
}

// DescribeCursor implements game.Board.
func (b *Board) DescribeCursor() string {
	p := b.shown()
	c, ok := p.Cell(b.cursor)
	switch {
	case b.replayFrame > 0:
		return ""
	case b.state.CanAct && p.Phase() == mu.Layout:
		return b.cursor.String() + ": " + b.describePlacement()
	case b.hasSelection && b.cursor != b.selected:
		return b.describeTarget()
	case !ok:
		return b.cursor.String() + ": Out of Bounds"
	case p.Phase() < mu.Play:
		return b.describeSegment(c)
	}
	if b.isStuck(c) && !b.hasRight(c) {
		why := "its segment has already moved"
		if !b.hadRight(c) {
			why = "can move from next turn"
		}
		return fmt.Sprintf("%s: %s, %s; %s", c.At, seatStyles[c.Owner].name, plural(c.Men, "man"), why)
	}
	return describePiece(c) + "; " + describeCapacity(c)
}

// hadRight reports whether the player had a right in a cell's segment when the turn began.
func (b *Board) hadRight(c mu.Cell) bool {
	return slices.Contains(b.pos.Rights(), b.shown().Board().Centres()[c.Segment])
}

// explainNoRight returns why the segment of a cell has no right for the player to move.
func (b *Board) explainNoRight(c mu.Cell) string {
	if b.hadRight(c) {
		return "a move from its segment was already made this turn"
	}
	return "no move from its segment this turn: you had no piece there when the turn began"
}

func (b *Board) describePlacement() string {
	if why := b.shown().Explain(mu.Action{Kind: mu.Place, At: b.cursor}); why != "" {
		return why
	}
	return "a segment fits here"
}

// describeSegment describes a cell before phase play, when only segments matter.
func (b *Board) describeSegment(c mu.Cell) string {
	centre := b.shown().Board().Centres()[c.Segment]
	text := fmt.Sprintf("%s: in the segment %s", c.At, centre)
	man, _ := b.shown().Cell(centre)
	if man.Men > 0 {
		text += " of " + seatStyles[man.Owner].name
	} else {
		text += ", which is clear"
	}
	if !b.state.CanAct {
		return text
	}
	switch why := b.explainRefusal(); {
	case why != "" && !b.isOwn(man):
		return text + "; not yours"
	case why != "":
		return text + "; " + why
	}
	return text + "; Enter clears it"
}

func (b *Board) describeTarget() string {
	if why := b.explainRefusal(); why != "" {
		return fmt.Sprintf("%s to %s: %s", b.selected, b.cursor, why)
	}
	c, _ := b.shown().Cell(b.cursor)
	men := b.targets[b.cursor]
	effect := fmt.Sprintf("move %s (%s, empty)", plural(men, "man"), terrainNames[c.Terrain])
	after := c // the move; a piece of another player's leaves the board
	after.Men = men
	switch {
	case b.isOwn(c):
		after.Men += c.Men
		effect = fmt.Sprintf("add %s (piece of %d)", plural(men, "man"), after.Men)
	case c.Men > 0:
		effect = fmt.Sprintf("move %s, capture %d of %s", plural(men, "man"), c.Men, seatStyles[c.Owner].name)
	}
	return fmt.Sprintf("%s: %s; %s", b.cursor, effect, describeCapacity(after))
}

// describePiece describes a cell's terrain and piece.
func describePiece(c mu.Cell) string {
	if c.Men == 0 {
		return fmt.Sprintf("%s: %s, empty", c.At, terrainNames[c.Terrain])
	}
	return fmt.Sprintf("%s: %s, %s of %s", c.At, terrainNames[c.Terrain], plural(c.Men, "man"), seatStyles[c.Owner].name)
}

// describeCapacity describes when a cell explodes.
func describeCapacity(c mu.Cell) string {
	minimum := criticalHeight(c)
	switch {
	case c.Critical:
		return "critical"
	case c.Oscillating:
		return "oscillates"
	case c.Capacity == 0 && c.Terrain != mu.Virgin:
		return "holds no man after the turn"
	case c.Men == 0 && minimum == 1:
		return "any man explodes here"
	case c.Men >= minimum:
		return "it explodes"
	}
	return fmt.Sprintf("explodes at %d", minimum)
}

// criticalHeight returns the minimum height at which a piece on the cell is critical.
func criticalHeight(c mu.Cell) int {
	if c.Terrain == mu.Wall {
		return c.Capacity + 1
	}
	return max(c.Capacity, 1)
}

// isStuck reports whether a piece of the player to move cannot move.
func (b *Board) isStuck(c mu.Cell) bool {
	p := b.shown()
	return b.state.CanAct && p.Phase() == mu.Play && len(p.Critical()) == 0 && b.isOwn(c) && !b.canMove(c)
}

// explainRefusal says why Enter under the cursor would not do what one might wish there; empty if it would.
func (b *Board) explainRefusal() string {
	p := b.shown()
	c, ok := p.Cell(b.cursor)
	switch {
	case p.Phase() == mu.Layout:
		return p.Explain(mu.Action{Kind: mu.Place, At: b.cursor})
	case b.hasSelection && p.Phase() == mu.Play:
		return b.explainNoTarget(b.cursor)
	case !ok:
		return outOfBounds(b.cursor)
	case p.Phase() == mu.Clearing:
		return p.Explain(mu.Action{Kind: mu.Clear, At: p.Board().Centres()[c.Segment]})
	case len(p.Critical()) > 0:
		return p.Explain(mu.Action{Kind: mu.Explode, At: b.cursor})
	case c.Men == 0:
		return fmt.Sprintf("no piece stands on %s; choose one of yours", b.cursor)
	case !b.isOwn(c):
		return fmt.Sprintf("the piece on %s is %s's", b.cursor, seatStyles[c.Owner].name)
	case b.canMove(c):
		return ""
	}
	return b.explainNoMove(c)
}

// explainNoMove returns why a piece of the player cannot move: no right, or what is in its way.
func (b *Board) explainNoMove(c mu.Cell) string {
	if !b.hasRight(c) {
		return b.explainNoRight(c)
	}
	why := ""
	for _, t := range b.shown().Targets(c.At) {
		if why == "" || strings.Contains(t.Reason, "Wall") {
			why = t.Reason
		}
	}
	return "it has no target: " + why
}

// explainNoTarget returns why the selected piece cannot move to a cell.
func (b *Board) explainNoTarget(to mu.Hex) string {
	p := b.shown()
	c, _ := p.Cell(b.selected)
	d, n, straight := mu.DirTo(b.selected, to)
	switch {
	case to == b.selected:
		return ""
	case !straight:
		return "pieces move in straight lines only"
	case b.men == 1 && n != 1:
		return "1 man moves exactly 1 cell"
	case b.men > 0 && n != b.men:
		return fmt.Sprintf("%d men move exactly %d cells", b.men, b.men)
	case n > c.Men:
		return fmt.Sprintf("that takes %d men, one for each cell; the piece has %d", n, c.Men)
	}
	return p.Explain(mu.Action{Kind: mu.Move, At: b.selected, Men: uint16(n), Dir: d})
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
