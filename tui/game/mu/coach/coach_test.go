package coach

import (
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/mu"
)

func name(seat int) string { return []string{"Disc", "Triangle"}[seat] }

// parse returns a position of two players on two segments in which it is Disc's turn, who has some rights.
func parse(t *testing.T, cells, rights, passes string) *mu.Position {
	t.Helper()
	p, err := mu.ParsePosition(2, "0,0;3,-1", "play|"+cells+"|0|"+rights+"||"+passes)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// virgin has Disc's piece of three in the left segment, and a man of Disc's beside Triangle's piece of two in the right
// one.
const virgin = "-1,0:v;-1,1:v;0,-1:v;0,0:v0.3;0,1:v;1,-1:v;1,0:v;2,-1:v;2,0:v0.1;3,-2:v1.1;3,-1:v1.2;3,0:v;4,-2:v;4,-1:v"

func TestAdvice(t *testing.T) {
	var layout engine.Position = mu.New(mu.Options{Players: 2, Segments: 1, Min: 2})
	if got := Advise(layout.(*mu.Position), 0, name); !strings.Contains(got, "is filled with men") {
		t.Errorf("layout: %q", got)
	}
	if got := Advise(parse(t, virgin, "0,0 3,-1", "0"), 0, name); !strings.HasPrefix(got, "Territory: you 0, Triangle 0. Explode virgin cells") {
		t.Errorf("play: %q", got)
	}
	common := strings.NewReplacer(":v", ":c").Replace(virgin)
	if got := Advise(parse(t, common, "0,0 3,-1", "0"), 1, name); !strings.HasPrefix(got, "Territory: Disc 0, you 0. No virgin cells are left") {
		t.Errorf("play without virgin cells: %q", got)
	}
}

func TestWarnings(t *testing.T) {
	lost := "-1,0:c;-1,1:c;0,-1:c;0,0:c0.1;0,1:c;1,-1:w;1,0:w;2,-1:c;2,0:c;3,-2:c;3,-1:c1.1;3,0:c;4,-2:c;4,-1:c"
	for _, test := range []struct{ name, cells, rights, passes, turn, want string }{
		{"in reach", virgin, "0,0 3,-1", "0", "move 0,0 2 e; end", "Then Triangle can capture 3 of your men with one move, from 3,-1 to 2,0."},
		{"a man", virgin, "0,0 3,-1", "0", "move 0,0 1 e; end", ""},
		{"out of reach", virgin, "0,0 3,-1", "0", "move 0,0 1 w; end", ""},
		{"a pass", virgin, "0,0 3,-1", "0", "end", ""},
		{"the last pass", lost, "0,0", "1", "end", "That ends the game: all have passed, and Triangle has the larger territory."},
		{"illegal", virgin, "0,0 3,-1", "0", "move 0,0 9 e; end", ""},
	} {
		if got := Warn(parse(t, test.cells, test.rights, test.passes), strings.Split(test.turn, "; "), name); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
