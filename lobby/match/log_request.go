package match

import (
	"fmt"
	"slices"

	"ayumu/lobby/errcode"
)

// logRequest is why a log is read. Its methods are the outcomes of RequestLog.
type logRequest struct {
	resuming  bool  // to end an outage in which the log could not be read
	following bool  // because another node has changed the log
	unclear   bool  // because it is unclear whether an append is recorded
	cause     error // why what was to be recorded was refused or is unclear; nil if resuming
}

// done compares the log in the store with the match's, and replaces the match's if they differ.
func (r logRequest) done(x *step, log []Entry) {
	switch {
	case NewLogEnd(log) != NewLogEnd(x.log.entries):
		r.replaceLog(x, log)
	case r.resuming:
		x.outage.logUnread = false
		x.creditOutage()
	case r.following && r.cause == nil:
		x.continueJob(nil)
	case r.following: // the row of the agreements was written on entries that the store has lost
		x.continueJob(r.notRecorded())
	case r.unclear:
		x.appendFailed(r.cause)
	case x.job.conditions.changed(x):
	default:
		x.suspend(x.job.transition.entries[0].At)
		x.continueJob(r.notRecorded())
	}
}

// notRecorded is the error of a command after the log has been found to be as it was.
func (r logRequest) notRecorded() error {
	return &errcode.Error{Code: errcode.Unavailable, Message: "the server could not record that; nothing has changed, so try again in a moment", Cause: r.cause}
}

// replaceLog replaces the match's log by that of the store.
func (r logRequest) replaceLog(x *step, log []Entry) {
	f, err := fold(x.Info, log)
	if err != nil {
		r.corrupt(x, err)
		return
	}
	if known := commonLength(x.log.entries, log); known < x.Version() {
		x.lost, x.lostAfter, x.ratings, x.unrated = x.lost+1, known, nil, ""
	}
	x.void(x.Version(), log[min(x.Version(), len(log)):])
	x.log = entryLog{entries: log}
	x.adopt(f)
	if x.outage.logUnread && !x.IsOver() { // the outage lasted until now
		x.outage.since, x.outage.credit = later(x.outage.since, x.lastAt), 0
		if r.resuming {
			x.outage.logUnread = false
			x.creditOutage()
			return
		}
		x.continueJob(r.outcome(x))
		return
	}
	x.outage = outage{}
	if !x.IsOver() {
		x.clock.Start(x.position.Turn(), x.lastAt)
	}
	x.logChanged(r.outcome(x))
}

// commonLength returns the number of entries with which both logs begin.
func commonLength(a, b []Entry) int {
	n := 0
	for n < min(len(a), len(b)) && a[n].AppendID == b[n].AppendID && a[n].Digest == b[n].Digest && a[n].At.Equal(b[n].At) {
		n++
	}
	return n
}

// outcome returns the error with which the job goes on after another log has been taken over: nil if the log
// was read for that, or if what was to be recorded is in it.
func (r logRequest) outcome(x *step) error {
	if entries := x.job.transition.entries; len(entries) > 0 {
		x.job.transition = transition{}
		last := entries[len(entries)-1]
		recorded := slices.IndexFunc(x.log.entries, func(e Entry) bool { return e.AppendID == last.AppendID })
		if recorded >= 0 && last.AppendID != (AppendID{}) {
			x.job.made = max(recorded+2-len(entries), 1) // answers by conditions and the end follow the turn
			return nil
		}
	}
	if r.following && r.cause == nil {
		return nil
	}
	return &errcode.Error{Code: errcode.StaleVersion, Message: fmt.Sprintf("the game is now at version %d", x.Version()), Cause: r.cause}
}

// failed starts an outage, or goes on with it, because the store could not read the log.
func (r logRequest) failed(x *step, cause error) {
	if r.unclear {
		x.appendFailed(r.cause)
		return
	}
	if !r.following {
		x.outage.logUnread = true
		if !r.resuming {
			x.suspend(x.job.transition.entries[0].At)
		}
	}
	x.continueJob(&errcode.Error{Code: errcode.Unavailable, Message: "the server cannot record turns now; check the position before you try again", Cause: cause})
}

// corrupt freezes the match, because its log cannot be read or folded.
func (logRequest) corrupt(x *step, cause error) {
	x.freeze(cause)
	x.continueJob(&errcode.Error{Code: errcode.Unavailable, Message: frozenText, Cause: cause})
}
