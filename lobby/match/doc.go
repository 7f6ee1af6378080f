// Package match defines what a match is: its description, its log of entries and the state that follows
// from them, and the immutable snapshots that sessions read.
//
// The package imports the engine, and of the lobby only account, clock and rating. It starts no goroutine,
// reads no time, takes no lock and does no I/O.
package match
