// Package table is the functional core of tables: open tables, challenges and quick matches.
//
// A State is an immutable value with a version. What users do to a table is a method that returns the next
// state and what has to follow from it, a [Change]: whom to notify, whether the table has closed, and
// whether its match has to be started. The caller replaces the old state by the new one if no other change
// came between (compare the versions, or hold a lock), and then does what follows. The outcome of starting
// the match comes back as [State.Started] or [State.StartFailed].
//
// The package imports the engine, and of the lobby only account, clock, errcode and match. It starts no
// goroutine, reads no time, takes no lock and does no I/O: what it has to know of users and limits is
// passed to it.
package table
