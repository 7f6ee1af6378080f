// Package sqlite implements store.Store with SQLite: accounts, the logs of matches, the archive, ratings and
// the club's data in one file.
//
// # Durability
//
// A change is on the disk when its method has returned nil: the file is in WAL mode with synchronous=FULL,
// and no caller is answered before its transaction is committed. One goroutine writes. It takes all queued
// changes into one transaction (a group commit), each in a savepoint of its own, so that one that fails
// changes nothing and does not affect the others. Reads use connections of their own and do not wait for
// the writer.
//
// The log of a match is append-only. Its key is the match and the version that an entry makes, so that only
// one of two writers can append it, and an entry is accepted only if the one before it exists and the match
// has not ended. New entries are stored in one table in the order of their arrival, and moved to their logs
// many at once: a commit of fifty turns writes a few pages instead of fifty.
//
// # Failures
//
// A full disk, an exceeded quota or a failed write fails only the changes concerned, and play goes on once
// writes succeed. After a failed sync the content of the file is no longer certain, and a corrupt file must
// not be written further: then nothing is written until the server is restarted. Errors name the file and
// the remedy. [Store.WriteFailure] reports whether writes fail at present.
//
// # The file
//
// The tables are those of store.Tables and of schema.go. A file written by a newer version is not opened.
package sqlite
