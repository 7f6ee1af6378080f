package ayu

import (
	"math/rand/v2"
	"strings"
	"testing"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// TestFramesOfBoards presses the same keys at random on boards of one game, which share their frames, and on boards
// that share nothing: each shows the same.
func TestFramesOfBoards(t *testing.T) {
	keys := strings.Fields("up down left right tab enter d f esc")
	styles := []game.Style{{Theme: theme.DefaultSet.For(paint.TrueColor, false)}, {Theme: theme.DefaultSet.For(paint.NoColor, false), ASCII: true}}
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 5))
		together := NewGame()
		var boards [4][2]game.Board // with and without others
		p := together.firstPosition(5)
		for i := range boards {
			boards[i] = [2]game.Board{together.New(), Game{}.New()}
		}
		for step := range 60 {
			if step%12 == 0 {
				if legal := p.Legal(); step > 0 && len(legal) > 0 {
					p, _ = p.Play(legal[rng.IntN(len(legal))])
				}
				for i := range boards {
					for _, b := range boards[i] {
						b.Show(game.State{Position: p, Seat: i - 1, CanAct: p.Turn() == i-1, Static: i == 3})
					}
				}
			}
			i, key := rng.IntN(len(boards)), keys[rng.IntN(len(keys))]
			for _, b := range boards[i] {
				b.Key(key)
			}
			style, w, h := styles[rng.IntN(2)], 30+20*rng.IntN(2), 12+rng.IntN(8)
			for i := range boards {
				var frames [2]*paint.Frame
				for j, b := range boards[i] {
					frames[j] = b.(game.Framer).Frame(w, h, style)
				}
				if !frames[0].Equal(frames[1]) {
					t.Fatalf("seed %d, step %d, board %d shows\n%s\nnot\n%s", seed, step, i, frames[0], frames[1])
				}
			}
		}
	}
}
