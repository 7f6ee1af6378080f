package mu

import (
	"testing"

	"ayumu/tui/game"
)

// TestPiecesWalk lets the pieces of recorded games walk after turns of one move without an explosion: in few steps, each
// another picture. Longer turns are replayed instead.
func TestPiecesWalk(t *testing.T) {
	r := readRecordedGames(t)[20]
	walks := 0
	for n := 1; n < len(r.Actions); n++ {
		state := r.after(t, n)
		if len(state.Draft) > 0 {
			continue
		}
		s := newSession(t, state)
		arrived := s.draw(80, 24, darkLook).String()
		s.Replay()
		isReplayed := s.IsReplaying()
		for s.IsReplaying() {
			s.Advance()
		}
		s.Walk()
		if s.IsReplaying() {
			walks++
		}
		if isReplayed && s.IsReplaying() {
			t.Fatalf("%v is replayed and walks", state.LastTurn)
		}
		steps := 0
		for ; s.IsReplaying(); s.Advance() {
			if s.Frame(80, 24, darkLook) != nil {
				t.Fatal("a step is shared")
			}
			s.draw(80, 24, darkLook)
			steps++
		}
		if steps > game.MaxWalkSteps {
			t.Fatalf("%v has %d steps", state.LastTurn, steps)
		}
		if now := s.draw(80, 24, darkLook).String(); now != arrived {
			t.Fatalf("after %v the board shows\n%s\nnot\n%s", state.LastTurn, now, arrived)
		}
	}
	if walks == 0 {
		t.Error("nothing has walked")
	}
}
