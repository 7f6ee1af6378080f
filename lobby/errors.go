package lobby

import (
	"context"
	"errors"
	"fmt"
)

// Code is the stable identifier of a kind of error. It is part of the API.
type Code string

// The codes of the API (docs/protocol.md, section 2.10).
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
	// CodeUnavailable means that the server cannot do it for anybody at present: its disk is full, it is
	// closing, or the match is frozen.
	CodeUnavailable Code = "unavailable"
)

// Error is an error for the client that caused it. Programs read Code; people read Message, which states
// what happened and what to do. Message is a clause without a capital letter and a full stop, such as "you
// already play 50 matches; finish one first", which the screens and the line mode complete. (Refusals of
// package access can be complete sentences, because sshd shows them alone.) Cause is never shown; the code
// that made the Error has reported it if it is a failure of the server.
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

// PublicError returns the code and message of an error for the client that caused it. Anything but an
// *Error, a cancelled context or ErrClosed becomes an internal error without details. It reports nothing:
// the Store and Lobby.InternalError do that.
func PublicError(err error) (Code, string) {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Code, e.Message
	case errors.Is(err, context.Canceled):
		return CodeUnavailable, "the request was cancelled; try again"
	case errors.Is(err, ErrClosed):
		return CodeUnavailable, "the server is restarting; try again in a moment"
	}
	return CodeUnavailable, internalErrorText
}

// internalErrorText is the message of an internal error, which has been reported.
const internalErrorText = "the server failed; the operator has been notified; try again later"

// InternalError reports an internal error, other than a failure of the store, to the operator and returns
// the *Error for the client that caused it. It returns nil if err is nil.
func (l *Lobby) InternalError(msg string, err error, keyvals ...any) error {
	if err == nil {
		return nil
	}
	l.report(msg, append(keyvals, "err", err)...)
	return &Error{Code: CodeUnavailable, Message: internalErrorText, Cause: err}
}
