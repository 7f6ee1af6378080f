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
	cursorPlaced  bool // the cursor has been put somewhere sensible
	selected      ayu.Point
	hasSelection  bool // chosen is a stone
	targets       ayu.Points
	movable       ayu.Points
	flipped       bool
	showDistances bool

	typed         string
	pendingLetter string // the command key just pressed that may turn out to begin a typed move
	undoLetter    func() // takes that command back

	drawnLayout layout // of the last Draw, for clicks
}

// Show changes what is shown.
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

// onlyMove returns the move that a turn consists of; false if it is a swap, or none.
func onlyMove(actions []string) (m ayu.Move, ok bool) {
	if len(actions) != 1 {
		return m, false
	}
	m, err := ayu.ParseMove(actions[0])
	return m, err == nil
}

// placeCursor puts the cursor on a stone near the middle that can move, or else into the middle, and
// turns the board so that the player's own side of it is below.
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

// shownTargets are the targets of the chosen stone, or of the one under the cursor.
func (b *Board) shownTargets() ayu.Points {
	if b.hasSelection {
		return b.targets
	}
	if b.state.CanAct && b.movable.Has(b.cursor) {
		return b.pos.Board().Targets(b.cursor)
	}
	return ayu.Points{}
}

// ownColor returns the colour of the seat that looks; a watcher's is Black's, which nobody asks for.
func (b *Board) ownColor() ayu.Color { return colorOf(b.pos, max(b.state.Seat, 0)) }

// Typed returns what has been typed of a move.
func (b *Board) Typed() string { return b.typed }
