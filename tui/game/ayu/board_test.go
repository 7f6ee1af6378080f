package ayu

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

func position(t *testing.T, line string) *ayu.Position {
	t.Helper()
	b, err := ayu.ParseBoard(line)
	if err != nil {
		t.Fatal(err)
	}
	return ayu.FromBoard(b)
}

// live returns the board of the side to move, which can act.
func live(t *testing.T, line string, last ...string) *Board {
	t.Helper()
	p := position(t, line)
	b := Game{}.New().(*Board)
	b.Show(game.State{Position: p, LastTurn: last, Seat: p.Turn(), CanAct: true})
	return b
}

const start5 = "5 b .x.x./o.o.o/.x.x./o.o.o/.x.x."

func drawn(b *Board, w, h int, look game.Style) *paint.Frame {
	return paint.Draw(nil, w, h, func(c paint.Canvas) { b.Draw(c, look) })
}

var plain = game.Style{Theme: &theme.Plain}

func at(column, row int) ayu.Point { return ayu.At(column, row) }

func (g Game) firstPosition(n int) engine.Position {
	o, err := ayu.Game{}.ParseOptions(fmt.Appendf(nil, `{"size":%d}`, n))
	if err != nil {
		panic(err)
	}
	return ayu.Game{}.New(o)
}

// TestLettersThatBeginMoves presses the letters of all columns: each begins a move while the seat may enter one, and does
// nothing otherwise.
func TestLettersThatBeginMoves(t *testing.T) {
	for _, canAct := range []bool{true, false} {
		b := Game{}.New().(*Board)
		b.Show(game.State{Position: Game{}.firstPosition(9), CanAct: canAct})
		before := drawn(b, 60, 30, plain).String()
		for letter := 'a'; letter <= 'z'; letter++ {
			key := string(letter)
			isColumn := letter < 'a'+9
			if got := b.TakesLetter(key); got != (isColumn && canAct) {
				t.Errorf("can act %v: %s begins a move: %v", canAct, key, got)
			}
			if a := b.Key(key); isColumn && (a.Handled != canAct || canAct && b.Typed() != key) {
				t.Errorf("can act %v: %s has typed %q", canAct, key, b.Typed())
			}
			b.Key("esc")
		}
		if drawn(b, 60, 30, plain).String() != before {
			t.Errorf("can act %v: letters have changed the board", canAct)
		}
	}
}

// run runs a command of a board.
func run(b *Board, name string) {
	for _, c := range b.Commands() {
		if c.Name == name {
			c.Do()
		}
	}
}

func TestCursorKeys(t *testing.T) {
	b := live(t, start5)
	b.pointer.cursor = at(2, 2)
	for _, step := range []struct {
		key  string
		want ayu.Point
	}{{"up", at(2, 3)}, {"up", at(2, 4)}, {"up", at(2, 4)}, {"left", at(1, 4)}, {"left", at(0, 4)}, {"left", at(0, 4)}, {"down", at(0, 3)}, {"down", at(0, 2)}, {"right", at(1, 2)}, {"right", at(2, 2)}} {
		if a := b.Key(step.key); !a.Handled || b.pointer.cursor != step.want {
			t.Errorf("%s leads to %s, not %s", step.key, b.pointer.cursor, step.want)
		}
	}
	run(b, "flip")
	b.Key("up")
	if b.pointer.cursor != at(2, 1) {
		t.Errorf("on a turned board up leads to %s", b.pointer.cursor)
	}
}

// TestTabFollowsHints plays the move of a hint with Tab and Enter alone.
func TestTabFollowsHints(t *testing.T) {
	b := live(t, start5)
	for _, m := range b.view.pos.Board().Moves(nil) {
		b = live(t, start5)
		b.view.hint, b.view.hasHint = m, true
		if b.pointer.cursor != m.From {
			b.Key("tab")
		}
		b.Key("enter")
		b.Key("tab")
		if a := b.Key("enter"); !slices.Equal(a.Turn, []string{m.String()}) {
			t.Errorf("the hint is %s, played was %q", m, a.Turn)
		}
	}
}

