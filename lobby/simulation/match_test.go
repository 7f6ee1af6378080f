package simulation

import (
	"slices"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/match"
)

// replica is a node's state of a match. It executes one effect after the other, as lobby.runner does.
type replica struct {
	n          *node
	id         string
	state      match.State
	snapshot   *match.Snapshot
	agreements int64 // version of the row that was last followed
	queue      []queued
	busy       bool // a request is under way
	command    *command
	timer      int // number of the timer that counts
	following  bool
}

type queued struct {
	in      match.Input
	command *command
}

// appendKey identifies an append.
type appendKey struct {
	match string
	id    match.AppendID
}

// sentAppend is an append that a node has asked for.
type sentAppend struct {
	after   match.LogEnd
	entries []match.Entry
	command *command // that the node was executing; nil: none
}

// load reads a match into the node's memory.
func (n *node) load(id string, resumed bool) {
	n.call(func(done func(any)) {
		if m := n.w.store.matches[id]; m != nil {
			done(storedMatch{info: m.info, log: slices.Clone(m.log)})
		}
	}, func(answer any, err error) {
		if err != nil || n.matches[id] != nil {
			return // the next poll tries again
		}
		m := answer.(storedMatch)
		if n.w.broken == noStart {
			m.info = n.w.withUsualStart(m.info)
		}
		state, err := match.New(m.info, m.log)
		if err != nil {
			n.w.fail("%s cannot read match %s: %v", n.name, id, err)
			return
		}
		r := &replica{n: n, id: id, state: state}
		r.snapshot = state.Snapshot(r.now())
		n.matches[id] = r
		r.input(match.Input{Kind: match.InputBegin, Resumed: resumed}, nil)
	})
}

// end returns the end of the log that the node knows.
func (r *replica) end() match.LogEnd { return match.NewLogEnd(r.snapshot.Log) }

// follow reads the entries that the store has more, or others.
func (r *replica) follow(id string) {
	if r.following {
		return
	}
	r.following = true
	version := r.snapshot.Version
	n := r.n
	n.call(func(done func(any)) {
		if m := n.w.store.matches[id]; m != nil {
			known := min(version, len(m.log))
			done(match.Input{Kind: match.InputLogFollowed, After: match.NewLogEnd(m.log[:known]), Entries: slices.Clone(m.log[known:])})
		}
	}, func(answer any, err error) {
		r.following = false
		if err == nil && n.matches[id] == r {
			n.w.seen["followed"]++
			r.input(answer.(match.Input), nil)
		}
	})
}

// now returns what the match has to know of the world.
func (r *replica) now() match.Now {
	n := r.n
	now := match.Now{
		Time: n.sharedTime(), StoreFailingSince: n.keeper.StoreFailingSince(n.local()), Degraded: n.keeper.IsDegraded(n.local()),
	}
	for i := range now.AppendID {
		now.AppendID[i] = byte(n.w.r.Uint32())
	}
	for _, seat := range r.state.Info.Seats {
		now.Presence = append(now.Presence, n.presenceOf(seat.Account))
	}
	return now
}

// check lets the match look for what is due.
func (r *replica) check() {
	if !r.busy {
		r.input(match.Input{Kind: match.InputCheck, MayRetry: true}, nil)
	}
}

// input passes an input to the match, as soon as it waits for nothing.
func (r *replica) input(in match.Input, c *command) {
	if r.busy {
		if c != nil {
			c.waited = true
		}
		r.queue = append(r.queue, queued{in, c})
		return
	}
	if c != nil {
		r.command = c
	}
	r.step(in)
}

func (r *replica) step(in match.Input) {
	n, w := r.n, r.n.w
	now := r.now()
	next, fx := match.Step(r.state, in, now)
	r.state = next
	if *print {
		w.log("%s %s: input %d of %+v -> request %d, %d entries, answered %v %v, at %+v suspended %v", n.name, r.id, in.Kind, in.Command, fx.Request,
			len(fx.Entries), fx.Answered, fx.Err, r.state.Version(), r.state.IsSuspended())
	}
	if fx.Publish != nil {
		r.snapshot = fx.Publish
		w.checkWhole(r)
	}
	if fx.Report != nil {
		w.fail("%s, match %s: %s: %v", n.name, r.id, fx.Report.Message, fx.Report.Err)
	}
	if fx.Answered && r.command != nil {
		r.command.answer(fx.Err, fx.Made)
		r.command = nil
	}
	if fx.Request != match.RequestNone {
		r.busy = true
		r.request(fx)
		return
	}
	r.timer++
	if timer := r.timer; !fx.Timer.IsZero() {
		w.after(max(fx.Timer.Sub(n.sharedTime()), time.Millisecond), func() {
			if r.timer == timer && n.matches[r.id] == r {
				r.check()
			}
		})
	}
	if len(r.queue) > 0 {
		q := r.queue[0]
		r.queue = r.queue[1:]
		r.input(q.in, q.command)
	}
}

