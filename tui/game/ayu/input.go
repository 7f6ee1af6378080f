package ayu

import (
	"errors"
	"strings"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/tui/game"
)

// maxTypedLength is the maximum length of a typed move; "o15-o14" has 7 characters.
const maxTypedLength = 8

var handled = game.InputResult{Handled: true}

func refused(why string) game.InputResult {
	return game.InputResult{Handled: true, Message: why, Refused: true}
}

// moveInput turns keys and clicks into a turn. It changes the pointer.
type moveInput struct {
	view    *seatView
	pointer *pointer

	typed string // a move, or the swap, of which the first letter is enough
}

// clear drops what was typed.
func (in *moveInput) clear() { in.typed = "" }

// takeUp goes on with a move that was begun in advance, now that the seat is to move.
func (in *moveInput) takeUp() {
	if in.pointer.hasSelection && in.view.movable.Has(in.pointer.selected) {
		in.pointer.selectStone(in.view.pos.Board(), in.pointer.selected)
	} else {
		in.pointer.deselect()
	}
}

// key handles a key that is not a character of a typed move.
func (in *moveInput) key(key string) game.InputResult {
	switch key {
	case "enter":
		return in.enter()
	case "space":
		return in.choose()
	case "tab":
		return in.cycle(1)
	case "shift+tab":
		return in.cycle(-1)
	case "s":
		return in.typeSwap()
	case "backspace":
		if in.typed == "" {
			return game.InputResult{}
		}
		in.typed = in.typed[:len(in.typed)-1]
		in.previewTyped()
		return handled
	case "esc":
		if in.typed == "" && !in.pointer.hasSelection {
			return game.InputResult{}
		}
		in.typed = ""
		in.pointer.deselect()
		return handled
	}
	return game.InputResult{}
}

// isColumn reports whether a lower-case letter names a column of the board.
func (in *moveInput) isColumn(c byte) bool {
	return c >= 'a' && int(c-'a') < in.view.pos.Board().Size()
}

// typeKey handles a character of a typed move, which begins with a column.
func (in *moveInput) typeKey(c byte) game.InputResult {
	digit, column := c >= '0' && c <= '9', in.isColumn(c)
	switch {
	case !in.view.canEnter():
		return game.InputResult{}
	case in.typed != "" && (digit || column || c == '-' || in.typed[0] == swap[0]): // no column has the letter of the swap
		if len(in.typed) < maxTypedLength {
			in.typed += string(c)
		}
	case in.typed == "" && column:
		in.pointer.deselect()
		in.typed = string(c)
	default:
		return game.InputResult{}
	}
	in.previewTyped()
	return handled
}

// text returns what is being typed, with the whole word of a swap. Further letters that are not those of the word make
// another text of it, which is no move: it may have been meant for the chat.
func (in *moveInput) text() string {
	if in.typed != "" && strings.HasPrefix(swap, in.typed) {
		return swap
	}
	return in.typed
}

// previewTyped shows a typed move on the board: it selects its stone and puts the cursor on its target.
func (in *moveInput) previewTyped() {
	from, rest, err := readPoint(strings.ReplaceAll(in.typed, "-", ""))
	if err != nil || !in.view.pos.Board().Contains(from) {
		return
	}
	in.pointer.cursor = from
	if in.view.movable.Has(from) {
		in.pointer.selectStone(in.view.pos.Board(), from)
	} else {
		in.pointer.deselect()
	}
	if to, err := ayu.ParsePoint(rest); err == nil && in.view.pos.Board().Contains(to) {
		in.pointer.cursor = to
	}
}

// enter plays the typed move, moves the selected stone to the cursor, or selects the stone under it.
func (in *moveInput) enter() game.InputResult {
	switch {
	case !in.view.state.CanAct:
		return game.InputResult{}
	case in.typed != "":
		return in.submitTyped()
	case in.isOnTarget():
		return in.submitMove(ayu.Move{From: in.pointer.selected, To: in.pointer.cursor})
	}
	return in.choose()
}

