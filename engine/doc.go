// Package engine defines what the rules of every game have in common.
//
// A [Game] returns the first [Position] of a match for its [Options]. A position is an immutable value
// that lists its legal actions and returns the position after each. Actions, options and positions are
// exchanged as text, so the packages that store matches, write logs or speak protocols need not know a
// game. Each game is a subpackage, with its engine beside it. A program passes the list of its
// games, a [Games], to what needs it.
//
// The engine does no I/O, reads no clock, uses no random numbers, starts no goroutine and imports no other
// package of this module. Its values never change, so all of it is safe for concurrent use.
package engine
