package mu

import (
	"slices"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/engine/mu"
)

func TestChoices(t *testing.T) {
	game, _ := enginetest.Games.ByName(Game{}.Name())
	choices := Game{}.Choices()
	usual := []int{choices[0].Default, choices[1].Default, choices[2].Default}
	shorter, _ := game.ParseOptions([]byte(`{"players":3,"segments":3}`)) // the defaults of the rules make a long first game
	if o, err := game.ParseOptions(Game{}.Options(usual)); err != nil || o != shorter {
		t.Errorf("the usual answers are %v (%v), not %v", o, err, shorter)
	}
	for players := range choices[0].Answers {
		for segments := range choices[1].Answers {
			for minimum, says := range choices[2].Answers {
				o, err := game.ParseOptions(Game{}.Options([]int{players, segments, minimum}))
				if err != nil {
					t.Fatal(err)
				}
				low, high := o.Seats()
				if says != "all" && choices[0].Answers[players] > says && low != minimum+1 || low > high || high != players+2 {
					t.Errorf("%s players who may start with %s: %d to %d", choices[0].Answers[players], says, low, high)
				}
			}
		}
	}
}

// TestRead parses typed turns.
func TestRead(t *testing.T) {
	playing := duelState(t).Position
	laying := first(recordedGame{Players: 2, Segments: 1})
	critical := readRecordedGames(t)[9].after(t, 160)
	base := critical.Position
	tests := []struct {
		p           engine.Position
		typed, want string // want an error after "!"
	}{
		{laying, "0,0", "place 0,0"},
		{laying, " Place  0,0 ", "place 0,0"},
		{laying, "3,0", "!centre at 0,0"},
		{laying, "place 0,0; place 3,-1", "!over before"},
		{playing, "end", "end"},
		{playing, "PASS", "end"},
		{playing, "0,0 2 e; end", "move 0,0 2 e;end"},
		{playing, "0,0 2 e;3,-1 1 ne;;end;", "move 0,0 2 e;move 3,-1 1 ne;end"},
		{playing, "0,0:2e 3,-1:1NE end", "move 0,0 2 e;move 3,-1 1 ne;end"},
		{playing, "0,0:2e;3,-1 1 ne;end", "move 0,0 2 e;move 3,-1 1 ne;end"},
		{playing, "0,0:2x end", "!a direction"},
		{laying, "@0,0", "place 0,0"},
		{laying, "x0,0", "!the board is being laid out"},
		{playing, "!0,0", "!no critical cells"},
		{playing, "0,0 2 e", "!the turn is not complete"},
		{playing, "", "!type a turn"},
		{playing, "a", "!no cell is critical"},
		{playing, "0,0 2 e; 0,0 1 e; end", "!no move left"},
		{playing, "0,0", "!no critical cells"},
		{playing, "dance", "!type a cell, how many men"},
		{base, strings.Join(critical.Draft, "; "), "!cells are critical"},
		{base, strings.Join(critical.Draft, "; ") + "; rest; end", "?"},
	}
	for _, test := range tests {
		turn, err := Game{}.ParseTurn(test.p, test.typed)
		got := strings.Join(turn, ";")
		if err != nil {
			got = "!" + err.Error()
		}
		switch {
		case strings.HasPrefix(test.want, "!") && strings.HasPrefix(got, "!") && strings.Contains(got, test.want[1:]):
		case test.want == "?" && err == nil:
			if _, err := engine.PlayTurn(test.p, turn); err != nil {
				t.Errorf("%q: %v", test.typed, err)
			}
		case got != test.want:
			t.Errorf("%q: %s, want %s", test.typed, got, test.want)
		}
	}
}

