package mu

import (
	"errors"
	"testing"

	"ayumu/engine"
)

func TestExplain(t *testing.T) {
	start := New(Options{Players: 2, Segments: 2, Min: 2})
	laying, _ := run(t, start, "place 0,0")
	clearing, _ := run(t, laying, "place 1,2", "place -2,3", "place 3,-1")
	play := setUp(t, 2, three, "w", "0,0:c0.2 1,0:c 1,-1:c 2,0:w 3,0:w0.1 4,0:c 5,0:c0.1 5,1:c 6,0:w1.1 7,0:w0.2", "0")
	moved, _ := run(t, play, "move 3,0 1 se")
	choice := setUp(t, 2, "0,0;3,0", "v", "0,0:v0.3 -1,0:c1.2 1,0:c1.3 -1,1:v0.1", "0")
	choice, _ = run(t, choice, "move -1,1 1 ne")
	over, _ := run(t, play, "end", "end")
	for _, c := range []struct {
		p            *Position
		action, want string
	}{
		{start, "end", "the board is being laid out: place a segment"},
		{start, "place 1,0", "the first segment must have its centre at 0,0"},
		{laying, "place 1,1", "the segment would overlap the board"},
		{laying, "place 3,1", "at least two cells of the segment must each be adjacent to the board"},
		{clearing, "place 9,9", "the segments are being cleared: clear one of yours"},
		{clearing, "clear 1,0", "1,0 is not the centre of a segment"},
		{clearing, "clear 1,2", "the man on segment 1,2 belongs to another player"},
		{play, "place 0,3", "the layout is complete"},
		{play, "clear 0,0", "the clearing is complete"},
		{play, "explode 0,0", "there are no critical cells to choose from"},
		{choice, "end", "choose first which critical cell explodes next"},
		{choice, "explode 9,9", "9,9 is Out of Bounds"},
		{choice, "explode 0,0", "0,0 is not critical"},
		{play, "move 9,9 1 e", "9,9 is Out of Bounds"},
		{play, "move 1,0 1 e", "there is no piece on 1,0"},
		{play, "move 6,0 1 e", "the piece on 6,0 belongs to another player"},
		{moved, "move 3,1 1 e", "segment 3,0 has no move left this turn (one for each segment that you occupied when it began)"},
		{play, "move 0,0 3 e", "the piece on 0,0 has only 2 men"},
		{play, "move 3,0 2 e", "the piece on 3,0 has only 1 man"},
		{play, "move 0,0 1 w", "-1,0 is on the Wall, where only a piece that starts from the Wall may end"},
		{play, "move 0,0 2 w", "the Wall at -1,0 is in the way: it can be passed from the Wall, or where a piece of the same colour stands on it"},
		{play, "move 0,0 2 e", "2,0 is on the Wall, where only a piece that starts from the Wall may end"},
		{play, "move 7,0 1 e", "8,0 is Out of Bounds"},
		{over, "end", "the game is over"},
	} {
		a, err := ParseAction(c.action)
		if err != nil {
			t.Fatal(err)
		}
		got := c.p.Explain(a)
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.action, got, c.want)
		}
		_, err = c.p.Do(a)
		var refused *engine.ActionError
		if errors.As(err, &refused) {
			if refused.Reason != c.want || refused.Action != c.action {
				t.Errorf("%s fails with %+v", c.action, refused)
			}
		} else if !errors.Is(err, engine.ErrGameOver) {
			t.Errorf("%s fails with %v", c.action, err)
		}
	}
	for _, a := range []Action{{Kind: Move, At: Hex{0, 0}}, {Kind: Move, At: Hex{0, 0}, Men: 1, Dir: 6}, {Kind: 9}} {
		if play.Explain(a) == "" {
			t.Errorf("%+v is legal", a)
		}
	}
}

// TestWallRules moves over and onto the Wall from each terrain (docs/rules/mu.md, sections 5.5 and 5.6).
func TestWallRules(t *testing.T) {
	p := setUp(t, 2, three, "w", "0,0:c0.5 0,-1:c -1,0:c -1,1:c 0,1:c 1,-1:c 1,0:c 2,0:w0.1 3,0:c 4,0:c 6,0:w1.3 7,0:w0.1", "0")
	for action, legal := range map[string]bool{
		"move 0,0 1 e":  true,
		"move 0,0 2 e":  false, // ends on the Wall, on an own piece
		"move 0,0 3 e":  true,  // passes an own piece on the Wall
		"move 0,0 4 e":  true,
		"move 0,0 5 e":  false, // ends on the Wall
		"move 2,0 1 e":  true,
		"move 2,0 1 w":  true,
		"move 2,0 1 se": true, // from the Wall to the Wall
		"move 7,0 1 w":  true, // captures there
	} {
		a, err := ParseAction(action)
		if err != nil {
			t.Fatal(err)
		}
		if reason := p.Explain(a); (reason == "") != legal {
			t.Errorf("%s: %q", action, reason)
		}
	}
	// In the other direction: a piece on the Wall passes every Wall cell, even with another player's
	// piece.
	p = setUp(t, 2, three, "w", "0,0:c 1,0:c 6,0:w1.3 5,0:w0.1", "1")
	if reason := p.Explain(Action{Kind: Move, At: Hex{6, 0}, Men: 3, Dir: W}); reason != "" {
		t.Errorf("from the Wall over the Wall: %s", reason)
	}
}
