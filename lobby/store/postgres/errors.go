package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"ayumu/lobby/errcode"
	"ayumu/lobby/store"
)

// code returns the SQLSTATE of an error; "" if it is not one of PostgreSQL.
func code(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

const (
	awayAdvice = "it cannot be reached; check that it runs and accepts connections"
	lateAdvice = "it took too long; check whether the database is overloaded or cannot be reached"
	// rightsAdvice is the advice for a user that may not do what is needed.
	rightsAdvice  = "the user lacks the rights; make it the owner of the database"
	loginAdvice   = "it refuses the user or the password; check them, and pg_hba.conf"
	damagedAdvice = "its data is damaged; stop the servers, and restore the newest backup"
	tablesAdvice  = "its tables are incomplete; restore the newest backup, or give the server a database of its own"
)

// failures are the errors of PostgreSQL by their SQLSTATEs, or by the classes of these, their first two characters.
var failures = store.Failures[string]{
	"40001": {Kind: store.FailureConflict},   // serialization failure
	"40P01": {Kind: store.FailureConflict},   // deadlock
	"23505": {Kind: store.FailureConstraint}, // unique violation: another has inserted the row meanwhile
	"23503": {Kind: store.FailureConstraint}, // foreign key violation: another has deleted the row meanwhile
	"23":    {Kind: store.FailureContent},
	"22":    {Kind: store.FailureValue},
	"08":    {Kind: store.FailureConnection, Advice: awayAdvice},
	"57P01": {Kind: store.FailureConnection, Advice: awayAdvice}, // it stops
	"57P02": {Kind: store.FailureConnection, Advice: awayAdvice}, // it has crashed
	"57P03": {Kind: store.FailureConnection, Advice: "it is starting or stopping; try again when it runs"},
	"25P03": {Kind: store.FailureConnection, Advice: awayAdvice}, // this process has stalled in a transaction
	"53":    {Kind: store.FailureOutage},
	"53100": {Kind: store.FailureOutage, Advice: "its disk is full and nothing was stored; free some space, and play continues by itself"},
	"53200": {Kind: store.FailureOutage, Advice: "it is out of memory; give it more, or lower its settings"},
	"53300": {Kind: store.FailureOutage, Advice: "it has no free connections; raise its max_connections, or give the servers a smaller pool_max_conns"},
	"28P01": {Advice: loginAdvice},
	"28000": {Advice: loginAdvice},
	"3D000": {Advice: "it does not exist; create it with `createdb`"},
	"42501": {Advice: rightsAdvice},
	"3F000": {Advice: rightsAdvice},
	"25006": {Advice: "it is read-only, as a standby is; connect to the primary"},
	"55P03": {Advice: "another transaction holds what this one needs; try again, and look for a stalled server in pg_stat_activity"},
	"XX001": {Kind: store.FailureDamage, Advice: damagedAdvice},
	"XX002": {Kind: store.FailureDamage, Advice: damagedAdvice},
	"42P01": {Advice: tablesAdvice},
	"42703": {Advice: tablesAdvice},
}

// failureOf returns what is known about an error.
func failureOf(err error) store.Failure {
	if c := code(err); len(c) > 2 {
		return failures.Find(c, c[:2])
	}
	switch {
	case err == nil, errors.Is(err, context.Canceled):
	case errors.Is(err, context.DeadlineExceeded):
		return store.Failure{Kind: store.FailureTimeout, Advice: lateAdvice}
	case hasNoConnection(err):
		return store.Failure{Kind: store.FailureConnection, Advice: awayAdvice}
	}
	return store.Failure{}
}

// hasNoConnection reports whether an error without an SQLSTATE is one of the connection.
func hasNoConnection(err error) bool {
	_, isConnect := errors.AsType[*pgconn.ConnectError](err)
	_, isNet := errors.AsType[net.Error](err)
	return isConnect || isNet || pgconn.SafeToRetry(err) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// isConflict reports whether a transaction was undone because of another, so that repeating it helps.
func isConflict(err error) bool {
	kind := failureOf(err).Kind
	return kind == store.FailureConflict || kind == store.FailureConstraint
}

// isConnectionError reports whether an error is one of the connection, and not of what was sent over it.
func isConnectionError(err error) bool { return failureOf(err).Kind == store.FailureConnection }

// mayBeCommitted reports whether a transaction that ended with an error, in a commit or before it, may
// nevertheless have been committed.
func mayBeCommitted(err error) bool {
	if err == nil || pgconn.SafeToRetry(err) {
		return false
	}
	_, isConnect := errors.AsType[*pgconn.ConnectError](err)
	return !isConnect && (code(err) == "" || isConnectionError(err))
}

// isFailure reports whether an error means that the database could not be changed, and not that the change had
// a wrong content.
func isFailure(err error) bool {
	switch failureOf(err).Kind {
	case store.FailureConstraint, store.FailureContent, store.FailureValue:
		return false
	}
	return !store.IsExpected(err)
}

// The pauses between repetitions double from the first to the last.
const (
	firstPause = 2 * time.Millisecond
	lastPause  = 250 * time.Millisecond
	// maxConflicts is the number of conflicts after which a change is given up: then it is no conflict with
	// others.
	maxConflicts = 8
)

// repeat calls do until it succeeds, its error is not one that again accepts, or the time is over. It returns
// the last error.
func repeat(ctx context.Context, limit time.Duration, again func(error) bool, do func(ctx context.Context) error) error {
	deadline := time.Now().Add(limit)
	pause := firstPause
	for conflicts := 0; ; {
		err := do(ctx)
		if err == nil || !again(err) || time.Now().Add(pause).After(deadline) {
			return err
		}
		if isConflict(err) {
			if conflicts++; conflicts == maxConflicts {
				return err
			}
		}
		timer := time.NewTimer(pause/2 + rand.N(pause/2+1))
		select {
		case <-ctx.Done():
			timer.Stop()
			return err
		case <-timer.C:
		}
		pause = min(2*pause, lastPause)
	}
}

// recoverPanic returns a panic as an error, so that a bug in one change does not end the server.
func recoverPanic(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return do()
}

// ReportFailures implements store.Maintenance.
func (s *Store) ReportFailures(report func(msg string, keyvals ...any)) { s.report.Store(&report) }

// explainError returns describeError(op, err) and reports it to the operator. Every method that a running
// server calls passes its error through here exactly once. What makes every call fail, often and for long, is reported
// at most once in quietInterval: that the database cannot be reached or does not answer, until it could be changed again,
// and that it lacks space or connections.
//
// Text, or another value, that the database cannot have is no failure: nothing has it.
func (s *Store) explainError(op string, err error) error {
	known := false
	switch failureOf(err).Kind {
	case store.FailureValue:
		return store.ErrImpossible
	case store.FailureConnection, store.FailureTimeout:
		known = s.awayReported.isRepeated(time.Now())
	case store.FailureOutage:
		known = s.outageReported.isRepeated(time.Now())
	}
	err = s.describeError(op, err)
	if !store.IsExpected(err) && !known {
		s.reportFailure("database", err)
	}
	return err
}

// quietInterval is the interval between reports of a failure that lasts: a node that has lost its database asks it
// more than once a second.
const quietInterval = time.Minute

// lastReport is when a failure that lasts was reported last. The zero value means never.
type lastReport struct{ at atomic.Int64 } // in Unix nanoseconds

// isRepeated reports whether the failure was reported within quietInterval before now. Otherwise it is reported now.
func (r *lastReport) isRepeated(now time.Time) bool {
	last := r.at.Load()
	return last != 0 && now.UnixNano()-last < int64(quietInterval) || !r.at.CompareAndSwap(last, now.UnixNano())
}

// reset has the next failure reported.
func (r *lastReport) reset() { r.at.Store(0) }

func (s *Store) reportFailure(msg string, err error) {
	if report := s.report.Load(); report != nil {
		(*report)(msg, "err", err)
	}
}

// reportPanic reports a panic of a goroutine of the store.
func (s *Store) reportPanic(err error) { s.reportFailure("panic in the store", err) }

// Explain implements store.Database.
func (d database) Explain(op string, err error) error { return d.s.explainError(op, err) }

// Describe implements store.Database.
func (d database) Describe(op string, err error) error { return d.s.describeError(op, err) }

// describeError returns an error for the operator: the operation, the database, what happened and what to do.
// Expected errors are returned as they are.
func (s *Store) describeError(op string, err error) error { return describe(op, s.name, err) }

func describe(op, name string, err error) error {
	if errors.Is(err, puddle.ErrClosedPool) {
		return errcode.ErrClosed
	}
	return failureOf(err).Describe(op, name, err)
}
