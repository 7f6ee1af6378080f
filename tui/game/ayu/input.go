package ayu

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/tui/game"
)

// maxTypedLength is the maximum length of a typed move; "o15-o14" has 7 characters.
const maxTypedLength = 8

// Key implements game.Board.
func (b *Board) Key(key string) game.InputResult {
	if len(key) == 1 {
		if a := b.typeKey(strings.ToLower(key)[0]); a.Handled {
			return a
		}
	}
	b.pendingLetter = ""
	switch key {
	case "up", "k", "down", "j", "left", "h", "right", "l":
		return b.moveCursor(key)
	case "enter", "space":
		return b.enter()
	case "tab":
		return b.cycleTarget(1)
	case "shift+tab":
		return b.cycleTarget(-1)
	case "backspace":
		if b.typed == "" {
			return game.InputResult{}
		}
		b.typed = b.typed[:len(b.typed)-1]
		b.previewTyped()
	case "esc":
		if b.typed == "" && !b.hasSelection {
			return game.InputResult{}
		}
		b.typed = ""
		b.deselect()
	case "d":
		b.command(key, func() { b.showDistances = !b.showDistances })
	case "f":
		b.command(key, func() { b.flipped = !b.flipped })
	case "s":
		return b.typeSwap()
	default:
		return game.InputResult{}
	}
	return game.InputResult{Handled: true}
}

// command runs the command of a letter. The letter may also be a column, the beginning of a typed move,
// so the command can be undone: toggle is its own inverse.
func (b *Board) command(key string, toggle func()) {
	toggle()
	b.LetterPressed(key, toggle)
}

// LetterPressed implements game.Typer.
func (b *Board) LetterPressed(letter string, undo func()) {
	b.pendingLetter, b.undoLetter = letter, undo
}

// typeKey handles a character of a typed move. A letter begins one if it is a column and no command; if
// it is both, the digit after it decides.
func (b *Board) typeKey(c byte) game.InputResult {
	used := game.InputResult{Handled: true}
	digit := c >= '0' && c <= '9'
	column := c >= 'a' && int(c-'a') < b.pos.Board().Size()
	switch {
	case !b.state.CanAct:
		return game.InputResult{}
	case b.typed != "" && (digit || column || c == '-' || strings.IndexByte(swap, c) >= 0):
		if b.typed != swap && len(b.typed) < maxTypedLength {
			b.typed += string(c)
		}
	case b.typed == "" && digit && b.pendingLetter != "":
		b.undoLetter()
		b.typed = b.pendingLetter + string(c)
	case b.typed == "" && column && !strings.ContainsRune("dfhjkl", rune(c)):
		b.deselect()
		b.typed = string(c)
	default:
		return game.InputResult{}
	}
	b.pendingLetter = ""
	b.previewTyped()
	return used
}

// previewTyped shows a typed move on the board: it selects its stone and puts the cursor on its target.
func (b *Board) previewTyped() {
	from, rest, err := readPoint(strings.ReplaceAll(b.typed, "-", ""))
	if err != nil || !b.pos.Board().Contains(from) {
		return
	}
	b.cursor = from
	if b.movable.Has(from) {
		b.selectStone(from)
	} else {
		b.deselect()
	}
	if to, err := ayu.ParsePoint(rest); err == nil && b.pos.Board().Contains(to) {
		b.cursor = to
	}
}

func (b *Board) moveCursor(key string) game.InputResult {
	before := b.cursor
	dx, dy := 0, 0
	switch key {
	case "up", "k":
		dy = 1
	case "down", "j":
		dy = -1
	case "left", "h":
		dx = -1
	default:
		dx = 1
	}
	if b.flipped {
		dx, dy = -dx, -dy
	}
	last := b.pos.Board().Size() - 1
	b.cursor = ayu.At(min(max(before.Column()+dx, 0), last), min(max(before.Row()+dy, 0), last))
	if len(key) == 1 {
		b.LetterPressed(key, func() { b.cursor = before })
	}
	b.typed = ""
	return game.InputResult{Handled: true}
}

