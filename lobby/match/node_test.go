package match

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
)

var (
	began    = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	live     = clock.Control{Initial: 10 * time.Minute, Increment: 10 * time.Second}
	inDays   = clock.Control{Days: 3}
	untimed  = clock.Control{}
	errStore = errors.New("the store does not work")
)

// newInfo returns the description of a match between accounts.
func newInfo(t testing.TB, game, options string, seats int, c clock.Control) *Info {
	t.Helper()
	rules, _ := enginetest.Games.ByName(game)
	o, err := rules.ParseOptions([]byte(options))
	if err != nil {
		t.Fatal(err)
	}
	info := &Info{ID: "m", Game: game, Options: o.WithSeats(seats), Control: c, Started: began}
	for i := range seats {
		info.Seats = append(info.Seats, Seat{Account: 1, Name: fmt.Sprint("player ", i)})
	}
	return info
}

func duel(t testing.TB, c clock.Control) *Info {
	return newInfo(t, "ayu", `{"size":5,"pie":false}`, 2, c)
}

func three(t testing.TB, c clock.Control) *Info { return newInfo(t, "mu", `{"players":3}`, 3, c) }

// outcome is what the simulated store does with an append.
type outcome int

const (
	recorded    outcome = iota
	unclear             // recorded, and reported as failed
	notRecorded         // not recorded, and reported as failed
)

// simulatedLog is the log in a simulated store, which several nodes can share.
type simulatedLog struct {
	entries []Entry
	appends func() outcome // nil: all are recorded
	unread  bool           // reading fails
	corrupt bool           // the log cannot be read at all

	conditions StoredConditions
	changing   func() // called once before the next append
}

func (l *simulatedLog) append(after LogEnd, conditions int64, entries []Entry) Input {
	if change := l.changing; change != nil {
		l.changing = nil
		change()
	}
	id := entries[len(entries)-1].AppendID
	if slices.ContainsFunc(l.entries, func(e Entry) bool { return e.AppendID == id && id != AppendID{} }) {
		return Input{Kind: InputAppended}
	}
	if after != NewLogEnd(l.entries) || conditions != 0 && conditions != l.conditions.Version {
		return Input{Kind: InputAppendConflict, Cause: errors.New("another version")}
	}
	o := recorded
	if l.appends != nil {
		o = l.appends()
	}
	if o != notRecorded {
		l.entries = append(slices.Clip(l.entries), entries...)
	}
	if o != recorded {
		return Input{Kind: InputAppendFailed, Cause: errStore}
	}
	return Input{Kind: InputAppended}
}

func (l *simulatedLog) read() Input {
	switch {
	case l.corrupt:
		return Input{Kind: InputLogCorrupt, Cause: errStore}
	case l.unread:
		return Input{Kind: InputLogUnread, Cause: errStore}
	}
	return Input{Kind: InputLogRead, Log: append([]Entry(nil), l.entries...)}
}

// simulatedRow is the row of the agreements in a simulated store.
type simulatedRow struct {
	data    []byte
	version int64
	writes  func() outcome // nil: all are recorded
}

func (r *simulatedRow) write(data []byte, replaces int64) Input {
	if replaces != r.version {
		return Input{Kind: InputAgreementsConflict, Agreements: r.data, AgreementsVersion: r.version, Cause: errors.New("another version")}
	}
	o := recorded
	if r.writes != nil {
		o = r.writes()
	}
	if o != notRecorded {
		r.data, r.version = data, r.version+1
	}
	if o != recorded {
		return Input{Kind: InputAgreementsFailed, Cause: errStore}
	}
	return Input{Kind: InputAgreementsRecorded, AgreementsVersion: r.version}
}

// node executes the effects of one state on a simulated log and clock.
type node struct {
	t        testing.TB
	state    State
	log      *simulatedLog
	row      *simulatedRow
	now      Now
	effects  Effects // the last ones without a request
	snapshot *Snapshot
	drafts   []int // seats whose drafts were dropped
	reports  []error
	rematch  Input        // the outcome of RequestRematch
	presence func() Input // returns the outcome of RequestRefresh; nil: it is read, and as it was known
}

// newNode returns a node with a match that has begun.
func newNode(t testing.TB, info *Info, log *simulatedLog) *node {
	t.Helper()
	s, err := New(info, append([]Entry(nil), log.entries...))
	if err != nil {
		t.Fatal(err)
	}
	n := &node{t: t, state: s, log: log, row: new(simulatedRow), now: Now{Time: began, Presence: make([]Presence, len(info.Seats))}}
	if len(log.entries) > 0 {
		n.now.Time = log.entries[len(log.entries)-1].At
	}
	return n
}

func start(t testing.TB, info *Info) *node {
	t.Helper()
	n := newNode(t, info, &simulatedLog{})
	n.handle(Input{Kind: InputBegin})
	return n
}

