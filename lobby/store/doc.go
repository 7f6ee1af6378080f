// Package store implements the lobby's Store on SQLite: accounts, the logs of matches, archive
// and ratings in one file. It imports the lobby and its ratings, the engine to read options and
// results back, and nothing else of this module.
//
// # Promises
//
// What a method has returned without an error is on the disk: the file is in WAL mode with
// synchronous=FULL, and nobody is answered before the transaction that holds his change is
// committed. One goroutine writes. It takes whatever waits into one transaction (a group commit),
// each change in a savepoint of its own, so that a refused one changes nothing and hinders no
// other. Reads go through connections of their own and wait for no writer.
//
// The log of a match is append-only. Its key is the match and the version that an entry makes, so
// that of two writers only one can win, and an entry is only taken if the one before it is there
// and the match has not ended. New entries stand one behind the other, whatever their match, and go
// to their logs many at once: a commit of fifty turns writes a few pages, and not fifty.
//
// # Failures
//
// A full disk, an exceeded quota or a failed write fails the changes that it concerns, and play
// goes on by itself once writes succeed. After a failed sync the file can no longer be trusted to
// keep what it says it keeps, and a damaged file must not be written further: then nothing more is
// written until the server is started again. Errors name the file and say what to do.
// [SQLite.WriteFailure] says whether writes fail at present.
//
// # The file
//
// The tables are in schema.go, the form of an entry's body in entry.go. Times are nanoseconds
// since 1970 in UTC. A file that a newer version wrote is refused. The statements keep to what
// PostgreSQL understands too; what is SQLite's alone is in open.go, schema.go, statements.go (begin) and backup.go.
package store
