// Package lobby is where people meet and play: who is here, open tables, pairing, matches with
// their clocks, watchers, chat. It shares one authoritative state among all sessions.
//
// It imports the engine and nothing else of this module; it knows neither SSH nor screens. What
// it keeps goes through a [Store] that somebody else implements.
//
// # Who owns what
//
// A [Match] is owned by one goroutine that takes commands from a bounded queue; nobody else
// changes it. It appends to the match's log in the store before it applies or acknowledges
// anything, and publishes immutable [Snapshot]s. Tables and presence are owned by the Lobby's
// mutex. A session never gets anything sent: it is woken through a channel of one, and then reads
// the newest of what it looks at. So a session that does not read delays nobody and owes nothing.
//
// # Lock order
//
// Lobby.mu, then Session.mu, then Match.audience, then person.mu, then Chat.mu; that of Alarms may
// be taken within all of them, and none within it. A match's goroutine holds no lock
// while it calls the store, and takes Lobby.mu only through the Lobby's own methods. Nothing
// blocks while it holds a lock: wakes never wait, and store calls are made without locks.
package lobby
