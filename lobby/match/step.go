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
	// Degraded means that this node does not know the time by the store's clock well enough, or has no store at
	// present. It then refuses commands and records nothing by itself.
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

	Command  *Command        // of Do; it is kept until it is answered, and must not be changed
	Resumed  bool            // of Begin: the match goes on after a restart of the server
	MayRetry bool            // of Check: this match may try for all whether a failing store works again
	Log      []Entry         // of LogRead; the state takes it over
	Cause    error           // of AppendFailed, LogUnread, LogCorrupt, Panicked, RematchFailed, RefreshFailed and ConditionsUnread
	Ratings  []rating.Change // of RatingsRead
	Unrated  UnratedReason   // of RatingsRead
	// Conditions are those in the store, of ConditionsRead.
	Conditions StoredConditions
	Rematch    string // of RematchStarted: the id of the new match
	Code       string // of RematchStarted: the code of a private one

	// Agreements is the row as it is in the store, of AgreementsConflict and AgreementsFollowed, and
	// AgreementsVersion its version, also of AgreementsRecorded; 0: there is none.
	Agreements        []byte
	AgreementsVersion int64

	// Entries, of LogFollowed, are those after After, up to the end of the log. The state takes them over.
	After   LogEnd
	Entries []Entry
}

// InputKind is the kind of an input.
type InputKind uint8