// TestPremovesThatCanNeverBePlayed checks typed turns while the opponent is to move: those which no turn of the opponent makes
// possible are refused. Whether the others can be played depends on it.
func TestPremovesThatCanNeverBePlayed(t *testing.T) {
	laying := first(recordedGame{Players: 2, Segments: 2})
	clearing := laying
	for clearing.(*mu.Position).Phase() == mu.Layout {
		clearing = play(t, clearing, clearing.Legal()[0])
	}
	playing := clearing
	for playing.(*mu.Position).Phase() == mu.Clearing {
		playing = play(t, playing, playing.Legal()[0])
	}
	for _, test := range []struct {
		p           engine.Position
		typed, want string
	}{
		{playing, "0,0 2 e; end", ""},
		{playing, "0,0:2e !1,0 end", ""},
		{playing, "0,0 9 e; a; end", ""},
		{playing, "pass", ""},
		{playing, "0,0 2 e", "the turn has no end"},
		{playing, "0,0 2 e; a", "the turn has no end"},
		{playing, "0,0", "the turn has no end"},
		{playing, " ; ", "the turn has no end"},
		{playing, "end; 0,0 2 e", "the turn was over before"},
		{playing, "dance", "type a cell, how many men and a direction (e ne nw w sw se), as in "},
		{laying, "9,9", ""},
		{laying, "0,0 2 e", "type the cell for the centre of your segment, as in 0,0"},
		{clearing, "0,0", ""},
		{clearing, "0,0 2 e; end", ""},
		{clearing, "0,0 2 e", "the turn has no end"},
	} {
		err := Game{}.CheckPremove(test.p, test.typed)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.typed, err, test.want)
		}
	}
}

// The error about a typed turn that cannot be read has an example that can be played.
func TestUnreadableTurnsAreAnsweredWithALegalExample(t *testing.T) {
	seen := make(map[string]bool)
	for _, r := range readRecordedGames(t)[:12] {
		p := first(r)
		for _, a := range r.Actions {
			_, err := Game{}.ParseTurn(p, "place 2-1")
			if err == nil {
				t.Fatal("place 2-1 can be read")
			}
			what, example, ok := strings.Cut(err.Error(), ", as in ")
			example, _, _ = strings.Cut(example, ";")
			if seen[what] = true; ok {
				d := draft{base: p.(*mu.Position)}
				if _, failure := d.playTyped(example); failure != nil {
					t.Fatalf("%v: %v", err, failure)
				}
			} else if err.Error() != "type end: no piece can move" {
				t.Fatal(err)
			}
			p = play(t, p, a)
			if _, over := p.Result(); over {
				break
			}
		}
	}
	if len(seen) < 4 {
		t.Errorf("only these were wanted: %v", seen)
	}
}

func TestTurnsAreDescribed(t *testing.T) {
	tests := []struct{ actions, short, described string }{
		{"place 3,-1", "@3,-1", "ana lays a segment at 3,-1"},
		{"clear 0,0", "×0,0", "ana clears the segment 0,0"},
		{"end", "pass", "ana passes"},
		{"move 0,0 2 e;explode 1,0;end", "0,0:2e !1,0", "ana moves 2 men from 0,0 right to 2,0, explodes 1,0"},
		{"leave 2", "leave 2", "ana leave 2"},
	}
	for _, test := range tests {
		actions := strings.Split(test.actions, ";")
		if got := (Game{}).ShortTurn(actions); got != test.short {
			t.Errorf("%s: short %q, want %q", test.actions, got, test.short)
		}
		if got := (Game{}).DescribeTurn(nil, actions, "ana"); got != test.described {
			t.Errorf("%s: described as %q, want %q", test.actions, got, test.described)
		}
	}
}

