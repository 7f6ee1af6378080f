package lobby

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// runner executes what package match decides for one match. Its fields belong to the match's goroutine.
type runner struct {
	*Match
	ctx        context.Context // cancelled when run returns
	state      match.State
	presence   []match.Presence // a buffer for the next step
	lookedAway []time.Time      // by seat: since when its player has looked at something else on this node; zero: they have not
	timer      time.Time        // when the state has to be checked; zero: never
	logUnread  bool             // the log of the store could not be read, and may be longer
	finishedAt time.Time        // when the match ended, or came into memory ended
}

// run owns the match until ctx ends or the match is forgotten.
func (r *runner) run(ctx context.Context) {
	defer close(r.done)
	// A context of its own: waiting for a context locks it, and all matches would contend for one lock.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.ctx = ctx
	defer r.l.Alarms.Set(r.alarm, time.Time{})
	r.process(match.Input{Kind: match.InputBegin, Resumed: r.resumed})
	for {
		r.l.Alarms.Set(r.alarm, r.nextCheck())
		select {
		case <-ctx.Done():
			return
		case c := <-r.queue:
			r.runCommand(c)
		case <-r.followSignal:
			r.followOthers()
		case <-r.evicted:
			r.process(match.Input{Kind: match.InputEvict})
			r.forgetAgreements()
			r.l.matches.forget(r.Match)
			return
		case <-r.checks:
			r.runQueued() // commands that arrived in time count
			if r.logUnread {
				r.followOthers()
			}
			r.process(match.Input{Kind: match.InputCheck, MayRetry: r.mayRetry()})
			if r.isForgettable(time.Now()) {
				r.forgetAgreements()
				r.l.matches.forget(r.Match)
				return
			}
		}
	}
}

// runCommand executes a command, unless its player does not wait for it any more.
func (r *runner) runCommand(c *command) {
	if !c.taken.CompareAndSwap(false, true) {
		return
	}
	c.answer <- r.process(match.Input{Kind: match.InputCommand, Command: &c.Command})
}

func (r *runner) runQueued() {
	for {
		select {
		case c := <-r.queue:
			r.runCommand(c)
		default:
			return
		}
	}
}

// process passes an input to the state, does what follows, and returns the answer if the input is a command. A
// panic freezes the match: its clocks stop, it has no result, and the panic is reported. Other matches
// continue.
func (r *runner) process(in match.Input) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			_, a = r.advance(match.Input{Kind: match.InputPanicked, Cause: fmt.Errorf("panic: %v\n%s", p, debug.Stack())})
		}
	}()
	for {
		var fx match.Effects
		if fx, a = r.advance(in); fx.Request == match.RequestNone {
			return a
		}
		in = r.request(fx)
	}
}

// advance passes an input to the state, and publishes and reports what follows.
func (r *runner) advance(in match.Input) (match.Effects, answer) {
	if in.Kind == match.InputBegin || in.Kind == match.InputCheck { // in which the state looks at who is present
		r.watchPlayers(time.Now())
	}
	wasOver := r.state.IsOver()
	next, fx := match.Step(r.state, in, r.now())
	r.state, r.timer = next, fx.Timer
	if fx.Report != nil {
		r.l.report(fx.Report.Message, "match", r.Info.ID, "err", fx.Report.Err)
	}
	if fx.ClearDrafts != 0 {
		r.clearDrafts(fx.ClearDrafts, r.state.Version())
	}
	if r.state.IsOver() && !wasOver {
		r.finishedAt = time.Now()
	}
	if fx.Publish != nil {
		r.publish(fx.Publish)
	}
	if in.Kind == match.InputRatingsRead {
		r.l.matches.withdrawTables(r.Match)
		r.wakeEarlier()
	}
	return fx, answer{fx.Made, fx.Err}
}

