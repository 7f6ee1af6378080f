package ayu

import (
	"testing"

	"ayumu/engine/ayu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/paint/painttest"
	"ayumu/tui/theme"
)

// TestLegendExplainsEachSign checks on all kinds of terminals that the samples fit into a legend and that no two
// look alike.
func TestLegendExplainsEachSign(t *testing.T) {
	for _, style := range []game.Style{
		{Theme: &theme.Dark}, {Theme: &theme.Light}, {Theme: &theme.ANSI}, {Theme: &theme.Plain},
		{Theme: &theme.Plain, ASCII: true}, {Theme: &theme.ANSI, Console: true},
	} {
		for _, room := range [][2]int{{17, 8}, {32, 15}, {60, 30}} {
			b := live(t, "7 b .x.x.../o.oo..o/xx...x./o..o..o/.x.x.xo/o.o.o../.x...xx", "g2-g3")
			b.showDistances = true
			b.view.hasHint = true
			drawn(b, room[0], room[1], style)
			seen := make(map[string]string)
			for _, e := range b.Legend(style) {
				w, h := e.Sample.Size()
				if w > game.MaxSampleColumns || h > game.MaxSampleRows || w == 0 || h == 0 {
					t.Errorf("%s, %v: the sample of %q has %d×%d cells", style.Theme.Name, room, e.Text, w, h)
				}
				picture := painttest.Picture(e.Sample)
				if style.ASCII {
					picture = e.Sample.String()
				}
				if other := seen[picture]; other != "" {
					t.Errorf("%s, %v: %q looks like %q:\n%s", style.Theme.Name, room, e.Text, other, picture)
				}
				seen[picture] = e.Text
			}
			if len(seen) < 9 {
				t.Errorf("%s, %v: only %d signs are explained", style.Theme.Name, room, len(seen))
			}
		}
	}
}

// TestLegendIsSharedAndStays checks that boards share a legend, and that it does not change with each turn.
func TestLegendIsSharedAndStays(t *testing.T) {
	g := NewGame()
	style := game.Style{Theme: &theme.Dark}
	legend := func(s game.State) *game.LegendEntry {
		b := g.New()
		b.Show(s)
		paint.Draw(nil, 80, 24, func(c paint.Canvas) { b.Draw(c, style) })
		return &b.Legend(style)[0]
	}
	first := Game{}.firstPosition(7)
	next, err := first.Play("b1-b2")
	if err != nil {
		t.Fatal(err)
	}
	player := legend(game.State{Position: first, Seat: 0, CanAct: true})
	if player != legend(game.State{Position: next, LastTurn: []string{"b1-b2"}, Seat: 0}) {
		t.Error("the legend of a player is another one after a turn")
	}
	if player == legend(game.State{Position: first, Seat: -1}) {
		t.Error("a spectator has the legend of a player")
	}
	white := legend(game.State{Position: first, Seat: 1})
	if white == player {
		t.Error("White has the legend of Black")
	}
}

// TestSamplesHaveTheStonesOfTheSide checks that the stone that cannot move is the player's.
func TestSamplesHaveTheStonesOfTheSide(t *testing.T) {
	for _, c := range []ayu.Color{ayu.Black, ayu.White} {
		b := stuckSample.board(c)
		if b.Turn() != c || !b.Stones(c).Has(firstPoint) || !b.Movable().Empty() {
			t.Errorf("%s: %s", c.Name(), b)
		}
	}
}