// enter plays the typed move, moves the selected stone to the cursor, or selects the stone under it.
func (b *Board) enter() game.InputResult {
	if !b.state.CanAct {
		return game.InputResult{}
	}
	if b.typed != "" {
		return b.submitTyped()
	}
	own := b.pos.Board().Stones(b.ownColor())
	switch {
	case b.hasSelection && b.cursor == b.selected:
		b.deselect()
		return game.InputResult{Handled: true}
	case b.hasSelection && !own.Has(b.cursor):
		return b.submitMove(ayu.Move{From: b.selected, To: b.cursor})
	case b.movable.Has(b.cursor):
		b.selectStone(b.cursor)
		return game.InputResult{Handled: true}
	}
	return game.InputResult{Handled: true, Message: b.explainRefusal(), Refused: true}
}

func (b *Board) submitTyped() game.InputResult {
	turn, err := Game{}.ParseTurn(b.pos, b.typed)
	if err == nil {
		_, err = b.pos.Play(turn[0])
	}
	b.typed = ""
	b.deselect()
	if err != nil {
		return game.InputResult{Handled: true, Message: refusalReason(err), Refused: true}
	}
	return game.InputResult{Handled: true, Turn: turn}
}

// refusalReason returns why an action was refused, without the action, which the player has just typed.
func refusalReason(err error) string {
	var illegal *engine.ActionError
	if errors.As(err, &illegal) {
		return illegal.Reason
	}
	return err.Error()
}

// explainRefusal returns why nothing under the cursor can be selected.
func (b *Board) explainRefusal() string {
	stones := b.pos.Board()
	u, ok := stones.UnitAt(b.cursor)
	switch {
	case !ok:
		return fmt.Sprintf("%s is empty; choose one of your stones first", b.cursor)
	case !stones.Stones(b.ownColor()).Has(b.cursor):
		return fmt.Sprintf("the stone on %s is your opponent's", b.cursor)
	case u.Distance == 0:
		return fmt.Sprintf("%s cannot move: no path leads from it to another of your units", b.cursor)
	}
	return fmt.Sprintf("%s cannot move: %s", b.cursor, b.explainHeld(b.cursor, u))
}

// explainHeld returns why the stone on p cannot move although a path leads from its unit to another.
func (b *Board) explainHeld(p ayu.Point, u ayu.Unit) string {
	if b.pos.Board().Splits(p) {
		return fmt.Sprintf("its group of %d would split without it", u.Stones.Count())
	}
	return "only this stone touches its group's possible points"
}

func (b *Board) submitMove(m ayu.Move) game.InputResult {
	if why := b.pos.Explain(b.state.Seat, m); why != "" {
		return game.InputResult{Handled: true, Message: why, Refused: true}
	}
	b.deselect()
	b.cursor = m.To
	return game.InputResult{Handled: true, Turn: []string{m.String()}}
}

// typeSwap enters the swap as typed text, so that Enter confirms it.
func (b *Board) typeSwap() game.InputResult {
	if !b.state.CanAct {
		return game.InputResult{}
	}
	if !b.pos.CanSwap() {
		_, err := b.pos.Play(swap)
		return game.InputResult{Handled: true, Message: refusalReason(err), Refused: true}
	}
	b.deselect()
	b.typed = swap
	return game.InputResult{Handled: true}
}

// cycleTarget moves the cursor to the next stone that can move, or to the chosen stone's next target.
func (b *Board) cycleTarget(step int) game.InputResult {
	points := b.movable
	if b.hasSelection {
		points = b.targets
	}
	all := slices.Collect(points.All())
	if len(all) == 0 {
		return game.InputResult{}
	}
	at, found := slices.BinarySearch(all, b.cursor)
	if step < 0 || found {
		at += step
	}
	b.cursor = all[(at+len(all))%len(all)]
	return game.InputResult{Handled: true}
}

// Click implements game.Board: it moves the cursor to the clicked point and does what Enter does.
func (b *Board) Click(x, y int) game.InputResult {
	p, ok := b.drawnLayout.at(x, y)
	if !ok {
		return game.InputResult{}
	}
	b.typed, b.pendingLetter = "", ""
	b.cursor = p
	if !b.state.CanAct {
		return game.InputResult{Handled: true}
	}
	return b.enter()
}