func TestTabGoesThroughWhatCanBeDone(t *testing.T) {
	b := live(t, start5)
	var seen []ayu.Point
	n := b.view.movable.Count()
	for range n {
		b.Key("tab")
		if !b.view.movable.Has(b.pointer.cursor) || slices.Contains(seen, b.pointer.cursor) {
			t.Fatalf("Tab leads to %s after %v", b.pointer.cursor, seen)
		}
		seen = append(seen, b.pointer.cursor)
	}
	b.Key("shift+tab")
	if b.pointer.cursor != seen[n-2] {
		t.Errorf("Shift+Tab leads to %s, not back to %s", b.pointer.cursor, seen[n-2])
	}
	b.pointer.cursor = at(1, 0)
	b.Key("enter")
	b.Key("tab")
	if !b.pointer.targets.Has(b.pointer.cursor) {
		t.Errorf("with a chosen stone Tab leads to %s, which is no target", b.pointer.cursor)
	}
	if a := b.Key("enter"); len(a.Turn) != 1 || !strings.HasPrefix(a.Turn[0], "b1-") {
		t.Errorf("Enter on a target gives %+v", a)
	}
}

func TestTyping(t *testing.T) {
	for keys, want := range map[string]string{
		"b 1 b 2 enter":                       "b1-b2",
		"b 1 - b 2 enter":                     "b1-b2",
		"B 1 C 1 enter":                       "b1-c1",
		"d 1 d 2 enter":                       "d1-d2",
		"up d 1 d 2 enter":                    "d1-d2",
		"b 1 b 3 backspace 2 enter":           "b1-b2",
		"b 1 esc d 1 d 2 enter":               "d1-d2",
		"b 9 esc b 1 b 2 enter":               "b1-b2",
		"b 1 b 2 b b b b b b b b b b b enter": "",
		"b 1 b 3 enter":                       "",
		"b enter":                             "",
		"1 enter":                             "",
	} {
		b := live(t, start5)
		b.pointer.cursor = at(2, 2) // an empty point, so that Enter alone plays nothing
		var got string
		for _, k := range strings.Fields(keys) {
			if a := b.Key(k); a.Turn != nil {
				got = a.Turn[0]
			}
		}
		if got != want {
			t.Errorf("%s plays %q, not %q", keys, got, want)
		}
		if b.showDistances {
			t.Errorf("%s leaves the distances shown", keys)
		}
		if len(b.input.typed) > maxTypedLength {
			t.Errorf("%s types %d characters", keys, len(b.input.typed))
		}
	}
}

func TestSwapIsAskedForOnce(t *testing.T) {
	p, err := Game{}.firstPosition(5).Play("b1-b2")
	if err != nil {
		t.Fatal(err)
	}
	b := Game{}.New().(*Board)
	b.Show(game.State{Position: p, LastTurn: []string{"b1-b2"}, Seat: 1, CanAct: true})
	if !strings.Contains(b.Prompt(), "swap") || b.StatusKeys()[0].Key != "s" {
		t.Errorf("the swap is not offered: %q, %v", b.Prompt(), b.StatusKeys())
	}
	for _, keys := range []string{"s", "s w a p"} {
		for _, k := range strings.Fields(keys) {
			if a := b.Key(k); a.Turn != nil {
				t.Fatalf("%s swaps without Enter", k)
			}
		}
		if b.Typed() != "swap" {
			t.Errorf("%s types %q", keys, b.Typed())
		}
		b.Key("esc")
	}
	b.Key("s")
	if a := b.Key("enter"); !slices.Equal(a.Turn, []string{"swap"}) {
		t.Errorf("Enter gives %+v", a)
	}
	for _, text := range []string{"s p a c e enter", "s o space n i c e enter", "s w a p s enter", "s i z e space 1 1 ? enter"} {
		for k := range strings.FieldsSeq(text) {
			if a := b.Key(k); a.Turn != nil {
				t.Errorf("%q plays %v", text, a.Turn)
			} else if k == "space" && a.Handled {
				t.Errorf("%q: Space gives %+v", text, a)
			}
		}
		b.Key("esc")
	}
	b = live(t, start5)
	if a := b.Key("s"); !a.Refused || !strings.Contains(a.Message, "pie") {
		t.Errorf("without the pie rule s gives %+v", a)
	}
}

// TestSpacePlaysNothing presses Space wherever Enter would play a move: it may have been meant for the chat.
func TestSpacePlaysNothing(t *testing.T) {
	for _, keys := range []string{"space up", "enter up", "b 1 b 2"} {
		b := live(t, start5)
		b.pointer.cursor = at(1, 0)
		for k := range strings.FieldsSeq(keys) {
			b.Key(k)
		}
		if a := b.Key("space"); a.Turn != nil || b.Typed() == "" && a.Message != "press Enter to move b1 to b2" {
			t.Errorf("%s: Space gives %+v", keys, a)
		}
		if a := b.Key("enter"); !slices.Equal(a.Turn, []string{"b1-b2"}) {
			t.Errorf("%s: Enter then gives %+v", keys, a)
		}
	}
}

