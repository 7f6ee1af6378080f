package club

import "strings"

// Policy is the operator's decision about who may connect and who may chat.
type Policy struct {
	Open          bool // any key; otherwise those of the list and of members
	AllowGuests   bool // without a key
	LobbyChat     bool // users may chat in the lobby
	SpectatorChat bool // spectators may chat
	// MembersOrganize means that every player may organize tournaments, not only moderators.
	MembersOrganize bool

	// GuessRate is the number of invitation codes that unknown keys may try a minute from one address; GuessBurst at
	// once. A code has 100 random bits; the limit protects the database. ReportRate and ReportBurst limit reports from
	// one address in the same way. ReportsPerUser and ReportsPerAddress limit those that are open, because moderators
	// read each of them.
	GuessRate, ReportRate                                      float64
	GuessBurst, ReportBurst, ReportsPerUser, ReportsPerAddress int
}

// PublicPolicy returns the policy of a public server.
func PublicPolicy() Policy {
	return Policy{
		Open: true, AllowGuests: true, LobbyChat: true, SpectatorChat: true,
		GuessRate: 12, GuessBurst: 20, ReportRate: 12, ReportBurst: 20, ReportsPerUser: 5, ReportsPerAddress: 25,
	}
}

// KeyList has the keys that the operator admits, by their SSH wire format. It must not be changed while a
// Club uses it.
type KeyList map[string]ListedKey

// ListedKey is an entry of the list of keys.
type ListedKey struct {
	Role Role
	Name string // a suggestion for the account's name; "": none
}

// hasOwner reports whether a key is listed with the role owner.
func (l KeyList) hasOwner() bool {
	for _, entry := range l {
		if entry.Role >= RoleServerOwner {
			return true
		}
	}
	return false
}

// name returns the name of a key by its fingerprint; "" if it has none.
func (l KeyList) name(fingerprint string) string {
	for wire, entry := range l {
		if entry.Name != "" && keyFingerprint([]byte(wire)) == fingerprint {
			return entry.Name
		}
	}
	return ""
}

// findName returns a name of the list as it is written there; "" if it is not in the list.
func (l KeyList) findName(name string) string {
	for _, entry := range l {
		if entry.Name != "" && strings.EqualFold(entry.Name, name) {
			return entry.Name
		}
	}
	return ""
}

// role returns the role of a key by its fingerprint; RolePlayer if it is not listed.
func (l KeyList) role(fingerprint string) Role {
	for wire, entry := range l {
		if keyFingerprint([]byte(wire)) == fingerprint {
			return entry.Role
		}
	}
	return RolePlayer
}
