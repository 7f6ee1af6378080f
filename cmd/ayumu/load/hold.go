package load

import (
	"context"
	"time"
)

// hold has scripts play for a while, and compares what the server needs after the first minute,
// or after the first half of a shorter time, with what it needs in the end.
func (r *run) hold(ctx context.Context) error {
	if r.Hold == 0 || r.Games == 0 {
		return nil
	}
	r.say("%d games, %.0f turns/s in all, for %v", r.Games, r.TurnsRate, r.Hold)
	first := min(time.Minute, r.Hold/2)
	playing, stop := context.WithTimeout(ctx, r.Hold+patience)
	defer stop()
	end := time.Now().Add(r.Hold)
	result := make(chan error, 1)
	go func() {
		result <- each(playing, r.Games, r.Games, 0, func(ctx context.Context, n int) error { return r.play(ctx, n, end) })
	}()
	if err := pause(ctx, first); err != nil {
		return err
	}
	early, err := r.process.cost(ctx)
	if err != nil {
		return err
	}
	r.Held = []cost{early}
	for done := false; !done; {
		select {
		case err := <-result:
			if done = true; err != nil {
				return err
			}
		case <-time.After(sampling):
		}
		c, err := r.process.cost(ctx)
		if err != nil {
			if done || ctx.Err() != nil {
				return err
			}
			r.say("%v", err) // one sample less, and no reason to end
			continue
		}
		r.Held = append(r.Held, c)
		r.say("%s", c)
		if len(r.Held) == 2 && !done {
			go r.keep(ctx, "hold.cpu", "/debug/pprof/profile?seconds=30")
		}
	}
	late := r.Held[len(r.Held)-1]
	r.HoldCPU = float64(late.cpu-early.cpu) / float64(r.Hold-first)
	r.keep(ctx, "hold.heap", "/debug/pprof/heap")
	r.keep(ctx, "hold.goroutines", "/debug/pprof/goroutine")
	return nil
}

// sampling is how often it is noted what a server needs that is held.
const sampling = 10 * time.Second

// play plays one game after the other until it is time. Every turn is acknowledged with the
// version that follows the one before, and in the end the match has just those, or the load fails.
func (r *run) play(ctx context.Context, n int, end time.Time) error {
	g, err := r.game(ctx, n)
	if err != nil {
		return err
	}
	defer func() { g.close() }()
	every := time.Duration(float64(r.Games) / r.TurnsRate * float64(time.Second))
	next := time.Now().Add(every * time.Duration(n) / time.Duration(r.Games))
	// What a busy machine has left behind by then is not made up for.
	for ; next.Before(end) && time.Now().Before(end); next = next.Add(every) {
		if err := pause(ctx, time.Until(next)); err != nil {
			return err
		}
		if g.over() {
			if err := g.settled(ctx); err != nil {
				return err
			}
			again, err := begin(ctx, g.players[0], g.players[1], g.chance)
			if err != nil {
				return err
			}
			g = again
		}
		began := time.Now()
		if err := g.turn(ctx); err != nil {
			return err
		}
		r.mu.Lock()
		r.Ack = append(r.Ack, time.Since(began))
		r.mu.Unlock()
	}
	return g.settled(ctx)
}
