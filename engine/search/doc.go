// Package search defines what the engines of all games have in common: an [Engine] makes a [Searcher] for
// each match, which searches positions within [Options] and returns [Advice]. The engine of a game is in
// the package search below its rules. A game without one is played at random ([Random]).
//
// The package starts no goroutine. An engine may use Options.Threads goroutines during a
// search; none outlives it. If the limit on playouts is reached before that on time, and with one thread, advice depends
// only on the position, the options and the positions that the searcher has searched before, so that games are
// reproducible.
package search
