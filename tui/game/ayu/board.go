package ayu

import (
	"strings"

	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// Board is one session's view of a game of Ayu. It implements [game.Framer] and [game.Typer]. Game.New
// makes one.
type Board struct {
	shared  *shared // of the game
	view    seatView
	pointer pointer
	input   moveInput // of view and pointer

	flipped       bool
	showDistances bool
	drawnLayout   layout // of the last Draw, for clicks
}

func newBoard(s *shared) *Board {
	b := &Board{shared: s}
	b.input.view, b.input.pointer = &b.view, &b.pointer
	return b
}

// Show implements game.Board.
func (b *Board) Show(s game.State) {
	if !b.view.show(s) {
		return
	}
	b.pointer.deselect()
	b.input.clear()
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
	b.input.pendingLetter = ""
	switch key {
	case "d":
		b.toggle(key, &b.showDistances)
	case "f":
		b.toggle(key, &b.flipped)
	case "up", "k":
		return b.moveCursor(key, 0, 1)
	case "down", "j":
		return b.moveCursor(key, 0, -1)
	case "left", "h":
		return b.moveCursor(key, -1, 0)
	case "right", "l":
		return b.moveCursor(key, 1, 0)
	default:
		return b.input.key(key)
	}
	return handled
}

// toggle changes what is shown by the command of a letter, which may also become the beginning of a typed
// move.
func (b *Board) toggle(key string, shown *bool) {
	*shown = !*shown
	b.LetterPressed(key, func() { *shown = !*shown })
}

// moveCursor moves the cursor by dx columns and dy rows as the session sees the board.
func (b *Board) moveCursor(key string, dx, dy int) game.InputResult {
	before := b.pointer.cursor
	if b.flipped {
		dx, dy = -dx, -dy
	}
	b.pointer.step(dx, dy, b.view.pos.Board().Size())
	if len(key) == 1 {
		b.LetterPressed(key, func() { b.pointer.cursor = before })
	}
	b.input.typed = ""
	return handled
}

// LetterPressed implements game.Typer.
func (b *Board) LetterPressed(letter string, undo func()) {
	b.input.pendingLetter, b.input.undoLetter = letter, undo
}

// Click implements game.Board: it moves the cursor to the clicked point and does what Enter does.
func (b *Board) Click(x, y int) game.InputResult {
	p, ok := b.drawnLayout.at(x, y)
	if !ok {
		return game.InputResult{}
	}
	b.input.clear()
	b.pointer.cursor = p
	if !b.view.state.CanAct {
		return handled
	}
	return b.input.enter()
}

// Typed implements game.Board.
func (b *Board) Typed() string { return b.input.text() }

// StatusKeys implements game.Board.
func (b *Board) StatusKeys() []game.Key {
	if !b.view.state.CanAct {
		return []game.Key{{Key: "d", Help: "units"}, {Key: "f", Help: "flip"}}
	}
	if b.input.typed != "" {
		return b.input.statusKeys() // other keys are typed
	}
	return append(b.input.statusKeys(), game.Key{Key: "d", Help: "units"})
}

func (b *Board) explainer() explainer { return explainer{&b.view, &b.pointer} }

// Prompt implements game.Board.
func (b *Board) Prompt() string { return b.explainer().prompt() }

// DescribeCursor implements game.Board.
func (b *Board) DescribeCursor() string { return b.explainer().describeCursor() }

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
	c.Blit(0, 0, b.Frame(w, h, style))
}

// Frame implements game.Framer.
func (b *Board) Frame(w, h int, style game.Style) *paint.Frame {
	l, _ := b.layoutFor(w, h)
	b.drawnLayout = l
	v := &b.view
	k := boardKey{frameKey: frameKey{
		board: v.pos.Board(), last: v.last, hasLast: v.hasLast, markMovable: v.state.CanAct,
		showDistances: b.showDistances, layout: l, style: style,
	}}
	if !v.state.Static {
		k.marks = marks{isShown: true, pointer: b.pointer, movable: v.movable, hint: v.hint, hasHint: v.hasHint}
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
func (s *shared) draw(k boardKey) *paint.Frame {
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
