package ayu

import (
	"ayumu/engine/ayu"
	"ayumu/tui/game"
)

// Board is one session's view of a game of Ayu.
type Board struct {
	state         game.State
	pos           *ayu.Position
	last          ayu.Move
	hasLast       bool // last is a move
	hint          ayu.Move
	hasHint       bool // hint is a move
	cursor        ayu.Point
	cursorPlaced  bool // placeCursor has run
	selected      ayu.Point
	hasSelection  bool // selected is a stone
	targets       ayu.Points
	movable       ayu.Points
	flipped       bool
	showDistances bool

	typed         string
	pendingLetter string // the command key pressed last, which may become the first letter of a typed move
	undoLetter    func() // undoes that command

	drawnLayout layout // of the last Draw, for clicks
}

// Show implements game.Board.
func (b *Board) Show(s game.State) {
	pos := s.Position.(*ayu.Position)
	same := b.pos != nil && b.pos.Board() == pos.Board() && b.state.CanAct == s.CanAct && b.state.Seat == s.Seat
	b.state, b.pos = s, pos
	b.last, b.hasLast = onlyMove(s.LastTurn)
	b.hint, b.hasHint = onlyMove(s.Hint)
	if same {
		return
	}
	b.deselect()
	b.typed, b.pendingLetter = "", ""
	b.movable = ayu.Points{}
	if s.CanAct {
		b.movable = pos.Board().Movable()
	}
	if !b.cursorPlaced || !pos.Board().Contains(b.cursor) {
		b.placeCursor()
	}
}

// onlyMove returns the move of a turn; ok is false if the turn is a swap or empty.
func onlyMove(actions []string) (m ayu.Move, ok bool) {
	if len(actions) != 1 {
		return m, false
	}
	m, err := ayu.ParseMove(actions[0])
	return m, err == nil
}

// placeCursor puts the cursor on the movable stone nearest to the middle, or on the middle if there is
// none.
func (b *Board) placeCursor() {
	n := b.pos.Board().Size()
	middle := ayu.At(n/2, n/2)
	b.cursor = middle
	best := 2 * n
	for p := range b.movable.All() {
		if d := distance(p, middle); d < best {
			best, b.cursor = d, p
		}
	}
	b.cursorPlaced = true
}

func distance(p, q ayu.Point) int { return abs(p.Column()-q.Column()) + abs(p.Row()-q.Row()) }

func abs(n int) int { return max(n, -n) }

func (b *Board) deselect() {
	b.hasSelection, b.targets = false, ayu.Points{}
}

func (b *Board) selectStone(p ayu.Point) {
	b.selected, b.hasSelection = p, true
	b.targets = b.pos.Board().Targets(p)
}

// shownTargets returns the targets of the selected stone, or else of the stone under the cursor.
func (b *Board) shownTargets() ayu.Points {
	if b.hasSelection {
		return b.targets
	}
	if b.state.CanAct && b.movable.Has(b.cursor) {
		return b.pos.Board().Targets(b.cursor)
	}
	return ayu.Points{}
}

// ownColor returns the colour of the session's seat; for a spectator it is not meaningful.
func (b *Board) ownColor() ayu.Color { return colorOf(b.pos, max(b.state.Seat, 0)) }

// Typed implements game.Board.
func (b *Board) Typed() string { return b.typed }
