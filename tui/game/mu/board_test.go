package mu

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

var (
	_ game.Replayer  = (*Board)(nil)
	_ game.Explainer = (*Board)(nil)
	_ game.Game      = Game{}
)

// duelState is a position of two players on three segments in a row: Disc has a piece of 3 on 0,0 and a
// man on 3,-1, Triangle men on 1,0 and 6,-2.
func duelState(t testing.TB) game.State {
	return duelWith(t, map[string]string{"0,0": "0.3", "3,-1": "0.1", "1,0": "1.1", "6,-2": "1.1"})
}

// duelWith is duelState with other men.
func duelWith(t testing.TB, men map[string]string) game.State {
	const centres = "0,0;3,-1;6,-2"
	var cells []string
	for q := -1; q <= 7; q++ {
		for r := -3; r <= 1; r++ {
			at := mu.Hex{Q: int16(q), R: int16(r)}
			for _, centre := range []mu.Hex{{}, {Q: 3, R: -1}, {Q: 6, R: -2}} {
				if at.Distance(centre) <= 1 {
					cells = append(cells, at.String()+":v"+men[at.String()])
				}
			}
		}
	}
	p, err := mu.ParsePosition(2, centres, "play|"+strings.Join(cells, ";")+"|0|0,0 3,-1||0")
	if err != nil {
		t.Fatal(err)
	}
	return game.State{Position: p, CanAct: true}
}

// duelHint is the position of duelState with a hint of two moves: one to an empty cell, one onto a piece.
func duelHint(t testing.TB) game.State {
	s := duelState(t)
	s.Hint = []string{"move 3,-1 1 w", "move 0,0 1 e", "end"}
	return s
}

func TestCursor(t *testing.T) {
	tests := []struct{ keys, want string }{
		{"right", "1,0"}, {"left", "-1,0"}, {"y u h l b n j k", "0,0"},
		{"up", "1,-1"}, {"up up", "1,-2"}, {"up up up", "2,-3"}, {"up down", "0,0"}, {"down", "-1,1"}, {"down up", "0,0"},
		{"down up up", "1,-1"},
		{"left left left", "-1,0"}, // the board's edge
	}
	for _, test := range tests {
		s := newSession(t, duelState(t)).at(0, 0)
		if s.keys(test.keys); s.pointer.cursor.String() != test.want {
			t.Errorf("%s: the cursor is on %s, want %s", test.keys, s.pointer.cursor, test.want)
		}
	}
}

