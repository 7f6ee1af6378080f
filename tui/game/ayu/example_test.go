package ayu

import (
	"testing"

	"ayumu/engine/ayu"
)

// The text of the example says how many units Black has before and after the move.
func TestExampleJoinsTwoUnits(t *testing.T) {
	s, text := Game{}.Example()
	before, after := s.Previous.(*ayu.Position).Board(), s.Position.(*ayu.Position).Board()
	if n, m := len(before.Units(ayu.Black)), len(after.Units(ayu.Black)); n != 3 || m != 2 {
		t.Errorf("Black has %d units before the move and %d after it, not 3 and 2", n, m)
	}
	if n := len(after.Units(ayu.White)); n != 4 {
		t.Errorf("White has %d units, not four single stones", n)
	}
	if len(text) == 0 {
		t.Error("the example has no text")
	}
}
