// Package pairing computes who plays whom in a round of a tournament: by the Swiss system, in a round robin, and at tables
// of three and more.
//
// Its functions get the entrants as plain numbers and return indices of them. The same entrants always lead to the same
// round: work is bounded in steps and never in time. A round of the Swiss system can be checked by hand, and [PassedOver]
// says why an entrant did not get another opponent.
//
// The package starts no goroutine, reads no time, takes no lock, has no chance and does no I/O.
package pairing
