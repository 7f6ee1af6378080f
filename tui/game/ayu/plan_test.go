package ayu

import (
	"testing"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// TestPlanning enters the move of the side that is not to move. The board looks as for others until a stone is chosen, the
// rules are those of its own turn, and nothing is planned by a side without moves.
func TestPlanning(t *testing.T) {
	style := game.Style{Theme: theme.DefaultSet.For(paint.Colors256, false)}
	draw := func(b game.Board) *paint.Frame {
		return paint.Draw(nil, 48, 23, func(c paint.Canvas) { b.Draw(c, style) })
	}
	var p engine.Position = ayu.Game{}.New(ayu.Options{Size: 11, Pie: true})
	p, err := p.Play("b1-b2")
	if err != nil {
		t.Fatal(err)
	}
	black := game.State{Position: p, LastTurn: []string{"b1-b2"}, Seat: 0, CanPlan: true}
	g := NewGame()
	b, other := g.New().(*Board), g.New().(*Board)
	b.Show(black)
	other.Show(black)
	without := black
	without.CanPlan = false
	if other.Show(without); !draw(b).Equal(draw(other)) {
		t.Errorf("with nothing planned the board is\n%s\nnot\n%s", draw(b), draw(other))
	}
	for _, key := range []string{"d", "1", "d", "2"} {
		b.Key(key)
	}
	if a := b.Key("enter"); a.Refused || len(a.Turn) != 1 || a.Turn[0] != "d1-d2" {
		t.Errorf("the planned turn is %+v", a)
	}
	if a := b.Key("s"); len(a.Turn) > 0 || b.Typed() != "" {
		t.Errorf("Black can plan a swap: %+v", a)
	}
	for _, key := range []string{"a", "2", "a", "3"} { // White's
		b.Key(key)
	}
	if a := b.Key("enter"); !a.Refused || a.Turn != nil {
		t.Errorf("Black plans White's move: %+v", a)
	}
	black.Hint, black.IsPlanned = []string{"d1-d2"}, true
	if b.Show(black); draw(b).Equal(draw(other)) {
		t.Error("the planned move is not marked")
	}
	end, err := ayu.ParseBoard("3 b xx./.../..o")
	if err != nil {
		t.Fatal(err)
	}
	b.Show(game.State{Position: ayu.FromBoard(end), Seat: 1, CanPlan: true})
	if b.view.isPlanning || b.StatusKeys() != nil {
		t.Error("a side without moves plans one")
	}
}