// now returns what the state has to know of the world for an input.
func (r *runner) now() match.Now {
	node := r.l.node
	wait, inTouch := node.DeadlineWait(), node.InTouchSince()
	for i, u := range r.seats {
		p, a := &r.presence[i], u.absence().NotBefore(inTouch)
		p.AbsentSince, p.Dropped, p.NodeDied, p.Excused = a.Since, a.Dropped, a.NodeDied, a.Excused
		if p.Wait = 0; !u.isOnlyHere() {
			p.Wait = wait
		}
		p.IsElsewhere = r.isElsewhere(i)
		if r.Info.Control.IsCorrespondence() {
			p.Vacations = r.l.vacations(r.Info.Seats[i].Account)
		}
	}
	now := match.Now{
		AppendID: newAppendID(), Time: node.Now(), Presence: r.presence, Draining: r.l.draining.Load(), Local: r.l.isLocal,
		StoreFailingSince: node.StoreFailingSince(), Degraded: node.IsDegraded(),
	}
	if since, err := r.l.store.WriteFailure(); err != nil && (now.StoreFailingSince.IsZero() || node.StoreTime(since).Before(now.StoreFailingSince)) {
		now.StoreFailingSince = node.StoreTime(since)
	}
	return now
}

// newAppendID returns a random id of an append. Its source is seeded by the operating system.
func newAppendID() (id match.AppendID) {
	binary.LittleEndian.PutUint64(id[:8], rand.Uint64())
	binary.LittleEndian.PutUint64(id[8:], rand.Uint64())
	return id
}

// nextCheck returns when the match has to be checked next, by the time of this machine; the zero time: never.
func (r *runner) nextCheck() time.Time {
	now := time.Now()
	if r.logUnread {
		return now.Add(retryAllInterval)
	}
	if !r.state.IsOver() {
		next := r.l.node.MachineTime(r.timer)
		if at := r.nextElsewhere(); !at.IsZero() && (next.IsZero() || at.Before(next)) {
			return at
		}
		return next
	}
	return now.Add(max(r.finishedAt.Add(finishedMatchTTL).Sub(now), time.Second))
}

// request does the I/O that the state asks for, and returns its outcome. No lock may be held.
func (r *runner) request(fx match.Effects) match.Input {
	ctx, cancel := context.WithTimeout(r.ctx, storeTimeout)
	defer cancel()
	switch fx.Request {
	case match.RequestAppend:
		return r.appendEntries(ctx, fx)
	case match.RequestLog:
		return r.readLog(ctx)
	case match.RequestRatings:
		changes, unrated := r.l.matches.finish(r.Match)
		return match.Input{Kind: match.InputRatingsRead, Ratings: changes, Unrated: unrated}
	case match.RequestRefresh:
		if err := r.l.node.Refresh(ctx); err != nil {
			return match.Input{Kind: match.InputRefreshFailed, Cause: err}
		}
		return match.Input{Kind: match.InputRefreshed}
	case match.RequestConditions:
		stored, err := r.l.store.Conditions(ctx, r.Info.ID)
		if err != nil {
			return match.Input{Kind: match.InputConditionsUnread, Cause: err}
		}
		return match.Input{Kind: match.InputConditionsRead, Conditions: stored}
	case match.RequestAgreements:
		return r.recordAgreements(ctx, fx.Agreements, fx.AgreementsVersion)
	case match.RequestRematch:
		return r.startRematch()
	}
	panic(fmt.Sprintf("match: there is no request %d", fx.Request))
}

// appendEntries records entries. The store reports its errors.
func (r *runner) appendEntries(ctx context.Context, fx match.Effects) match.Input {
	began := time.Now()
	var err error
	if fx.Conditions == 0 {
		err = r.l.store.Append(ctx, r.Info.ID, fx.After, fx.Entries...)
	} else {
		err = r.l.store.AppendTurn(ctx, r.Info.ID, fx.After, fx.Conditions, fx.Entries...)
	}
	took := time.Since(began)
	r.l.node.Committed(took)
	r.l.Appends.Latency.Observe(took)
	switch {
	case err == nil:
		r.l.node.Changed()
		r.l.Appends.Recorded(match.CountEntries(fx.Entries))
		return match.Input{Kind: match.InputAppended}
	case errors.Is(err, errcode.ErrVersionConflict):
		r.l.Appends.Conflicts.Add(1)
		return match.Input{Kind: match.InputAppendConflict, Cause: err}
	}
	r.l.Appends.Unclear.Add(1)
	return match.Input{Kind: match.InputAppendFailed, Cause: err}
}

