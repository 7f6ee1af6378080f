package lobby

import (
	"maps"
	"net/netip"
	"slices"
	"time"

	"ayumu/engine"
)

// UnratedReason is the reason for which a rated match changed no rating; empty: it did, or it is casual, or
// it has not ended. The values are part of the programs' interface and of the data file.
type UnratedReason string

// The reasons.
const (
	UnratedAborted  UnratedReason = "aborted"
	UnratedShort    UnratedReason = "short"    // too few turns (engine.RatedTurns)
	UnratedAccount  UnratedReason = "account"  // a player has no account with a key, or has deleted it
	UnratedRepeated UnratedReason = "repeated" // two of the players have met too often within a day (rating.Weight)
	UnratedUnknown  UnratedReason = "unknown"  // ratings may have changed, but could not be read; never in the data file
)

// String says the reason to people, after "Not rated: ".
func (u UnratedReason) String() string {
	switch u {
	case UnratedAborted:
		return "the game was aborted"
	case UnratedShort:
		return "the game had too few turns"
	case UnratedAccount:
		return "a player has no account any more"
	case UnratedRepeated:
		return "these players have had enough rated games within a day"
	case UnratedUnknown:
		return "the server could not read the new ratings; profiles have them"
	}
	return string(u)
}

// The leaderboard lists accounts that have met so many different opponents in rated matches within
// so long.
const (
	LeaderboardOpponents = 3
	LeaderboardWindow    = 90 * 24 * time.Hour
)

// IsLongEnough reports whether a match with these options and this end can be rated: at least two of
// its seats have made the turns that the game asks for, and each has made one. So whoever leaves a
// game of three or more early does not keep it from being rated for the others.
func IsLongEnough(o engine.Options, end Entry) bool {
	minimum, long := engine.RatedTurns(o), 0
	for _, n := range end.TurnsMade {
		if n >= minimum {
			long++
		}
	}
	return long >= 2 && !slices.Contains(end.TurnsMade, 0)
}

var errSameAddress = errorf(CodeNotAllowed, "Rated games between players from one address are not allowed on this server. Choose a casual game.")

// sameAddress reports whether two of these people are here from the same address. Those of whom no
// address is known, such as the server's bots, share it with nobody.
func sameAddress(people []*user) bool {
	seen := make(map[netip.Prefix]*user)
	for _, p := range people {
		for _, from := range p.origins() {
			if other, known := seen[from]; known && other != p {
				return true
			}
			seen[from] = p
		}
	}
	return false
}

// origins returns from where the person's sessions come.
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
