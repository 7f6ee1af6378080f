// Package table is the functional core of tables: open tables, challenges and quick matches.
//
// A State is an immutable value with a version. What users do to a table is a method that returns a [Change]: the
// state before and the next one, which says whom to notify, whether the table has closed, and whether its match has to
// be started. The caller replaces the stored state if it has still the version before, and then does what follows. The
// outcome of starting the match comes back as [State.Started] or [State.StartFailed]. A [Set] has the states of all
// tables, and [Changes] and [Decode] their stored form.
//
// It starts no goroutine, reads no time, takes no lock and does no I/O: what it has to know of users and
// limits is passed to it.
package table
