package match

import (
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/rating"
	"ayumu/lobby/vacation"
)

// Now is what a match has to know of the world at the time of a step.
type Now struct {
	Time     time.Time
	Presence []Presence // by seat; must not be changed, and is not kept
	Draining bool       // the server is stopping, and its sessions are being ended
	Local    bool       // the lobby is that of one user, for whom a match without a clock waits
	// StoreFailingSince is the time since which the store has failed for this node; zero: it works. While it is set,
	// no turn ends because its time is up.
	StoreFailingSince time.Time
	// Degraded means that this node does not know the time by the store's clock well enough, or has no store
	// now. It then refuses commands and records nothing by itself.
	Degraded bool
	AppendID AppendID // for the append that the step may ask for; another in every step
}

// Presence says whether a seat's player has a session.
type Presence struct {
	AbsentSince time.Time // zero: the player is present
	Dropped     bool      // the last connection broke; false: the player left
	// Wait is the time after the deadline of the seat's turn for which this node leaves it to another to end
	// the turn: one on which a turn may have arrived that is being recorded. 0: it is this node.
	Wait time.Duration
	// NodeDied means that the node of the player's last session has died, and the player has not come back.
	NodeDied bool
	// IsElsewhere means that the player is present, and has looked at something else for a while.
	IsElsewhere bool
	// Excused means that the server is to blame for the absence, also if NodeDied.
	Excused bool
	// Vacations of the player count in correspondence games.
	Vacations vacation.List
}

// Input is something that a match has to react to.
type Input struct {
	Kind InputKind

	Command  *Command        // of InputCommand; it is kept until it is answered, and must not be changed
	Resumed  bool            // of InputBegin: the match goes on after a restart of the server
	MayRetry bool            // of InputCheck: this match may try whether a failing store works again; the other matches wait for it
	Log      []Entry         // of InputLogRead; the state takes it over
	Cause    error           // of InputAppendFailed, InputLogUnread, InputLogCorrupt, InputPanicked, InputRematchFailed, InputRefreshFailed and InputConditionsUnread
	Ratings  []rating.Change // of InputRatingsRead
	Unrated  UnratedReason   // of InputRatingsRead
	// Conditions are those in the store, of InputConditionsRead.
	Conditions StoredConditions
	Rematch    string // of InputRematchStarted: the id of the new match
	Code       string // of InputRematchStarted: the code of a private one

	// Agreements is the row as it is in the store, of InputAgreementsConflict and InputAgreementsFollowed, and
	// AgreementsVersion its version, also of InputAgreementsRecorded; 0: there is none.
	Agreements        []byte
	AgreementsVersion int64

	// Entries, of InputLogFollowed, are those after After, up to the end of the log. The state takes them over.
	After   LogEnd
	Entries []Entry
}

// InputKind is the kind of an input.
type InputKind uint8

// The kinds of inputs.
const (
	InputBegin    InputKind = iota // the match has come into memory; the first input
	InputCheck                     // time has passed, or a player's presence has changed
	InputCommand                   // a command
	InputEvict                     // abort the match, because room is needed
	InputPanicked                  // a step or a request has panicked; the state is that before the step

	// The outcomes of RequestAppend.
	InputAppended       // the entries are recorded
	InputAppendConflict // the log had another version, and nothing is recorded
	InputAppendFailed   // it is unclear whether the entries are recorded, or will be

	// The outcomes of RequestLog.
	InputLogRead
	InputLogUnread  // the store could not read it now
	InputLogCorrupt // it cannot be read at all

	InputRatingsRead    // the outcome of RequestRatings
	InputRematchStarted // an outcome of RequestRematch
	InputRematchFailed  // the other outcome

	// The outcomes of RequestAgreements.
	InputAgreementsRecorded
	InputAgreementsConflict // the row had another version, and nothing is recorded
	InputAgreementsFailed   // it is unclear whether they are recorded

	// The outcomes of RequestRefresh.
	InputRefreshed     // Now has who is present by the store
	InputRefreshFailed // the store could not read it now

	// The outcomes of RequestConditions.
	InputConditionsRead
	InputConditionsUnread // the store could not read them now

	// What other nodes have done.
	InputLogFollowed        // the log in the store has another end
	InputAgreementsFollowed // the row of the agreements has another version
)

