package match

import (
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
)

// transition is the state that follows from entries that have not been recorded yet.
type transition struct {
	folded
	clock      *clock.Clock
	entries    []Entry
	conditions int64 // the version that the conditions of the match must have; 0: any
}

// appendEntries asks for the recording of entries, after which next is the state of the log.
func (x *step) appendEntries(n transition) {
	if n.result == nil {
		n.clock.Start(n.position.Turn(), n.entries[len(n.entries)-1].At)
	}
	n.entries[len(n.entries)-1].AppendID = x.now.AppendID
	x.job.transition = n
	x.effects.Request, x.effects.Entries, x.effects.After = RequestAppend, n.entries, NewLogEnd(x.log.entries)
	x.effects.Conditions = n.conditions
}

// appendCredit asks for the recording of time given to a seat, with an Entry.Reason. k is the clock after it, which the
// caller leaves to it.
func (x *step) appendCredit(k *clock.Clock, seat int, credit time.Duration, reason string, at time.Time) {
	n := transition{folded: x.folded, clock: k}
	n.clocks = k.Remaining(at)
	n.entries = []Entry{{Kind: EntryCredit, Seat: seat, Credit: credit, Reason: reason, At: at, Clocks: n.clocks, Digest: Digest(n.position)}}
	x.appendEntries(n)
}

// appended makes the state that followed from the recorded entries the match's.
func (x *step) appended() {
	n, before := x.job.transition, x.outage
	x.job.transition = transition{}
	x.outage = outage{}
	x.void(x.Version(), n.entries)
	x.log = x.log.append(n.entries...)
	x.folded, x.clock = n.folded, n.clock
	x.lastAt = n.entries[len(n.entries)-1].At
	for _, e := range n.entries {
		if e.Kind == EntryTurn {
			x.effects.ClearDrafts |= 1 << e.Seat
		}
	}
	if before.unclear.isSet() && !x.IsOver() { // only now it can be seen, and the next seat can act
		x.outage = before
		x.outage.since, x.outage.unclear = x.lastAt, unclearAppend{}
		x.clock = stopped(x.clock, x.lastAt)
		x.changed = true
		x.creditOutage()
		return
	}
	x.logChanged(nil)
}

// logChanged publishes the state after the log has changed, and goes on with an error or nil. If the match
// has ended, the ratings are read first.
func (x *step) logChanged(err error) {
	if x.ahead != nil {
		x.ahead.takeAgreements(x)
	}
	if x.IsOver() {
		x.code = ""
		x.job.outcome = err
		x.effects.Request = RequestRatings
		return
	}
	x.changed = true
	x.continueJob(err)
}

// advance asks for the recording of an entry that leads to pos, of the turns with which conditions answer it, and of
// the end if the game is over then. It sets the entry's clocks and digest.
func (x *step) advance(pos engine.Position, k *clock.Clock, e Entry) {
	n := transition{folded: folded{position: x.position, turnsMade: slices.Clone(x.turnsMade)}, clock: k}
	n.add(pos, e)
	if e.Kind == EntryTurn && x.job.conditions.isRead {
		n.conditions = x.job.conditions.version
		n.answerByConditions(x.job.conditions.opponent)
	}
	if r, over := n.position.Result(); over {
		k.Stop(e.At)
		n.result = new(r)
		n.entries = append(n.entries, n.end(e.At))
	}
	n.clocks = k.Remaining(e.At)
	x.appendEntries(n)
}

// add adds a turn or a leave that leads to pos. It sets the entry's clocks and digest.
func (n *transition) add(pos engine.Position, e Entry) {
	if n.position = pos; e.Kind == EntryTurn {
		n.turnsMade[e.Seat]++
	}
	e.Clocks, e.Digest = n.clock.Remaining(e.At), Digest(pos)
	n.entries = append(n.entries, e)
}

// endMatch asks for the recording of a result that does not follow from the rules of the game.
func (x *step) endMatch(at time.Time, r engine.Result, why ending) {
	k := x.stoppedAt(x.now, at)
	n := transition{folded: x.folded, clock: k}
	n.result, n.clocks = &r, k.Remaining(at)
	e := n.end(at)
	e.Seat, e.Reason, e.Fault = why.seat, string(why.reason), why.fault
	n.entries = []Entry{e}
	x.appendEntries(n)
}

// abort asks for the recording of an end without a winner.
func (x *step) abort(at time.Time, why ending) {
	x.endMatch(at, engine.Result{Winners: []int{}, Reason: engine.ReasonAbort}, why)
}

// end returns the EntryEnd for a state with a result.
func (n *transition) end(at time.Time) Entry {
	e := Entry{
		Kind: EntryEnd, Seat: -1, Result: n.result, TurnsMade: slices.Clone(n.turnsMade),
		At: at, Clocks: n.clock.Remaining(at), Digest: Digest(n.position),
	}
	for seat := range n.turnsMade {
		e.Sides = append(e.Sides, n.position.Side(seat))
	}
	return e
}

// removeSeat asks for the recording that a seat leaves a match of three or more players. fault is Entry.Fault.
func (x *step) removeSeat(at time.Time, seat int, reason string, fault bool) error {
	pos, err := x.position.Leave(seat)
	if err != nil {
		return &errcode.Error{Code: errcode.NotAllowed, Message: err.Error()}
	}
	k := x.stoppedAt(x.now, at)
	x.setAway(seat, Away{}) // a seat that has left cannot be away
	x.advance(pos, k, Entry{Kind: EntryLeave, Seat: seat, Reason: reason, Fault: fault, At: at})
	return nil
}