func TestTurn(t *testing.T) {
	tests := []struct {
		name, keys string
		draft      string // with semicolons
		turn       string
		note       string
		bad        bool
	}{
		{name: "choose and move", keys: "enter right right enter", draft: "move 0,0 2 e"},
		{name: "capture", keys: "enter right enter", draft: "move 0,0 1 e", note: "1 man captured"},
		{name: "number and direction", keys: "enter 3 right enter", draft: "move 0,0 3 e"},
		{name: "number of the wrong length", keys: "enter 3 up enter", note: "3 men move exactly 3 cells", bad: true},
		{name: "too many men", keys: "enter 4", note: "3 men", bad: true},
		{name: "too far", keys: "enter right right right right enter", note: "the piece has 3", bad: true},
		{name: "not straight", keys: "enter right up enter", note: "straight line", bad: true},
		{name: "a direction that leads off the board", keys: "enter 2 left enter"},
		{name: "deselect", keys: "enter esc right enter", note: "Triangle's", bad: true},
		{name: "two moves", keys: "enter 2 right enter tab enter up enter", draft: "move 0,0 2 e;move 3,-1 1 ne"},
		{name: "spent right", keys: "enter 2 right enter left left enter", draft: "move 0,0 2 e", note: "its segment was already made", bad: true},
		{name: "undo", keys: "enter 2 right enter z", draft: "", note: "undone: "},
		{name: "undo nothing", keys: "z", note: "nothing to undo", bad: true},
		{name: "undo and redo", keys: "enter 2 right enter z ctrl+y", draft: "move 0,0 2 e"},
		{name: "redo is lost by another move", keys: "enter 2 right enter backspace enter up enter ctrl+y", draft: "move 0,0 1 ne", note: "nothing to redo", bad: true},
		{name: "end", keys: "enter 2 right enter tab enter up enter e", draft: "move 0,0 2 e;move 3,-1 1 ne", turn: "move 0,0 2 e;move 3,-1 1 ne;end"},
		{name: "end with moves left is asked for once", keys: "enter 2 right enter e", draft: "move 0,0 2 e", note: "1 move left; press e again to end the turn"},
		{name: "end with moves left", keys: "enter 2 right enter e e", draft: "move 0,0 2 e", turn: "move 0,0 2 e;end"},
		{name: "end was not meant", keys: "enter 2 right enter e s e", draft: "move 0,0 2 e", note: "press e again"},
		{name: "space", keys: "space right right space", draft: "move 0,0 2 e"},
		{name: "pass is asked for once", keys: "e", note: "press e again to pass"},
		{name: "pass", keys: "e e", turn: "end"},
		{name: "pass was not meant", keys: "e left e", note: "press e again to pass"},
		{name: "pass deselected", keys: "e esc e", note: "press e again to pass"},
		{name: "nothing explodes", keys: "*", note: "no cell is critical", bad: true},
		{name: "typed with a colon", keys: ": 0 , 0 : 2 e enter", draft: "move 0,0 2 e"},
		{name: "typed with a digit", keys: "0 , 0 space 2 space e enter", draft: "move 0,0 2 e"},
		{name: "typed turn", keys: "0 , 0 space 2 space e ; 3 , - 1 space 1 space n e ; e n d enter", draft: "move 0,0 2 e;move 3,-1 1 ne", turn: "move 0,0 2 e;move 3,-1 1 ne;end"},
		{name: "typed as hints are shown", keys: "0 , 0 : 2 e space 3 , - 1 : 1 n e enter", draft: "move 0,0 2 e;move 3,-1 1 ne"},
		{name: "typed as hints are shown, ended", keys: "0 , 0 : 2 e ; e n d enter", draft: "move 0,0 2 e", turn: "move 0,0 2 e;end"},
		{name: "typed with a minus", keys: "- 1 , 0 : 1 e enter", note: "-1,0", bad: true},
		{name: "corrected", keys: "- × backspace backspace", draft: ""},
		{name: "typed and broken off", keys: "0 , 0 esc", draft: ""},
		{name: "typed wrong", keys: "0 , 0 space 9 space e enter", note: "only 3 men", bad: true},
		{name: "typed half right", keys: "0 , 0 space 2 space e ; x enter", note: "type ", bad: true},
		{name: "typed half right on a draft", keys: "enter 2 right enter 3 , - 1 space 1 space n e ; x enter", draft: "move 0,0 2 e", note: "type ", bad: true},
		{name: "typed and too long", keys: "0 , 0 : 2 e ;" + strings.Repeat(" space", maxTypedLength-len("0,0:2e;end")+1) + " e n d enter", note: "at most 2,000 characters", bad: true},
		{name: "typed and much too long", keys: "0" + strings.Repeat(" space", maxTypedLength) + " e n d enter", note: "at most 2,000 characters", bad: true},
		{name: "typed and long", keys: "0 , 0 : 2 e ;" + strings.Repeat(" space", maxTypedLength-len("0,0:2e;end")) + " e n d enter", draft: "move 0,0 2 e", turn: "move 0,0 2 e;end"},
		{name: "empty cell", keys: "up enter", note: "no piece stands on 1,-1", bad: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t, duelState(t)).at(0, 0)
			s.keys(test.keys)
			if got := strings.Join(s.state.Draft, ";"); got != test.draft {
				t.Errorf("the draft is %q, want %q", got, test.draft)
			}
			if got := strings.Join(s.turn, ";"); got != test.turn {
				t.Errorf("the turn is %q, want %q", got, test.turn)
			}
			if !strings.Contains(s.note, test.note) || s.bad != test.bad {
				t.Errorf("the note is %q (bad %v), want %q (%v)", s.note, s.bad, test.note, test.bad)
			}
		})
	}
}

