package mu

import (
	"slices"

	"ayumu/engine/mu"
	"ayumu/tui/game"
)

// Board is one session's view of a game of Mu. It implements [game.Board], [game.Replayer] and
// [game.Explainer].
type Board struct {
	state    game.State
	pos      *mu.Position // of the match; the base of the draft
	previous *mu.Position // in which the last turn was played; nil if that is not known
	draft    draft
	hint     []mu.Action // the turn to mark

	cursor       mu.Hex
	cursorPlaced bool // placeCursor has run
	column       int  // the half cell in which moves straight up and down began

	selected     mu.Hex
	hasSelection bool // selected is a piece
	men          int  // how many men are to move; 0: as many as the distance to the target
	targets      map[mu.Hex]int

	replay      *replay
	replayFrame int // the frame of replay that is shown, from 1; 0 for none

	typed        string // with ":" before it
	passPending  bool   // e was pressed once to pass
	overview     bool
	showCapacity [large + 1]bool // by scale: the headroom of the cells is shown
	scale        int             // small or large; 0: the largest that fits

	scrollX, scrollY int
	drawnLayout      layout // of the last Draw, for clicks
	inset            inset
}

func newBoard() *Board {
	b := &Board{overview: true}
	b.showCapacity[large] = true
	return b
}

// Show implements game.Board.
func (b *Board) Show(s game.State) {
	pos := s.Position.(*mu.Position)
	same := b.pos == pos && b.state.CanAct == s.CanAct && b.state.Seat == s.Seat
	moved := b.pos != pos
	b.state, b.pos, b.previous, b.hint = s, pos, nil, hinted(s.Hint)
	if s.Previous != nil {
		b.previous = s.Previous.(*mu.Position)
	}
	if s.CanAct || len(s.Draft) > 0 {
		head := b.shown()
		b.draft.mirror(pos, s.Draft)
		same = same && head == b.shown()
	}
	if moved {
		b.replay, b.replayFrame = nil, 0
	}
	if same {
		return
	}
	b.deselect()
	b.typed, b.passPending = "", false
	if g := geometryOf(b.shown()); !b.cursorPlaced || !g.has(b.cursor) {
		b.placeCursor(g)
	}
	if stops := b.tabStops(); moved && s.CanAct && len(stops) > 0 && !slices.Contains(stops, b.cursor) {
		b.moveCursorTo(nearest(stops, b.cursor))
	}
}

// nearest returns the cell that is closest to another. There must be at least one.
func nearest(cells []mu.Hex, to mu.Hex) mu.Hex {
	return slices.MinFunc(cells, func(a, b mu.Hex) int { return a.Distance(to) - b.Distance(to) })
}

// showsDraft reports whether the shown position is the draft's.
func (b *Board) showsDraft() bool { return b.draft.base == b.pos && b.draft.isStarted() }

// shown returns the position that is shown, during a replay the one at its end.
func (b *Board) shown() *mu.Position {
	if b.showsDraft() {
		return b.draft.head()
	}
	return b.pos
}

// displayed returns what to draw: a position and the earlier one that its changes are marked against, or
// a frame of the replay between the two.
func (b *Board) displayed() (position, before *mu.Position, frame int) {
	switch {
	case b.replayFrame > 0:
		return b.replay.after, b.replay.previous, b.replayFrame
	case b.showsDraft():
		return b.draft.head(), b.draft.base, 0
	}
	return b.pos, b.previous, 0
}

// focus returns the cell that must be in view.
func (b *Board) focus() mu.Hex {
	if b.replayFrame > 0 {
		return b.replay.focus(b.replayFrame)
	}
	return b.cursor
}

// placeCursor puts the cursor on the player's piece that is closest to the middle, else on the closest
// cell.
func (b *Board) placeCursor(g *geometry) {
	middle := func(h mu.Hex) int {
		x, y := 2*(halfColumn(h)-g.left)-g.width, 2*(int(h.R)-g.top)-g.height
		return x*x + 4*y*y
	}
	best, mine := mu.Hex{}, false
	for i, c := range b.shown().Cells() {
		own := c.Men > 0 && c.Owner == b.state.Seat
		if i == 0 || own && !mine || own == mine && middle(c.At) < middle(best) {
			best, mine = c.At, own
		}
	}
	b.moveCursorTo(best)
	b.cursorPlaced = true
}

// moveCursorTo puts the cursor on a cell.
func (b *Board) moveCursorTo(h mu.Hex) {
	b.cursor, b.column = h, halfColumn(h)
}

func (b *Board) deselect() {
	b.hasSelection, b.men, b.targets = false, 0, nil
}

func (b *Board) selectPiece(h mu.Hex) {
	b.selected, b.hasSelection, b.men = h, true, 0
	b.findTargets()
}

// findTargets sets the cells that the selected piece can reach, each with the number of men that move.
func (b *Board) findTargets() {
	b.targets = make(map[mu.Hex]int)
	for _, a := range b.shown().AppendMoves(nil, b.selected) {
		if n := int(a.Men); b.men == 0 || b.men == n {
			b.targets[a.At.Step(a.Dir, n)] = n
		}
	}
}

// Typed implements game.Board; at the beginning it returns the colon.
func (b *Board) Typed() string {
	if len(b.typed) > 1 {
		return b.typed[1:]
	}
	return b.typed
}

// isOwn reports whether a cell holds a piece of the session's seat.
func (b *Board) isOwn(c mu.Cell) bool { return c.Men > 0 && c.Owner == b.state.Seat }

// canMove reports whether the player may move the piece on a cell now.
func (b *Board) canMove(c mu.Cell) bool {
	p := b.shown()
	return b.state.CanAct && p.Phase() == mu.Play && len(p.Critical()) == 0 && b.isOwn(c) &&
		b.hasRight(c) && len(p.AppendMoves(nil, c.At)) > 0
}

func (b *Board) hasRight(c mu.Cell) bool {
	return slices.Contains(b.shown().Rights(), b.shown().Board().Centres()[c.Segment])
}
