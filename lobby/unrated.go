package lobby

import (
	"maps"
	"net/netip"
	"slices"
	"time"

	"ayumu/lobby/errcode"
)

// An account is on the leaderboard if it has met this number of different opponents in rated matches within
// this time.
const (
	LeaderboardOpponents = 3
	LeaderboardWindow    = 90 * 24 * time.Hour
)

var errSameAddress = errcode.Errorf(errcode.NotAllowed, "rated games between players from one address are not allowed on this server; choose a casual game")

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