// Effects are what has to be done after a step, in the order of the fields.
type Effects struct {
	Report      *Report   // report an internal error; nil: there is none
	ClearDrafts uint8     // drop the drafts of these seats, a bit for each
	Publish     *Snapshot // show the new state to everybody; nil: it is displayed as before

	// Request asks for I/O. Its outcome is the next input; other inputs have to wait.
	Request Request
	Entries []Entry // of RequestAppend; must not be changed
	After   LogEnd  // of RequestAppend: the end of the log that the entries follow
	// Conditions is the version that the StoredConditions must have, of RequestAppend; 0: any.
	Conditions int64

	Agreements        []byte // of RequestAgreements: the new row; must not be changed
	AgreementsVersion int64  // of RequestAgreements: the version that it replaces; 0: there is no row

	// Answered means that the last command has been executed: Err is its error, and Made the version that
	// a turn has made. It is also set if a frozen match gets any other input.
	Answered bool
	Err      error
	Made     int

	// Timer is the time of the next InputCheck, instead of an earlier one; zero: none is needed. It is not set
	// with a request.
	Timer time.Time
}

// Request is a kind of I/O.
type Request uint8

// The kinds of I/O.
const (
	RequestNone       Request = iota
	RequestAppend             // append Entries to the log if it ends with After, and the conditions have their version
	RequestLog                // read the log
	RequestRatings            // update what depends on the end of the match, and read the ratings that it has changed
	RequestRematch            // start a match with the same terms and rotated seats
	RequestAgreements         // record Agreements if the row has AgreementsVersion
	RequestRefresh            // read what other nodes have written: who is present, and who is on vacation
	RequestConditions         // read the conditions of the match
)

// Report is an internal error for the operator.
type Report struct {
	Message string
	Err     error
}

// Step returns the state after an input, and what has to be done. It changes nothing, reads no time and
// does no I/O. While s waits for the outcome of a request, that outcome has to be the input, or InputPanicked.
func Step(s State, in Input, now Now) (State, Effects) {
	now.Time = later(now.Time, s.lastAt) // which a node whose clock is ahead may have recorded
	x := step{State: s, now: now}
	if s.waiting != nil {
		x.job, x.waiting = *s.waiting, nil
	}
	x.handle(in)
	if x.changed {
		x.effects.Publish = x.Snapshot(now)
	}
	if x.effects.Request != RequestNone {
		job := x.job
		x.waiting = &job
	} else {
		x.effects.Timer = x.nextCheck(now)
	}
	return x.State, x.effects
}

// step is one call of Step.
type step struct {
	State   // the next state
	now     Now
	job     job
	changed bool // the state is displayed differently
	effects Effects
}

// job is what the match does, which can take several steps.
type job struct {
	stage      stage
	at         time.Time  // the time for which it is done: a command's is that of its arrival
	command    *Command   // nil: none
	transition transition // the state after the entries that are being appended
	outcome    error      // the error with which the job goes on after the ratings have been read
	logRequest logRequest // of the log
	made       int        // the version that the command has made, if further entries may follow; 0: the newest
	repeating  bool       // transition is that of the command, and was requested before with an unclear outcome

	agreementWrite agreementWrite
	followInput    followInput
	conditions     conditionsJob
	isRefreshed    bool // what other nodes have written has been read for the command or the check
}

// stage is a stage of a job.
type stage uint8

const (
	stageNone    stage = iota // has not begun, or needs none
	stageResume               // ends an outage
	stageTime                 // applies what is due
	stageCommand              // executes the command
	stageEvict                // aborts the match
	stageFollow               // takes over what another node has recorded
)

// errFrozen is the error of everything in a frozen match.
var errFrozen = errcode.Errorf(errcode.Unavailable, frozenText)

// frozenText is what players see of a frozen match.
const frozenText = "an internal error stopped this game; tell the operator, whose log says why"

