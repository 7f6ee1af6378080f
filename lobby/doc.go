// Package lobby is the domain of the server: users and their sessions, open tables, pairing, matches
// with their clocks, spectators, chat, and the limits on all of them. All sessions share one [Lobby].
//
// The package knows neither SSH nor screens. It reads and writes accounts and matches through a [Store], which another
// package implements.
//
// Several processes on one Store can be nodes of one lobby (package cluster): each has a Lobby with all running
// matches, and follows what the others change (follow.go).
//
// # Ownership
//
// Packages match and table decide what happens in a match and at a table. They are functional cores without
// goroutines, clocks, locks and I/O; the lobby keeps their states and does what follows from each step.
//
// The state of a [Match] is owned by one goroutine (runner.run), which takes commands from a bounded queue.
// An entry is appended to the match's log in the store before it is applied or acknowledged, and then an
// immutable [match.Snapshot] is published. Lobby.mu guards users, the states of tables and the set of matches.
// Nothing is sent to a [Session]: it is woken through a channel with room for one signal, and then reads the
// newest snapshots. So a session that does not read delays nobody.
//
// # Lock order
//
// A goroutine takes these locks in this order only: rows.Kinds.mu, Lobby.mu, Session.mu, Match.mu, user.mu.
// No goroutine blocks while it holds a lock: waking a session never waits, and the store is called without locks.
// docs/concurrency.md lists all locks and goroutines of the server, with the locks that are taken under others.
package lobby
