package store

import (
	"context"
	"errors"
	"slices"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
)

// expectedErrors are the errors that callers cause and handle.
var expectedErrors = []error{
	errcode.ErrVersionConflict, errcode.ErrTaken, errcode.ErrNotFound, errcode.ErrLastKey, errcode.ErrCorrupt, errcode.ErrClosed,
	club.ErrLastOwner, club.ErrIsOwner, rows.ErrConflict, context.Canceled,
}

// ErrImpossible is the error for a value that a database cannot have, such as a text that is not UTF-8. Nothing has that
// value, so it is errcode.ErrNotFound, and it is the caller's mistake.
var ErrImpossible error = &errcode.Error{Code: errcode.BadRequest, Message: "the request has a character or a number that cannot be stored", Cause: errcode.ErrNotFound}

// IsExpected reports whether an error is nil or one on which callers act. Every other error is a failure of
// the store.
func IsExpected(err error) bool {
	var rematch *lobby.RematchError
	var unfinished *lobby.UnfinishedError
	return err == nil || slices.ContainsFunc(expectedErrors, func(e error) bool { return errors.Is(err, e) }) ||
		errors.As(err, &rematch) || errors.As(err, &unfinished)
}
