// Package sshd is the SSH side of Ayumu: it listens, finds out who has connected, and gives
// every session that a client opens to a [Handler].
//
// It promises that a handler only ever sees a bounded and tidy client: sizes, TERM, environment,
// command line and input rate are limited before they arrive; a key is one whose owner has
// proved to have it; forwarding, subsystems and file copies do not exist; and a client that is
// silent, deaf or gone ends the session by itself. What a person may do is not decided here.
//
// wish serves the connections. Lower than wish this package has its own listener, which counts
// and limits connections before a handshake begins, and its own reading of a session's requests,
// because wish takes them as they come. It imports nothing of this module, so that the lobby and
// the screens can be joined to it by whoever wires the program.
//
// Goroutines: for a connection wish has two (its channels, its global requests) and x/crypto
// three (reading, key exchange, multiplexing); the keepalive has none between its beats. For a
// session there are three: its requests, its handler, and one that looks out for data on the
// stream that only a server may use (see [Session]).
//
// Locks are taken in this order, and nothing waits for a client with any but the first:
// Session.writing, conn.mu, then one of Server.mu, doors.mu. Session.mu is taken alone.
package sshd
