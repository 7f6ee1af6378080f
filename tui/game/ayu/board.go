package ayu

import (
	"strings"

	"ayumu/engine/ayu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// Board is one session's view of a game of Ayu. It implements [game.Framer], [game.LetterTaker], [game.Commander] and
// [game.Walker]. Game.New makes one.
type Board struct {
	shared  *caches // of the game
	view    seatView
	pointer pointer
	input   moveInput // of view and pointer
	walk    walk

	flipped       bool
	showDistances bool
	drawnLayout   layout // of the last Draw, for clicks
}

func newBoard(s *caches) *Board {
	b := &Board{shared: s}
	b.input.view, b.input.pointer = &b.view, &b.pointer
	return b
}

// Show implements game.Board.
func (b *Board) Show(s game.State) {
	wasPlanning := b.view.isPlanning
	if !b.view.show(s) {
		return
	}
	b.walk = walk{}
	if wasPlanning && b.view.state.CanAct && !b.view.isPlanning {
		b.input.takeUp()
	} else {
		b.pointer.deselect()
		b.input.clear()
	}
	if !b.pointer.placed || !b.view.pos.Board().Contains(b.pointer.cursor) {
		b.pointer.place(&b.view)
	}
}

// Key implements game.Board.
func (b *Board) Key(key string) game.InputResult {
	if len(key) == 1 {
		if a := b.input.typeKey(strings.ToLower(key)[0]); a.Handled {
			return a
		}
		if b.input.typed != "" {
			return game.InputResult{} // within a typed move no character is a command
		}
	}
	switch key {
	case "up":
		return b.moveCursor(0, 1)
	case "down":
		return b.moveCursor(0, -1)
	case "left":
		return b.moveCursor(-1, 0)
	case "right":
		return b.moveCursor(1, 0)
	case "esc":
		if b.view.state.IsWatching && b.pointer.isCalled {
			b.pointer.isCalled = false
			return handled
		}
	}
	return b.input.key(key)
}

// TakesLetter implements game.LetterTaker: while the seat may enter a move, the names of columns begin one.
func (b *Board) TakesLetter(letter string) bool {
	return b.view.canEnter() && b.input.isColumn(letter[0])
}

// Commands implements game.Commander.
func (b *Board) Commands() []game.Command {
	return []game.Command{
		{Name: "distances", Help: "show or hide units and their distances", Do: func() { b.showDistances = !b.showDistances }},
		{Name: "flip", Help: "turn the board around", Do: func() { b.flipped = !b.flipped }},
	}
}

// moveCursor moves the cursor by dx columns and dy rows as the session sees the board, or shows it where it is hidden.
func (b *Board) moveCursor(dx, dy int) game.InputResult {
	if b.view.hidesCursor(&b.pointer) {
		b.pointer.isCalled = true
		return handled
	}
	if b.flipped {
		dx, dy = -dx, -dy
	}
	b.pointer.step(dx, dy, b.view.pos.Board().Size())
	b.input.typed = ""
	return handled
}

// Click implements game.Board: it moves the cursor to the clicked point and does what Enter does.
func (b *Board) Click(x, y int) game.InputResult {
	p, ok := b.drawnLayout.at(x, y)
	if !ok {
		return game.InputResult{}
	}
	b.input.clear()
	b.pointer.cursor = p
	b.pointer.isCalled = true
	if !b.view.state.CanAct {
		return handled
	}
	return b.input.enter()
}

// Typed implements game.Board.
func (b *Board) Typed() string { return b.input.text() }

// StatusKeys implements game.Board.
func (b *Board) StatusKeys() []game.Key {
	switch {
	case b.view.canEnter():
		return b.input.statusKeys()
	case b.view.state.IsWatching && b.pointer.isCalled:
		return []game.Key{{Key: "Esc", Help: "hide cursor"}}
	}
	return nil
}

func (b *Board) explainer() explainer { return explainer{&b.view, &b.pointer} }

// Prompt implements game.Board.
func (b *Board) Prompt() string { return b.explainer().prompt() }

// DescribeCursor implements game.Board.
func (b *Board) DescribeCursor() string {
	if b.view.hidesCursor(&b.pointer) {
		return ""
	}
	return b.explainer().describeCursor()
}

// Fit implements game.Board: it returns the largest size that fits.
func (b *Board) Fit(w, h int) (bw, bh int, ok bool) {
	l, ok := b.layoutFor(w, h)
	bw, bh = l.size()
	return bw, bh, ok
}

// layoutFor returns the layout with the largest cells that fits into w columns and h rows; ok is false if
// even the smallest does not.
func (b *Board) layoutFor(w, h int) (l layout, ok bool) {
	for rows := maxCellRows; rows > 0; rows-- {
		l = layout{n: b.view.pos.Board().Size(), cw: 2 * rows, ch: rows, flip: b.flipped}
		if bw, bh := l.size(); bw <= w && bh <= h {
			return l, true
		}
	}
	return l, false
}

// Draw implements game.Board.
func (b *Board) Draw(c paint.Canvas, style game.Style) {
	w, h := c.Size()
	if b.IsReplaying() {
		b.drawnLayout, _ = b.layoutFor(w, h)
		b.drawWalk(c, style)
		return
	}
	c.Blit(0, 0, b.Frame(w, h, style))
}

// Frame implements game.Framer.
func (b *Board) Frame(w, h int, style game.Style) *paint.Frame {
	if b.IsReplaying() {
		return nil
	}
	l, _ := b.layoutFor(w, h)
	b.drawnLayout = l
	v := &b.view
	k := boardKey{frameKey: frameKey{
		board: v.state.Position.(*ayu.Position).Board(), last: v.last, hasLast: v.hasLast, markMovable: v.state.CanAct && !v.isPlanning && !v.state.HidesMarks,
		showDistances: b.showDistances, layout: l, style: style,
	}}
	if !v.state.Static {
		k.marks = marks{isShown: true, hidesCursor: v.hidesCursor(&b.pointer), pointer: b.pointer, movable: v.movable, hint: v.hint, hasHint: v.hasHint, isPlanned: v.state.IsPlanned, marked: v.marked}
		if v.isPlanning {
			k.marks.movable = ayu.Points{} // the board is quiet until a stone is chosen
		}
	}
	k.w, k.h = w, h
	return b.shared.boards.Get(k, func() *paint.Frame { return b.shared.draw(k) })
}

// boardKey identifies a board as a session shows it, as the key of shared.boards.
type boardKey struct {
	frameKey
	marks
	w, h int // of the canvas
}

// draw draws a board: the part that is the same for all sessions, and the marks over it.
func (s *caches) draw(k boardKey) *paint.Frame {
	below := s.frames.Get(k.frameKey, func() *paint.Frame {
		w, h := k.layout.size()
		return paint.Draw(nil, w, h, func(c paint.Canvas) { newRenderer(c, k.frameKey).draw() })
	})
	return paint.Draw(nil, k.w, k.h, func(c paint.Canvas) {
		c.Blit(0, 0, below)
		if k.marks.isShown {
			sessionRenderer{newRenderer(c, k.frameKey), k.marks}.draw()
		}
	})
}
