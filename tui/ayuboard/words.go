package ayuboard

import (
	"fmt"

	"ayumu/engine/ayu"
	"ayumu/tui/board"
)

// Prompt says what can be done now.
func (b *Board) Prompt() string {
	switch {
	case !b.state.Live:
		return ""
	case b.pos.CanSwap():
		return "Your turn: move, or press s to swap sides."
	case b.choosing:
		return fmt.Sprintf("%s goes where? %s.", b.chosen, count(b.targets.Count(), "target"))
	}
	return "Your turn: choose a stone."
}

// Offers are the keys of the moment.
func (b *Board) Offers() []board.Key {
	if !b.state.Live {
		return []board.Key{{Key: "d", Does: "units"}, {Key: "f", Does: "flip"}}
	}
	var keys []board.Key
	if b.pos.CanSwap() {
		keys = append(keys, board.Key{Key: "s", Does: "swap"})
	}
	switch {
	case b.typed != "":
		keys = append(keys, board.Key{Key: "Enter", Does: "play"}, board.Key{Key: "Esc", Does: "clear"})
	case b.choosing:
		keys = append(keys, board.Key{Key: "Enter", Does: "move"}, board.Key{Key: "Tab", Does: "target"}, board.Key{Key: "Esc", Does: "let go"})
	default:
		keys = append(keys, board.Key{Key: "Enter", Does: "choose"}, board.Key{Key: "Tab", Does: "next"})
	}
	return append(keys, board.Key{Key: "d", Does: "units"})
}

// About says what is under the cursor.
func (b *Board) About() string {
	stones := b.pos.Board()
	u, ok := stones.UnitAt(b.cursor)
	if !ok {
		return b.aboutEmpty()
	}
	text := fmt.Sprintf("%s: %s", b.cursor, tellUnit(stones, b.cursor, u))
	if !b.state.Live || !stones.Stones(stones.Turn()).Has(b.cursor) || b.movable.Has(b.cursor) {
		return text
	}
	if u.Distance > 0 {
		return fmt.Sprintf("%s: %s", b.cursor, b.whyHeld(b.cursor, u))
	}
	return text
}

func (b *Board) aboutEmpty() string {
	text := b.cursor.String() + ": empty"
	if !b.choosing {
		return text
	}
	if b.targets.Has(b.cursor) {
		return fmt.Sprintf("%s: %s can go here", b.cursor, b.chosen)
	}
	return fmt.Sprintf("%s: %s", b.cursor, b.pos.Explain(b.state.Seat, ayu.Move{From: b.chosen, To: b.cursor}))
}

// tellUnit describes a unit: "a black singleton, 1 from d1".
func tellUnit(stones ayu.Board, p ayu.Point, u ayu.Unit) string {
	side := "black"
	if stones.Stones(ayu.White).Has(p) {
		side = "white"
	}
	what := "singleton"
	if n := u.Stones.Count(); n > 1 {
		what = fmt.Sprintf("group of %d", n)
	}
	text := "a " + side + " " + what
	if u.Distance == 0 {
		if u.Stones == stones.Stones(ayu.Black) || u.Stones == stones.Stones(ayu.White) {
			return text + ", all there are"
		}
		return text + ", cut off from all others"
	}
	for q := range u.Closest.All() {
		return text + fmt.Sprintf(", distance %d to %s", u.Distance, q)
	}
	return text
}
