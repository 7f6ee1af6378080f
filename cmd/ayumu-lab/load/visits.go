package load

import (
	"context"
	"errors"
	"time"
)

// visitBatch is the number of connections to one server before the other one's turn.
const visitBatch = 25

// measureVisits measures single connections that end after the first frame. With a baseline it alternates
// between ayumu and a bare server, so that other load on the machine affects both, and returns the figures
// of the bare server.
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
		before, err := r.processes.cost(ctx)
		if err != nil {
			return bare, err
		}
		defer func() {
			after, bad := r.processes.cost(ctx)
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

// visitOnce connects, waits for the first frame, disconnects, and returns the size of the frame.
func (r *run) visitOnce(ctx context.Context, i int) (size int, err error) {
	first := newObservation(1)
	s, err := r.clients.open(ctx, i%r.Sessions, "", r.firstFrameText, first)
	if err != nil {
		return 0, err
	}
	defer s.close()
	took, err := first.wait(ctx)
	r.FirstFrame = append(r.FirstFrame, took...)
	return s.size(), err
}
