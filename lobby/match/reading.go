package match

import (
	"fmt"

	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
)

// reading is why a log is read. Its methods are the outcomes of RequestLog.
type reading struct {
	resuming bool  // to end an outage in which the log could not be read; false: after an append
	cause    error // why the append was refused or its outcome is unclear; nil if resuming
}

// done compares the log in the store with the match's, and replaces the match's if they differ.
func (r reading) done(x *step, log []Entry) {
	switch {
	case len(log) != x.Version():
		r.replaceLog(x, log)
	case r.resuming:
		x.outage.logUnread = false
		x.creditOutage()
	default:
		x.suspend(x.task.next.entries[0].At)
		x.continueTask(&errcode.Error{Code: errcode.Unavailable, Message: "the server could not record that; nothing has changed, so try again", Cause: r.cause})
	}
}

// replaceLog replaces the match's log by that of the store.
func (r reading) replaceLog(x *step, log []Entry) {
	f, err := fold(x.Info, log)
	if err != nil {
		r.corrupt(x, err)
		return
	}
	x.voidOffers(log[min(x.Version(), len(log)):])
	x.log, x.folded, x.lastAt = entryLog{entries: log}, f, x.Info.Started
	if len(log) > 0 {
		x.lastAt = log[len(log)-1].At
	}
	if x.clock = x.clock.Clone(); f.clocks != nil {
		x.clock.Restore(f.clocks)
	} else {
		x.clock = clock.New(x.Info.Control, len(x.Info.Seats))
	}
	stale := &errcode.Error{Code: errcode.StaleVersion, Message: fmt.Sprintf("the match is now at version %d", x.Version()), Cause: r.cause}
	if x.outage.logUnread && !x.IsOver() { // the outage lasted until now
		x.outage.since, x.outage.credit = laterOf(x.outage.since, x.lastAt), 0
		if r.resuming {
			x.outage.logUnread = false
			x.creditOutage()
			return
		}
		x.continueTask(stale)
		return
	}
	x.outage = outage{}
	if !x.IsOver() {
		x.clock.Start(x.position.Turn(), x.lastAt)
	}
	x.logChanged(stale)
}

// failed starts an outage, or goes on with it, because the store could not read the log.
func (r reading) failed(x *step, cause error) {
	x.outage.logUnread = true
	if !r.resuming {
		x.suspend(x.task.next.entries[0].At)
	}
	x.continueTask(&errcode.Error{Code: errcode.Unavailable, Message: "the server cannot record turns at present; check the position before you try again", Cause: cause})
}

// corrupt freezes the match, because its log cannot be read or folded.
func (reading) corrupt(x *step, cause error) {
	x.freeze(cause)
	x.continueTask(&errcode.Error{Code: errcode.Unavailable, Message: frozenText, Cause: cause})
}
