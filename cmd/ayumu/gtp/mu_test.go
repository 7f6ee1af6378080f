package gtp

import (
	"regexp"
	"strings"
	"testing"
)

func TestMuTranscripts(t *testing.T) {
	for name, transcript := range map[string]string{
		"a game": `> newgame mu 2 1
= 

> turn
= 0

> legal
= place 0,0

> showboard
= Mu, layout, A to move, + Commonwealth, # Wall
A seat 0: men 0, cells 0
B seat 1: men 0, cells 0

> play place 0,0
= 

> digest
= 628c1865029daf76

> play place 3,-1
= 

> position
= play|-1,0:v0.1;-1,1:v0.1;0,-1:v0.1;0,0:v0.1;0,1:v0.1;1,-1:v0.1;1,0:v0.1;2,-1:v1.1;2,0:v1.1;3,-2:v1.1;3,-1:v1.1;3,0:v1.1;4,-2:v1.1;4,-1:v1.1|0|0,0||0

> play move 1,0 1 e
= 

> legal
= end

> undo
= 

> result
= none

> perft 2
= 55

> showboard
= Mu, play, A to move, + Commonwealth, # Wall
A seat 0: men 7, cells 0
B seat 1: men 7, cells 0
rights: 0,0
  -2:                 B1  B1
  -1:       A1  A1  B1  B1  B1
   0:     A1  A1  A1  B1  B1
   1:       A1  A1
the first column of each row is q = -1

> play end
= 

> turn
= 1

> play leave 0
= 

> result
= winners 1 scores 0 0

> legal
= 

> play end
? the game is over

> genmove
? the game is over

> showboard
= Mu, over (left), won by B, + Commonwealth, # Wall
A seat 0: men 7, cells 0, has left
B seat 1: men 7, cells 0
  -2:                 B1  B1
  -1:       A1  A1  B1  B1  B1
   0:     A1  A1  A1  B1  B1
   1:       A1  A1
the first column of each row is q = -1

`,
		"positions": `> setposition 2 0,0 play|-1,0:v0.1;-1,1:v;0,-1:c;0,0:v1.2;0,1:v;1,-1:w;1,0:v|0|0,0||1
= 

> turn
= 0

> legal
= end
move -1,0 1 e
move -1,0 1 ne
move -1,0 1 se

> position
= play|-1,0:v0.1;-1,1:v;0,-1:c;0,0:v1.2;0,1:v;1,-1:w;1,0:v|0|0,0||1

> showboard
= Mu, play, A to move, + Commonwealth, # Wall
A seat 0: men 1, cells 0
B seat 1: men 2, cells 0
rights: 0,0
  -1:     +.  #.
   0:   A1  B2  .
   1:     .   .
the first column of each row is q = -1

> setposition 2 0,0 play|-1,0:v0.1;-1,1:v;0,-1:c;0,0:v1.2;0,1:v;1,-1:w;1,0:v|0|0,0||1|
? a position has six fields: PHASE|CELLS|SEAT|RIGHTS|PENDING|PASSES

> setposition 2 0,0;0,2 play|-1,0:v|0|0,0||1
? the segments 0,0 and 0,2 overlap

> setposition 2 0,0 play|-1,0:v0.2;-1,1:v;0,-1:c;0,0:v1.2;0,1:v0.3;1,-1:c;1,0:v|0|0,0|-1,0 0,1|0
= 

> legal
= explode -1,0
explode 0,1

> showboard
= Mu, play, A to move, + Commonwealth, # Wall
A seat 0: men 5, cells 0
B seat 1: men 2, cells 0
rights: 0,0
critical: -1,0 0,1
  -1:     +.  +.
   0:   A2  B2  .
   1:     .   A3
the first column of each row is q = -1

> setposition 5 b .x.x./o.o.o/.x.x./o.o.o/.x.x.
= 

> digest
? positions of this game have no digest

`,
		"refusals": `> newgame mu
? usage: newgame mu PLAYERS SEGMENTS

> newgame mu three 7
? the number of players is "three", must be a number

> newgame mu 3 x
? the number of segments is "x", must be a number

> newgame mu 7 1
? players is 7, must be 2 to 6

> newgame mu 3 9
? segments is 9, must be 1 to 8

> newgame mu 3 1
= 

> play place 1,1
? place 1,1: the first segment must have its centre at 0,0

> play lay 0,0
? lay 0,0: unknown action; the actions are place, clear, move, explode and end

> play leave 3
? leave 3: the seats are 0 to 2

> play leave 1
= 

> play leave 1
? leave 1: that seat has already left

> play leave 0
= 

> result
= winners 2 scores 0 0 0

`,
	} {
		t.Run(name, func(t *testing.T) { checkTranscript(t, transcript) })
	}
}

// The built-in player plays all seats to the end of a game, one action at a time, and the same
// game again.
func TestMuGenmove(t *testing.T) {
	in := "newgame mu 3 2\nlevel 2\n" + strings.Repeat("genmove\n", 3000) + "result\n"
	out := talk(t, in)
	if !regexp.MustCompile(`^= \n\n= \n\n(= (place|clear|move|explode|end).*\n\n)+(\? the game is over\n\n)+= winners( [0-2])+ scores( \d+){3}\n\n$`).MatchString(out) {
		t.Errorf("it plays\n%.2000s", out)
	}
	if again := talk(t, in); again != out {
		t.Error("it plays another game the second time")
	}
}

// A turn that was begun and taken back in part is thought about anew, from wherever it stands.
func TestMuGenmoveAfterUndo(t *testing.T) {
	in := "newgame mu 2 1\nplay place 0,0\nplay place 3,-1\ngenmove\nundo\ngenmove\nundo\nplay move 1,0 1 e\ngenmove\nundo\ngenmove\nlevel 2\ngenmove\n"
	if out := talk(t, in); strings.Contains(out, "?") {
		t.Errorf("it answers\n%s", out)
	}
}
