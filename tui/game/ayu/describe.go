package ayu

import (
	"fmt"
	"strings"

	"ayumu/engine/ayu"
)

// explainer describes in words what a session can do now, and what is under its cursor.
type explainer struct {
	view    *seatView
	pointer *pointer
}

// prompt returns a sentence about what the player can do now; "" if the seat cannot act.
func (e explainer) prompt() string {
	switch {
	case !e.view.state.CanAct:
		return ""
	case e.view.pos.CanSwap():
		return "Your move (White), or s to swap colours."
	case e.pointer.hasSelection:
		return fmt.Sprintf("Move %s where? %s.", e.pointer.selected, plural(e.pointer.targets.Count(), "possible point"))
	}
	return fmt.Sprintf("Your move (%s): choose a stone.", e.view.ownColor().Name())
}

// describeCursor returns one line about the point under the cursor: what is there, or why it cannot move.
func (e explainer) describeCursor() string {
	stones := e.view.pos.Board()
	u, ok := stones.UnitAt(e.pointer.cursor)
	if !ok {
		return e.describeEmpty()
	}
	text := fmt.Sprintf("%s: %s", e.pointer.cursor, describeUnit(stones, e.pointer.cursor, u))
	if !e.view.state.CanAct || !stones.Stones(stones.Turn()).Has(e.pointer.cursor) || e.view.movable.Has(e.pointer.cursor) {
		return text
	}
	if u.Distance > 0 {
		return fmt.Sprintf("%s: %s", e.pointer.cursor, e.immobileReason(e.pointer.cursor, u))
	}
	return text
}

// describeEmpty describes the empty point under the cursor, as a target if a stone is selected.
func (e explainer) describeEmpty() string {
	text := e.pointer.cursor.String() + ": empty"
	if !e.pointer.hasSelection {
		return text
	}
	if e.pointer.targets.Has(e.pointer.cursor) {
		return fmt.Sprintf("%s: %s can move here", e.pointer.cursor, e.pointer.selected)
	}
	return fmt.Sprintf("%s: %s", e.pointer.cursor, e.view.pos.Explain(e.view.state.Seat, ayu.Move{From: e.pointer.selected, To: e.pointer.cursor}))
}

// refusal returns why the point under the cursor cannot be selected.
func (e explainer) refusal() string {
	stones := e.view.pos.Board()
	u, ok := stones.UnitAt(e.pointer.cursor)
	switch {
	case !ok:
		return fmt.Sprintf("%s is empty; choose one of your stones first", e.pointer.cursor)
	case !stones.Stones(e.view.ownColor()).Has(e.pointer.cursor):
		return fmt.Sprintf("the stone on %s is your opponent's", e.pointer.cursor)
	case u.Distance == 0:
		return fmt.Sprintf("%s cannot move: no path leads from it to another of your units", e.pointer.cursor)
	}
	return fmt.Sprintf("%s cannot move: %s", e.pointer.cursor, e.immobileReason(e.pointer.cursor, u))
}

// immobileReason returns why the stone on p cannot move although a path leads from its unit to another.
func (e explainer) immobileReason(p ayu.Point, u ayu.Unit) string {
	if e.view.pos.Board().Splits(p) {
		return fmt.Sprintf("its group of %d would split without it", u.Stones.Count())
	}
	return "no other stone of its group touches a possible point"
}

// describeUnit describes the unit u of the stone on p: "a single black stone, distance 1 to d1".
func describeUnit(stones ayu.Board, p ayu.Point, u ayu.Unit) string {
	color := ayu.Black
	if stones.Stones(ayu.White).Has(p) {
		color = ayu.White
	}
	name := strings.ToLower(color.Name())
	text := "a single " + name + " stone"
	if n := u.Stones.Count(); n > 1 {
		text = fmt.Sprintf("a %s group of %d", name, n)
	}
	if u.Distance == 0 {
		if u.Stones == stones.Stones(color) {
			return fmt.Sprintf("%s, all of %s's stones", text, color.Name())
		}
		return text + ", cut off from all others"
	}
	for q := range u.Ends.All() {
		return text + fmt.Sprintf(", distance %d to %s", u.Distance, q)
	}
	return text
}
