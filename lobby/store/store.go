package store

import (
	"context"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/notify"
	"ayumu/lobby/puzzles"
)

// Store is a whole store: what the lobby, the club and the puzzles keep, and what the operator needs to look after it.
// Package storetest has the tests that every store passes.
type Store interface {
	lobby.Store
	club.Store
	puzzles.Store
	notify.Store
	Maintenance
	Transfer
}

// Maintenance is for the operator. Its errors name the store and the remedy, and are reported by its
// callers.
type Maintenance interface {
	// ReportFailures sets the function that reports failures to the operator: a message and key-value pairs.
	// It may be called from any goroutine and must not block. Until it is set, failures are only returned.
	ReportFailures(report func(msg string, keyvals ...any))
	// Upgraded returns the upgrade that opening the store made; nil if there was none.
	Upgraded() *Upgrade
	// Health returns an error if the store cannot be read, or if the last change failed and a test write
	// fails as well. It leaves nothing behind.
	Health(ctx context.Context) error
	// FailedWrites returns the number of changes that failed since the store was opened, without those
	// rejected because of their content.
	FailedWrites() uint64
	// Size returns the size of the database in bytes, without the log of changes that precedes it on the disk.
	Size(ctx context.Context) (int64, error)
	// Check returns a line for each error in the stored data; none if it is intact. The content of the logs
	// is checked with AllMatches and match.VerifyLog.
	Check(ctx context.Context) ([]string, error)
	// Backup writes a copy of the store to a new file, while others read and write. The copy is on the disk
	// when Backup returns. It fails if the file exists; after an error it leaves no file.
	Backup(ctx context.Context, file string) error
	// Close completes the changes that have begun and closes the store. Changes after that return
	// errcode.ErrClosed. It may be called more than once.
	Close() error
}