// The kinds of inputs.
const (
	Begin    InputKind = iota // the match has come into memory; the first input
	Check                     // time has passed, or a player's presence has changed
	Do                        // a command
	Evict                     // abort the match, because room is needed
	Panicked                  // a step or a request has panicked; the state is that before the step

	// The outcomes of RequestAppend.
	Appended       // the entries are recorded
	AppendConflict // the log had another version, and nothing is recorded
	AppendFailed   // it is unclear whether the entries are recorded, or will be

	// The outcomes of RequestLog.
	LogRead
	LogUnread  // the store could not read it now
	LogCorrupt // it cannot be read at all

	RatingsRead    // the outcome of RequestRatings
	RematchStarted // an outcome of RequestRematch
	RematchFailed  // the other outcome

	// The outcomes of RequestAgreements.
	AgreementsRecorded
	AgreementsConflict // the row had another version, and nothing is recorded
	AgreementsFailed   // it is unclear whether they are recorded

	// The outcomes of RequestRefresh.
	Refreshed     // Now has who is present by the store
	RefreshFailed // the store could not read it now

	// The outcomes of RequestConditions.
	ConditionsRead
	ConditionsUnread // the store could not read them now

	// What other nodes have done.
	LogFollowed        // the log in the store has another end
	AgreementsFollowed // the row of the agreements has another version
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

	// Timer is the time of the next Check, instead of an earlier one; zero: none is needed. It is not set
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
// does no I/O. While s waits for the outcome of a request, that outcome has to be the input, or Panicked.
func Step(s State, in Input, now Now) (State, Effects) {
	now.Time = laterOf(now.Time, s.lastAt) // which a node whose clock is ahead may have recorded
	x := step{State: s, now: now}
	if s.waiting != nil {
		x.task, x.waiting = *s.waiting, nil
	}
	x.handle(in)
	if x.changed {
		x.effects.Publish = x.Snapshot(now)
	}
	if x.effects.Request != RequestNone {
		task := x.task
		x.waiting = &task
	} else {
		x.effects.Timer = x.nextCheck(now)
	}
	return x.State, x.effects
}

// step is one call of Step.
type step struct {
	State   // the next state
	now     Now
	task    task
	changed bool // the state is displayed differently
	effects Effects
}

// task is what the match does, which can take several steps.
type task struct {
	stage     stage
	at        time.Time // the time for which it is done: a command's is that of its arrival
	command   *Command  // nil: none
	next      next      // the state after the entries that are being appended
	outcome   error     // the error with which the task goes on after the ratings have been read
	reading   reading   // of the log
	made      int       // the version that the command has made, if further entries may follow; 0: the newest
	repeating bool      // next is that of the command, and was requested before with an unclear outcome

	agreeing    agreeing
	following   following
	conditions  conditionsTask
	isRefreshed bool // what other nodes have written has been read for the command or the check
}

// stage is a stage of a task.
type stage uint8

const (
	stageResume  stage = iota // ends an outage
	stageTime                 // applies what is due
	stageCommand              // executes the command
	stageEvict                // aborts the match
	stageFollow               // takes over what another node has recorded
)

// errFrozen is the error of everything in a frozen match.
var errFrozen = errcode.Errorf(errcode.Unavailable, frozenText)

// frozenText is what players see of a frozen match.
const frozenText = "an internal error stopped this game; tell the operator, whose log says why"

// handle reacts to an input.
func (x *step) handle(in Input) {
	if x.frozen {
		x.answer(errFrozen)
		return
	}
	switch in.Kind {
	case Begin:
		x.begin(in.Resumed)
	case Check:
		x.check(in.MayRetry)
	case Do:
		x.do(in.Command)
	case Evict:
		x.evict()
	case Panicked:
		x.freeze(in.Cause)
		x.answer(errFrozen) // to the command that has panicked, if it was one
	case Appended:
		x.appended()
	case AppendConflict:
		x.outage.unclear = unclearAppend{} // if it was repeated, it is not recorded either
		x.readLog(reading{cause: in.Cause})
	case AppendFailed:
		if x.task.stage == stageResume { // the store still fails, or again
			x.appendFailed(in.Cause)
			return
		}
		x.readLog(reading{unclear: true, cause: in.Cause})
	case LogRead:
		x.task.reading.done(x, in.Log)
	case LogUnread:
		x.task.reading.failed(x, in.Cause)
	case LogCorrupt:
		x.task.reading.corrupt(x, in.Cause)
	case RatingsRead:
		x.ratings, x.unrated, x.changed = in.Ratings, in.Unrated, true
		x.continueTask(x.task.outcome)
	case RematchStarted:
		agreeing{next: x.withRematch(in.Rematch, in.Code)}.request(x)
	case RematchFailed:
		x.continueTask(in.Cause)
	case AgreementsRecorded:
		x.task.agreeing.recorded(x, in.AgreementsVersion)
	case AgreementsConflict:
		x.task.agreeing.refused(x, in)
	case AgreementsFailed:
		x.task.agreeing.failed(x, in.Cause)
	case Refreshed:
		x.task.isRefreshed = true
		if x.task.stage == stageTime {
			x.applyTime()
			return
		}
		x.continueCommand(x.task.command.run(x))
	case RefreshFailed:
		if x.task.command == nil {
			return // the next check tries again
		}
		x.answer(&errcode.Error{Code: errcode.Unavailable, Message: "the server cannot tell now who is present or on vacation; nothing has changed, so try again in a moment", Cause: in.Cause})
	case ConditionsRead:
		x.task.conditions.read(x, in.Conditions)
	case ConditionsUnread:
		x.answer(&errcode.Error{Code: errcode.Unavailable, Message: "the server cannot record that now; nothing has changed, so try again in a moment", Cause: in.Cause})
	case LogFollowed, AgreementsFollowed:
		x.task = task{stage: stageFollow, at: x.now.Time, following: following(in)}
		x.task.following.apply(x)
	}
}

// answer answers the command of the task.
func (x *step) answer(err error) {
	x.effects.Answered, x.effects.Err, x.effects.Made = true, err, x.Version()
	switch {
	case x.task.made != 0:
		x.effects.Made = x.task.made
	case x.IsOver():
		x.effects.Made-- // the end follows the turn
	}
}

// check applies what is due at the time of the step.
func (x *step) check(mayRetry bool) {
	x.task = task{at: x.now.Time}
	if x.IsSuspended() && !x.now.Degraded && x.outage.isRetryDue(x.now, mayRetry) {
		x.resume()
		return
	}
	x.applyTime()
}

// do applies what was due when a command arrived, and then executes the command.
func (x *step) do(c *Command) {
	x.task = task{at: c.At, command: c}
	switch {
	case x.now.Degraded:
		if !x.IsOver() {
			x.suspend(laterOf(c.At, x.lastAt))
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
	x.task = task{stage: stageEvict, at: x.now.Time}
	if !x.IsOver() {
		x.abort(x.task.at, ending{seat: -1, reason: AbortEvicted})
	}
}

// continueTask continues after a stage of the task has ended with an error, or with nil.
func (x *step) continueTask(err error) {
	switch x.task.stage {
	case stageResume:
		x.resumed(err)
	case stageTime:
		if err == nil {
			x.applyTime() // the next seat's time may be up as well
			return
		}
		x.execute()
	case stageCommand:
		if x.task.command.isOvertakenByCredits(&x.State, err) {
			x.execute()
			return
		}
		x.answer(err)
	case stageFollow:
		x.task.following.logRead(x)
	case stageEvict:
	}
}

// execute executes the command of the task, if there is one.
func (x *step) execute() {
	c := x.task.command
	if c == nil {
		return
	}
	if x.task.repeating { // it has been executed
		x.answer(nil)
		return
	}
	x.task.stage, x.task.made, x.task.conditions.isRead = stageCommand, 0, false
	if c.At.Before(x.lastAt) { // which another node has recorded, whose clock is ahead
		late := *c
		late.At = x.lastAt
		x.task.command, c = &late, &late
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
