// Package engine defines what the rules of every game have in common.
//
// A [Game] returns the first [Position] of a match for its [Options]. A position is an immutable value
// that lists its legal actions and returns the position after each. Actions, options and positions are
// exchanged as text, so the packages that store matches, write logs or speak protocols need not know a
// game. Each game is a subpackage, with its engine beside it. A program passes the list of its
// games, a [Games], to what needs it.
//
// The rules do no I/O, read no clock, use no random numbers and start no goroutine. Their values never change, so all
// of them are safe for concurrent use.
package engine
