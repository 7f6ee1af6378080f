package ayuboard

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/tui/board"
)

// maxTyped bounds a typed move: "o15-o14" and a little.
const maxTyped = 8

// Key takes a key.
func (b *Board) Key(key string) board.Answer {
	if len(key) == 1 {
		if a := b.typeKey(strings.ToLower(key)[0]); a.Used {
			return a
		}
	}
	b.letter = ""
	switch key {
	case "up", "k", "down", "j", "left", "h", "right", "l":
		return b.steer(key)
	case "enter", "space":
		return b.enter()
	case "tab":
		return b.next(1)
	case "shift+tab":
		return b.next(-1)
	case "backspace":
		if b.typed == "" {
			return board.Answer{}
		}
		b.typed = b.typed[:len(b.typed)-1]
		b.follow()
	case "esc":
		if b.typed == "" && !b.choosing {
			return board.Answer{}
		}
		b.typed = ""
		b.letGo()
	case "d":
		b.command(key, func() { b.distances = !b.distances })
	case "f":
		b.command(key, func() { b.flipped = !b.flipped })
	case "s":
		return b.askSwap()
	default:
		return board.Answer{}
	}
	return board.Answer{Used: true}
}

// command does what a letter stands for. As the letter may also be a column, with which a typed
// move begins, it can be taken back: toggle is its own inverse.
func (b *Board) command(key string, toggle func()) {
	toggle()
	b.Began(key, toggle)
}

// Began makes a letter that did something else the possible beginning of a typed move.
func (b *Board) Began(letter string, undo func()) { b.letter, b.undo = letter, undo }

// typeKey takes a character of a typed move. A letter begins one if it is a column and no
// command; if it is both, the digit after it decides.
func (b *Board) typeKey(c byte) board.Answer {
	used := board.Answer{Used: true}
	digit := c >= '0' && c <= '9'
	column := c >= 'a' && int(c-'a') < b.pos.Board().Size()
	switch {
	case !b.state.Live:
		return board.Answer{}
	case b.typed != "" && (digit || column || c == '-' || strings.IndexByte(swap, c) >= 0):
		if b.typed != swap && len(b.typed) < maxTyped {
			b.typed += string(c)
		}
	case b.typed == "" && digit && b.letter != "":
		b.undo()
		b.typed = b.letter + string(c)
	case b.typed == "" && column && !strings.ContainsRune("dfhjkl", rune(c)):
		b.letGo()
		b.typed = string(c)
	default:
		return board.Answer{}
	}
	b.letter = ""
	b.follow()
	return used
}

// follow shows a typed move on the board: its stone is chosen, the cursor stands on its target.
func (b *Board) follow() {
	from, rest, err := readPoint(strings.ReplaceAll(b.typed, "-", ""))
	if err != nil || !b.pos.Board().Contains(from) {
		return
	}
	b.cursor = from
	if b.movable.Has(from) {
		b.choose(from)
	} else {
		b.letGo()
	}
	if to, err := ayu.ParsePoint(rest); err == nil && b.pos.Board().Contains(to) {
		b.cursor = to
	}
}

func (b *Board) steer(key string) board.Answer {
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
		b.Began(key, func() { b.cursor = before })
	}
	b.typed = ""
	return board.Answer{Used: true}
}

// enter chooses the stone under the cursor, moves the chosen one there, or plays what was typed.
func (b *Board) enter() board.Answer {
	if !b.state.Live {
		return board.Answer{}
	}
	if b.typed != "" {
		return b.enterTyped()
	}
	own := b.pos.Board().Stones(b.own())
	switch {
	case b.choosing && b.cursor == b.chosen:
		b.letGo()
		return board.Answer{Used: true}
	case b.choosing && !own.Has(b.cursor):
		return b.play(ayu.Move{From: b.chosen, To: b.cursor})
	case b.movable.Has(b.cursor):
		b.choose(b.cursor)
		return board.Answer{Used: true}
	}
	return board.Answer{Used: true, Note: b.whyNot(), Bad: true}
}

func (b *Board) enterTyped() board.Answer {
	turn, err := Game{}.Read(b.pos, b.typed)
	if err == nil {
		_, err = b.pos.Play(turn[0])
	}
	b.typed = ""
	b.letGo()
	if err != nil {
		return board.Answer{Used: true, Note: reason(err), Bad: true}
	}
	return board.Answer{Used: true, Turn: turn}
}

// reason is why an action was refused, without the action, which the player has just typed.
func reason(err error) string {
	var illegal *engine.ActionError
	if errors.As(err, &illegal) {
		return illegal.Reason
	}
	return err.Error()
}

// whyNot says why nothing can be chosen under the cursor.
func (b *Board) whyNot() string {
	stones := b.pos.Board()
	u, ok := stones.UnitAt(b.cursor)
	switch {
	case !ok:
		return fmt.Sprintf("%s is empty; choose one of your stones first", b.cursor)
	case !stones.Stones(b.own()).Has(b.cursor):
		return fmt.Sprintf("the stone on %s is your opponent's", b.cursor)
	case u.Distance == 0:
		return fmt.Sprintf("%s cannot move: no way leads from it to another unit of yours", b.cursor)
	}
	return fmt.Sprintf("%s cannot move: %s", b.cursor, b.whyHeld(b.cursor, u))
}

// whyHeld says why a stone of a unit that can move may not be the one that moves.
func (b *Board) whyHeld(p ayu.Point, u ayu.Unit) string {
	if b.pos.Board().Splits(p) {
		return fmt.Sprintf("its group of %d would fall apart without it", u.Stones.Count())
	}
	return "only this stone touches where its group can go"
}

func (b *Board) play(m ayu.Move) board.Answer {
	if why := b.pos.Explain(b.state.Seat, m); why != "" {
		return board.Answer{Used: true, Note: why, Bad: true}
	}
	b.letGo()
	b.cursor = m.To
	return board.Answer{Used: true, Turn: []string{m.String()}}
}

// askSwap types the swap, so that Enter is still to be pressed.
func (b *Board) askSwap() board.Answer {
	if !b.state.Live {
		return board.Answer{}
	}
	if !b.pos.CanSwap() {
		_, err := b.pos.Play(swap)
		return board.Answer{Used: true, Note: reason(err), Bad: true}
	}
	b.letGo()
	b.typed = swap
	return board.Answer{Used: true}
}

// next moves the cursor to the next stone that can move, or to the chosen stone's next target.
func (b *Board) next(step int) board.Answer {
	points := b.movable
	if b.choosing {
		points = b.targets
	}
	all := slices.Collect(points.All())
	if len(all) == 0 {
		return board.Answer{}
	}
	at, found := slices.BinarySearch(all, b.cursor)
	if step < 0 || found {
		at += step
	}
	b.cursor = all[(at+len(all))%len(all)]
	return board.Answer{Used: true}
}

// Click chooses the stone that was clicked, or moves the chosen one to the point.
func (b *Board) Click(x, y int) board.Answer {
	p, ok := b.drawn.at(x, y)
	if !ok {
		return board.Answer{}
	}
	b.typed, b.letter = "", ""
	b.cursor = p
	if !b.state.Live {
		return board.Answer{Used: true}
	}
	return b.enter()
}
