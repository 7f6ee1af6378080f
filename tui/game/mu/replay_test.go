package mu

import (
	"strings"
	"testing"

	"ayumu/engine/mu"
)

// TestReplays replays every turn of phase play of the recorded games: the last frame is the position after the
// turn, and each frame has steps and a caption.
func TestReplays(t *testing.T) {
	longest := 0
	for _, r := range readRecordedGames(t) {
		p := first(r).(*mu.Position)
		before := p
		var turn []mu.Action
		for _, text := range r.Actions {
			a, err := mu.ParseAction(text)
			if err != nil {
				p = play(t, p, text).(*mu.Position)
				before, turn = p, nil
				continue
			}
			p, turn = play(t, p, text).(*mu.Position), append(turn, a)
			if p.MidTurn() {
				continue
			}
			if before.Phase() == mu.Play {
				replay := newReplay(before, p, turn)
				checkReplay(t, replay)
				longest = max(longest, len(replay.frameEnds))
			}
			before, turn = p, nil
		}
	}
	if longest < 5 {
		t.Errorf("the longest replay has %d pictures", longest)
	}
}

func checkReplay(t *testing.T, r *replay) {
	t.Helper()
	if len(r.frameEnds) == 0 {
		return // a pass
	}
	g := newGeometry(r.after)
	got := r.cells(g, len(r.frameEnds))
	for i, want := range r.after.Cells() {
		if got[i].Owner != want.Owner || got[i].Men != want.Men || got[i].Terrain != want.Terrain {
			t.Fatalf("the last picture has %+v, the position %+v", got[i], want)
		}
	}
	for n := 1; n <= len(r.frameEnds); n++ {
		passed := r.frameSteps(n)[0].Kind == mu.PassedOver
		if len(r.frameSteps(n)) == 0 || r.caption(n) == "" && !passed || strings.Contains(r.caption(n), "%!") {
			t.Fatalf("picture %d of %d is of %+v: %q", n, len(r.frameEnds), r.frameSteps(n), r.caption(n))
		}
		if h := r.focus(n); g.index[h] == 0 && h != r.after.Cells()[0].At && !passed {
			t.Fatalf("picture %d is about %s, which is Out of Bounds", n, h)
		}
	}
}

func TestReplayKeys(t *testing.T) {
	state := readRecordedGames(t)[20].after(t, 262)
	s := newSession(t, state)
	shown := s.draw(80, 24, plainLook).String()
	s.keys("steps")
	pictures := map[string]bool{}
	for s.IsReplaying() {
		picture := s.draw(80, 24, plainLook).String()
		if pictures[picture] {
			t.Fatalf("the same picture twice:\n%s", picture)
		}
		pictures[picture] = true
		s.Advance()
	}
	if len(pictures) != 2 || s.draw(80, 24, plainLook).String() != shown {
		t.Errorf("%d pictures, want 2, and in the end the position", len(pictures))
	}
	for _, key := range []string{"space", "enter", "esc"} {
		s.keys("steps")
		if a := s.keys(key); s.IsReplaying() || !a.Handled || a.Turn != nil || a.Draft != nil {
			t.Errorf("%s does not only skip: %+v", key, a)
		}
	}
	s.keys("steps")
	if a := s.keys("*"); s.IsReplaying() || a.Draft == nil {
		t.Errorf("another key does not skip and act: %+v", a)
	}
}

// TestReplayOfLastTurn replays the turn of another seat, but not if the position before it is unknown.
func TestReplayOfLastTurn(t *testing.T) {
	r := readRecordedGames(t)[20]
	for n := 40; n < 270; n++ {
		state := r.after(t, n)
		if len(state.LastTurn) < 3 {
			continue
		}
		s := newSession(t, state)
		if s.Replay(); !s.IsReplaying() && !s.view.showsDraft() {
			t.Fatalf("the turn %v is not replayed", state.LastTurn)
		}
		state.Previous = nil
		state.Draft = nil
		s = newSession(t, state)
		if s.Replay(); s.IsReplaying() {
			t.Fatal("a turn is replayed though it is not known where it began")
		}
	}
}

// TestLongReplay divides a chain reaction of many explosions into few frames.
func TestLongReplay(t *testing.T) {
	r := &replay{}
	for range 1000 {
		r.steps = append(r.steps, mu.Step{Kind: mu.Exploded})
	}
	r.splitFrames()
	if n := len(r.frameEnds); n > maxFrames || n < maxFrames/2 || r.frameEnds[n-1] != len(r.steps) {
		t.Errorf("%d pictures, the last of %d steps", n, r.frameEnds[n-1])
	}
}
