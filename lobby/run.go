package lobby

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// run owns the match until ctx ends or the match is forgotten.
func (m *Match) run(ctx context.Context) {
	defer close(m.done)
	// A context of its own: waiting for a context locks it, and all matches would contend for one lock.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m.ctx = ctx
	defer m.l.Alarms.Set(m.alarm, time.Time{})
	m.take(match.Input{Kind: match.Begin, Resumed: m.resumed})
	for {
		m.l.Alarms.Set(m.alarm, m.nextCheck())
		select {
		case <-ctx.Done():
			return
		case c := <-m.queue:
			m.execute(c)
		case <-m.evicted:
			m.take(match.Input{Kind: match.Evict})
			m.l.matches.forget(m)
			return
		case <-m.wakeups:
			m.executeQueued() // commands that arrived in time count
			m.take(match.Input{Kind: match.Check, MayRetry: m.mayRetry()})
			if m.isForgettable(time.Now()) && m.l.matches.forget(m) {
				return
			}
		}
	}
}

func (m *Match) execute(c *command) {
	c.answer <- m.take(match.Input{Kind: match.Do, Command: &c.Command})
}

func (m *Match) executeQueued() {
	for {
		select {
		case c := <-m.queue:
			m.execute(c)
		default:
			return
		}
	}
}

// take passes an input to the state, does what follows, and returns the answer if the input is a command. A
// panic freezes the match: its clocks stop, it has no result, and the panic is reported. Other matches
// continue.
func (m *Match) take(in match.Input) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			_, a = m.step(match.Input{Kind: match.Panicked, Cause: fmt.Errorf("panic: %v\n%s", p, debug.Stack())})
		}
	}()
	for {
		var fx match.Effects
		if fx, a = m.step(in); fx.Request == match.RequestNone {
			return a
		}
		in = m.request(fx)
	}
}

// step passes an input to the state, and publishes and reports what follows.
func (m *Match) step(in match.Input) (match.Effects, answer) {
	wasOver := m.state.IsOver()
	next, fx := match.Step(m.state, in, m.now(in.Kind))
	m.state, m.timer = next, fx.Timer
	if fx.Report != nil {
		m.l.report(fx.Report.Message, "match", m.Info.ID, "err", fx.Report.Err)
	}
	if fx.ClearDrafts != 0 {
		m.clearDrafts(fx.ClearDrafts)
	}
	if m.state.IsOver() && !wasOver {
		m.finishedAt = time.Now()
	}
	if fx.Publish != nil {
		m.publish(fx.Publish)
	}
	if in.Kind == match.RatingsRead {
		m.wakeEarlier()
	}
	return fx, answer{fx.Made, fx.Err}
}

// now returns what the state has to know of the world for an input. Only run calls it, or newMatch before run
// starts.
func (m *Match) now(in match.InputKind) match.Now {
	for i, p := range m.seats {
		m.presence[i].AbsentSince, m.presence[i].Dropped = p.absent()
	}
	now := match.Now{Time: time.Now(), Presence: m.presence, Draining: m.l.draining.Load()}
	if m.state.IsSuspended() || in == match.Begin || in == match.LogRead || in == match.LogUnread {
		if since, err := m.l.store.WriteFailure(); err != nil {
			now.FailingSince = since
		}
	}
	return now
}

// nextCheck returns when the match has to be checked next; the zero time: never.
func (m *Match) nextCheck() time.Time {
	if !m.state.IsOver() {
		return m.timer
	}
	now := time.Now()
	return now.Add(max(m.finishedAt.Add(finishedMatchTTL).Sub(now), time.Second))
}

// request does the I/O that the state asks for, and returns its outcome. No lock may be held.
func (m *Match) request(fx match.Effects) match.Input {
	ctx, cancel := context.WithTimeout(m.ctx, storeTimeout)
	defer cancel()
	switch fx.Request {
	case match.RequestAppend:
		return m.appendEntries(ctx, fx.Version, fx.Entries)
	case match.RequestLog:
		return m.readLog(ctx)
	case match.RequestRatings:
		changes, unrated := m.l.matches.ended(m)
		return match.Input{Kind: match.RatingsRead, Ratings: changes, Unrated: unrated}
	default:
		return m.startRematch()
	}
}

