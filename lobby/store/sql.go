package store

import (
	"context"
	"database/sql"
	"time"

	"ayumu/lobby/errcode"
)

// Querier runs queries: a database, a connection or a transaction. Arguments are written ?1, ?2 and so on.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// BoundedQuerier is a Querier whose queries end after a time, with their last row. Scan sees to that.
type BoundedQuerier interface {
	Querier
	QueryTimeout() time.Duration
}

// Tx is a transaction that changes the database. Each statement sees what others have committed before it. What
// the transaction has locked or changed is not changed by others until it ends, so a function that relies on
// what it has read locks it first, accounts in the order of their ids, or changes it under a condition. Only the
// function that was called with it uses it.
type Tx interface {
	Querier
	// LockAccount waits until no other transaction has locked an account, and locks it until this one ends. It
	// does nothing if there is no such account. A database with one writer needs no locks.
	LockAccount(id int64) error
	// Lock is LockAccount for what has a name instead of an account.
	Lock(name string) error
	// Exec runs a statement and returns the number of rows that it changed.
	Exec(query string, args ...any) (rows int64, err error)
	// Row runs a query for one row.
	Row(query string, args ...any) *sql.Row
}

// Database is a database with the tables that the statements of this package name. Any goroutine may use
// it.
type Database interface {
	Querier
	// Update has do change the database in a transaction, in which nothing remains of it if it fails. The
	// change is durable when Update has returned nil. do may be called more than once. op names the
	// operation in errors, which are explained.
	Update(ctx context.Context, op string, do func(Tx) error) error
	// ReadTx calls do in a transaction that reads one state of the database.
	ReadTx(ctx context.Context, do func(Querier) error) error
	// Explain returns Describe(op, err) and reports it to the operator. It does nothing with errors on which
	// callers act. Every error of a method passes through it, or through Update, exactly once.
	Explain(op string, err error) error
	// Describe returns an error for the operator: the operation, the store, what happened and what to do.
	Describe(op string, err error) error
}

// RowScanner is a row of a query's result.
type RowScanner interface {
	// Scan stores the columns in variables, as sql.Rows does.
	Scan(to ...any) error
}

// DirectQuerier is a Database that has a shorter way for a query that is run for each connection.
type DirectQuerier interface {
	// ScanDirect is Scan; ok is false if the query has to be run by QueryContext. Variables are of the types *int64,
	// *bool, *string, *[]byte and those of sql.Null values of these.
	ScanDirect(ctx context.Context, query string, args []any, f func(RowScanner) error) (ok bool, err error)
}

// Scan calls f for each row of a query's result. It stops at the first error.
func Scan(ctx context.Context, q Querier, query string, args []any, f func(*sql.Rows) error) error {
	if b, ok := q.(BoundedQuerier); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.QueryTimeout())
		defer cancel()
	}
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// updateOne runs a statement that must change a row, or returns errcode.ErrNotFound.
func updateOne(t Tx, query string, args ...any) error {
	rows, err := t.Exec(query, args...)
	if err == nil && rows == 0 {
		return errcode.ErrNotFound
	}
	return err
}

// timeOfNanos returns the time n nanoseconds after 1970.
func timeOfNanos(n int64) time.Time { return time.Unix(0, n).UTC() }
