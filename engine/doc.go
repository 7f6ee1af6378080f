// Package engine is what the rules of every game have in common.
//
// A game is a [Game] that makes a first [Position] for its [Options]; a position is an immutable
// value that names its legal actions and makes a new position of each. Actions, options and
// positions cross the package's border as text, so whoever keeps matches, logs or protocols
// needs to know no game. The sub-packages are the games; each stands in the registry of
// [ayumu/engine/games].
//
// The engine knows no time, no chance, no I/O and no goroutine, and imports nothing of this
// module. All of it may be used from several goroutines at once, because nothing is ever changed.
package engine
