package config

import "time"

// limits returns the settings of section [limits]: those limits that depend on the machine, on the
// number of players or on how many of them share an address. The others are constants: sshd.Limits,
// limit.Limits and club.Policy have them, with the reasons. Outside its range a limit would
// protect nothing, or nobody could play.
func (c *Config) limits() []Setting {
	l, p := &c.Limits, &c.Lobby
	return []Setting{
		// The memory of the machine, and classes or events whose players share one address.
		{"limits.connections", "connections at once", true, count(&l.Connections, 1, 1<<20)},
		{"limits.connections-per-address", "connections at once from one IPv4 address or IPv6 /64", true, count(&l.ConnectionsPerAddress, 1, 1<<20)},
		{"limits.connect-rate", "new connections and sessions a second from one address", true, rate(&l.ConnectRate, 0.001, 1e5)},
		{"limits.connect-burst", "new connections and sessions at once from one address", true, count(&l.ConnectBurst, 1, 1<<20)},

		// A small server ends idle sessions sooner; a club may leave boards on a screen for days.
		{"limits.idle-lobby", "how long a session in the lobby may go without input", true, duration(&p.IdleLobby, time.Second, 30*day)},
		{"limits.idle-watching", "how long a session that watches a game may go without input; players in a game have no such limit", true, duration(&p.IdleWatching, time.Second, 30*day)},

		// How many play at the same time: one club, or a community with hundreds of correspondence games.
		{"limits.tables", "open tables at once; at most half of them from one address", true, count(&p.Tables, 1, 100000)},
		{"limits.tables-per-person", "open tables of one player at once", true, count(&p.TablesPerUser, 1, 1000)},
		{"limits.matches", "matches at once; at most a quarter of them started from one address", true, count(&p.Matches, 1, 1000000)},
		{"limits.matches-per-person", "unfinished matches of one player", true, count(&p.MatchesPerUser, 1, 10000)},
		{"limits.sessions-per-person", "sessions of one player at once", true, count(&p.SessionsPerUser, 1, 1<<20)},

		// New accounts: the only limit on clients that the server does not know yet.
		{"limits.new-accounts", "new accounts a minute from one address", true, rate(&p.NewAccountRate, 0.01, 1e5)},
		{"limits.new-accounts-burst", "new accounts at once from one address", true, count(&p.NewAccountBurst, 1, 1<<20)},

		// Taste: a quiet club, or a lively one.
		{"limits.chat", "chat lines a second by one player", true, rate(&p.ChatRate, 0.01, 100)},
		{"limits.chat-burst", "chat lines at once by one player", true, count(&p.ChatBurst, 1, 1000)},
	}
}

const day = 24 * time.Hour
