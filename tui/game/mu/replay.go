package mu

import (
	"fmt"

	"ayumu/engine/mu"
	"ayumu/tui/game"
)

// replay has the steps between two positions, grouped into frames: a move with its landing, an explosion
// with all its effects, the trimming. It is immutable after newReplay.
type replay struct {
	previous, after *mu.Position
	steps           []mu.Step
	frameEnds       []int // by frame: the number of steps up to its end
}

// maxFrames is the maximum number of frames; of a longer chain reaction several explosions share one.
const maxFrames = 40

type replayKey struct{ previous, after *mu.Position }

var replayCache game.Cache[replayKey, *replay]

// newReplay plays actions of phase play from before. They must lead to after.
func newReplay(before, after *mu.Position, actions []mu.Action) *replay {
	r := &replay{previous: before, after: after}
	p := before
	for _, a := range actions {
		next, steps, err := p.PlaySteps(a)
		if err != nil {
			break
		}
		r.steps = append(r.steps, steps...)
		p = next
	}
	r.splitFrames()
	return r
}

func (r *replay) splitFrames() {
	for i, s := range r.steps {
		first := s.Kind == mu.Moved || s.Kind == mu.Exploded ||
			s.Kind == mu.Trimmed && r.steps[max(i-1, 0)].Kind != mu.Trimmed
		if first && i > 0 {
			r.frameEnds = append(r.frameEnds, i)
		}
	}
	if len(r.steps) > 0 {
		r.frameEnds = append(r.frameEnds, len(r.steps))
	}
	if stride := (len(r.frameEnds) + maxFrames - 1) / maxFrames; stride > 1 {
		var ends []int
		for i := (len(r.frameEnds) - 1) % stride; i < len(r.frameEnds); i += stride {
			ends = append(ends, r.frameEnds[i])
		}
		r.frameEnds = ends
	}
}

// frameSteps returns the steps of a frame, counted from 1.
func (r *replay) frameSteps(frame int) []mu.Step {
	from := 0
	if frame > 1 {
		from = r.frameEnds[frame-2]
	}
	return r.steps[from:r.frameEnds[frame-1]]
}

// cells returns the cells at the end of a frame. A capacity that is not known before the end of the chain
// reaction is -1.
func (r *replay) cells(g *geometry, frame int) []mu.Cell {
	cells := r.previous.Cells()
	for _, s := range r.steps[:r.frameEnds[frame-1]] {
		i, ok := g.index[s.At]
		if !ok || s.Kind == mu.PassedOver || s.Kind == mu.SectionStopped {
			continue
		}
		c := &cells[i]
		switch s.Kind {
		case mu.BecameCommon:
			c.Terrain = mu.Commonwealth
		case mu.BecameWall:
			c.Terrain = mu.Wall
		}
		if s.Kind == mu.BecameCommon || s.Kind == mu.BecameWall {
			for h := range segmentOf(s.At) {
				if j, ok := g.index[h]; ok {
					cells[j].Capacity = -1
				}
			}
		}
		c.Men, c.Owner = int(s.Height), int(s.Seat)
		if s.Height == 0 {
			c.Owner = -1
		}
	}
	return cells
}

// focus returns the cell that must be in view in a frame.
func (r *replay) focus(frame int) mu.Hex {
	steps := r.frameSteps(frame)
	for _, s := range steps {
		switch s.Kind {
		case mu.Moved:
			return s.To
		case mu.Exploded, mu.Trimmed:
			return s.At
		}
	}
	return steps[0].At
}

// caption describes a frame.
func (r *replay) caption(frame int) string {
	var moved, trimmed *mu.Step
	exploded, captured, walls := 0, 0, 0
	var at mu.Hex
	for _, s := range r.frameSteps(frame) {
		switch s.Kind {
		case mu.Moved:
			moved = &s
		case mu.Trimmed:
			trimmed = &s
		case mu.Exploded:
			exploded, at = exploded+1, s.At
		case mu.Captured:
			captured += int(s.Taken)
		case mu.BecameWall:
			walls++
		}
	}
	var text string
	switch {
	case moved != nil:
		text = fmt.Sprintf("%s from %s %s to %s", plural(int(moved.Men), "man"), moved.At, moved.Dir, moved.To)
	case exploded == 1:
		text = at.String() + " explodes"
	case exploded > 1:
		text = fmt.Sprintf("%d cells explode", exploded)
	case trimmed != nil:
		text = "the oscillating section is trimmed"
	}
	if walls > 0 {
		text += ", the Wall grows"
	}
	if captured > 0 {
		text += fmt.Sprintf(", %d captured", captured)
	}
	return text
}

// Replay implements game.Replayer.
func (b *Board) Replay() {
	b.replay, b.replayFrame = nil, 0
	switch {
	case b.showsDraft():
		n := len(b.draft.actions)
		b.replay = newReplay(b.draft.at(n-1), b.draft.head(), b.draft.actions[n-1:])
	case b.previous != nil && b.previous.Phase() == mu.Play:
		b.replay = replayCache.Get(replayKey{b.previous, b.pos}, func() *replay {
			var actions []mu.Action
			for _, text := range b.state.LastTurn {
				if a, err := mu.ParseAction(text); err == nil {
					actions = append(actions, a)
				}
			}
			return newReplay(b.previous, b.pos, actions)
		})
	}
	if b.replay != nil && len(b.replay.frameEnds) > 1 {
		b.replayFrame = 1
	}
}

// IsReplaying implements game.Replayer.
func (b *Board) IsReplaying() bool { return b.replayFrame > 0 }

// Advance implements game.Replayer.
func (b *Board) Advance() {
	if b.replayFrame == 0 {
		return
	}
	if b.replayFrame++; b.replayFrame >= len(b.replay.frameEnds) {
		b.replayFrame = 0 // the last frame is the position itself
	}
}
