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
	"slices"
	"strings"
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

// isConflict reports whether a transaction was undone because of another, so that repeating it helps.
func isConflict(err error) bool {
	return slices.Contains([]string{
		"40001", // serialization failure
		"40P01", // deadlock
		"23505", // unique violation: another has inserted the row meanwhile
		"23503", // foreign key violation: another has deleted the row meanwhile
	}, code(err))
}

// isConnectionError reports whether an error is one of the connection, and not of what was sent over it.
func isConnectionError(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	if c := code(err); c != "" {
		// The class 08, and what the database sends when it stops, crashes or starts.
		return strings.HasPrefix(c, "08") || c == "57P01" || c == "57P02" || c == "57P03" || c == "25P03"
	}
	_, isConnect := errors.AsType[*pgconn.ConnectError](err)
	_, isNet := errors.AsType[net.Error](err)
	return isConnect || isNet || pgconn.SafeToRetry(err) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

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
	return !store.IsExpected(err) && !isDataException(err) && !strings.HasPrefix(code(err), "23")
}

// isDataException reports whether the database cannot have a value, such as a text with the character U+0000.
func isDataException(err error) bool { return strings.HasPrefix(code(err), "22") }

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
	if isDataException(err) {
		return store.ErrImpossible
	}
	known := false
	switch {
	case isConnectionError(err), errors.Is(err, context.DeadlineExceeded):
		known = s.awayReported.isRepeated(time.Now())
	case isShortage(err):
		known = s.shortageReported.isRepeated(time.Now())
	}
	err = s.describeError(op, err)
	if !store.IsExpected(err) && !known {
		s.reportFailure("database", err)
	}
	return err
}

// isShortage reports whether an error means that the database lacks space, memory or connections. Some calls may
// succeed meanwhile.
func isShortage(err error) bool { return strings.HasPrefix(code(err), "53") }

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
	switch {
	case errors.Is(err, puddle.ErrClosedPool):
		return errcode.ErrClosed
	case store.IsExpected(err):
		return err
	}
	advice := adviceFor(err)
	if advice == "" {
		return fmt.Errorf("%s %s: %w", op, name, err)
	}
	return fmt.Errorf("%s %s: %s (%w)", op, name, advice, err)
}

// rightsAdvice is the advice for a user that may not do what is needed.
const rightsAdvice = "the user lacks the rights; make it the owner of the database"

// adviceFor returns what happened and what to do; "" if that does not follow from the kind of the error.
func adviceFor(err error) string {
	c := code(err)
	for _, known := range []struct{ codes, advice string }{
		{"53100", "its disk is full and nothing was stored; free some space, and play continues by itself"},
		{"53300", "it has no free connections; raise its max_connections, or give the servers a smaller pool_max_conns"},
		{"53200", "it is out of memory; give it more, or lower its settings"},
		{"28P01 28000", "it refuses the user or the password; check them, and pg_hba.conf"},
		{"3D000", "it does not exist; create it with `createdb`"},
		{"42501 3F000", rightsAdvice},
		{"25006", "it is read-only, as a standby is; connect to the primary"},
		{"57P03", "it is starting or stopping; try again when it runs"},
		{"55P03", "another transaction holds what this one needs; try again, and look for a stalled server in pg_stat_activity"},
		{"XX001 XX002", "its data is damaged; stop the servers, and restore the newest backup"},
		{"42P01 42703", "its tables are incomplete; restore the newest backup, or give the server a database of its own"},
	} {
		if c != "" && strings.Contains(known.codes, c) {
			return known.advice
		}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "it took too long; check whether the database is overloaded or cannot be reached"
	case isConnectionError(err):
		return "it cannot be reached; check that it runs and accepts connections"
	}
	return ""
}
