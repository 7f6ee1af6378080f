package mu

import (
	"strings"

	"ayumu/engine/mu"
	"ayumu/tui/game"
)

var handled = game.InputResult{Handled: true}

func refused(why string) game.InputResult {
	return game.InputResult{Handled: true, Message: why, Refused: true}
}

// Key implements game.Board.
func (b *Board) Key(key string) game.InputResult {
	if b.typed != "" {
		return b.typeKey(key)
	}
	if b.replayFrame > 0 {
		b.replayFrame = 0
		if key == "space" || key == "enter" || key == "esc" {
			return handled
		}
	}
	passing := b.passPending
	b.passPending = false
	if b.moveCursorBy(key) {
		return handled
	}
	switch key {
	case "enter", "space":
		return b.enter()
	case "tab":
		return b.cycleStop(1)
	case "shift+tab":
		return b.cycleStop(-1)
	case "esc":
		if !b.hasSelection {
			return game.InputResult{Handled: passing}
		}
		b.deselect()
		return handled
	case "c":
		s := b.drawnScale()
		b.showCapacity[s] = !b.showCapacity[s]
		return handled
	case "v":
		b.overview = !b.overview
		return handled
	case "p":
		b.Replay()
		return handled
	case "+":
		b.scale = large
		return handled
	case "-":
		b.scale = small
		return handled
	}
	if b.state.CanAct {
		return b.turnKey(key, passing)
	}
	return game.InputResult{}
}

// drawnScale returns the chosen scale, or that of the last drawn board.
func (b *Board) drawnScale() int {
	if b.scale != 0 {
		return b.scale
	}
	return max(b.drawnLayout.scale, small)
}

// turnKey handles the keys that need the turn.
func (b *Board) turnKey(key string, passing bool) game.InputResult {
	switch key {
	case "e":
		return b.end(passing)
	case "a":
		return b.explodeAll()
	case "z", "ctrl+z", "backspace":
		return b.undo()
	case "Z", "ctrl+y":
		return b.redo()
	case ":":
		b.typed = key
		return handled
	}
	if len(key) == 1 && key[0] >= '0' && key[0] <= '9' {
		if b.hasSelection {
			return b.setMen(int(key[0] - '0'))
		}
		b.typed = ":" + key
		return handled
	}
	return game.InputResult{}
}

// typeKey handles a key while a turn is being typed.
func (b *Board) typeKey(key string) game.InputResult {
	switch {
	case key == "esc":
		b.typed = ""
	case key == "backspace":
		b.typed = b.typed[:len(b.typed)-1]
	case key == "enter":
		text := b.typed[1:]
		b.typed = ""
		return b.enterTyped(text)
	case key == "space":
		key = " "
		fallthrough
	case len(key) == 1 && strings.Contains("abcdefghijklmnopqrstuvwxyz0123456789,-; ", strings.ToLower(key)):
		// One character more than allowed is kept, so that Enter refuses a longer turn instead of cutting it.
		if len(b.typed) > maxTypedLength+1 {
			return refused(tooLong)
		}
		b.typed += strings.ToLower(key)
	default:
		return game.InputResult{}
	}
	return handled
}

func (b *Board) enterTyped(text string) game.InputResult {
	before := len(b.draft.actions)
	turn, err := b.draft.playTyped(text)
	b.deselect()
	a := game.InputResult{Handled: true, Turn: turn}
	if err != nil {
		a.Message, a.Refused = err.Error(), true
	}
	if n := len(b.draft.actions); n != before {
		a.Draft = b.draft.texts()
		b.moveCursorTo(b.draft.actions[n-1].At)
	}
	return a
}

// setMen sets how many men of the selected piece are to move; 0, or the same number again, means as many
// as the distance to the target.
func (b *Board) setMen(n int) game.InputResult {
	c, _ := b.shown().Cell(b.selected)
	if n > c.Men {
		return refused("the piece has only " + plural(c.Men, "man"))
	}
	if n == b.men {
		n = 0
	}
	b.men = n
	b.findTargets()
	return handled
}