// While the next e ends the turn, the prompt and the keys say so.
func TestTheSecondKeyOfAnEndIsAskedFor(t *testing.T) {
	for _, test := range []struct{ keys, prompt string }{
		{"e", "Press e again to pass, or Esc to play on."},
		{"enter 2 right enter e", "Press e again to end the turn, or Esc to play on."},
	} {
		s := newSession(t, duelState(t)).at(0, 0)
		s.keys(test.keys)
		want := []game.Key{{Key: "e", Help: "end turn"}, {Key: "Esc", Help: "play on"}}
		if keys := s.StatusKeys(); s.Prompt() != test.prompt || len(keys) < 2 || !slices.Equal(keys[:2], want) {
			t.Errorf("%s: the prompt is %q, the keys are %v", test.keys, s.Prompt(), keys)
		}
		s.keys("esc")
		if s.Prompt() == test.prompt || s.StatusKeys()[0].Key != "Enter" {
			t.Errorf("%s esc: the prompt is %q, the keys are %v", test.keys, s.Prompt(), s.StatusKeys())
		}
	}
}

// At every cell the status bar names what Enter does there, and leaves Enter out where it does nothing.
func TestTheBarSaysWhatEnterDoes(t *testing.T) {
	game2x3 := readRecordedGames(t)[0]
	states := map[string]game.State{"a duel": duelState(t)}
	for _, n := range []int{0, 3, 2*game2x3.Players*game2x3.Segments - game2x3.Players - 1} {
		states["after "+strconv.Itoa(n)] = game2x3.after(t, n)
	}
	seen := make(map[string]bool)
	for name, state := range states {
		for _, before := range []string{"", "tab enter", "tab enter 2", "tab tab enter tab enter"} {
			p := newSession(t, state).view.shown()
			cells := p.Placements()
			for _, c := range p.Cells() {
				cells = append(cells, c.At)
			}
			for _, at := range cells {
				s := newSession(t, state)
				if s.keys(before); s.turn != nil {
					continue // it laid or cleared a segment
				}
				s.pointer.moveTo(at)
				label := ""
				for _, k := range s.StatusKeys() {
					if k.Key == "Enter" {
						label = k.Help
					}
				}
				moved := len(s.state.Draft)
				a := s.keys("enter")
				does := ""
				switch {
				case a.Refused:
				case a.Turn != nil:
					does = "lay clear"
				case len(s.state.Draft) > moved:
					does = "move capture explode"
				case s.pointer.hasSelection:
					does = "choose"
				default:
					does = "deselect"
				}
				if !strings.Contains(does, label) || (label == "") != (does == "") {
					t.Errorf("%s, %q, at %s: the bar says %q, and Enter does: %s", name, before, at, label, does)
				}
				seen[label] = true
			}
		}
	}
	for _, label := range []string{"", "lay", "clear", "move", "capture", "choose", "deselect"} {
		if !seen[label] {
			t.Errorf("no cell has the label %q", label)
		}
	}
}

