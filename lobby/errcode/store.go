package errcode

import "errors"

// Errors of stores.
var (
	// ErrVersionConflict: what was to be changed has another version.
	ErrVersionConflict = errors.New("the log has another version")
	// ErrNotFound: there is no such account, key or match.
	ErrNotFound = errors.New("unknown")
	// ErrCorrupt: the stored data of a match cannot be read. The error names the match.
	ErrCorrupt = errors.New("damaged")
)
