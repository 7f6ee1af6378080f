package tui_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/clock"
	"ayumu/tui/screen/screentest"
)

// TestUpdatesBesideInput has spectators type while turns are made, lines are written and the clock runs, all at once:
// a complete redrawing changes nothing on any terminal, and everybody sees the last turn.
func TestUpdatesBesideInput(t *testing.T) {
	keys := []string{"\x1b[A", "\x1b[B", "[", "]", "d", "f", "t", "a", "\x1b", "?", "\x1b"}
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Control{Initial: 10 * time.Minute})
		var all []*screentest.Terminal
		for i := range 6 {
			name := fmt.Sprintf("w%d", i)
			h.Account(name)
			all = append(all, h.Terminal(screentest.Setting{Name: name, Open: "watch " + m.Info.ID}))
		}
		carol := h.Watch("carol", m)
		for round := range 12 {
			var at sync.WaitGroup
			for i, e := range all {
				rng := rand.New(rand.NewPCG(uint64(round), uint64(i)))
				at.Go(func() {
					for range 6 {
						e.Type(keys[rng.IntN(len(keys))])
					}
				})
			}
			at.Go(func() {
				h.Play(m, m.Snapshot().Position.Legal()[0])
				if err := carol.Say(fmt.Sprint("line ", round)); err != nil {
					t.Error(err)
				}
			})
			at.Wait()
			time.Sleep(time.Second)
		}
		last := m.Snapshot().Log
		for _, e := range all {
			for range 4 {
				e.Keys("\x1b")
				time.Sleep(100 * time.Millisecond) // so that it is a key of its own
			}
			e.Keys("\x1b[F") // the live position
			synctest.Wait()
			shown := e.Screen()
			e.Keys("\x0c")
			if anew := e.Screen(); anew != shown {
				t.Errorf("a terminal shows\n%s\nand drawn anew\n%s", shown, anew)
			}
			e.WaitFor(last[len(last)-1].Actions[0])
		}
	})
}