// outcome passes the outcome of a request to the match.
func (r *replica) outcome(in match.Input) {
	if r.n.matches[r.id] != r {
		return
	}
	r.busy = false
	r.step(in)
}

// request does what the match asks for.
func (r *replica) request(fx match.Effects) {
	n, w := r.n, r.n.w
	switch fx.Request {
	case match.RequestAppend:
		r.append(fx.After, fx.Conditions, fx.Entries)
	case match.RequestLog:
		r.readLog()
	case match.RequestRatings:
		r.outcome(match.Input{Kind: match.InputRatingsRead})
	case match.RequestAgreements:
		n.call(func(done func(any)) { done(w.store.writeAgreements(r.id, fx.Agreements, fx.AgreementsVersion)) },
			func(answer any, err error) {
				if err != nil {
					r.outcome(match.Input{Kind: match.InputAgreementsFailed, Cause: err})
					return
				}
				in := answer.(match.Input)
				w.seen[map[bool]string{true: "agreements", false: "agreements conflict"}[in.Kind == match.InputAgreementsRecorded]]++
				r.outcome(in)
				w.publish(n)
			})
	case match.RequestRefresh:
		r.readPresence()
	case match.RequestConditions:
		r.readConditions()
	default:
		w.fail("an unexpected request: %+v", fx)
	}
}

// readPresence reads who is present, for a claim.
func (r *replica) readPresence() {
	n, c := r.n, r.command
	if r.state.Info.Control.Days > 0 { // for the end of a turn too, which may come before a command
		r.readVacations()
		return
	}
	target := r.state.Info.Seats[c.Target].Account
	if n.w.broken == noPresenceCheck {
		c.targetHere = n.isPresent(target)
		r.outcome(match.Input{Kind: match.InputRefreshed})
		return
	}
	n.call(func(done func(any)) {
		c.targetHere = n.isPresent(target)
		done(n.w.store.contents())
	}, func(answer any, err error) {
		if err != nil {
			r.outcome(match.Input{Kind: match.InputRefreshFailed, Cause: err})
			return
		}
		n.takePresence(answer.(contents))
		r.outcome(match.Input{Kind: match.InputRefreshed})
	})
}

// append sends an append to the store.
func (r *replica) append(after match.LogEnd, conditions int64, entries []match.Entry) {
	n, w := r.n, r.n.w
	key := appendKey{r.id, match.NewLogEnd(entries).Last}
	if w.appends[key] != nil {
		w.seen["repeated"]++
		if w.broken == noRepeat {
			r.outcome(match.Input{Kind: match.InputAppended})
			return
		}
	} else {
		sent := &sentAppend{after: after, entries: entries, command: r.command}
		w.appends[key] = sent
		w.checkSent(r, sent)
	}
	began := n.local()
	w.store.failAtTurn(conditions)
	n.call(func(done func(any)) { w.store.append(r.id, after, conditions, entries, done) }, func(answer any, err error) {
		n.keeper.Committed(n.local(), n.local().Sub(began))
		switch {
		case err != nil:
			w.seen["unclear"]++
			r.outcome(match.Input{Kind: match.InputAppendFailed, Cause: err})
		case answer.(match.InputKind) == match.InputAppendConflict:
			w.seen["conflict"]++
			r.outcome(match.Input{Kind: match.InputAppendConflict, Cause: errStore})
		default:
			r.outcome(match.Input{Kind: match.InputAppended})
			w.publish(n)
		}
	})
}

func (r *replica) readLog() {
	n, w := r.n, r.n.w
	if w.broken == noReload {
		r.outcome(match.Input{Kind: match.InputLogRead, Log: slices.Clone(r.snapshot.Log)})
		return
	}
	n.call(func(done func(any)) {
		if m := w.store.matches[r.id]; m != nil {
			done(slices.Clone(m.log))
		} else {
			done([]match.Entry(nil))
		}
	}, func(answer any, err error) {
		if err != nil {
			w.seen["unread"]++
			r.outcome(match.Input{Kind: match.InputLogUnread, Cause: err})
			return
		}
		r.outcome(match.Input{Kind: match.InputLogRead, Log: answer.([]match.Entry)})
	})
}

// seatOf returns the seat of an account.
func (r *replica) seatOf(id account.ID) int {
	seat, _ := r.state.Info.SeatOf(id)
	return seat
}
