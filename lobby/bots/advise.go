package bots

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ayumu/engine"
	"ayumu/engine/bot"
	"ayumu/lobby"
	"ayumu/lobby/limit"
)

// adviceBudget is how long is thought for somebody who asks.
const adviceBudget = 800 * time.Millisecond

// Errors of Advise.
var (
	// ErrBusy is returned where too many ask for advice at once.
	ErrBusy = &lobby.Error{Code: lobby.CodeRateLimited, Message: "too many people ask for hints just now; try again in a moment"}
	// ErrHinting is returned to whoever asks while a hint for them or for their address is computed.
	ErrHinting = &lobby.Error{Code: lobby.CodeRateLimited, Message: "a hint is being computed for you or for somebody at your address; try again in a second"}
)

// Advise returns the best turns of a position to a session, within a second or so while few ask. It
// waits for bots whose turn it is, and returns as soon as ctx ends. Each person and each address has
// one hint at a time. The error is a lobby.Error if there are too many, ctx's, or that of a game that
// is over.
func (co *Bots) Advise(ctx context.Context, s *lobby.Session, p engine.Position) (bot.Advice, error) {
	payer := s.Payer()
	done, err := co.beginHint(s, payer)
	if err != nil {
		return bot.Advice{}, err
	}
	if err := s.Spend(lobby.WorkHint); err != nil {
		done()
		return bot.Advice{}, err
	}
	select {
	case <-time.After(co.turnDone.Wait(payer, time.Now(), leastThought)):
	case <-ctx.Done():
		done()
		return bot.Advice{}, ctx.Err()
	}
	type result struct {
		advice bot.Advice
		err    error
	}
	found := make(chan result, 1)
	ask := func(running context.Context) {
		var r result
		defer done() // not as soon as nobody waits for it, since its place is taken until now
		defer func() {
			if v := recover(); v != nil {
				r.err = fmt.Errorf("panic: %v", v)
				co.report("advice failed", "err", r.err)
			}
			found <- r
		}()
		if r.err = ctx.Err(); r.err != nil {
			return // whoever asked has moved on
		}
		both, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(running, cancel)()
		began := time.Now()
		r.advice, r.err = co.cfg.Searcher.Advise(both, p, co.affordable(payer, adviceBudget))
		co.charge(payer, began)
		if r.err != nil && both.Err() == nil && !errors.Is(r.err, bot.ErrNoTurn) {
			co.report("advice failed", "err", r.err)
		}
	}
	select {
	case co.adviceRequests <- ask:
	default:
		done()
		return bot.Advice{}, ErrBusy
	}
	select {
	case r := <-found:
		return r.advice, r.err
	case <-ctx.Done():
		return bot.Advice{}, ctx.Err()
	}
}

// beginHint notes that a hint is computed for a session, which lasts until done is called. It returns
// ErrHinting if there is one already for the same person or address.
func (co *Bots) beginHint(s *lobby.Session, payer limit.Payer) (done func(), err error) {
	keys := []limit.Payer{{Account: int64(s.Account().ID)}}
	if payer.Origin.IsValid() {
		keys = append(keys, limit.Payer{Origin: payer.Origin})
	}
	co.mu.Lock()
	defer co.mu.Unlock()
	for _, key := range keys {
		if co.hinting[key] {
			s.Lobby().LimitHits.Add(lobby.HitHints)
			return nil, ErrHinting
		}
	}
	for _, key := range keys {
		co.hinting[key] = true
	}
	return func() {
		co.mu.Lock()
		defer co.mu.Unlock()
		for _, key := range keys {
			delete(co.hinting, key)
		}
	}, nil
}
