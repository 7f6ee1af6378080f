package match

import (
	"slices"
	"time"

	"ayumu/lobby/errcode"
)

// The intervals at which a match tries whether the store accepts entries again.
const (
	retryInterval        = time.Second            // by itself
	maxRetryInterval     = 30 * time.Second       // by itself, while other matches can write
	commandRetryInterval = 200 * time.Millisecond // because a player sent a command
)

// outage is the state of a match whose last entry the store did not accept. Until it accepts one the
// match's clocks stand still, nothing expires and commands are refused. The zero value means that there is
// no outage.
type outage struct {
	since     time.Time     // when the clocks stopped
	credit    time.Duration // time that the seat to move gets in addition to the time since then
	logUnread bool          // the log could not be read either, so that it may be longer than the match's copy
	triedAt   time.Time     // time of the last attempt to end the outage
	pause     time.Duration // until the next attempt of the match itself
	unclear   unclearAppend // the append that began it
}

// unclearAppend is the append of a command of which it is unclear whether it is recorded. It is repeated as it was
// until it is recorded, or the log has another end, after which it cannot be recorded any more. The zero value
// is none.
type unclearAppend struct {
	transition transition
	command    *Command
}

func (u *unclearAppend) isSet() bool { return len(u.transition.entries) > 0 }

// isOf reports whether a command is the one of the append.
func (u *unclearAppend) isFor(c *Command) bool {
	return u.isSet() && c != nil && c.Kind == u.command.Kind && c.Seat == u.command.Seat &&
		c.Version == u.command.Version && slices.Equal(c.Actions, u.command.Actions)
}

// errSuspended is the error of commands during an outage.
var errSuspended = errcode.Errorf(errcode.Unavailable, "the server cannot record that now; nothing has changed, so try again in a moment")

// errUnclear is the error of a command of which it is unclear whether it is recorded, and of those that follow
// it.
var errUnclear = errcode.Errorf(errcode.Unavailable, unclearText)

const unclearText = "the server cannot record turns now, but keeps trying; check the position before you try again"

// errDegraded is the error of commands on a node that has no store or does not know the time.
var errDegraded = errcode.Errorf(errcode.Unavailable, "the server cannot reach its database; nothing has changed, so try again in a moment")

// refusal returns the error of commands during the outage.
func (o *outage) refusal() error {
	if o.unclear.isSet() {
		return errUnclear
	}
	return errSuspended
}

// appendFailed starts an outage after it has become unclear whether entries are recorded: they are not in the log,
// or it cannot be read. Those of a command are repeated until that is known. Those that the match records by
// itself are not: after the outage it finds anew what is due, and if they were recorded the log has another end.
func (x *step) appendFailed(cause error) {
	n := x.job.transition
	x.job.transition = transition{}
	x.suspend(n.entries[0].At)
	if x.job.stage == stageCommand {
		x.outage.unclear = unclearAppend{n, x.job.command}
	}
	x.continueJob(&errcode.Error{Code: errcode.Unavailable, Message: unclearText, Cause: cause})
}

// suspend starts an outage after an entry for that time was not recorded. If the store has been failing for
// longer, the outage starts with that failure, but not before the current turn.
func (x *step) suspend(at time.Time) {
	if x.IsSuspended() {
		return
	}
	start := at
	if since := x.now.StoreFailingSince; !since.IsZero() && since.Before(start) {
		start = since
	}
	if running, since := x.clock.Running(); running >= 0 {
		start = later(start, since)
		x.clock = x.stoppedAt(x.now, start)
	}
	x.outage.since, x.outage.triedAt, x.outage.pause = start, x.now.Time, retryInterval
	x.changed = true // for the stopped clocks
}

// canRetryOnCommand reports whether a player's command may try to end the outage.
func (o *outage) canRetryOnCommand(now Now) bool {
	return now.StoreFailingSince.IsZero() || now.Time.Sub(o.triedAt) >= commandRetryInterval
}

// isRetryDue reports whether the match should try to end the outage by itself. While all writes fail, only the match
// with mayRetry tries.
func (o *outage) isRetryDue(now Now, mayRetry bool) bool {
	if !now.StoreFailingSince.IsZero() {
		return mayRetry
	}
	return now.Time.Sub(o.triedAt) >= o.pause
}

// resumeWith ends an outage that begins now, so that the seat to move gets a credit.
func (x *step) resumeWith(credit time.Duration) {
	x.outage = outage{since: x.now.Time, credit: credit, pause: retryInterval}
	x.resume()
}

// resume ends the outage if the store accepts an entry: a credit of the time since the outage began, for
// the seat to move. The clocks then run on.
func (x *step) resume() {
	x.job.stage = stageResume
	if x.now.StoreFailingSince.IsZero() {
		x.outage.pause = min(2*x.outage.pause, maxRetryInterval) // only this match fails
	}
	x.outage.triedAt = x.now.Time
	switch {
	case x.outage.logUnread:
		x.readLog(logRequest{resuming: true})
	case x.outage.unclear.isSet():
		x.outage.unclear.repeat(x)
	default:
		x.creditOutage()
	}
}

// repeat asks for the recording of the entries of which it is unclear whether they are recorded. The store
// records them once, and answers that they are recorded if they were before.
func (u *unclearAppend) repeat(x *step) {
	x.job.repeating = u.isFor(x.job.command)
	x.job.made = x.Version() + 1 // answers by conditions and the end follow the turn
	x.job.transition = u.transition
	x.effects.Request, x.effects.Entries, x.effects.After = RequestAppend, u.transition.entries, NewLogEnd(x.log.entries)
	x.effects.Conditions = u.transition.conditions
}

// creditOutage asks for the recording of the credit that ends the outage. In a match without a clock
// nothing has to be recorded.
func (x *step) creditOutage() {
	if x.Info.Control.IsUntimed() {
		x.outage, x.changed = outage{}, true
		x.resumed(nil)
		return
	}
	at := later(x.job.at, x.outage.since)
	seat, k, credit := x.position.Turn(), x.clock.Clone(), at.Sub(x.outage.since)+x.outage.credit
	k.Credit(seat, x.outage.credit)
	x.appendCredit(k, seat, credit, "", at)
}

// resumed goes on after an attempt to end the outage.
func (x *step) resumed(err error) {
	if err != nil {
		x.job.repeating = false
		if x.IsSuspended() && x.job.command != nil {
			x.answer(x.outage.refusal())
			return
		}
	}
	x.applyTime()
}

// readLog asks for the log in the store.
func (x *step) readLog(r logRequest) {
	x.job.logRequest = r
	x.effects.Request = RequestLog
}

// onlyCreditsSince reports whether all entries after version are credits, so that a turn that was built on
// version still fits the position.
func (s *State) onlyCreditsSince(version int) bool {
	if version < 0 || version > s.Version() {
		return false
	}
	for _, e := range s.log.entries[version:] {
		if e.Kind != EntryCredit {
			return false
		}
	}
	return true
}