func TestLayingAndClearing(t *testing.T) {
	r := readRecordedGames(t)[7]
	s := newSession(t, r.after(t, 1))
	if a := s.at(1, 0).keys("enter"); !a.Refused || a.Turn != nil || !strings.Contains(a.Message, "overlap") {
		t.Errorf("laying over the board: %+v", a)
	}
	s.keys("tab")
	if a := s.keys("space"); a.Turn != nil || a.Message != enterOnly {
		t.Errorf("laying with Space: %+v", a)
	}
	if want := []string{"place " + s.pointer.cursor.String()}; !slices.Equal(s.keys("enter").Turn, want) {
		t.Errorf("laid %v, want %v", s.turn, want)
	}
	s.draw(80, 24, plainLook)
	x, y := s.viewport.drawn.corner(s.input.tabStops()[0])
	if a := s.Click(x, y); a.Turn != nil {
		t.Errorf("a first click laid %v", a.Turn)
	}
	if a := s.Click(x, y); len(a.Turn) != 1 {
		t.Errorf("a second click: %+v", a)
	}

	s = newSession(t, r.after(t, 30))
	centre := s.input.tabStops()[0]
	s.pointer.moveTo(centre.Step(mu.SE, 1)) // any of its cells will do
	if a := s.keys("space"); a.Turn != nil || a.Message != enterOnly {
		t.Errorf("clearing with Space: %+v", a)
	}
	if a := s.keys("enter"); !slices.Equal(a.Turn, []string{"clear " + centre.String()}) {
		t.Errorf("clearing: %+v", a)
	}
	for _, c := range s.view.pos.Cells() {
		if c.Men > 0 && c.Owner != s.state.Seat {
			s.pointer.moveTo(c.At)
			if a := s.keys("enter"); !a.Refused || !strings.Contains(a.Message, "another player") {
				t.Errorf("clearing %s: %+v", c.At, a)
			}
		}
	}
}

func TestCritical(t *testing.T) {
	state := readRecordedGames(t)[9].after(t, 161)
	s := newSession(t, state)
	critical := s.view.shown().Critical()
	if len(critical) != 3 || !slices.Contains(critical, s.pointer.cursor) {
		t.Fatalf("the cursor is on %s, critical are %v", s.pointer.cursor, critical)
	}
	if a := s.keys("e"); !a.Refused || !strings.Contains(a.Message, "critical") {
		t.Errorf("end: %+v", a)
	}
	before := len(s.state.Draft)
	s.pointer.moveTo(critical[2])
	s.keys("enter")
	if got := s.state.Draft[before:]; !slices.Equal(got, []string{"explode " + critical[2].String()}) {
		t.Errorf("chose %v", got)
	}
	s.keys("z *")
	if n := len(s.view.shown().Critical()); n != 0 {
		t.Errorf("%d cells are critical after all exploded", n)
	}
	if _, err := engine.PlayTurn(s.view.pos, s.keys("e").Turn); err != nil {
		t.Error(err)
	}
}

// TestDraftIsShared changes a draft in two sessions by turns.
func TestDraftIsShared(t *testing.T) {
	state := duelState(t)
	one, two := newSession(t, state).at(0, 0), newSession(t, state).at(3, -1)
	mirror := func(from, to *testSession) {
		to.state.Draft = from.state.Draft
		to.Show(to.state)
	}
	one.keys("enter 2 right enter")
	mirror(one, two)
	two.at(3, -1).keys("enter up enter")
	mirror(two, one)
	one.keys("u")
	mirror(one, two)
	if got := strings.Join(two.state.Draft, ";"); got != "move 0,0 2 e" || two.view.shown().String() != one.view.shown().String() {
		t.Errorf("the draft is %q", got)
	}
	two.keys("ctrl+y")
	if got := strings.Join(two.state.Draft, ";"); got != "move 0,0 2 e;move 3,-1 1 ne" {
		t.Errorf("what the first session undid is %q when the second makes it again", got)
	}
	// Looking back and returning loses nothing, and a turn of somebody else drops the draft.
	back := state
	back.Position, back.CanAct = compactBoard(t, 2, 3), false
	two.Show(back)
	if two.view.showsDraft() {
		t.Error("the draft is shown on an earlier position")
	}
	two.Show(two.state)
	if len(two.view.shown().Rights()) != 0 {
		t.Errorf("after looking back the rights are %v", two.view.shown().Rights())
	}
}

