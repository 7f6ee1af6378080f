package errcode

import (
	"fmt"
	"time"
)

// Code is the stable identifier of a kind of error. It is part of the API.
type Code string

// The codes of the API (docs/protocol.md, section 2.10).
const (
	BadRequest        Code = "bad_request"
	UnknownTable      Code = "unknown_table"
	UnknownMatch      Code = "unknown_match"
	UnknownTournament Code = "unknown_tournament"
	NotAllowed        Code = "not_allowed"
	GameOver          Code = "game_over"
	StaleVersion      Code = "stale_version"
	NotYourTurn       Code = "not_your_turn"
	IllegalAction     Code = "illegal_action"
	RateLimited       Code = "rate_limited"
	Full              Code = "full"
	Closed            Code = "closed" // the time for it has passed
	// Unavailable means that the server cannot do it for anybody now: its disk is full, it is
	// closing, or the match is frozen.
	Unavailable Code = "unavailable"
)

// Error is an error for the client that caused it. Programs read Code; people read Message, which states
// what happened and what to do. Message is a clause without a capital letter and a full stop, such as "you
// already play 50 matches; finish one first", which the screens and the line mode complete. (Refusals of
// package access can be complete sentences, because sshd shows them alone.) Cause is never shown; the code
// that made the Error has reported it if it is a failure of the server.
type Error struct {
	Code    Code
	Message string
	Field   string    // the argument that the error is about, where forms show it; "": none, or not known
	Until   time.Time // when it will be allowed, where a RateLimited error is about minutes or more; zero: soon
	Cause   error
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("%s (%v)", e.Message, e.Cause)
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Cause }

// Errorf returns an *Error with a formatted message.
func Errorf(code Code, format string, args ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// InternalText is the message of an internal error, which the server's log has.
const InternalText = "the server failed; try again, and tell the operator if it fails again"

// StoreText is the message of a failure of the store, such as a full disk, which the server's log has.
const StoreText = "the server cannot read or save now; try again in a few minutes"

// Internal returns the *Error for the client that caused an internal error. The caller reports the cause.
func Internal(cause error) error {
	return &Error{Code: Unavailable, Message: InternalText, Cause: cause}
}
