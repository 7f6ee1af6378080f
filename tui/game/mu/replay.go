package mu

import (
	"fmt"

	"ayumu/engine/mu"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
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
			for h := range segmentCells(s.At) {
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
		text = fmt.Sprintf("%s from %s %s to %s", plural(int(moved.Men), "man"), moved.At, dirWords[moved.Dir], moved.To)
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

// playback is a replay that a session shows. The zero playback is stopped.
type playback struct {
	replay *replay
	frame  int // the frame that is shown, from 1; 0: none
}

// start shows the first frame of a replay. A replay of a single frame, or nil, is not shown: the last
// frame is the position itself.
func (p *playback) start(r *replay) {
	*p = playback{}
	if r != nil && len(r.frameEnds) > 1 {
		*p = playback{r, 1}
	}
}

func (p *playback) stop() { *p = playback{} }

func (p *playback) isRunning() bool { return p.frame > 0 }

// advance shows the next frame, and stops at the last one.
func (p *playback) advance() {
	if !p.isRunning() {
		return
	}
	if p.frame++; p.frame >= len(p.replay.frameEnds) {
		p.stop()
	}
}

// focus returns the cell that must be in view. It may be called only while the playback runs.
func (p *playback) focus() mu.Hex { return p.replay.focus(p.frame) }

// drawCaption describes the shown frame in the first row of a canvas.
func (p *playback) drawCaption(c paint.Canvas, t *theme.Theme) {
	w, _ := c.Size()
	text := fmt.Sprintf("%d of %d: %s", p.frame, len(p.replay.frameEnds), p.replay.caption(p.frame))
	n := c.Text(0, 0, t.Notice, paint.Cut(text, w-11))
	c.Text(n+1, 0, t.Dim, "Space: skip")
}
