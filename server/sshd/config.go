package sshd

import (
	"context"
	"io"
	"net/netip"
	"time"

	"charm.land/log/v2"
)

// Handler serves sessions.
type Handler interface {
	// Serve runs one session and returns its exit status. Each call has its own goroutine. It should
	// return soon after ctx ends; see [Session] for when that is. A panic ends only the session.
	Serve(ctx context.Context, s *Session) int
}

// Config is the configuration of a Server.
type Config struct {
	// Listen has TCP addresses, at least one. Port 0 selects a free port; see Server.Addrs.
	Listen []string
	// HostKeys has files with ed25519 private keys, at least one. The first is the server's key and is
	// created if it is missing. The others are announced to clients as further keys of the server, so
	// that clients know the next key before it becomes the first.
	HostKeys []string
	// Proxies has the addresses of proxies that send a PROXY protocol header. If there are any, other
	// clients cannot connect, and a connection without a header is closed. If empty, no header is
	// expected.
	Proxies []netip.Prefix
	// Limits protect the server; its zero value means all defaults.
	Limits Limits
	// Handler serves the sessions. It must not be nil.
	Handler Handler
	// Logger gets messages for the operator; nil discards them. Text from clients is cleaned.
	Logger *log.Logger
}

// Limits bounds what clients can make the server do. A field that is zero has its default. The
// numbers of connections and their rate are settings; the others are the same everywhere, for the
// reasons given here.
type Limits struct {
	// Handshake is the time from a connection's first packet to its authentication: 15 s. A
	// handshake over a slow mobile network takes some seconds; a passphrase of a key may be asked for.
	Handshake time.Duration
	// Unused is how long an authenticated connection may stay without a running session: 1 min, so
	// that OpenSSH's ControlMaster and UpdateHostKeys work.
	Unused time.Duration
	// Idle is how long a session may stay without input, until its handler sets another limit
	// with Session.SetIdleLimit: 30 min. Only the sign-in has no other.
	Idle time.Duration
	// Stall is how long a client may leave output unread before its connection is closed: 30 s. A
	// mobile network that changes cells comes back sooner; the output that waits is bounded.
	Stall time.Duration
	// Keepalive is the time between two keepalive requests: 15 s, less than any usual timeout of
	// address translation. A client that leaves one unanswered for twice this time is dead, so that
	// the opponent sees it within half a minute.
	Keepalive time.Duration
	// Grace is how long a handler may still run after the server has ended its context, before
	// its channel is closed under it: 2 s. Handlers end in milliseconds unless the client is stalled.
	Grace time.Duration

	// Connections is how many there may be at once: 4096.
	Connections int
	// ConnectionsPerAddress is how many may come from one IPv4 address or IPv6 /64: 128, for a club or a class that
	// shares an address. An IPv6 /48 may have four times as many.
	ConnectionsPerAddress int
	// Unauthenticated is how many may be in their handshake at once: 1024. A handshake takes a few
	// milliseconds of processor time, so that more than that only wait for each other.
	Unauthenticated int
	// UnauthenticatedPerAddress is how many of those from one address or /64: 256, a quarter.
	UnauthenticatedPerAddress int
	// ConnectRate is how many new connections and sessions a second one address or /64 may
	// make: 50. An IPv6 /48 may make four times as many.
	ConnectRate float64
	// ConnectBurst is how many it may make at once: 1024.
	ConnectBurst int
	// HandshakeRate is how many new connections a second all addresses together may make for each processor: 150. A
	// handshake takes 0.5 ms, so that those of attackers with any number of addresses take at most 8 % of the
	// processors from those who play.
	HandshakeRate float64
	// HandshakeBurst is how many they may make at once: 4096, as many as Connections, so that all come back at once
	// after a restart.
	HandshakeBurst int

	// RekeyRate is how many key exchanges a minute one connection may have after its first: 6. Each
	// also counts as a new connection of its address. A connection that has more is closed. OpenSSH
	// and x/crypto start one after a gigabyte or more.
	RekeyRate float64
	// RekeyBurst is how many of those it may have at once: 10.
	RekeyBurst int

	// Channels is how many sessions one connection may have open: 3, for a screen, a second one over
	// the same connection (ControlMaster), and a command.
	Channels int
	// Width and Height are the largest terminal: 500 columns, 200 rows. A 4K display with a small
	// font has fewer; drawing one takes 5 ms.
	Width, Height int
	// CommandBytes is the longest command line: 4096. The longest command is a report of 500
	// characters.
	CommandBytes int
	// EnvCount and EnvBytes are how many environment variables a session keeps, and how long
	// one may be with its name: 16, 1024. OpenSSH sends LANG and LC_*, which are 14.
	EnvCount, EnvBytes int
	// InputRate is how many bytes a second, as on the wire, are read from a connection whose
	// sessions are terminals: 32 KiB. Twice as many may come at once. What is above it waits,
	// and in the end the client does. A key is 36 to 100 bytes on the wire.
	InputRate int
	// ExecInputRate is the same for a connection with a command, such as a program that uses
	// the API: 1 MiB, four times what the API promises.
	ExecInputRate int
}

// DefaultLimits returns the default of every limit.
func DefaultLimits() Limits { return Limits{}.withDefaults() }

func (l Limits) withDefaults() Limits {
	orDefault(&l.Handshake, 15*time.Second)
	orDefault(&l.Unused, time.Minute)
	orDefault(&l.Idle, 30*time.Minute)
	orDefault(&l.Stall, 30*time.Second)
	orDefault(&l.Keepalive, 15*time.Second)
	orDefault(&l.Grace, 2*time.Second)
	orDefault(&l.Connections, 4096)
	orDefault(&l.ConnectionsPerAddress, 128)
	orDefault(&l.Unauthenticated, 1024)
	orDefault(&l.UnauthenticatedPerAddress, 256)
	orDefault(&l.ConnectRate, 50)
	orDefault(&l.ConnectBurst, 1024)
	orDefault(&l.HandshakeRate, 150)
	orDefault(&l.HandshakeBurst, 4096)
	orDefault(&l.RekeyRate, 6)
	orDefault(&l.RekeyBurst, 10)
	orDefault(&l.Channels, 3)
	orDefault(&l.Width, 500)
	orDefault(&l.Height, 200)
	orDefault(&l.CommandBytes, 4096)
	orDefault(&l.EnvCount, 16)
	orDefault(&l.EnvBytes, 1024)
	orDefault(&l.InputRate, 32<<10)
	orDefault(&l.ExecInputRate, 1<<20)
	return l
}

func orDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// discard returns a logger that discards all messages.
func discard() *log.Logger { return log.New(io.Discard) }
