package bots

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
)

// adviceBudget is the thinking time for a hint.
const adviceBudget = 800 * time.Millisecond

// Errors of Advise.
var (
	// ErrBusy means that too many hints have been requested at once.
	ErrBusy = &errcode.Error{Code: errcode.RateLimited, Message: "too many hints are being computed; try again in a moment"}
	// ErrHinting means that a hint is already being computed for the account or the origin.
	ErrHinting = &errcode.Error{Code: errcode.RateLimited, Message: "a hint is already being computed for you or your address; try again in a second"}
)

// Advise returns the best turns of a position of a game, within about a second if there are few requests. Turns of
// bots come first. It returns when ctx ends. Each account and each origin has one hint at a time. The error
// is an *errcode.Error if a limit is exceeded, ctx's, or the engine's for a game that is over. It may be
// called from any goroutine.
func (b *Bots) Advise(ctx context.Context, s *lobby.Session, g engine.Game, p engine.Position) (search.Advice, error) {
	payer := s.Payer()
	done, err := b.beginHint(s, payer)
	if err != nil {
		return search.Advice{}, err
	}
	if err := s.Spend(limit.WorkHint); err != nil {
		done()
		return search.Advice{}, err
	}
	select {
	case <-time.After(b.thinkingTime.Wait(payer, time.Now(), minThinkingTime)):
	case <-ctx.Done():
		done()
		return search.Advice{}, ctx.Err()
	}
	compute, results := b.searchJob(ctx, payer, adviceBudget, done, func(ctx context.Context, budget time.Duration) (search.Advice, error) {
		return b.thinker.advise(ctx, g, p, budget)
	})
	select {
	case b.adviceRequests <- compute:
	default:
		done()
		return search.Advice{}, ErrBusy
	}
	return await(ctx, results)
}

// searchResult is the result of a search on a worker.
type searchResult struct {
	advice search.Advice
	err    error
}

// searchJob returns a job for a worker that searches for at most budget, or what payer can afford of it, and charges
// the time. It sends one result, and calls done before. A job whose ctx has ended searches nothing.
func (b *Bots) searchJob(ctx context.Context, payer limit.Payer, budget time.Duration, done func(),
	do func(ctx context.Context, budget time.Duration) (search.Advice, error)) (job func(running context.Context), results <-chan searchResult) {
	c := make(chan searchResult, 1)
	return func(running context.Context) {
		var r searchResult
		defer done() // only now, because the search takes up a worker even if nobody waits for it
		defer func() {
			if v := recover(); v != nil {
				r.err = fmt.Errorf("panic: %v", v)
				b.report("advice failed", "err", r.err)
			}
			c <- r
		}()
		if r.err = ctx.Err(); r.err != nil {
			return // nobody waits for it
		}
		searching, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(running, cancel)()
		began := time.Now()
		r.advice, r.err = do(searching, b.affordable(payer, budget))
		b.charge(payer, began)
		if r.err != nil && searching.Err() == nil && !errors.Is(r.err, search.ErrNoTurn) {
			b.report("advice failed", "err", r.err)
		}
	}, c
}

// await returns the result of a job, or ctx's error.
func await(ctx context.Context, results <-chan searchResult) (search.Advice, error) {
	select {
	case r := <-results:
		return r.advice, r.err
	case <-ctx.Done():
		return search.Advice{}, ctx.Err()
	}
}

// beginHint marks a hint as being computed until done is called. It returns ErrHinting if there already is
// one for the account or the origin.
func (b *Bots) beginHint(s *lobby.Session, payer limit.Payer) (done func(), err error) {
	keys := []limit.Payer{{Account: int64(s.Account().ID)}}
	if payer.Origin.IsValid() {
		keys = append(keys, limit.Payer{Origin: payer.Origin})
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, key := range keys {
		if b.hinting[key] {
			s.Lobby().LimitHits.Add(limit.HitHints)
			return nil, ErrHinting
		}
	}
	for _, key := range keys {
		b.hinting[key] = true
	}
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, key := range keys {
			delete(b.hinting, key)
		}
	}, nil
}