// TestBadDraft shows drafts that do not fit the position: their legal beginning is kept.
func TestBadDraft(t *testing.T) {
	for _, draft := range [][]string{{"nonsense"}, {"end"}, {"move 0,0 2 e", "move 0,0 2 e"}, {"move 0,0 2 e", "end"}} {
		state := duelState(t)
		state.Draft = draft
		if b := newSession(t, state); len(b.view.draft.actions) != len(draft)-1 {
			t.Errorf("%q became %q", draft, b.view.draft.texts())
		}
	}
}

func TestWatching(t *testing.T) {
	state := duelState(t)
	state.Seat, state.CanAct = -1, false
	s := newSession(t, state).at(0, 0)
	for _, key := range []string{"enter", "e", "*", "z", "u", "1", "-", "esc"} {
		if a := s.Key(key); a.Handled {
			t.Errorf("%s did something for a watcher: %+v", key, a)
		}
	}
	if s.Prompt() != "" || s.keys("right numbers overview + steps").Turn != nil || s.pointer.cursor.String() != "1,0" {
		t.Error("a watcher was prompted, or could not look around")
	}
}

// TestEscapeHidesTheTerritory: the first one, before what follows on the screen.
func TestEscapeHidesTheTerritory(t *testing.T) {
	s := newSession(t, duelState(t))
	s.Key("s")
	if a := s.Key("esc"); !a.Handled || s.showTerritory {
		t.Errorf("with the territory: %+v", a)
	}
	if a := s.Key("esc"); a.Handled {
		t.Errorf("without it: %+v", a)
	}
}

// TestTabFollowsHints plays turns of hints with Enter, and with one Tab before it where the cursor is elsewhere.
func TestTabFollowsHints(t *testing.T) {
	all := readRecordedGames(t)
	for _, state := range []game.State{all[27].hint(t, 718), all[9].hint(t, 161), duelHint(t)} {
		turn := slices.Concat(state.Draft, state.Hint)
		wanted := turn[:len(turn)-1] // the end is another key
		s := newSession(t, state)
		for range 4 * len(wanted) {
			if at, _ := s.input.hintStop(); at != s.pointer.cursor {
				s.keys("tab")
			}
			s.keys("enter")
			if n := len(s.state.Draft); slices.Equal(s.state.Draft, turn[:n]) {
				s.state.Hint = turn[n:]
				s.Show(s.state)
			}
			if len(s.state.Draft) == len(wanted) {
				break
			}
		}
		if !slices.Equal(s.state.Draft, wanted) {
			t.Errorf("the draft is %q, want %q", s.state.Draft, wanted)
		}
	}
}

// TestScaleIsSwitched checks that + shows the other scale than the one that was drawn.
func TestScaleIsSwitched(t *testing.T) {
	s := newSession(t, duelState(t))
	for _, want := range []int{large, small, large} {
		s.draw(80, 24, plainLook)
		if got := s.viewport.drawn.scale; got != want {
			t.Errorf("the scale is %d, want %d", got, want)
		}
		s.keys("+")
	}
}

func TestClicks(t *testing.T) {
	for _, scale := range []int{small, large} {
		s := newSession(t, duelState(t))
		s.viewport.scale = scale
		s.draw(80, 24, plainLook)
		for _, at := range []mu.Hex{{}, {Q: 2, R: 0}} {
			x, y := s.viewport.drawn.corner(at)
			s.apply(s.Click(x, y))
		}
		if got := strings.Join(s.state.Draft, ";"); got != "move 0,0 2 e" {
			t.Errorf("scale %d: the clicks made %q", scale, got)
		}
	}
}

// TestWhyNot selects each piece and checks for each cell that Enter is refused with a reason exactly if there is
// no legal move to it.
func TestWhyNot(t *testing.T) {
	for _, r := range readRecordedGames(t)[:12] {
		state := r.after(t, len(r.Actions)/2)
		state.Draft = nil
		s := newSession(t, state)
		for _, from := range s.input.tabStops() {
			s.pointer.moveTo(from)
			s.keys("enter")
			for _, c := range s.view.pos.Cells() {
				s.pointer.moveTo(c.At)
				if !s.pointer.hasSelection || c.At == from {
					continue
				}
				legal := slices.ContainsFunc(s.view.pos.AppendMoves(nil, from), func(a mu.Action) bool { return from.Step(a.Dir, int(a.Men)) == c.At })
				if why := s.explainer().refusal(); (why == "") != legal {
					t.Fatalf("from %s to %s: legal %v, but %q", from, c.At, legal, why)
				}
			}
			s.pointer.deselect()
		}
	}
}

