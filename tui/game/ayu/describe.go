package ayu

import (
	"ayumu/engine/ayu"
	"ayumu/tui/game"
	"fmt"
	"strings"
)

// Prompt implements game.Board.
func (b *Board) Prompt() string {
	switch {
	case !b.state.CanAct:
		return ""
	case b.pos.CanSwap():
		return "Your move (White), or s to swap sides."
	case b.hasSelection:
		return fmt.Sprintf("Move %s where? %s.", b.selected, plural(b.targets.Count(), "possible point"))
	}
	return fmt.Sprintf("Your move (%s): choose a stone.", b.ownColor().Name())
}

// StatusKeys implements game.Board.
func (b *Board) StatusKeys() []game.Key {
	if !b.state.CanAct {
		return []game.Key{{Key: "d", Help: "units"}, {Key: "f", Help: "flip"}}
	}
	var keys []game.Key
	if b.pos.CanSwap() {
		keys = append(keys, game.Key{Key: "s", Help: "swap"})
	}
	switch {
	case b.typed != "":
		keys = append(keys, game.Key{Key: "Enter", Help: "play"}, game.Key{Key: "Esc", Help: "clear"})
	case b.hasSelection:
		keys = append(keys, game.Key{Key: "Enter", Help: "move"}, game.Key{Key: "Tab", Help: "target"}, game.Key{Key: "Esc", Help: "cancel"})
	default:
		keys = append(keys, game.Key{Key: "Enter", Help: "choose"}, game.Key{Key: "Tab", Help: "next"})
	}
	return append(keys, game.Key{Key: "d", Help: "units"})
}

// DescribeCursor implements game.Board.
func (b *Board) DescribeCursor() string {
	stones := b.pos.Board()
	u, ok := stones.UnitAt(b.cursor)
	if !ok {
		return b.describeEmpty()
	}
	text := fmt.Sprintf("%s: %s", b.cursor, describeUnit(stones, b.cursor, u))
	if !b.state.CanAct || !stones.Stones(stones.Turn()).Has(b.cursor) || b.movable.Has(b.cursor) {
		return text
	}
	if u.Distance > 0 {
		return fmt.Sprintf("%s: %s", b.cursor, b.explainHeld(b.cursor, u))
	}
	return text
}

func (b *Board) describeEmpty() string {
	text := b.cursor.String() + ": empty"
	if !b.hasSelection {
		return text
	}
	if b.targets.Has(b.cursor) {
		return fmt.Sprintf("%s: %s can move here", b.cursor, b.selected)
	}
	return fmt.Sprintf("%s: %s", b.cursor, b.pos.Explain(b.state.Seat, ayu.Move{From: b.selected, To: b.cursor}))
}

// describeUnit describes the unit u of the stone on p: "a black singleton, distance 1 to d1".
func describeUnit(stones ayu.Board, p ayu.Point, u ayu.Unit) string {
	color := ayu.Black
	if stones.Stones(ayu.White).Has(p) {
		color = ayu.White
	}
	kind := "singleton"
	if n := u.Stones.Count(); n > 1 {
		kind = fmt.Sprintf("group of %d", n)
	}
	text := "a " + strings.ToLower(color.Name()) + " " + kind
	if u.Distance == 0 {
		if u.Stones == stones.Stones(color) {
			return fmt.Sprintf("%s, all of %s's stones", text, color.Name())
		}
		return text + ", cut off from all others"
	}
	for q := range u.Closest.All() {
		return text + fmt.Sprintf(", distance %d to %s", u.Distance, q)
	}
	return text
}
