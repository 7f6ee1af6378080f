package load

import (
	"context"
	"sync/atomic"
	"time"
)

// measureHold plays games by scripts for r.Hold, and samples the server's costs after the first minute (or the first half
// of a shorter time), then every sampleInterval, and at the end.
func (r *run) measureHold(ctx context.Context) error {
	if r.Hold == 0 || r.Games == 0 {
		return nil
	}
	r.logf("%d games, %.0f turns/s in all, for %v", r.Games, r.TurnsRate, r.Hold)
	first := min(time.Minute, r.Hold/2)
	playing, stop := context.WithTimeout(ctx, r.Hold+waitTimeout)
	defer stop()
	// The time begins when all games have started: on a busy machine that takes longer than a short Hold.
	var missing atomic.Int64
	missing.Store(int64(r.Games))
	var end time.Time // set before begun is closed
	begun, result := make(chan struct{}), make(chan error, 1)
	go func() {
		result <- forEach(playing, r.Games, r.Games, 0, func(ctx context.Context, n int) error {
			g, err := r.startGame(ctx, n)
			if err != nil {
				return err
			}
			defer g.close()
			if missing.Add(-1) == 0 {
				end = time.Now().Add(r.Hold)
				close(begun)
			}
			select {
			case <-begun:
				return r.play(ctx, g, n, end)
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	select {
	case <-begun:
	case err := <-result:
		return err
	}
	if err := sleep(ctx, first); err != nil {
		return err
	}
	early, err := r.processes.cost(ctx)
	if err != nil {
		return err
	}
	r.Held = []processCost{early}
	for done := false; !done; {
		select {
		case err := <-result:
			if done = true; err != nil {
				return err
			}
		case <-time.After(sampleInterval):
		}
		c, err := r.processes.cost(ctx)
		if err != nil {
			if done || ctx.Err() != nil {
				return err
			}
			r.logf("%v", err) // skip this sample
			continue
		}
		r.Held = append(r.Held, c)
		r.logf("%s", c)
		if len(r.Held) == 2 && !done {
			go r.saveProfile(ctx, "hold.cpu", "/debug/pprof/profile?seconds=30")
		}
	}
	late := r.Held[len(r.Held)-1]
	r.HoldCPU = float64(late.cpu-early.cpu) / float64(r.Hold-first)
	r.saveProfile(ctx, "hold.heap", "/debug/pprof/heap")
	r.saveProfile(ctx, "hold.goroutines", "/debug/pprof/goroutine")
	return nil
}

// sampleInterval is the interval between samples of the server's costs.
const sampleInterval = 10 * time.Second

// play plays g, and then further games of its players, until end. It fails unless every turn is acknowledged with the next
// version and the match ends with exactly those turns.
func (r *run) play(ctx context.Context, g *game, n int, end time.Time) error {
	every := time.Duration(float64(r.Games) / r.TurnsRate * float64(time.Second))
	next := time.Now().Add(every * time.Duration(n) / time.Duration(r.Games))
	// A late turn is made up for without a pause, until end; what is missing then is not played.
	for ; next.Before(end) && time.Now().Before(end); next = next.Add(every) {
		if err := sleep(ctx, time.Until(next)); err != nil {
			return err
		}
		if g.over() {
			if err := g.checkPosition(ctx); err != nil {
				return err
			}
			rematch, err := startGame(ctx, g.players[0], g.players[1], r.Options, r.Clock, g.rng)
			if err != nil {
				return err
			}
			g = rematch
		}
		began := time.Now()
		if err := g.turn(ctx); err != nil {
			return err
		}
		r.mu.Lock()
		r.Ack = append(r.Ack, time.Since(began))
		r.mu.Unlock()
	}
	return g.checkPosition(ctx)
}