func TestNothingIsPlayedOutOfTurn(t *testing.T) {
	p := position(t, start5)
	for _, s := range []game.State{{Position: p, Seat: -1}, {Position: p, Seat: 1}, {Position: p, Seat: 0}} {
		b := Game{}.New().(*Board)
		b.Show(s)
		drawn(b, 40, 20, plain)
		for _, k := range strings.Fields("tab enter b 1 b 2 enter s enter space") {
			if a := b.Key(k); a.Turn != nil {
				t.Errorf("seat %d plays %v", s.Seat, a.Turn)
			}
		}
		for y := range 20 {
			for x := range 40 {
				if a := b.Click(x, y); a.Turn != nil {
					t.Errorf("seat %d plays %v by clicking", s.Seat, a.Turn)
				}
			}
		}
	}
}

func TestReasons(t *testing.T) {
	for _, c := range []struct{ line, keys, want string }{
		{start5, "b 1 b 3 enter", "occupied"},
		{start5, "a 2 a 3 enter", "White's"},
		{"5 b xx.../x...x/...../...../.....", "a 5 c 5 enter", "split its group"},
		{"5 b x.o../.o.../o..../...../xx..x", "a 5 b 5 enter", "cut off"},
	} {
		b := live(t, c.line)
		var last game.InputResult
		for _, k := range strings.Fields(c.keys) {
			last = b.Key(k)
		}
		if !last.Refused || !strings.Contains(last.Message, c.want) {
			t.Errorf("%s %s: %+v, not %q", c.line, c.keys, last, c.want)
		}
	}
	b := live(t, "5 b x.o../.o.../o..../...../xx..x")
	b.pointer.cursor = at(0, 4)
	if !strings.Contains(b.DescribeCursor(), "cut off") {
		t.Errorf("of the stone that is cut off it is said %q", b.DescribeCursor())
	}
	if a := b.Key("enter"); !a.Refused || !strings.Contains(a.Message, "no path leads") {
		t.Errorf("choosing it gives %+v", a)
	}
}

func TestShowKeepsWhatWasChosenUntilSomethingChanges(t *testing.T) {
	b := live(t, start5)
	b.pointer.cursor = at(1, 0)
	b.Key("enter")
	b.Show(b.view.state)
	if !b.pointer.hasSelection {
		t.Error("showing the same again lets the stone go")
	}
	next, err := b.view.pos.Play("b1-b2")
	if err != nil {
		t.Fatal(err)
	}
	b.Show(game.State{Position: next, LastTurn: []string{"b1-b2"}, Seat: 0})
	if b.pointer.hasSelection || b.pointer.cursor != at(1, 0) {
		t.Errorf("after a turn a stone is chosen: %v, the cursor is on %s", b.pointer.hasSelection, b.pointer.cursor)
	}
}

func TestWords(t *testing.T) {
	g := Game{}
	p := g.firstPosition(5)
	if lines := g.DescribePosition(p); lines[2] != "   a b c d e" || lines[3] != " 5 . X . X ." || !strings.Contains(lines[0], "Black (X), 6 units") {
		t.Errorf("the position in words is\n%s", strings.Join(lines, "\n"))
	}
	next, err := p.Play("b1-b2")
	if err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{
		"b2": "b2: a black group of 2, distance 1 to d3", " B2 ": "b2: a black group of 2, distance 1 to d3", "c3": "c3: empty",
		"b5": "b5: a single black stone, distance 1 to b3", "h9": "h9 is not on the board", "b1b2": "", "": "", "x": "", "z99": "",
	} {
		if got, ok := g.DescribePoint(next, typed); got != want || ok != (want != "") {
			t.Errorf("%q is described as %q", typed, got)
		}
	}
	if s := g.DescribeTurn(next, []string{"b1-b2"}, "ana"); s != "ana moves b1 to b2, now in a group of 2" {
		t.Errorf("the turn in words is %q", s)
	}
	if s := g.DescribeTurn(next, []string{"swap"}, "ana"); s != "ana swaps colours and now has Black" {
		t.Errorf("the swap in words is %q", s)
	}
	one := position(t, "5 b xx.../...../...../...../o...o")
	if r, over := one.Result(); !over || !strings.Contains(g.DescribeEnding(one, r), "Black's stones are one unit") {
		t.Errorf("the end is %q", g.DescribeEnding(one, r))
	}
	apart := position(t, "5 b xo.../oo.../...../...../....x")
	r, over := apart.Result()
	if got := g.DescribeEnding(apart, r); !over || got != "Black has no move, because no path joins any of Black's units" {
		t.Errorf("over %t: the end without a path is %q", over, got)
	}
	if got := g.Score(apart, apart.Turn()) + ", " + g.Score(apart, 1-apart.Turn()); got != "2 units, 1 unit" {
		t.Errorf("the scores are %q", got)
	}
	for typed, want := range map[string]string{"b1b2": "b1-b2", " B1 - B2 ": "b1-b2", "b10b11": "b10-b11", "SWAP": "swap", "b1": "", "hello": "", "": "", "b1b2c3": "", "z1a1": ""} {
		turn, err := g.ParseTurn(p, typed)
		if want == "" && err == nil || want != "" && (err != nil || turn[0] != want) {
			t.Errorf("%q is read as %v, %v; not %q", typed, turn, err, want)
		}
	}
}

