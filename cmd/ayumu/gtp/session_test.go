package gtp

import (
	"regexp"
	"strings"
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/engine/search"
	"ayumu/lobby/sanitize"
)

// talk runs a session on this input and returns all of its output.
func talk(t *testing.T, in string) string {
	t.Helper()
	var out strings.Builder
	c := Config{Games: enginetest.Games, Engines: enginetest.Engines, Version: "v1.2.3", Level: search.MaxLevel, Playouts: 20, Seed: 1}
	if err := Run(t.Context(), strings.NewReader(in), &out, c); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// commands of a transcript stand behind a "> ", and what is answered to them below.
func checkTranscript(t *testing.T, transcript string) {
	t.Helper()
	var in, want strings.Builder
	for line := range strings.Lines(transcript) {
		if command, found := strings.CutPrefix(line, "> "); found {
			in.WriteString(command)
		} else {
			want.WriteString(line)
		}
	}
	if got := talk(t, in.String()); got != want.String() {
		t.Errorf("the answers are\n%s\nwant\n%s", got, want.String())
	}
}

func TestTranscripts(t *testing.T) {
	for name, transcript := range map[string]string{
		"about itself": `> protocol_version
= 2

> name
= Ayumu

> version
= v1.2.3

> known_command genmove
= true

> known_command Genmove
= false

> list_commands
= digest
genmove
known_command
legal
level
list_commands
name
newgame
perft
play
position
protocol_version
quit
result
setposition
showboard
turn
undo
version

`,
		"a game with its end": `> newgame ayu 3
= 

> turn
= b

> legal
= b1-b2
b3-b2

> play B1-B2
= 

> 7 legal
=7 a2-a1
c2-c1
swap

> 8 play a2-a1
=8 

> turn
= b

> result
= b

> 9 legal
=9 

> play b2-b1
? the game is over

> genmove
? the game is over

> undo
= 

> result
= none

> position
= 3 w .x./oxo/...

> quit
= 

> name
`,
		"the swap": `> newgame ayu 3
= 

> play swap
? swap: only White may swap, and only on their first turn

> play b1-b2
= 

> play swap
= 

> turn
= w

> legal
= a2-a1
c2-c1

> play swap
? swap: the colours have already been swapped

> play a2-a1
= 

> result
= b

> newgame ayu 3 nopie
= 

> play b1-b2
= 

> play swap
? swap: this game is played without the pie rule

`,
		"a draw": `> setposition 7 b x....../xooo.../xo.ooo./xo...o./xo...../xoo..x./..o..o.
= 

> play f2-g2
= 

> play c1-f3
= 

> play g2-f2
= 

> result
= none

> play f3-c1
= 

> result
= draw

> legal
= 

> play f2-g2
? the game is over

> perft 1
= 3

> showboard
= Ayu 7x7, Black x, White o: drawn by repetition
 7 x . . . . . .
 6 x o o o . . .
 5 x o . o o o .
 4 x o . . . o .
 3 x o . . . . .
 2 x o o . . x .
 1 . . o . . o .
   a b c d e f g

`,
		"positions": `> newgame ayu 5
= 

> setposition 5 w ...../o.o../.x.x./...../.....
= 

> position
= 5 w ...../o.o../.x.x./...../.....

> turn
= w

> legal
= a4-b4
c4-b4

> play swap
? swap: this game is played without the pie rule

> undo
? there is no action to take back

> setposition 5 w
? a position needs its size, b or w, and its rows, separated by single spaces

> setposition 5 w ...../o.o../.y.x./...../.....
? row 3 has 'y', and only x, o and . stand on points

> position
= 5 w ...../o.o../.x.x./...../.....

> showboard
= Ayu 5x5, Black x, White o: White to move
 5 . . . . .
 4 o . o . .
 3 . x . x .
 2 . . . . .
 1 . . . . .
   a b c d e

> play a4-b4
= 

> play b3-c3
= 

> showboard
= Ayu 5x5, Black x, White o: White cannot move and has won
 5 . . . . .
 4 . o o . .
 3 . . x x .
 2 . . . . .
 1 . . . . .
   a b c d e

> result
= w

`,
		"counts": `> newgame ayu 5
= 

> perft 0
= 1

> perft 3
= 1460

> play b1-b2
= 

> perft 1
= 12

> perft -1
? the depth is "-1", must be a number from 0

> perft
? usage: perft DEPTH

`,
		"framing": "> # a comment\n" +
			"> \n" +
			">  \t \n" +
			"> 12\tname # what is it called\n=12 Ayumu\n\n" +
			"> na\x01\x7f\u0085me\r\n= Ayumu\n\n" +
			"> 0 nothing\n?0 unknown command \"nothing\"\n\n" +
			"> 13\n?13 no command after the number\n\n" +
			"> -1 name\n? unknown command \"-1\"\n\n" +
			"> name it\n? usage: name\n\n" +
			"> \xff\n? unknown command \"�\"\n\n" +
			"> 14 quit\n=14 \n\n> name\n",
		"refusals": `> newgame
? usage: newgame GAME OPTIONS

> newgame chess 8
? unknown game "chess"

> newgame ayu
? usage: newgame ayu SIZE [nopie]

> newgame ayu 11 pie
? usage: newgame ayu SIZE [nopie]

> newgame ayu big
? the size is "big", must be a number

> newgame ayu 4
? size must be an odd number from 3 to 15, not 4

> newgame ayu 17
? size must be an odd number from 3 to 15, not 17

> play
? usage: play ACTION

> play b1
? b1: a move is written like b1-b2

> play b1 b2
? b1 b2: a move is written like b1-b2

> play b1-d2
? b1-d2: d2 is not next to the stone on b1

> play a2-a3
? a2-a3: the stone on a2 is White's and it is Black's turn

> play leave 1
? leave 1: a game of two ends when a player leaves

> play leave b
? "b" is not the number of a seat

> level -1
? the level is "-1", must be a number from 0 to 5

> level 6
? the level is "6", must be a number from 0 to 5

> genmove soon
? the time is "soon", must be a number of seconds

> genmove -1
? the time is "-1", must be a number of seconds

> genmove NaN
? the time is "NaN", must be a number of seconds

> position
= 11 b .x.x.x.x.x./o.o.o.o.o.o/.x.x.x.x.x./o.o.o.o.o.o/.x.x.x.x.x./o.o.o.o.o.o/.x.x.x.x.x./o.o.o.o.o.o/.x.x.x.x.x./o.o.o.o.o.o/.x.x.x.x.x.

`,
	} {
		t.Run(name, func(t *testing.T) { checkTranscript(t, transcript) })
	}
}

func TestLastLineWithoutEnd(t *testing.T) {
	if got := talk(t, "name"); got != "= Ayumu\n\n" {
		t.Errorf("the answer is %q", got)
	}
}

func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 3*maxLine)
	for in, want := range map[string]string{
		"5 play " + long + "\nname\n":      "?5 the line is longer than 65536 bytes\n\n= Ayumu\n\n",
		strings.Repeat(" ", maxLine+1):     "? the line is longer than 65536 bytes\n\n",
		"name # " + long + "\n5 turn\n":    "= Ayumu\n\n=5 b\n\n",
		"# " + long + "\nname\n":           "= Ayumu\n\n",
		"5 " + long[:maxLine-3] + "\nname": "?5 unknown command \"" + long[:maxLine-3] + "\"\n\n= Ayumu\n\n",
	} {
		if got := talk(t, in); got != want {
			t.Errorf("%.20q… is answered with %.80q, want %.80q", in, got, want)
		}
	}
}

