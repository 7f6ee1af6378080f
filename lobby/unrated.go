package lobby

import (
	"maps"
	"net/netip"
	"slices"
	"time"

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

// An account is on the leaderboard if it has met this number of different opponents in rated matches within
// this time.
const (
	LeaderboardOpponents = 3
	LeaderboardWindow    = 90 * 24 * time.Hour
)

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

var errSameAddress = errorf(CodeNotAllowed, "rated games between players from one address are not allowed on this server; choose a casual game")

// sameAddress reports whether two of the users have sessions from the same origin. Sessions without an
// address, such as those of bots, count for none.
func sameAddress(users []*user) bool {
	seen := make(map[netip.Prefix]*user)
	for _, p := range users {
		for _, from := range p.origins() {
			if other, known := seen[from]; known && other != p {
				return true
			}
			seen[from] = p
		}
	}
	return false
}

// origins returns the valid origins of the user's sessions.
func (p *user) origins() (all []netip.Prefix) {
	p.mu.Lock()
	sessions := slices.Collect(maps.Keys(p.sessions))
	p.mu.Unlock()
	for _, s := range sessions {
		if from := s.origin(); from.IsValid() {
			all = append(all, from)
		}
	}
	return all
}
