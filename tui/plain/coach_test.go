package plain

import "testing"

// TestCoachInLines reads the advice of a first game against a bot, switches it off and on, and has none against a person.
func TestCoachInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.newBots(new(countingEngine))
		defer h.bots.Close()
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "bot 1 5x5 pie=off first=me")
		a.waitFor("Goal: join all", "Your turn.", "Joins to go: you 5 (at least 5 moves), White 5 (5).")
		a.typeLines("learn coach off", "status", "learn coach on", "status")
		a.waitFor("Coaching is off.", "Your turn.", "Coaching is on", "Your turn.", "Joins to go: you 5")
		a.typeLines("resign", "yes", "new 5x5")
		b.typeLines("bob", "tables", "join 1")
		b.waitFor("Goal:", "turn")
		if n := b.printed("Joins to go"); n > 0 {
			t.Errorf("a match between people has advice %d times", n)
		}
	})
}