// The built-in player plays both sides to the end of a game, and the same game again.
func TestGenmove(t *testing.T) {
	for _, level := range []string{"1", "3", "5"} {
		in := "newgame ayu 5\nlevel " + level + "\n" + strings.Repeat("genmove\n", 60) + "result\n"
		out := talk(t, in)
		if !regexp.MustCompile(`^= \n\n= \n\n(= [a-e][1-5]-[a-e][1-5]\n\n|= swap\n\n)+(\? the game is over\n\n)+= [bw]\n\n$`).MatchString(out) {
			t.Errorf("level %s plays\n%s", level, out)
		}
		if again := talk(t, in); again != out {
			t.Errorf("level %s plays\n%s\nand then\n%s", level, out, again)
		}
	}
}

func FuzzSession(f *testing.F) {
	for _, seed := range []string{
		"newgame ayu 3\nlegal\nplay b1-b2\nplay swap\nresult\nundo\nshowboard\n",
		"1 setposition 5 w ...../o.o../.x.x./...../.....\n2 genmove\n3 position\nquit\nname",
		"newgame mu 2 1\nplay place 0,0\nplay place 3,-1\nplay move 1,0 1 e\nplay end\ndigest\nplay leave 0\nresult\nshowboard\n",
		"setposition 2 0,0 play|-1,0:v0.2;-1,1:v;0,-1:c;0,0:v1.2;0,1:v0.3;1,-1:c;1,0:v|0|0,0|-1,0 0,1|0\nlegal\ngenmove\n",
		"level 1\ngenmove 1e9\nlist_commands\nturn # b\n",
		"\n\n#\n12\n12 12\nplay \x00\x1b[2J\xff\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if cleaned := sanitize.WithoutControls(in); len(in) >= maxLine || strings.Contains(cleaned, "perft") || strings.Count(cleaned, "genmove") > 2 {
			return // each of these may take long, which is no fault
		}
		want := 0
		for line := range strings.Lines(in) {
			words := strings.Fields(sanitize.WithoutControls(strings.SplitN(line, "#", 2)[0]))
			if len(words) > 0 {
				want++
			}
			if len(words) == 1 && words[0] == "quit" || len(words) == 2 && isNumber(words[0]) && words[1] == "quit" {
				break
			}
		}
		out := talk(t, in)
		answers := strings.SplitAfter(out, "\n\n")
		if last := answers[len(answers)-1]; last != "" {
			t.Fatalf("the last answer has no end: %q", last)
		}
		answers = answers[:len(answers)-1]
		if len(answers) != want {
			t.Errorf("%d answers to %d commands: %q", len(answers), want, out)
		}
		for _, a := range answers {
			if !regexp.MustCompile(`^[=?][0-9]* `).MatchString(a) {
				t.Errorf("an answer begins wrongly: %q", a)
			}
		}
	})
}
