package mu

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// recordedGame is a game of the engine's test data.
type recordedGame struct {
	Players, Segments int
	Actions           []string
}

func readRecordedGames(t testing.TB) []recordedGame {
	f, err := os.Open("../../../engine/mu/testdata/mu-games.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all []recordedGame
	for d := json.NewDecoder(z); ; {
		var r recordedGame
		if err := d.Decode(&r); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
}

func play(t testing.TB, p engine.Position, action string) engine.Position {
	t.Helper()
	next, err := p, error(nil)
	if seat, ok := strings.CutPrefix(action, "leave "); ok {
		n, _ := strconv.Atoi(seat)
		next, err = p.Leave(n)
	} else {
		next, err = p.Play(action)
	}
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func first(r recordedGame) engine.Position {
	return mu.New(mu.Options{Players: r.Players, Segments: r.Segments, Min: r.Players})
}

// after returns the state for the seat to move after the first n actions. The actions of an unfinished turn are
// its draft.
func (r recordedGame) after(t testing.TB, n int) game.State {
	t.Helper()
	s := game.State{Position: first(r)}
	p, base := s.Position, s.Position
	var turn []string
	for _, a := range r.Actions[:n] {
		p, turn = play(t, p, a), append(turn, a)
		if !p.MidTurn() {
			s.Previous, s.LastTurn, s.Position = base, turn, p
			base, turn = p, nil
		}
	}
	s.Draft, s.Seat, s.CanAct = turn, s.Position.Turn(), true
	return s
}

// hint returns the state of after, with the rest of the recorded turn as a hint.
func (r recordedGame) hint(t testing.TB, n int) game.State {
	s := r.after(t, n)
	p := s.Position
	for _, a := range s.Draft {
		p = play(t, p, a)
	}
	for more := true; more; more = p.MidTurn() {
		s.Hint = append(s.Hint, r.Actions[n])
		p = play(t, p, r.Actions[n])
		n++
	}
	return s
}

// testSession is a board with the state that a screen keeps for it: the draft, the message and the turn.
type testSession struct {
	t testing.TB
	*Board
	state game.State
	note  string
	bad   bool
	turn  []string
}

func newSession(t testing.TB, s game.State) *testSession {
	b := Game{}.New().(*Board)
	b.Show(s)
	return &testSession{t: t, Board: b, state: s}
}

// apply handles the result of an input as a screen does.
func (s *testSession) apply(a game.InputResult) game.InputResult {
	s.note, s.bad = a.Message, a.Refused
	if a.Draft != nil {
		s.state.Draft = a.Draft
		s.Show(s.state)
	}
	if a.Turn != nil {
		s.turn = a.Turn
	}
	return a
}

// keys presses keys, separated by spaces, and returns the last result. SMALL and LARGE are no keys, but set the scale.
func (s *testSession) keys(keys string) (a game.InputResult) {
	for key := range strings.FieldsSeq(keys) {
		switch key {
		case "SMALL":
			s.viewport.scale = small
		case "LARGE":
			s.viewport.scale = large
		default:
			if i := slices.IndexFunc(s.Commands(), func(c game.Command) bool { return c.Name == key }); i >= 0 {
				s.Commands()[i].Do()
				continue
			}
			a = s.apply(s.Key(key))
		}
	}
	return a
}

func (s *testSession) at(q, r int16) *testSession {
	s.pointer.moveTo(mu.Hex{Q: q, R: r})
	return s
}

var (
	plainLook = game.Style{Theme: &theme.Plain}
	asciiLook = game.Style{Theme: &theme.Plain, ASCII: true}
	darkLook  = game.Style{Theme: &theme.Dark}
)

// draw draws the board with the texts around it, as a screen of w columns and h rows does.
func (s *testSession) draw(w, h int, look game.Style) *paint.Frame {
	const panel = 27
	return paint.Draw(nil, w, h, func(c paint.Canvas) {
		bw, bh, ok := s.Fit(w-panel, h-3)
		if !ok {
			s.t.Fatalf("no room for the board in %d×%d", w, h)
		}
		s.Draw(c.Sub(0, 0, bw, bh), look)
		c.Text(1, h-3, look.Theme.Text, s.Prompt())
		c.Text(1, h-2, look.Theme.Text, s.DescribeCursor())
		x := 1
		for _, k := range s.StatusKeys() {
			x += 2 + c.Text(x, h-1, look.Theme.Text, k.Key+" "+k.Help)
		}
	})
}

// compactBoard returns the first position of phase play on a board whose segments lie close together.
func compactBoard(t testing.TB, players, segments int) *mu.Position {
	p := mu.New(mu.Options{Players: players, Segments: segments, Min: players})
	for p.Phase() != mu.Play {
		a := mu.Action{Kind: mu.Clear}
		if p.Phase() == mu.Layout {
			a = mu.Action{Kind: mu.Place, At: nearest(p.Placements(), mu.Hex{})}
		} else {
			for _, c := range p.Cells() {
				if c.Owner == p.Turn() && (a.At == mu.Hex{} || c.At.Distance(mu.Hex{}) < a.At.Distance(mu.Hex{})) {
					a.At = c.At
				}
			}
		}
		next, err := p.Do(a)
		if err != nil {
			t.Fatal(err)
		}
		p = next
	}
	return p
}

func opening(t testing.TB, players, segments int) game.State {
	p := compactBoard(t, players, segments)
	return game.State{Position: p, Seat: p.Turn(), CanAct: true}
}
