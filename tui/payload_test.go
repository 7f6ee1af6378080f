package tui

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui/paint"
)

// taken returns how many bytes the terminal has got since the last time.
func (e *terminal) taken() int {
	synctest.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	n := len(e.raw)
	e.raw = nil
	return n
}

// The bounds are the product's: 60 bytes for a step of the cursor, 300 for a whole turn.

func TestListStepPayload(t *testing.T) {
	for colors := paint.NoColor; colors <= paint.TrueColor; colors++ {
		inHouse(t, func(h *house) {
			for i := range 9 {
				h.open(fmt.Sprintf("player%d", i), lobby.Proposal{Game: "ayu"})
			}
			h.account("ana")
			e := h.terminal(setting{name: "ana", profile: paint.Profile{Term: "xterm-256color", Colors: colors}})
			for _, list := range []string{"tables", "people"} {
				e.keys("\x1b[B")
				e.taken()
				for i := range 12 {
					e.keys([]string{"\x1b[B", "\x1b[B", "\x1b[A"}[i%3])
					if n := e.taken(); n == 0 && i < 6 || n > 60 {
						t.Errorf("a step in the list of %s takes %d bytes in %d colours", list, n, colors)
					}
				}
				e.keys("\t")
			}
		})
	}
}

// TestChanceTurnPayload watches games by chance, which move whole groups further than people do
// (paint's TestTurnPayload is about those): single turns may take more, all together not.
func TestChanceTurnPayload(t *testing.T) {
	const turns = 50
	worst, sum := 0, 0
	for seed := range uint64(4) {
		inHouse(t, func(h *house) {
			m := h.match("ana", "bob", `{"size":11}`, clock.Default)
			h.account("carol")
			e := h.terminal(setting{name: "carol", open: "watch " + m.Info.ID, profile: paint.Profile{Term: "xterm-256color", Colors: paint.Colors256}})
			e.taken()
			chance := rand.New(rand.NewPCG(seed, 0))
			for range turns {
				legal := m.Snapshot().Position.Legal()
				h.play(m, legal[chance.IntN(len(legal))])
				n := e.taken()
				worst, sum = max(worst, n), sum+n
			}
		})
	}
	mean := sum / (4 * turns)
	t.Logf("mean %d, worst %d bytes", mean, worst)
	if mean == 0 || mean > 300 || worst > 400 {
		t.Errorf("a turn takes %d bytes, at worst %d", mean, worst)
	}
}
