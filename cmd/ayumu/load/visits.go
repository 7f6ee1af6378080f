package load

import (
	"context"
	"errors"
	"time"
)

// visitBatch is how many come to a server before the other one's turn is.
const visitBatch = 25

// measureVisits has people come to ayumu for one frame and go, one by one; where there is a baseline, by
// turns to a bare server as well, so that whatever else the machine does is done to both. It
// returns what that one has shown.
func (c Config) measureVisits(ctx context.Context, ayumu *run) (bare Figures, err error) {
	if c.Brief == 0 {
		return bare, nil
	}
	ayumu.logf("%d connections, each for one frame", c.Brief)
	servers := []*run{ayumu}
	if c.Baseline {
		size, err := ayumu.visitOnce(ctx, 0)
		if err != nil {
			return bare, err
		}
		other, err := c.bare(ctx, Sizes{First: size})
		if err != nil {
			return bare, err
		}
		defer func() { bare, err = other.Figures, errors.Join(err, other.end()) }()
		servers = append(servers, other)
	}
	for _, r := range servers {
		r.FirstFrame = nil
		before, err := r.process.cost(ctx)
		if err != nil {
			return bare, err
		}
		defer func() {
			after, bad := r.process.cost(ctx)
			err = errors.Join(err, bad)
			r.ConnectionCPU = (after.cpu - before.cpu) / time.Duration(c.Brief)
		}()
	}
	defer ayumu.profile(ctx, "connections.cpu")()
	for begin := 0; begin < c.Brief; begin += visitBatch {
		for _, r := range servers {
			for i := begin; i < min(begin+visitBatch, c.Brief); i++ {
				if _, err := r.visitOnce(ctx, i); err != nil {
					return bare, err
				}
			}
		}
	}
	return bare, nil
}

// visitOnce has somebody come and see the first frame, and returns its size.
func (r *run) visitOnce(ctx context.Context, i int) (size int, err error) {
	first := newObservation(1)
	s, err := r.crowd.open(ctx, i%r.Sessions, "", r.firstFrameText, first)
	if err != nil {
		return 0, err
	}
	defer s.close()
	took, err := first.wait(ctx)
	r.FirstFrame = append(r.FirstFrame, took...)
	return s.size(), err
}