// appendEntries records entries. The store reports its errors.
func (m *Match) appendEntries(ctx context.Context, version int, entries []Entry) match.Input {
	err := m.l.store.Append(ctx, m.Info.ID, version, entries...)
	switch {
	case err == nil:
		return match.Input{Kind: match.Appended}
	case errors.Is(err, ErrVersionConflict):
		return match.Input{Kind: match.AppendConflict, Cause: err}
	}
	return match.Input{Kind: match.AppendFailed, Cause: err}
}

// readLog reads the log from the store, which reports its errors.
func (m *Match) readLog(ctx context.Context) match.Input {
	_, log, err := m.l.store.Match(ctx, m.Info.ID)
	switch {
	case err == nil:
		return match.Input{Kind: match.LogRead, Log: log}
	case errors.Is(err, ErrCorrupt), errors.Is(err, ErrNotFound):
		return match.Input{Kind: match.LogCorrupt, Cause: err}
	}
	return match.Input{Kind: match.LogUnread, Cause: err}
}

// startRematch starts a match with the same terms.
func (m *Match) startRematch() match.Input {
	// The seats rotate by one, so that two players exchange sides.
	seats := append(slices.Clone(m.seats[1:]), m.seats[0])
	code := ""
	if m.Info.Private {
		code = RandomCode(accountCodeBits)
	}
	id, err := m.l.matches.create(m.l.ctx, table.Terms{
		Game: m.Info.Game, Options: m.Info.Options, Control: m.Info.Control,
		Rated: m.Info.Rated, Private: m.Info.Private, Code: code, Delay: m.Info.Delay, Origin: m.origin,
	}, m.Info.ID, seats)
	if err != nil {
		return match.Input{Kind: match.RematchFailed, Cause: err}
	}
	return match.Input{Kind: match.RematchStarted, Rematch: id, Code: code}
}

// retryAllInterval is the interval at which one match tries for all whether the store works again, while
// every write fails.
const retryAllInterval = time.Second

// mayRetry reports whether this match may try for all whether the store works again, and counts the
// attempt. It is false where the match would not try.
func (m *Match) mayRetry() bool {
	if !m.state.IsSuspended() {
		return false
	}
	if _, err := m.l.store.WriteFailure(); err == nil {
		return false
	}
	now := time.Now().UnixNano()
	last := m.l.retried.Load()
	return now-last >= int64(retryAllInterval) && m.l.retried.CompareAndSwap(last, now)
}

// isForgettable reports whether the match can be removed from memory: it has ended, its time in memory is
// over or it is superseded, and nobody watches it.
func (m *Match) isForgettable(now time.Time) bool {
	if !m.state.IsOver() || now.Before(m.finishedAt.Add(finishedMatchTTL)) && !m.isSuperseded() {
		return false
	}
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	return len(m.spectators) == 0 || now.After(m.finishedAt.Add(6*finishedMatchTTL))
}

// isSuperseded reports whether every player has finished a later match, so that this one can be forgotten
// early. It bounds the memory of players who play one short game after the other.
func (m *Match) isSuperseded() bool {
	ended := m.liveSnapshot.Load().LastAt
	for _, p := range m.seats {
		later := func(o *Match) bool {
			s := o.liveSnapshot.Load()
			return o != m && s.IsOver() && s.LastAt.After(ended)
		}
		if !slices.ContainsFunc(p.seatedMatches(), later) {
			return false
		}
	}
	return true
}

// wakeEarlier wakes the other matches of the players after the end of this one, which may supersede them.
func (m *Match) wakeEarlier() {
	for _, p := range m.seats {
		for _, earlier := range p.seatedMatches() {
			earlier.presenceChanged()
		}
	}
}
