package tui_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui/paint"
	"ayumu/tui/screen/screentest"
)

// The bounds are requirements: 200 bytes for a step of the cursor in a list, which shows two whole rows anew, 260 if the line
// above the keys changes as well, because the step comes to tables or leaves them, and 210 on a board, 300 for a complete turn on a board with cells of one row, 400 with cells of two rows.

func TestListStepPayload(t *testing.T) {
	for colors := paint.NoColor; colors <= paint.TrueColor; colors++ {
		screentest.With(t, func(h *screentest.Harness) {
			for i := range 9 {
				h.OpenTable(fmt.Sprintf("player%d", i), table.Proposal{Game: "ayu"})
			}
			h.Account("ana")
			e := h.Terminal(screentest.Setting{Name: "ana", Profile: paint.Profile{Term: "xterm-256color", Colors: colors}})
			for _, list := range []string{"tables", "people"} {
				e.Keys("\x1b[B")
				e.TakeBytes()
				for i := range 12 {
					limit, before := 200, e.Shows("pie, no clock, casual.")
					e.Keys([]string{"\x1b[B", "\x1b[B", "\x1b[A"}[i%3])
					if e.Shows("pie, no clock, casual.") != before {
						limit = 260
					}
					if n := e.TakeBytes(); n == 0 && i < 6 || n > limit {
						t.Errorf("a step in the list of %s takes %d bytes in %d colours", list, n, colors)
					}
				}
				e.Keys("\t")
			}
		})
	}
}

// TestBoardStepPayload moves the cursor on a board, with cells of one and of two rows. A step changes the line that
// says what is under the cursor, too.
func TestBoardStepPayload(t *testing.T) {
	for colors := paint.NoColor; colors <= paint.TrueColor; colors++ {
		for _, rows := range []int{22, 24} {
			screentest.With(t, func(h *screentest.Harness) {
				m := h.StartMatch("ana", "bob", `{"size":11}`, clock.Default)
				random := rand.New(rand.NewPCG(1, 2))
				for range 20 {
					legal := m.Snapshot().Position.Legal()
					h.Play(m, legal[random.IntN(len(legal))])
				}
				e := h.Terminal(screentest.Setting{Name: "ana", Width: 80, Height: rows, Profile: paint.Profile{Term: "xterm-256color", Colors: colors}})
				e.Keys("\r") // opens the match, the only one
				worst, steps := 0, 0
				for i := range 60 {
					e.TakeBytes()
					e.Keys([]string{"\x1b[B", "\x1b[C", "\x1b[B", "\x1b[D", "\x1b[A", "\x1b[C"}[i%6])
					if n := e.TakeBytes(); n > 0 {
						worst, steps = max(worst, n), steps+1
					}
				}
				t.Logf("%d colours, %d rows: %d steps, worst %d bytes", colors, rows, steps, worst)
				if worst > 210 || steps < 30 {
					t.Errorf("a step on a board in %d colours and %d rows takes %d bytes, of %d", colors, rows, worst, steps)
				}
			})
		}
	}
}

// TestRandomTurnPayload watches random games, which move groups further than people do (paint's
// TestTurnPayload covers those), until they end or the list has scrolled often. The turn that ends a
// game may take more: it shows the result and the players' chat.
func TestRandomTurnPayload(t *testing.T) {
	t.Run("one row", func(t *testing.T) { checkRandomTurns(t, 22, 300) })
	t.Run("two rows", func(t *testing.T) { checkRandomTurns(t, 24, 400) })
}

// checkRandomTurns checks random games in a window of 80 columns and some rows. No turn but the last one may take
// more than bound bytes.
func checkRandomTurns(t *testing.T, rows, bound int) {
	games, turns := uint64(15), 100
	if testing.Short() {
		games = 3 // all take a minute with the race detector
	}
	for colors := paint.NoColor; colors <= paint.TrueColor; colors++ {
		worst, last, sum, shown := 0, 0, 0, 0
		for seed := range games {
			screentest.With(t, func(h *screentest.Harness) {
				m := h.StartMatch("ana", "bob", `{"size":11}`, clock.Default)
				h.Account("carol")
				e := h.Terminal(screentest.Setting{Name: "carol", Width: 80, Height: rows, Open: "watch " + m.Info.ID, Profile: paint.Profile{Term: "xterm-256color", Colors: colors}})
				e.TakeBytes()
				random := rand.New(rand.NewPCG(seed, 0))
				for range turns {
					legal := m.Snapshot().Position.Legal()
					h.Play(m, legal[random.IntN(len(legal))])
					n := e.TakeBytes()
					if m.Snapshot().IsOver() {
						last = max(last, n)
						return
					}
					worst, sum, shown = max(worst, n), sum+n, shown+1
				}
			})
		}
		t.Logf("%d colours, %d turns: mean %d, worst %d bytes; the last of a game %d", colors, shown, sum/shown, worst, last)
		if worst > bound {
			t.Errorf("in %d colours a turn takes %d bytes", colors, worst)
		}
		if last > 700 {
			t.Errorf("in %d colours the last turn takes %d bytes", colors, last)
		}
	}
}

// TestWalkPayload plays random games whose moves walk on the screen of a player, who moves too. A walk may take as much again
// as the turn, on average.
func TestWalkPayload(t *testing.T) {
	bytes := make(map[string]int) // of all turns, by the setting
	const games, turns = 4, 40
	for _, setting := range []string{"on", "off"} {
		worst := 0
		for seed := range uint64(games) {
			screentest.With(t, func(h *screentest.Harness) {
				m := h.StartMatch("ana", "bob", `{"size":11}`, clock.Control{})
				h.Account("ana")
				e := h.Terminal(screentest.Setting{Name: "ana", Open: "watch " + m.Info.ID, Profile: paint.Profile{Term: "xterm-256color", Colors: paint.Colors256}})
				e.Keys("o", "\x1b[B", "\x1b[B", "\x1b[B", "\x1b[B", "\x1b[B", "\x1b[B", "\x1b[B")
				e.WaitFor("Moves walk       off [on]")
				if setting == "off" {
					e.Keys("\x1b[D")
					e.WaitFor("Moves walk      [off] on")
				}
				e.Keys("q")
				screentest.Advance(time.Minute)
				random := rand.New(rand.NewPCG(seed, 0))
				for range turns {
					e.TakeBytes()
					legal := m.Snapshot().Position.Legal()
					h.Play(m, legal[random.IntN(len(legal))])
					screentest.Advance(time.Second)
					n := e.TakeBytes()
					bytes[setting], worst = bytes[setting]+n, max(worst, n)
				}
			})
		}
		t.Logf("moves walk %s: mean %d, worst %d bytes", setting, bytes[setting]/games/turns, worst)
	}
	if on, off := bytes["on"], bytes["off"]; on <= off || on > 2*off {
		t.Errorf("the turns take %d bytes with a walk and %d without", on, off)
	}
}