// TestWords describes and explains every cell of many positions, including Out of Bounds.
func TestWords(t *testing.T) {
	for _, r := range readRecordedGames(t) {
		for _, n := range []int{0, len(r.Actions) / 3, len(r.Actions)} {
			s := newSession(t, r.after(t, n))
			g := s.view.geometry()
			for x := range g.width - 1 {
				for y := range g.height {
					r := y + g.top
					s.pointer.moveTo(mu.Hex{Q: int16((x + g.left - r) >> 1), R: int16(r)})
					if s.DescribeCursor() == "" || strings.Contains(s.DescribeCursor(), "%!") {
						t.Fatalf("%s: about %q", s.pointer.cursor, s.DescribeCursor())
					}
					for _, text := range s.Explain() {
						if text == "" || strings.Contains(text, "%!") || !strings.HasSuffix(text, ".") {
							t.Fatalf("%s: explained %q", s.pointer.cursor, text)
						}
					}
				}
			}
		}
	}
}

// TestAboutFitsARow describes every cell: the description fits in one row of the smallest window, and says
// whether a move there leads to an explosion.
func TestAboutFitsARow(t *testing.T) {
	const row = 58
	check := func(s *testSession) {
		t.Helper()
		if text := s.DescribeCursor(); paint.Width(text) > row {
			t.Errorf("%d columns: %s", paint.Width(text), text)
		}
	}
	for _, r := range readRecordedGames(t) {
		for n := 0; n < len(r.Actions); n += 61 {
			s := newSession(t, r.after(t, n))
			for _, c := range s.view.shown().Cells() {
				s.pointer.moveTo(c.At)
				check(s)
			}
			for _, from := range s.input.tabStops() {
				s.pointer.moveTo(from)
				if s.Key("enter"); !s.pointer.hasSelection {
					break // laying, clearing or exploding
				}
				for to, men := range s.pointer.targets {
					s.pointer.moveTo(to)
					check(s)
					d, _, _ := from.DirTo(to)
					next, steps, err := s.view.shown().PlaySteps(mu.Action{Kind: mu.Move, At: from, Men: uint16(men), Dir: d})
					if err != nil {
						t.Fatal(err)
					}
					explodes := len(next.Critical()) > 0 || slices.ContainsFunc(steps, func(s mu.Step) bool { return s.Kind == mu.Exploded })
					if said := strings.HasSuffix(s.DescribeCursor(), "; explodes"); said != explodes {
						t.Errorf("explosion %v: %s", explodes, s.DescribeCursor())
					}
				}
				s.pointer.deselect()
			}
		}
	}
}

// TestLastCapture: when no other player has men, the board says that the end of the turn wins, and one e is enough although a
// segment could still move.
func TestLastCapture(t *testing.T) {
	state := duelState(t)
	state.Position = lessonPosition(lessonBoard, "0,0:v0.1 1,0:v1.1 3,-1:v0.1", 0)
	s := newSession(t, state).at(0, 0)
	if a := s.keys("e"); a.Turn != nil {
		t.Fatalf("before the capture one e ends the turn: %+v", a)
	}
	s.keys("esc enter right enter")
	if got := s.Prompt(); got != "No other player has men. e: end the turn and win, u: undo." {
		t.Errorf("the prompt is %q", got)
	}
	p, err := engine.PlayTurn(state.Position, s.keys("e").Turn)
	if err != nil {
		t.Fatal(err)
	}
	if r, over := p.Result(); !over || r.Places[0] != 0 {
		t.Errorf("after e the result is %v, over: %t", r, over)
	}
}
