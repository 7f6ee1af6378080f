package sshd

// Identifiers of limits that neither reject nor close a connection, as Stats.LimitHits has them.
const (
	hitAttempts  = "auth_attempts"
	hitChannels  = "channels"
	hitCommand   = "command_bytes"
	hitEnv       = "env"
	hitGrace     = "grace"
	hitIdle      = "idle"
	hitInput     = "input_rate"
	hitHandshake = "handshake"
	hitTerminal  = "terminal_size"
)

// A closeReason is why a connection is rejected or closed. It is an error, whose text goes to the log.
type closeReason struct {
	id   string // stable identifier, in snake_case, as Stats.LimitHits has it
	text string
}

// Error implements error.
func (r *closeReason) Error() string { return r.text }

// Reasons to reject a connection before its handshake.
var (
	errConnections        = &closeReason{"connections", "too many connections"}
	errAddressConnections = &closeReason{"connections_per_address", "too many connections from this address"}
	errHandshakes         = &closeReason{"unauthenticated", "too many handshakes"}
	errAddressHandshakes  = &closeReason{"unauthenticated_per_address", "too many handshakes from this address"}
	errNetworkConnections = &closeReason{"connections_per_network", "too many connections from this IPv6 /48"}
	errNetworkRate        = &closeReason{"connect_rate_per_network", "too many new connections a second from this IPv6 /48"}
	errHandshakeRate      = &closeReason{"handshake_rate", "too many new connections a second in all"}
	errConnectRate        = &closeReason{"connect_rate", "too many new connections a second from this address"}
)

// Reasons to close a connection.
var (
	errWriteFailed      = &closeReason{"write_failed", "writing to the connection failed"}
	errUnused           = &closeReason{"unused", "the client has no session"}
	errRejectedChannels = &closeReason{"rejected_channels", "too many rejected channels are unanswered"}
	errStall            = &closeReason{"stall", "the client does not read its output"}
	errClosedByHandler  = &closeReason{"closed_by_handler", "the handler closed the connection"}
	errUnreadData       = &closeReason{"unread_data", "the client sent data on a stream that is not read"}
	errKeepalive        = &closeReason{"keepalive", "the client does not answer keepalive requests"}
	errKeyExchanges     = &closeReason{"rekeys", "too many key exchanges"}
	errShutdown         = &closeReason{"shutdown", "the server stops"}
)
