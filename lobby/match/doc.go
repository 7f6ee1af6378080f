// Package match is the functional core of matches: what a match is, its log of entries, and what happens in
// it.
//
// A [State] is an immutable value that [Step] takes from input to input. An input is a player's command, a
// check after some time, or the outcome of a request; what follows are [Effects]: a [Snapshot] to publish,
// the answer to a command, and at most one request for I/O, such as appending entries to the log. A state
// that waits for the outcome of a request accepts nothing else. So the log in the store decides: an entry
// is applied and shown only after it has been recorded, and after a conflict or an unclear outcome the log
// is read. Several nodes can each have a state of the same match on one log.
//
// The caller executes the effects, one after the other: the goroutine of lobby.Match does, and so does the
// simulation in the tests, which has no store, clock or goroutine.
//
// The package starts no goroutine, reads no time, takes no lock and does no I/O.
package match
