package lobby

import (
	"context"
	"errors"
	"fmt"
)

// Code is the stable part of an error, as programs see it.
type Code string

// The codes that programs see (docs/protocol.md, section 2.10).
const (
	BadRequest    Code = "bad_request"
	UnknownTable  Code = "unknown_table"
	UnknownMatch  Code = "unknown_match"
	NotAllowed    Code = "not_allowed"
	GameOver      Code = "game_over"
	StaleVersion  Code = "stale_version"
	NotYourTurn   Code = "not_your_turn"
	IllegalAction Code = "illegal_action"
	RateLimited   Code = "rate_limited"
	Full          Code = "full"
	// Unavailable: the server cannot do it at present, whoever asks (its disk is full, it is
	// closing, the match is frozen).
	Unavailable Code = "unavailable"
)

// Error is what went wrong, for a program (Code) and for a person (Message: what happened and
// what to do). Cause is never shown to either; it has been reported to the operator where it is a
// failure of the server.
type Error struct {
	Code    Code
	Message string
	Cause   error
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("%s (%v)", e.Message, e.Cause)
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Cause }

func fail(code Code, format string, args ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Explain returns what of an error its causer may see: its code and message if it is an *Error,
// otherwise only that the server failed. It reports nothing: the Store reports its failures, and
// Lobby.Fault those of the server itself.
func Explain(err error) (Code, string) {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Code, e.Message
	case errors.Is(err, context.Canceled):
		return Unavailable, "The request was cancelled. Try again."
	case errors.Is(err, ErrClosed):
		return Unavailable, "The server is closing. Come back in a moment."
	}
	return Unavailable, failed
}

// failed is what people see of an internal error, which has been reported.
const failed = "The server failed; the operator has been notified. Try again later."

// Fault reports an internal error that is not a failure of the store to the operator, and returns
// what its causer may see. It returns nil if err is nil.
func (l *Lobby) Fault(msg string, err error, keyvals ...any) error {
	if err == nil {
		return nil
	}
	l.report(msg, append(keyvals, "err", err)...)
	return &Error{Code: Unavailable, Message: failed, Cause: err}
}