// handle applies an input to the state, and asks for what has to be done.
func (x *step) handle(in Input) {
	if x.frozen {
		x.answer(errFrozen)
		return
	}
	switch in.Kind {
	case InputBegin:
		x.begin(in.Resumed)
	case InputCheck:
		x.check(in.MayRetry)
	case InputCommand:
		x.do(in.Command)
	case InputEvict:
		x.evict()
	case InputPanicked:
		x.freeze(in.Cause)
		x.answer(errFrozen) // to the command that has panicked, if it was one
	case InputAppended:
		x.appended()
	case InputAppendConflict:
		x.outage.unclear = unclearAppend{} // if it was repeated, it is not recorded either
		x.readLog(logRequest{cause: in.Cause})
	case InputAppendFailed:
		if x.job.stage == stageResume { // the store still fails, or again
			x.appendFailed(in.Cause)
			return
		}
		x.readLog(logRequest{unclear: true, cause: in.Cause})
	case InputLogRead:
		x.job.logRequest.done(x, in.Log)
	case InputLogUnread:
		x.job.logRequest.failed(x, in.Cause)
	case InputLogCorrupt:
		x.job.logRequest.corrupt(x, in.Cause)
	case InputRatingsRead:
		x.ratings, x.unrated, x.changed = in.Ratings, in.Unrated, true
		x.continueJob(x.job.outcome)
	case InputRematchStarted:
		agreementWrite{next: x.withRematch(in.Rematch, in.Code)}.request(x)
	case InputRematchFailed:
		x.continueJob(in.Cause)
	case InputAgreementsRecorded:
		x.job.agreementWrite.recorded(x, in.AgreementsVersion)
	case InputAgreementsConflict:
		x.job.agreementWrite.refused(x, in)
	case InputAgreementsFailed:
		x.job.agreementWrite.failed(x, in.Cause)
	case InputRefreshed:
		x.job.isRefreshed = true
		if x.job.stage == stageTime {
			x.applyTime()
			return
		}
		x.continueCommand(x.job.command.run(x)) // again
	case InputRefreshFailed:
		if x.job.command == nil {
			return // the next check tries again
		}
		x.answer(&errcode.Error{Code: errcode.Unavailable, Message: "the server cannot tell now who is present or on vacation; nothing has changed, so try again in a moment", Cause: in.Cause})
	case InputConditionsRead:
		x.job.conditions.read(x, in.Conditions)
	case InputConditionsUnread:
		x.answer(&errcode.Error{Code: errcode.Unavailable, Message: "the server cannot record that now; nothing has changed, so try again in a moment", Cause: in.Cause})
	case InputLogFollowed, InputAgreementsFollowed:
		x.job = job{stage: stageFollow, at: x.now.Time, followInput: followInput(in)}
		x.job.followInput.apply(x)
	}
}

// answer ends the command of the job with an error, or nil.
func (x *step) answer(err error) {
	x.effects.Answered, x.effects.Err, x.effects.Made = true, err, x.Version()
	switch {
	case x.job.made != 0:
		x.effects.Made = x.job.made
	case x.IsOver():
		x.effects.Made-- // the end follows the turn
	}
}

// check applies what is due at the time of the step.
func (x *step) check(mayRetry bool) {
	x.job = job{at: x.now.Time}
	if x.IsSuspended() && !x.now.Degraded && x.outage.isRetryDue(x.now, mayRetry) {
		x.resume()
		return
	}
	x.applyTime()
}

// do applies what was due when a command arrived, and then executes the command.
func (x *step) do(c *Command) {
	x.job = job{at: c.At, command: c}
	switch {
	case x.now.Degraded:
		if !x.IsOver() {
			x.suspend(later(c.At, x.lastAt))
		}
		x.answer(errDegraded)
	case !x.IsSuspended():
		x.applyTime()
	case x.outage.canRetryOnCommand(x.now):
		x.resume()
	default:
		x.answer(x.outage.refusal())
	}
}

// evict ends the match without a winner.
func (x *step) evict() {
	x.job = job{stage: stageEvict, at: x.now.Time}
	if !x.IsOver() {
		x.abort(x.job.at, ending{seat: -1, reason: AbortEvicted})
	}
}

// continueJob continues after a stage of the job has ended with an error, or with nil.
func (x *step) continueJob(err error) {
	switch x.job.stage {
	case stageResume:
		x.resumed(err)
	case stageTime:
		if err == nil {
			x.applyTime() // the next seat's time may be up as well
			return
		}
		x.execute()
	case stageCommand:
		if x.job.command.isOvertakenByCredits(&x.State, err) {
			x.execute()
			return
		}
		x.answer(err)
	case stageFollow:
		x.job.followInput.logRead(x)
	case stageNone, stageEvict: // nothing follows
	}
}

// execute executes the command of the job, if there is one.
func (x *step) execute() {
	c := x.job.command
	if c == nil {
		return
	}
	if x.job.repeating { // it has been executed
		x.answer(nil)
		return
	}
	x.job.stage, x.job.made, x.job.conditions.isRead = stageCommand, 0, false
	if c.At.Before(x.lastAt) { // which another node has recorded, whose clock is ahead
		late := *c
		late.At = x.lastAt
		x.job.command, c = &late, &late
	}
	err := errFrozen
	if !x.frozen {
		err = c.run(x)
	}
	x.continueCommand(err)
}

// continueCommand answers the command with an error, or with nil if no request is outstanding.
func (x *step) continueCommand(err error) {
	if err != nil || x.effects.Request == RequestNone {
		x.answer(err)
	}
}

// freeze stops the match until the next restart.
func (x *step) freeze(cause error) {
	x.frozen, x.changed = true, true
	x.clock = x.stoppedAt(x.now, x.now.Time)
	x.effects.Report = &Report{"match frozen", cause}
}