// isOnTarget reports whether a stone is selected and the cursor is where it could move, or on another stone.
func (in *moveInput) isOnTarget() bool {
	return in.pointer.hasSelection && !in.view.pos.Board().Stones(in.view.ownColor()).Has(in.pointer.cursor)
}

// choose selects the stone under the cursor, or deselects it. It plays nothing, so that a character that was meant for
// the chat ends no turn.
func (in *moveInput) choose() game.InputResult {
	switch {
	case !in.view.state.CanAct || in.typed != "":
		return game.InputResult{}
	case in.isOnTarget():
		return refused("press Enter to move " + in.pointer.selected.String() + " to " + in.pointer.cursor.String())
	case in.pointer.hasSelection && in.pointer.cursor == in.pointer.selected:
		in.pointer.deselect()
		return handled
	case in.view.movable.Has(in.pointer.cursor):
		in.pointer.selectStone(in.view.pos.Board(), in.pointer.cursor)
		return handled
	}
	return refused(explainer{in.view, in.pointer}.refusal())
}

func (in *moveInput) submitTyped() game.InputResult {
	turn, err := Game{}.ParseTurn(in.view.pos, in.text())
	if err == nil {
		_, err = in.view.pos.Play(turn[0])
	}
	in.typed = ""
	in.pointer.deselect()
	if err != nil {
		return refused(refusalReason(err))
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

func (in *moveInput) submitMove(m ayu.Move) game.InputResult {
	if why := in.view.pos.Explain(in.view.state.Seat, m); why != "" {
		return refused(why)
	}
	in.pointer.deselect()
	in.pointer.cursor = m.To
	return game.InputResult{Handled: true, Turn: []string{m.String()}}
}

// typeSwap enters the swap as typed text, so that Enter confirms it.
func (in *moveInput) typeSwap() game.InputResult {
	if !in.view.state.CanAct {
		return game.InputResult{}
	}
	if !in.view.pos.CanSwap() {
		_, err := in.view.pos.Play(swap)
		return refused(refusalReason(err))
	}
	in.pointer.deselect()
	in.typed = swap[:1]
	return handled
}

// cycle moves the cursor to the next stone that can move, or to the selected stone's next target. The first one forwards
// is that of a hint.
func (in *moveInput) cycle(step int) game.InputResult {
	points, hinted := in.view.movable, in.view.hint.From
	if in.pointer.hasSelection {
		points = in.pointer.targets
		if hinted = in.view.hint.To; in.pointer.selected != in.view.hint.From {
			hinted = in.pointer.cursor
		}
	}
	if in.view.hasHint && step > 0 && hinted != in.pointer.cursor && points.Has(hinted) {
		in.pointer.cursor = hinted
		return handled
	}
	return game.InputResult{Handled: in.pointer.cycle(points, step)}
}

// statusKeys returns the most useful keys of the seat to move.
func (in *moveInput) statusKeys() []game.Key {
	var keys []game.Key
	if in.view.pos.CanSwap() {
		keys = append(keys, game.Key{Key: "s", Help: "swap"})
	}
	switch {
	case in.typed != "":
		help := "play"
		if in.view.isPlanning {
			help = "plan"
		}
		return append(keys, game.Key{Key: "Enter", Help: help}, game.Key{Key: "Esc", Help: "clear"})
	case in.pointer.hasSelection:
		if in.pointer.targets.Has(in.pointer.cursor) {
			help := "move"
			if in.view.isPlanning {
				help = "plan"
			}
			keys = append(keys, game.Key{Key: "Enter", Help: help})
		}
		return append(keys, game.Key{Key: "Tab", Help: "target"}, game.Key{Key: "Esc", Help: "cancel"})
	}
	if in.view.isPlanning {
		return append(keys, game.Key{Key: "Enter", Help: "plan a move"})
	}
	return append(keys, game.Key{Key: "Enter", Help: "choose"}, game.Key{Key: "Tab", Help: "next"})
}
