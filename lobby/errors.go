package lobby

import (
	"errors"
	"fmt"
)

// Code is the stable part of an error, as programs see it.
type Code string

// The codes of interfaces.md, section 2.
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
// what to do). Cause is for the host's log and is never shown to either.
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
// otherwise only that the server failed.
func Explain(err error) (Code, string) {
	var e *Error
	if errors.As(err, &e) {
		return e.Code, e.Message
	}
	return Unavailable, "the server failed; its host has been told"
}