// enter does the possible action under the cursor.
func (b *Board) enter() game.InputResult {
	p := b.shown()
	switch {
	case !b.state.CanAct:
		return game.InputResult{}
	case p.Phase() == mu.Layout:
		return b.submitAction(mu.Action{Kind: mu.Place, At: b.cursor})
	case p.Phase() == mu.Clearing:
		return b.clear()
	case len(p.Critical()) > 0:
		return b.playAction(mu.Action{Kind: mu.Explode, At: b.cursor})
	case b.hasSelection:
		return b.enterTarget()
	}
	c, ok := p.Cell(b.cursor)
	if !ok || !b.canMove(c) {
		return refused(b.explainRefusal())
	}
	b.selectPiece(b.cursor)
	return handled
}

// submitAction returns a turn of one action.
func (b *Board) submitAction(a mu.Action) game.InputResult {
	if why := b.shown().Explain(a); why != "" {
		return refused(why)
	}
	return game.InputResult{Handled: true, Turn: []string{a.String()}}
}

func (b *Board) clear() game.InputResult {
	c, ok := b.shown().Cell(b.cursor)
	if !ok {
		return refused(outOfBounds(b.cursor))
	}
	return b.submitAction(mu.Action{Kind: mu.Clear, At: b.shown().Board().Centres()[c.Segment]})
}

// enterTarget moves the selected piece, or selects another one.
func (b *Board) enterTarget() game.InputResult {
	if b.cursor == b.selected {
		b.deselect()
		return handled
	}
	if men, ok := b.targets[b.cursor]; ok {
		d, _, _ := mu.DirTo(b.selected, b.cursor)
		return b.playAction(mu.Action{Kind: mu.Move, At: b.selected, Men: uint16(men), Dir: d})
	}
	if c, ok := b.shown().Cell(b.cursor); ok && b.canMove(c) {
		b.selectPiece(b.cursor)
		return handled
	}
	return refused(b.explainRefusal())
}

// playAction adds an action to the draft.
func (b *Board) playAction(a mu.Action) game.InputResult {
	steps, err := b.draft.do(a)
	if err != nil {
		return refused(refusalReason(err))
	}
	return b.showSteps(steps)
}

// showSteps returns the new draft and describes its steps. If the player has to choose an explosion, the
// cursor goes to the nearest critical cell.
func (b *Board) showSteps(steps []mu.Step) game.InputResult {
	b.deselect()
	if critical := b.shown().Critical(); len(critical) > 0 {
		b.moveCursorTo(nearest(critical, b.cursor))
	}
	return game.InputResult{Handled: true, Draft: b.draft.texts(), Message: describeSteps(steps)}
}

func (b *Board) explodeAll() game.InputResult {
	if len(b.shown().Critical()) == 0 {
		return refused(noCritical)
	}
	return b.showSteps(b.draft.explodeAll())
}

func (b *Board) undo() game.InputResult {
	a, ok := b.draft.undo()
	if !ok {
		return refused("there is nothing to undo in this turn")
	}
	b.deselect()
	b.moveCursorTo(a.At)
	return game.InputResult{Handled: true, Draft: b.draft.texts(), Message: "undone: " + a.String()}
}

func (b *Board) redo() game.InputResult {
	a, steps, ok := b.draft.redo()
	if !ok {
		return refused("there is nothing to redo")
	}
	b.moveCursorTo(a.At)
	return b.showSteps(steps)
}

// end ends the turn; a pass needs the key twice.
func (b *Board) end(passing bool) game.InputResult {
	if why := b.shown().Explain(mu.Action{}); why != "" {
		return refused(why)
	}
	if !b.draft.isStarted() && !passing {
		b.passPending = true
		return game.InputResult{Handled: true, Message: "you have not moved; press e again to pass"}
	}
	b.deselect()
	return game.InputResult{Handled: true, Turn: append(b.draft.texts(), mu.Action{}.String())}
}

// Click implements game.Board: it moves the cursor and does what Enter does. A segment is laid or cleared
// by a second click, so that the first one shows what would happen.
func (b *Board) Click(x, y int) game.InputResult {
	if b.replayFrame > 0 {
		b.replayFrame = 0
		return handled
	}
	if h, ok := b.inset.at(b.drawnLayout.geometry, x, y); ok {
		b.moveCursorTo(h)
		return handled
	}
	h, ok := b.drawnLayout.hexAt(x, y)
	if !ok || !geometryOf(b.shown()).has(h) {
		return game.InputResult{}
	}
	again := h == b.cursor
	b.typed, b.passPending = "", false
	b.moveCursorTo(h)
	if phase := b.shown().Phase(); !b.state.CanAct || !again && phase != mu.Play {
		return handled
	}
	return b.enter()
}
