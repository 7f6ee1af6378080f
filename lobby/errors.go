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
	CodeBadRequest    Code = "bad_request"
	CodeUnknownTable  Code = "unknown_table"
	CodeUnknownMatch  Code = "unknown_match"
	CodeNotAllowed    Code = "not_allowed"
	CodeGameOver      Code = "game_over"
	CodeStaleVersion  Code = "stale_version"
	CodeNotYourTurn   Code = "not_your_turn"
	CodeIllegalAction Code = "illegal_action"
	CodeRateLimited   Code = "rate_limited"
	CodeFull          Code = "full"
	// Unavailable: the server cannot do it at present, whoever asks (its disk is full, it is
	// closing, the match is frozen).
	CodeUnavailable Code = "unavailable"
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

func errorf(code Code, format string, args ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// PublicError returns what of an error its causer may see: its code and message if it is an *Error,
// otherwise only that the server failed. It reports nothing: the Store reports its failures, and
// Lobby.Fault those of the server itself.
func PublicError(err error) (Code, string) {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Code, e.Message
	case errors.Is(err, context.Canceled):
		return CodeUnavailable, "The request was cancelled. Try again."
	case errors.Is(err, ErrClosed):
		return CodeUnavailable, "The server is closing. Come back in a moment."
	}
	return CodeUnavailable, internalErrorText
}

// internalErrorText is what people see of an internal error, which has been reported.
const internalErrorText = "The server failed; the operator has been notified. Try again later."

// InternalError reports an internal error that is not a failure of the store to the operator, and returns
// what its causer may see. It returns nil if err is nil.
func (l *Lobby) InternalError(msg string, err error, keyvals ...any) error {
	if err == nil {
		return nil
	}
	l.report(msg, append(keyvals, "err", err)...)
	return &Error{Code: CodeUnavailable, Message: internalErrorText, Cause: err}
}
