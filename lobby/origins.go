package lobby

import (
	"maps"
	"net/netip"
	"slices"

	"ayumu/lobby/table"
)

// sameOrigin reports whether two of the users have sessions from the same origin. The caller holds Lobby.mu.
func sameOrigin(users []*user) bool {
	all := make([]table.User, len(users))
	for i, u := range users {
		all[i] = u.atTable(true)
	}
	return table.SameOrigin(all)
}

// origins returns the valid origins of the user's sessions on all nodes.
func (u *user) origins() []netip.Prefix {
	u.mu.Lock()
	others := u.presence.Origins()
	u.mu.Unlock()
	return append(u.originsHere(), others...)
}

// originsHere returns the valid origins of the user's sessions on this node.
func (u *user) originsHere() (all []netip.Prefix) {
	u.mu.Lock()
	sessions := slices.Collect(maps.Keys(u.sessions))
	u.mu.Unlock()
	for _, s := range sessions {
		if from := s.origin(); from.IsValid() {
			all = append(all, from)
		}
	}
	return all
}
