package mu

import (
	"math/rand/v2"
	"strings"
	"testing"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// TestFramesOfBoards presses the same keys at random on boards of one game, which share their frames, and on boards
// that share nothing: each shows the same, and clicks meet the same cells.
func TestFramesOfBoards(t *testing.T) {
	keys := strings.Fields("up down left right s + - enter esc space")
	styles := []game.Style{{Theme: theme.DefaultSet.For(paint.TrueColor, false)}, {Theme: theme.DefaultSet.For(paint.NoColor, false), ASCII: true}}
	records := readRecordedGames(t)
	shared := 0
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 7))
		together := NewGame()
		record := records[int(seed)%len(records)]
		var boards [4][2]*Board // with and without others; two are of spectators, and one of each is static
		for i := range boards {
			boards[i] = [2]*Board{together.New().(*Board), Game{}.New().(*Board)}
		}
		for step := range 60 {
			if step%12 == 0 {
				s := record.after(t, rng.IntN(len(record.Actions)))
				for i := range boards {
					s := s
					if i < 2 {
						s.Seat, s.CanAct, s.Draft = -1, false, nil
					}
					s.Static = i%2 == 1
					for _, b := range boards[i] {
						b.Show(s)
					}
				}
			}
			i, key := rng.IntN(len(boards)), keys[rng.IntN(len(keys))]
			for _, b := range boards[i] {
				b.Key(key)
			}
			if step%5 == 0 {
				for i := range boards {
					for _, b := range boards[i] {
						b.Advance()
					}
				}
			}
			style, w, h := styles[rng.IntN(2)], 30+40*rng.IntN(2), 12+10*rng.IntN(2)
			for i := range boards {
				with, alone := boards[i][0], boards[i][1]
				f := with.Frame(w, h, style)
				if f == nil {
					f = paint.Draw(nil, w, h, func(c paint.Canvas) { with.Draw(c, style) })
				} else {
					shared++
				}
				want := paint.Draw(nil, w, h, func(c paint.Canvas) { alone.Draw(c, style) })
				if !f.Equal(want) || with.viewport.inset != alone.viewport.inset || with.viewport.drawn.x != alone.viewport.drawn.x {
					t.Fatalf("seed %d, step %d, board %d shows\n%s\nnot\n%s", seed, step, i, f, want)
				}
			}
		}
	}
	if shared < 1000 {
		t.Errorf("only %d frames were shared", shared)
	}
}

// Spectators get one frame, and a session whose cursor is elsewhere gets another.
func TestSpectatorsShareTheFrame(t *testing.T) {
	g, style := NewGame(), game.Style{Theme: theme.DefaultSet.For(paint.TrueColor, false)}
	record := readRecordedGames(t)[0]
	s := record.after(t, len(record.Actions)/2)
	s.Seat, s.CanAct, s.Draft = -1, false, nil
	var boards [3]*Board
	for i := range boards {
		boards[i] = g.New().(*Board)
		boards[i].Show(s)
	}
	boards[2].Key("left")
	a, b, c := boards[0].Frame(70, 22, style), boards[1].Frame(70, 22, style), boards[2].Frame(70, 22, style)
	if a == nil || a != b || a == c {
		t.Errorf("the frames are %p, %p and, with another cursor, %p", a, b, c)
	}
	s.CanAct, s.Seat = true, s.Position.Turn()
	if boards[0].Show(s); boards[0].Frame(70, 22, style) != nil {
		t.Error("the board of a player who can act is shared")
	}
}