// handle passes an input to the state and does what follows, until no request is outstanding. It checks that
// each step leaves the state before it as it was, and that repeating it gives the same.
func (n *node) handle(in Input) Effects {
	n.t.Helper()
	for {
		before := n.state.Snapshot(n.now)
		next, fx := Step(n.state, in, n.now)
		if again, fx2 := Step(n.state, in, n.now); describe(again.Snapshot(n.now)) != describe(next.Snapshot(n.now)) || fx2.Request != fx.Request || !fx2.Timer.Equal(fx.Timer) {
			n.t.Fatalf("repeating %+v leads to another state", in)
		}
		if after := n.state.Snapshot(n.now); describe(after) != describe(before) {
			n.t.Fatalf("%+v changed the state before:\n%s\n%s", in, describe(before), describe(after))
		}
		n.state = next
		for seat := range n.state.Info.Seats {
			if fx.ClearDrafts&(1<<seat) != 0 {
				n.drafts = append(n.drafts, seat)
			}
		}
		if fx.Report != nil {
			n.reports = append(n.reports, fx.Report.Err)
		}
		if fx.Publish != nil {
			n.snapshot = fx.Publish
		}
		if n.state.IsWaiting() != (fx.Request != RequestNone) || n.state.IsWaiting() && (fx.Answered || !fx.Timer.IsZero()) {
			n.t.Fatalf("%+v leads to %+v", in, fx)
		}
		switch fx.Request {
		case RequestAppend:
			in = n.log.append(fx.After, fx.Conditions, fx.Entries)
		case RequestLog:
			in = n.log.read()
		case RequestRatings:
			in = Input{Kind: InputRatingsRead, Unrated: UnratedUnknown}
		case RequestRematch:
			in = n.rematch
		case RequestRefresh:
			in = Input{Kind: InputRefreshed}
			if n.presence != nil {
				in = n.presence()
			}
		case RequestConditions:
			in = Input{Kind: InputConditionsRead, Conditions: n.log.conditions}
		case RequestAgreements:
			in = n.row.write(fx.Agreements, fx.AgreementsVersion)
		default:
			n.effects = fx
			return fx
		}
	}
}

// describe returns a snapshot in a form to compare.
func describe(s *Snapshot) string {
	c := *s
	c.Info, c.Log, c.Position, c.Result = nil, nil, nil, nil
	return fmt.Sprintf("%+v %s %v", c, s.Position, s.Result) + fmt.Sprintf("%+v", s.Log)
}

// do executes a command at the node's time and returns its error.
func (n *node) do(c Command) error {
	n.t.Helper()
	c.At = n.now.Time
	fx := n.handle(Input{Kind: InputCommand, Command: &c})
	if !fx.Answered {
		n.t.Fatalf("%+v has no answer", c)
	}
	return fx.Err
}

// turn returns the command of the seat to move with the first legal turn.
func (n *node) turn() Command {
	n.t.Helper()
	p, actions := n.state.position, []string(nil)
	for seat := p.Turn(); ; {
		action := p.Legal()[0]
		actions = append(actions, action)
		next, err := p.Play(action)
		if err != nil {
			n.t.Fatal(err)
		}
		if p = next; !p.MidTurn() {
			return Command{Kind: CommandTurn, Seat: seat, Version: n.state.Version(), Actions: actions}
		}
	}
}

// play plays turns that must be accepted.
func (n *node) play(turns int) {
	n.t.Helper()
	for range turns {
		if err := n.do(n.turn()); err != nil {
			n.t.Fatal(err)
		}
	}
}

// wait lets time pass, with the checks that the state asks for.
func (n *node) wait(d time.Duration) {
	n.t.Helper()
	for end := n.now.Time.Add(d); ; {
		at := n.effects.Timer
		if at.IsZero() || at.After(end) {
			n.now.Time = end
			return
		}
		n.now.Time = later(at, n.now.Time)
		n.handle(Input{Kind: InputCheck, MayRetry: true})
	}
}

// leave sets a seat's player as absent from now on.
func (n *node) leave(seat int, dropped bool) {
	n.t.Helper()
	n.now.Presence[seat] = Presence{AbsentSince: n.now.Time, Dropped: dropped}
	n.handle(Input{Kind: InputCheck})
}

func (n *node) comeBack(seat int) {
	n.t.Helper()
	n.now.Presence[seat] = Presence{}
	n.handle(Input{Kind: InputCheck})
}

func (n *node) want(err error, code errcode.Code) {
	n.t.Helper()
	var e *errcode.Error
	if got := errors.As(err, &e); err != nil && !got || code != "" && !got || got && e.Code != code {
		n.t.Errorf("got %v, want %q", err, code)
	}
}

// wantResult checks the result of the match and that the log is sound.
func (n *node) wantResult(reason string, winners ...int) {
	n.t.Helper()
	r := n.snapshot.Result
	if r == nil || r.Reason != reason || fmt.Sprint(r.Winners) != fmt.Sprint(winners) {
		n.t.Errorf("ended with %+v, want %v %v", r, winners, reason)
	}
	n.verify()
}

func (n *node) verify() {
	n.t.Helper()
	if err := VerifyLog(n.state.Info, n.log.entries); err != nil {
		n.t.Error(err)
	}
}

// left returns the time that a seat has left now.
func (n *node) left(seat int) time.Duration {
	left, _ := n.snapshot.Remaining(seat, n.now.Time)
	return left
}
