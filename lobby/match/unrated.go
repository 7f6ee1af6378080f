package match

import (
	"slices"

	"ayumu/engine"
)

// UnratedReason is the reason for which a rated match changed no rating. It is empty if the match changed
// ratings, is casual or has not ended. The values are part of the API and of the data file.
type UnratedReason string

// The reasons.
const (
	UnratedAborted  UnratedReason = "aborted"
	UnratedShort    UnratedReason = "short"    // too few turns (engine.RatedTurns)
	UnratedAccount  UnratedReason = "account"  // a player has no account or has deleted it
	UnratedRepeated UnratedReason = "repeated" // two of the players have played too many rated matches within a day (rating.Weight)
	UnratedUnknown  UnratedReason = "unknown"  // the ratings could not be read; never in the data file
)

// String returns the reason in words that follow "Not rated: ".
func (u UnratedReason) String() string {
	switch u {
	case UnratedAborted:
		return "the game was aborted"
	case UnratedShort:
		return "the game had too few turns"
	case UnratedAccount:
		return "a player no longer has an account"
	case UnratedRepeated:
		return "these players have played too many rated games within a day"
	case UnratedUnknown:
		return "the server could not read the new ratings; see the players' profiles"
	}
	return string(u)
}

// IsLongEnough reports whether a match with these options and this EntryEnd can be rated: at least two
// seats have made the turns that the game asks for, and every seat has made one. So a player who leaves a
// match of three or more early does not keep it from being rated for the others.
func IsLongEnough(o engine.Options, end Entry) bool {
	minTurns, long := engine.RatedTurns(o), 0
	for _, n := range end.TurnsMade {
		if n >= minTurns {
			long++
		}
	}
	return long >= 2 && !slices.Contains(end.TurnsMade, 0)
}
