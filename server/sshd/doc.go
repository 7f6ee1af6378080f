// Package sshd is Ayumu's SSH server: it listens, authenticates clients, and passes each of their
// sessions to a [Handler].
//
// It guarantees that what a handler sees of a client is bounded and clean: sizes, TERM, environment,
// command line and input rate are limited; the client has proved that it owns the session's key; there is
// no forwarding, no subsystem and no file copy; and a session ends if its client is silent, does not read
// or has gone. It does not decide what a user may do.
//
// wish serves the connections. Below wish this package has its own listener, which counts and limits
// connections before a handshake begins, and its own handling of a session's requests, because wish does
// not limit them.
//
// Goroutines: for a connection wish has two (its channels, its global requests) and x/crypto
// three (reading, key exchange, multiplexing); the keepalive has none between its requests. A session
// has three: for its requests, for its handler, and for data on the stream that only a server may use (see
// [Session]).
//
// Locks are taken in this order: stream.writeMu; conn.mu; one of tracker.mu, connLimiter.mu and the locks of
// package limit. Session.mu and setup.mu are taken alone. Only stream.writeMu is held during I/O.
package sshd