func TestLines(t *testing.T) {
	got := Game{}.DescribePosition(duelState(t).Position)
	want := []string{
		"Disc (D), territory 0: 3 on 0,0 (virgin), 1 on 3,-1 (virgin).",
		"Triangle (T), territory 0: 1 on 1,0 (virgin), 1 on 6,-2 (virgin).",
		"           . .",
		"      . . . T .",
		" . . . D . . .",
		". D3T . .",
		" . .",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestPointsInWords(t *testing.T) {
	p := duelState(t).Position
	for typed, want := range map[string]string{
		"0,0": "0,0: Disc, 3 men, virgin", " 1,0": "1,0: Triangle, 1 man, virgin", "-1,0": "-1,0: empty, virgin", "40,0": "40,0 is not on the board",
		"0": "", "0,0 1 e": "", "": "", "d5": "",
	} {
		if got, ok := (Game{}).DescribePoint(p, typed); got != want || ok != (want != "") {
			t.Errorf("%q is described as %q", typed, got)
		}
	}
}

// TestEndings describes the end of every recorded game.
func TestEndings(t *testing.T) {
	seen := make(map[string]bool)
	for _, r := range readRecordedGames(t) {
		p := r.after(t, len(r.Actions)).Position
		result, over := p.Result()
		if !over {
			continue
		}
		seen[Game{}.DescribeEnding(p, result)] = true
	}
	for _, want := range []string{"everyone passed", "all other players are out of men"} {
		if !seen[want] {
			t.Errorf("no game ended because %s: %v", want, seen)
		}
	}
}

// TestEndByLeaving ends a game of three in which one is out of men, by the leave of another, whose men stay.
func TestEndByLeaving(t *testing.T) {
	p, err := mu.ParsePosition(3, exampleCentres, exampleLine)
	if err != nil {
		t.Fatal(err)
	}
	end, err := p.Leave(1)
	if err != nil {
		t.Fatal(err)
	}
	result, over := end.Result()
	if got, want := (Game{}).DescribeEnding(end, result), "all other players have left or are out of men"; !over || got != want {
		t.Errorf("over %t: %q, want %q", over, got, want)
	}
}

// FuzzRead parses any text: a turn that is accepted is legal.
func FuzzRead(f *testing.F) {
	for _, typed := range []string{"0,0 2 e; 3,-1 1 ne; end", "end", "pass;", "a", "explode 0,0", "-1,0 1 w", ";;", "place 0,0"} {
		f.Add(typed)
	}
	playing := duelState(f).Position
	laying := first(recordedGame{Players: 2, Segments: 2})
	f.Fuzz(func(t *testing.T, typed string) {
		for _, p := range []engine.Position{playing, laying} {
			turn, err := Game{}.ParseTurn(p, typed)
			if err != nil {
				continue
			}
			if _, err := engine.PlayTurn(p, turn); err != nil {
				t.Errorf("%q became %q: %v", typed, turn, err)
			}
		}
	})
}

// FuzzKeys presses any keys and clicks anywhere, in every phase: a submitted turn is legal, and the draft is
// always a legal beginning of a turn.
func FuzzKeys(f *testing.F) {
	keys := []string{
		"y", "u", "h", "l", "b", "n", "up", "down", "left", "right", "k", "j", "enter", "space", "tab", "shift+tab",
		"esc", "c", "v", "p", "+", "-", "e", "a", "z", "Z", "backspace", ":", "0", "1", "2", "3", ",", ";", "x", "ADVANCE", "CLICK",
	}
	all := readRecordedGames(f)
	states := []struct{ game, at int }{{7, 0}, {7, 12}, {7, 30}, {7, 42}, {9, 161}, {20, 262}, {27, 850}, {27, 718}, {2, 171}}
	for i := range states {
		f.Add(uint8(i), []byte{14, 12, 14, 12, 22, 22})
		f.Add(uint8(i), []byte{14, 12, 30, 1, 12, 24, 25, 19, 35, 35, 36, 23, 22})
		f.Add(uint8(i), []byte{27, 28, 32, 28, 13, 29, 13, 22, 12, 18, 20, 36, 7, 36})
	}
	f.Fuzz(func(t *testing.T, which uint8, pressed []byte) {
		at := states[int(which)%len(states)]
		s := newSession(t, all[at.game].after(t, min(at.at, len(all[at.game].Actions))))
		for i, n := range pressed[:min(len(pressed), 60)] {
			switch key := keys[int(n)%len(keys)]; key {
			case "ADVANCE":
				s.Advance()
			case "CLICK":
				s.apply(s.Click(int(n)*(i+1)%60, i*7%24))
			default:
				s.keys(key)
			}
			s.draw(80, 24, plainLook)
			if a := s.turn; a != nil {
				if _, err := engine.PlayTurn(s.state.Position, a); err != nil {
					t.Fatalf("the turn %q: %v", a, err)
				}
				s.turn = nil
			}
			if !slices.Equal(s.view.draft.texts(), append([]string{}, s.state.Draft...)) {
				t.Fatalf("the draft is %q, shared is %q", s.view.draft.texts(), s.state.Draft)
			}
		}
	})
}
