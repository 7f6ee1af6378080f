package errcode

import "errors"

// Errors of stores on which the lobby acts. They have no code, because no client gets them: whoever calls a store makes an
// *Error of them.
var (
	// ErrVersionConflict: what was to be changed has another version, or the log another end.
	ErrVersionConflict = errors.New("the log has another version")
	// ErrTaken: an account has this name, a similar one, or this key.
	ErrTaken = errors.New("taken")
	// ErrNotFound: there is no such account, key, match or tournament.
	ErrNotFound = errors.New("unknown")
	// ErrLastKey: the account has only this key.
	ErrLastKey = errors.New("the last key")
	// ErrNotOnline: the user who is challenged is not online.
	ErrNotOnline = errors.New("not online")
	// ErrCorrupt: the stored data of a match or a tournament cannot be read. The error names it.
	ErrCorrupt = errors.New("damaged")
	// ErrClosed: the store is closed, because the server is stopping.
	ErrClosed = errors.New("the store is closed")
)