func FuzzKeys(f *testing.F) {
	f.Add("b1b2\r", uint8(5))
	f.Add("d1hjkl-s\x1b", uint8(11))
	f.Fuzz(func(t *testing.T, keys string, size uint8) {
		n := ayu.Sizes[int(size)%len(ayu.Sizes)]
		b := Game{}.New().(*Board)
		p := Game{}.firstPosition(n)
		b.Show(game.State{Position: p, Seat: 0, CanAct: true})
		names := map[rune]string{'\r': "enter", '\x1b': "esc", '\t': "tab", '\x7f': "backspace", '^': "up", 'v': "down", '<': "left", '>': "right"}
		for _, r := range keys {
			name, ok := names[r]
			if !ok {
				name = string(r)
			}
			a := b.Key(name)
			if len(b.Typed()) > maxTypedLength || !b.view.pos.Board().Contains(b.pointer.cursor) {
				t.Fatalf("typed %q, cursor on %s", b.Typed(), b.pointer.cursor)
			}
			if a.Turn != nil {
				if p, err := b.view.pos.Play(a.Turn[0]); err != nil {
					t.Fatalf("%q plays %v: %v", keys, a.Turn, err)
				} else {
					b.Show(game.State{Position: p, LastTurn: a.Turn, Seat: p.Turn(), CanAct: true})
				}
			}
			drawn(b, 40, 16, plain)
			b.DescribeCursor()
			b.Prompt()
			b.StatusKeys()
		}
	})
}

// TestAboutFitsARow describes every point: the description fits in one row of the smallest window.
func TestAboutFitsARow(t *testing.T) {
	const row, size = 58, 13
	for round := range 6 {
		p := Game{}.firstPosition(size)
		for turn := 0; ; turn++ {
			if _, over := p.Result(); over {
				break
			}
			b := Game{}.New().(*Board)
			b.Show(game.State{Position: p, Seat: p.Turn(), CanAct: true})
			check := func() {
				t.Helper()
				for i := range size * size {
					b.pointer.cursor = at(i%size, i/size)
					if text := b.DescribeCursor(); paint.Width(text) > row {
						t.Errorf("%d columns: %s", paint.Width(text), text)
					}
				}
			}
			check()
			for from := range b.view.movable.All() {
				b.pointer.selectStone(b.view.pos.Board(), from)
				check()
				break
			}
			legal := p.Legal()
			next, err := p.Play(legal[(turn*7+round*13)%len(legal)])
			if err != nil {
				t.Fatal(err)
			}
			p = next
		}
	}
}

// TestReasonsOfGroups checks the reason why a stone of a group cannot move although others of it can.
func TestReasonsOfGroups(t *testing.T) {
	var p engine.Position = Game{}.firstPosition(5)
	for _, move := range []string{"d3-d4", "a4-b4", "b5-c5"} {
		next, err := p.Play(move)
		if err != nil {
			t.Fatal(err)
		}
		p = next
	}
	for _, c := range []struct{ line, point, want string }{
		{p.String(), "c4", "no other stone of its group touches a possible point"}, // of two, which cannot fall apart
		{"5 b xxx../...../...../...../....x", "b5", "its group of 3 would split without it"},
	} {
		b := live(t, c.line)
		at, err := ayu.ParsePoint(c.point)
		if err != nil {
			t.Fatal(err)
		}
		b.pointer.cursor = at
		if b.view.movable.Has(at) || !strings.Contains(b.DescribeCursor(), c.want) {
			t.Errorf("%s: %s can move: %v; %q", c.line, c.point, b.view.movable.Has(at), b.DescribeCursor())
		}
		if a := b.Key("enter"); !a.Refused || !strings.Contains(a.Message, c.want) {
			t.Errorf("%s: %+v", c.line, a)
		}
	}
}
