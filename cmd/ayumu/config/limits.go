package config

import "time"

// limits are the settings of the section of that name: all that protects the server from what
// people and programs send. Each has a range outside which it would protect nothing, or nobody
// could play.
func (c *Config) limits() []Setting {
	l, p := &c.Limits, &c.Lobby
	return []Setting{
		{"limits.handshake", "time for a handshake", true, duration(&l.Handshake, time.Second, 5*time.Minute)},
		{"limits.unused", "how long a connection may stay without a session", true, duration(&l.Unused, time.Second, time.Hour)},
		{"limits.idle", "how long somebody may stay without input before he is in the lobby", true, duration(&l.Idle, time.Second, day)},
		{"limits.idle-lobby", "how long somebody in the lobby may stay without input", true, duration(&p.IdleLobby, time.Second, 30*day)},
		{"limits.idle-watching", "the same for who watches a game; who plays one may always stay", true, duration(&p.IdleWatching, time.Second, 30*day)},
		{"limits.stall", "how long a client may take no output", true, duration(&l.Stall, time.Second, 10*time.Minute)},
		{"limits.keepalive", "time between two keepalive requests", true, duration(&l.Keepalive, time.Second, 10*time.Minute)},
		{"limits.grace", "how long a session that is ended may still run", true, duration(&l.Grace, 100*time.Millisecond, time.Minute)},
		{"limits.connections", "connections at once", true, count(&l.Connections, 1, 1<<20)},
		{"limits.connections-per-address", "of those from one IPv4 address or IPv6 /64", true, count(&l.ConnectionsPerAddress, 1, 1<<20)},
		{"limits.unauthenticated", "handshakes at once", true, count(&l.Unauthenticated, 1, 1<<20)},
		{"limits.unauthenticated-per-address", "of those from one address", true, count(&l.UnauthenticatedPerAddress, 1, 1<<20)},
		{"limits.connect-rate", "new connections and sessions a second from one address", true, rate(&l.ConnectRate, 0.001, 1e5)},
		{"limits.connect-burst", "of those at once", true, count(&l.ConnectBurst, 1, 1<<20)},
		{"limits.rekeys", "key exchanges a minute on one connection after its first; each also counts as a new connection", true, rate(&l.RekeyRate, 0.01, 1e5)},
		{"limits.rekeys-burst", "of those at once", true, count(&l.RekeyBurst, 1, 1000)},
		{"limits.channels", "sessions on one connection", true, count(&l.Channels, 1, 64)},
		{"limits.width", "columns of the largest terminal", true, count(&l.Width, 80, 1000)},
		{"limits.height", "rows of the largest terminal", true, count(&l.Height, 24, 500)},
		{"limits.command-bytes", "longest command line", true, count(&l.CommandBytes, 4, 32<<10)},
		{"limits.env-count", "environment variables of a session", true, count(&l.EnvCount, 1, 64)},
		{"limits.env-bytes", "longest of them, with its name", true, count(&l.EnvBytes, 4, 16<<10)},
		{"limits.input-rate", "bytes a second from a terminal; twice as many at once", true, count(&l.InputRate, 1<<10, 16<<20)},
		{"limits.exec-input-rate", "the same from a program; below 307200 its interface is slower than it promises", true, count(&l.ExecInputRate, 1<<10, 64<<20)},
		{"limits.keys", "keys a second that a screen takes", true, rate(&p.KeyRate, 20, 10000)},
		{"limits.keys-burst", "of those at once", true, count(&p.KeyBurst, 20, 100000)},
		{"limits.requests", "requests a second of a program; the interface promises 200", true, rate(&p.RequestRate, 200, 1e5)},
		{"limits.requests-burst", "of those at once; it promises 400", true, count(&p.RequestBurst, 400, 1<<20)},
		{"limits.request-bytes", "bytes of them a second; it promises 262144", true, rate(&p.ByteRate, 256<<10, 64<<20)},
		{"limits.request-bytes-burst", "of those at once", true, count(&p.ByteBurst, 256<<10, 64<<20)},
		{"limits.actions", "actions a second by one person at tables, and offers", true, rate(&p.ActionRate, 200, 1e5)},
		{"limits.actions-burst", "of those at once", true, count(&p.ActionBurst, 400, 1<<20)},
		{"limits.talk", "lines of talk a second by one person", true, rate(&p.ChatRate, 0.01, 100)},
		{"limits.talk-burst", "of those at once", true, count(&p.ChatBurst, 1, 1000)},
		{"limits.tables", "open tables at once", true, count(&p.Tables, 1, 100000)},
		{"limits.tables-per-person", "of those by one person", true, count(&p.TablesPerUser, 1, 1000)},
		{"limits.tables-per-address", "of those from one address", true, count(&p.TablesPerAddress, 1, 100000)},
		{"limits.matches", "matches at once", true, count(&p.Matches, 1, 1000000)},
		{"limits.matches-per-person", "of those by one person", true, count(&p.MatchesPerUser, 1, 10000)},
		{"limits.matches-per-address", "of those that were begun from one address", true, count(&p.MatchesPerAddress, 1, 1000000)},
		{"limits.sessions-per-person", "sessions of one person at once", true, count(&p.SessionsPerUser, 1, 1<<20)},
		{"limits.watched", "matches that one session watches at once", true, count(&p.WatchedPerSession, 1, 10000)},
		{"limits.blocks", "people whom one person can block", true, count(&p.BlocksPerUser, 1, 10000)},
		{"limits.codes", "codes of returning guests and further keys that are tried a second from one address", true, rate(&p.CodeRate, 0.01, 100)},
		{"limits.codes-burst", "of those at once", true, count(&p.CodeBurst, 1, 1000)},
		{"limits.newcomers", "new accounts a minute from one address", true, rate(&p.NewAccountRate, 0.01, 1e5)},
		{"limits.newcomers-burst", "of those at once", true, count(&p.NewAccountBurst, 1, 1<<20)},
		{"limits.invitations", "invitations that strangers try a minute from one address", true, rate(&c.Access.GuessRate, 0.1, 1000)},
		{"limits.invitations-burst", "of those at once", true, count(&c.Access.GuessBurst, 1, 1000)},
		{"limits.reports", "reports a minute from one address", true, rate(&c.Access.ReportRate, 0.1, 1000)},
		{"limits.reports-burst", "of those at once", true, count(&c.Access.ReportBurst, 1, 1000)},
		{"limits.reports-per-address", "open reports that came from one address", true, count(&c.Access.ReportsPerAddress, 1, 100000)},
		{"limits.reports-per-person", "open ones of one person, or of all guests from one address", true, count(&c.Access.ReportsPerUser, 1, 1000)},
	}
}

const day = 24 * time.Hour
