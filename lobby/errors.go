package lobby

import (
	"context"
	"errors"

	"ayumu/lobby/errcode"
	"ayumu/lobby/sanitize"
)

// maxMessage is the maximum length of the message of an error, in characters.
const maxMessage = 500

// PublicError returns the code and message of an error for the client that caused it. Anything but an
// *errcode.Error, a cancelled context or errcode.ErrClosed is a failure of the store, without details. It reports nothing:
// the Store and Lobby.InternalError do that. The message can repeat some of what the client has sent, so it is cleaned
// and bounded.
func PublicError(err error) (errcode.Code, string) {
	var e *errcode.Error
	switch {
	case errors.As(err, &e):
		return e.Code, sanitize.Line(e.Message, maxMessage)
	case errors.Is(err, context.Canceled):
		return errcode.Unavailable, "the request was cancelled; try again in a moment"
	case errors.Is(err, errcode.ErrClosed):
		return errcode.Unavailable, "the server is restarting; try again in a moment"
	}
	return errcode.Unavailable, errcode.StoreText
}

// InternalError reports an internal error, other than a failure of the store, to the operator and returns
// the *errcode.Error for the client that caused it. It returns nil if err is nil.
func (l *Lobby) InternalError(msg string, err error, keyvals ...any) error {
	if err == nil {
		return nil
	}
	l.report(msg, append(keyvals, "err", err)...)
	return errcode.Internal(err)
}
