// Package rows keeps what all nodes of a lobby see beside accounts and matches, in small rows: open tables, vacations, who is
// online, chat, drafts. Most rows are gone when the last node stops; those that are durable, such as vacations and tables of
// correspondence games, stay. Each node reads what has changed since it last asked.
//
// There are two sorts of rows, each with values of a type: any node replaces a [Shared] row, by compare-and-swap, and each
// node writes its own rows [OfNode]. [Leases] are shared rows that say which node does what one node alone should do.
// [Kinds] is the list of both, through which a node follows what others have written.
//
// Accounts, matches and their logs are not here; they are in the store of package lobby.
package rows

import (
	"context"
	"errors"
	"strings"
	"time"
)

// ErrConflict: a row has another version than the one that was to be replaced. Nothing was written.
var ErrConflict = errors.New("the row has another version")

// MaxData is the maximum size of a row's data in bytes.
const MaxData = 64 << 10

// KeepDeleted is the time for which deleted rows are among the changes. A node that has not asked for longer
// has to start again, with an empty Cursor.
const KeepDeleted = time.Hour

// Key identifies a row.
type Key struct {
	Kind string // what it is, such as "table"; 1 to 16 characters
	ID   string // 1 to 100 characters
}

// Row is one state of a row.
type Row struct {
	Key
	Version int64     // 1 for a new row, and one more with each change, also after it was deleted
	Data    []byte    // nil: deleted
	At      time.Time // when it was written, by the clock of the store
}

// IsDeleted reports whether the row does not exist any more.
func (r *Row) IsDeleted() bool { return r.Data == nil }

// Write is a change of one row.
type Write struct {
	Key
	Replaces int64  // the version that is replaced; 0: there is no such row. A deleted row counts as none too
	Data     []byte // at most MaxData; nil: delete the row
	// Durable means that the row survives a restart of all nodes and a crash of the store, as the rows of
	// matches do. Other rows may be lost. All changes of a row have the same value.
	Durable bool
}

// Cursor says up to where a node has read the changes. The empty Cursor is before all of them. Only the store
// that made it can interpret it, except for what follows an @: it differs after the store was started again, or another
// machine has taken its place.
type Cursor string

// MayHaveLost reports whether changes that were visible at c may be undone at the next cursor.
func (c Cursor) MayHaveLost(next Cursor) bool {
	_, before, _ := strings.Cut(string(c), "@")
	_, after, _ := strings.Cut(string(next), "@")
	return c != "" && before != after
}

// Store keeps rows. Its methods may be called from any goroutine; callers hold no lock. An error that is
// neither ErrConflict nor context.Canceled is a failure of the store, which it has reported.
type Store interface {
	// Write makes all changes or none, and returns the new versions, in the same order. After an error that
	// is not ErrConflict the outcome is unclear. Data must not be changed afterwards. No key may occur twice.
	Write(ctx context.Context, changes ...Write) ([]Row, error)
	// Changes returns the newest states of all rows that have changed since a cursor, and the next cursor. Rows
	// may be returned that have not changed, and deleted ones that the node never saw. With the empty Cursor,
	// and if Cursor.MayHaveLost of the next one, it returns all rows that exist. The data must not be changed.
	Changes(ctx context.Context, since Cursor) ([]Row, Cursor, error)
	// Read returns the newest state of the rows of these keys that exist, in any order.
	Read(ctx context.Context, keys ...Key) ([]Row, error)
}