// readLog reads the log from the store, which reports its errors.
func (r *runner) readLog(ctx context.Context) match.Input {
	_, log, err := r.l.store.Match(ctx, r.Info.ID)
	switch {
	case err == nil:
		return match.Input{Kind: match.InputLogRead, Log: log}
	case errors.Is(err, errcode.ErrCorrupt), errors.Is(err, errcode.ErrNotFound):
		return match.Input{Kind: match.InputLogCorrupt, Cause: err}
	}
	return match.Input{Kind: match.InputLogUnread, Cause: err}
}

// startRematch starts a match with the same terms.
func (r *runner) startRematch() match.Input {
	// The seats rotate by one, so that two players exchange sides, except the one that has a handicap.
	seats := slices.Clone(r.seats)
	if !engine.HasHandicap(r.Info.Options) {
		seats = append(seats[1:], seats[0])
	}
	terms := table.TermsOf(r.Info)
	terms.Code, terms.Origin = "", r.origin
	if terms.Private {
		terms.Code = RandomCode(accountCodeBits)
	}
	id, err := r.l.matches.create(r.l.ctx, terms, r.Info.ID, seats, nil)
	if err != nil {
		return match.Input{Kind: match.InputRematchFailed, Cause: err}
	}
	joinCode := terms.Code
	if m, err := r.l.Match(id); err == nil {
		joinCode = m.playerSnapshot.Load().Code // that of another node, if it was first
	}
	return match.Input{Kind: match.InputRematchStarted, Rematch: id, Code: joinCode}
}

// retryAllInterval is the time between two attempts to write while every write fails. Each attempt is made by one match,
// whose success ends the outage of all.
const retryAllInterval = time.Second

// mayRetry reports whether this match makes the next attempt to write, and counts it. It is false unless the match has
// an outage and the store fails.
func (r *runner) mayRetry() bool {
	if !r.state.IsSuspended() {
		return false
	}
	if _, err := r.l.store.WriteFailure(); err == nil {
		return false
	}
	now := time.Now().UnixNano()
	last := r.l.retried.Load()
	return now-last >= int64(retryAllInterval) && r.l.retried.CompareAndSwap(last, now)
}

// isForgettable reports whether the match can be removed from memory: it has ended, its time in memory is
// over or it is superseded, and nobody watches it.
func (r *runner) isForgettable(now time.Time) bool {
	if !r.state.IsOver() || now.Before(r.finishedAt.Add(finishedMatchTTL)) && !r.isSuperseded() {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.spectators) == 0 || now.After(r.finishedAt.Add(6*finishedMatchTTL))
}

// isSuperseded reports whether every player has finished a later match, so that this one can be forgotten
// early. It bounds the memory of players who play one short game after the other.
func (r *runner) isSuperseded() bool {
	ended := r.playerSnapshot.Load().LastAt
	for _, u := range r.seats {
		later := func(o *Match) bool {
			s := o.playerSnapshot.Load()
			return o != r.Match && s.IsOver() && s.LastAt.After(ended)
		}
		if !slices.ContainsFunc(u.seatedMatches(), later) {
			return false
		}
	}
	return true
}

// wakeEarlier wakes the other matches of the players after the end of this one, which may supersede them.
func (r *runner) wakeEarlier() {
	for _, u := range r.seats {
		for _, earlier := range u.seatedMatches() {
			earlier.checkSoon()
		}
	}
}
