package muboard

import (
	"fmt"
	"slices"
	"strings"

	"ayumu/engine/mu"
	"ayumu/tui/board"
)

var terrainNames = [terrains]string{mu.Virgin: "virgin", mu.Commonwealth: "Commonwealth", mu.Wall: "Wall"}

func outOfBounds(h mu.Hex) string {
	return h.String() + " is Out of Bounds: no piece moves onto or over it, and it counts nowhere"
}

// count counts things: "1 man", "3 men", "2 cells".
func count(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case what == "man":
		return fmt.Sprintf("%d men", n)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Prompt says what can be done now.
func (b *Board) Prompt() string {
	p := b.shown()
	if !b.state.Live {
		return ""
	}
	switch phase := p.Phase(); {
	case phase == mu.Layout:
		return "Lay a segment: " + count(p.Segments()-p.Men()[b.state.Seat], "segment") + " to go."
	case phase == mu.Clearing:
		return "Clear one of your segments; the last one left is filled with men."
	case len(p.Critical()) > 0:
		return fmt.Sprintf("%d cells are critical: choose which explodes next, or a for all.", len(p.Critical()))
	case b.choosing && b.men > 0:
		return fmt.Sprintf("%s of %s go where?", count(b.men, "man"), b.chosen)
	case b.choosing:
		return fmt.Sprintf("The piece on %s goes where? The numbers are the men that go.", b.chosen)
	case b.draft.begun() && len(p.Rights()) == 0:
		return "No right is left; e ends the turn, z takes back."
	case b.draft.begun():
		return fmt.Sprintf("%s unspent; e ends the turn, z takes back.", count(len(p.Rights()), "right"))
	}
	return fmt.Sprintf("Your turn: %s. Choose a piece, or e to pass.", count(len(p.Rights()), "right"))
}

// Offers are the keys of the moment.
func (b *Board) Offers() []board.Key {
	view := []board.Key{{Key: "c", Does: "room"}, {Key: "+-", Does: "size"}}
	p := b.shown()
	switch {
	case b.frame > 0:
		return []board.Key{{Key: "Space", Does: "skip"}}
	case !b.state.Live:
		return append([]board.Key{{Key: "p", Does: "replay"}}, view...)
	case b.typed != "":
		return []board.Key{{Key: "Enter", Does: "play"}, {Key: "Esc", Does: "clear"}}
	case p.Phase() == mu.Layout:
		return append([]board.Key{{Key: "Enter", Does: "lay"}, {Key: "Tab", Does: "next place"}}, view...)
	case p.Phase() == mu.Clearing:
		return append([]board.Key{{Key: "Enter", Does: "clear"}, {Key: "Tab", Does: "next"}}, view...)
	case len(p.Critical()) > 0:
		return append([]board.Key{{Key: "Enter", Does: "explode"}, {Key: "a", Does: "all"}, {Key: "Tab", Does: "next"}, {Key: "z", Does: "undo"}}, view...)
	case b.choosing:
		return append([]board.Key{{Key: "Enter", Does: "move"}, {Key: "1-9", Does: "men"}, {Key: "Tab", Does: "target"}, {Key: "Esc", Does: "let go"}}, view...)
	}
	keys := []board.Key{{Key: "Enter", Does: "choose"}, {Key: "e", Does: "end turn"}}
	if b.draft.begun() {
		keys = append(keys, board.Key{Key: "z", Does: "undo"})
	}
	if len(b.draft.undone) > 0 {
		keys = append(keys, board.Key{Key: "Z", Does: "redo"})
	}
	return append(append(keys, board.Key{Key: "Tab", Does: "next"}), view...)
}

// About says in a line what is under the cursor, or what would happen there.
func (b *Board) About() string {
	p := b.shown()
	c, ok := p.Cell(b.cursor)
	switch {
	case b.frame > 0:
		return ""
	case b.state.Live && p.Phase() == mu.Layout:
		return b.cursor.String() + ": " + b.aboutPlace()
	case b.choosing && b.cursor != b.chosen:
		return b.aboutTarget()
	case !ok:
		return b.cursor.String() + ": Out of Bounds"
	case p.Phase() < mu.Play:
		return b.aboutSegment(c)
	}
	if b.stuck(c) && !b.hasRight(c) {
		why := "its segment's right is spent"
		if !b.hadRight(c) {
			why = "no right yet in its segment"
		}
		return fmt.Sprintf("%s: %s of %s; %s", c.At, count(c.Men, "man"), sides[c.Owner].name, why)
	}
	return tellPiece(c) + "; " + tellRoom(c)
}

// hadRight reports whether the player had a right in a cell's segment when the turn began.
func (b *Board) hadRight(c mu.Cell) bool {
	return slices.Contains(b.pos.Rights(), b.shown().Board().Centres()[c.Segment])
}

// noRight says, of a segment of the player to move, why it has no right.
func (b *Board) noRight(c mu.Cell) string {
	if b.hadRight(c) {
		return "the right of its segment is spent"
	}
	return "its segment has no right: you had no piece there when the turn began"
}

func (b *Board) aboutPlace() string {
	if why := b.shown().Explain(mu.Action{Kind: mu.Place, At: b.cursor}); why != "" {
		return why
	}
	return "a segment fits here"
}

// aboutSegment says what a cell is before play begins, when only segments matter.
func (b *Board) aboutSegment(c mu.Cell) string {
	centre := b.shown().Board().Centres()[c.Segment]
	text := fmt.Sprintf("%s: in the segment %s", c.At, centre)
	man, _ := b.shown().Cell(centre)
	if man.Men > 0 {
		text += " of " + sides[man.Owner].name
	} else {
		text += ", which is clear"
	}
	if !b.state.Live {
		return text
	}
	switch why := b.whyNot(); {
	case why != "" && !b.mine(man):
		return text + "; not yours"
	case why != "":
		return text + "; " + why
	}
	return text + "; Enter clears it"
}

func (b *Board) aboutTarget() string {
	if why := b.whyNot(); why != "" {
		return fmt.Sprintf("%s to %s: %s", b.chosen, b.cursor, why)
	}
	c, _ := b.shown().Cell(b.cursor)
	men := b.targets[b.cursor]
	what := "to " + terrainNames[c.Terrain] + ", empty"
	after := c // the move; a piece of another player's leaves the board
	after.Men = men
	switch {
	case b.mine(c):
		after.Men += c.Men
		what = fmt.Sprintf("to make a piece of %d", after.Men)
	case c.Men > 0:
		what = fmt.Sprintf("to take %d of %s", c.Men, sides[c.Owner].name)
	}
	return fmt.Sprintf("%s: %s %s; %s", b.cursor, count(men, "man"), what, tellRoom(after))
}

// tellPiece says what a cell is and holds.
func tellPiece(c mu.Cell) string {
	if c.Men == 0 {
		return fmt.Sprintf("%s: %s, empty", c.At, terrainNames[c.Terrain])
	}
	return fmt.Sprintf("%s: %s, %s of %s", c.At, terrainNames[c.Terrain], count(c.Men, "man"), sides[c.Owner].name)
}

// tellRoom says when a cell explodes.
func tellRoom(c mu.Cell) string {
	least := limit(c)
	switch {
	case c.Critical:
		return "critical"
	case c.Still:
		return "oscillates"
	case c.Capacity == 0 && c.Terrain != mu.Virgin:
		return "holds no man after the turn"
	case c.Men == 0 && least == 1:
		return "any man explodes here"
	case c.Men >= least:
		return "it explodes"
	}
	return fmt.Sprintf("explodes at %d", least)
}

// limit returns how high the least piece is that is critical on a cell.
func limit(c mu.Cell) int {
	if c.Terrain == mu.Wall {
		return c.Capacity + 1
	}
	return max(c.Capacity, 1)
}

// stuck reports whether a piece of the player's cannot be moved though it is his turn to move.
func (b *Board) stuck(c mu.Cell) bool {
	p := b.shown()
	return b.state.Live && p.Phase() == mu.Play && len(p.Critical()) == 0 && b.mine(c) && !b.canMove(c)
}

// whyNot says why Enter under the cursor would not do what one might wish there; empty if it would.
func (b *Board) whyNot() string {
	p := b.shown()
	c, ok := p.Cell(b.cursor)
	switch {
	case p.Phase() == mu.Layout:
		return p.Explain(mu.Action{Kind: mu.Place, At: b.cursor})
	case b.choosing && p.Phase() == mu.Play:
		return b.whyNotTo(b.cursor)
	case !ok:
		return outOfBounds(b.cursor)
	case p.Phase() == mu.Clearing:
		return p.Explain(mu.Action{Kind: mu.Clear, At: p.Board().Centres()[c.Segment]})
	case len(p.Critical()) > 0:
		return p.Explain(mu.Action{Kind: mu.Explode, At: b.cursor})
	case c.Men == 0:
		return fmt.Sprintf("no piece stands on %s; choose one of yours", b.cursor)
	case !b.mine(c):
		return fmt.Sprintf("the piece on %s is %s's", b.cursor, sides[c.Owner].name)
	case b.canMove(c):
		return ""
	}
	return b.whyNotFrom(c)
}

// whyNotFrom says why a piece of the player's has no move: its right, or what is in its way.
func (b *Board) whyNotFrom(c mu.Cell) string {
	if !b.hasRight(c) {
		return b.noRight(c)
	}
	why := ""
	for _, t := range b.shown().Reach(c.At) {
		if why == "" || strings.Contains(t.Reason, "Wall") {
			why = t.Reason
		}
	}
	return "it has nowhere to go: " + why
}

// whyNotTo says why the chosen piece cannot go to a cell.
func (b *Board) whyNotTo(to mu.Hex) string {
	p := b.shown()
	c, _ := p.Cell(b.chosen)
	d, n, straight := mu.DirTo(b.chosen, to)
	switch {
	case to == b.chosen:
		return ""
	case !straight:
		return "a piece moves in a straight line, and this is in none"
	case b.men > 0 && n != b.men:
		return fmt.Sprintf("%s go exactly %s", count(b.men, "man"), count(b.men, "cell"))
	case n > c.Men:
		return fmt.Sprintf("%s away, and as many men move as cells: the piece has %d", count(n, "cell"), c.Men)
	}
	return p.Explain(mu.Action{Kind: mu.Move, At: b.chosen, Men: uint16(n), Dir: d})
}

// tellSteps says what an action brought about beside its move; empty if nothing.
func tellSteps(steps []mu.Step) string {
	exploded, captured, walls, sprouted := 0, 0, 0, 0
	for _, s := range steps {
		switch s.Kind {
		case mu.Exploded:
			exploded++
		case mu.Captured:
			captured += int(s.Taken)
		case mu.BecameWall:
			walls++
		case mu.Sprouted:
			sprouted++
		}
	}
	var told []string
	add := func(n int, what, verb string) {
		if n > 0 {
			told = append(told, count(n, what)+" "+verb)
		}
	}
	add(captured, "man", "captured")
	add(exploded, "explosion", "")
	add(sprouted, "cell", "joined the Commonwealth")
	add(walls, "cell", "became Wall")
	return strings.ReplaceAll(strings.Join(told, ", "), " ,", ",")
}
