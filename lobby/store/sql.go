package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
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

// DirectQueries are the queries that are run for each connection of a client.
var DirectQueries = []string{accountByKey, lastVisit}

// DirectQuerier is a Database that has a shorter way for DirectQueries.
type DirectQuerier interface {
	// ScanDirect is Scan; ok is false if the query has to be run by QueryContext. Variables are of the types *int64,
	// *bool, *string, *[]byte and those of sql.Null values of these.
	ScanDirect(ctx context.Context, query string, args []any, f func(RowScanner) error) (ok bool, err error)
}

// Scan calls f for each row of a query's result. It stops at the first error. f uses the row until it returns.
func Scan(ctx context.Context, q Querier, query string, args []any, f func(RowScanner) error) error {
	if b, ok := q.(BoundedQuerier); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.QueryTimeout())
		defer cancel()
	}
	if d, ok := q.(DirectQuerier); ok {
		if ok, err := d.ScanDirect(ctx, query, args, f); ok {
			return err
		}
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

// All returns what read makes of each row of a query's result, in their order.
func All[T any](ctx context.Context, q Querier, query string, args []any, read func(RowScanner) (T, error)) (all []T, err error) {
	err = Scan(ctx, q, query, args, func(row RowScanner) error {
		v, err := read(row)
		all = append(all, v)
		return err
	})
	return all, err
}

// One returns what read makes of the row of a query that returns at most one; the zero value if it returns none.
func One[T any](ctx context.Context, q Querier, query string, args []any, read func(RowScanner) (T, error)) (v T, err error) {
	err = Scan(ctx, q, query, args, func(row RowScanner) (err error) {
		v, err = read(row)
		return err
	})
	return v, err
}

// Exists reports whether a query returns rows.
func Exists(ctx context.Context, q Querier, query string, args ...any) (bool, error) {
	return One(ctx, q, "SELECT EXISTS ("+query+")", args, Value[bool])
}

// Value reads a row of one column, for All and One.
func Value[T any](row RowScanner) (v T, err error) {
	err = row.Scan(&v)
	return v, err
}

// timeIn returns the target of Scan for a column that has a time; null is the zero time.
func timeIn(t *time.Time) sql.Scanner { return (*storedTime)(t) }

type storedTime time.Time

// Scan implements sql.Scanner.
func (t *storedTime) Scan(v any) error {
	switch n := v.(type) {
	case nil:
		*t = storedTime{}
	case int64:
		*t = storedTime(timeOfNanos(n))
	default:
		return fmt.Errorf("a %T is not a time", v)
	}
	return nil
}

// readTime reads a row of one column, a time.
func readTime(row RowScanner) (t time.Time, err error) {
	err = row.Scan(timeIn(&t))
	return t, err
}

// nanosOrNull returns the stored form of a time in a column that can be null; null for the zero time.
func nanosOrNull(t time.Time) sql.NullInt64 {
	if t.IsZero() {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: t.UnixNano(), Valid: true}
}

// jsonIn returns the target of Scan for a column with the JSON of the variable to which v points. Null and "" leave it as
// it is.
func jsonIn(v any) sql.Scanner { return storedJSON{v} }

type storedJSON struct{ to any }

// Scan implements sql.Scanner.
func (j storedJSON) Scan(v any) error {
	switch raw := v.(type) {
	case nil:
		return nil
	case string:
		return j.decode([]byte(raw))
	case []byte:
		return j.decode(raw)
	}
	return fmt.Errorf("a %T is not JSON", v)
}

func (j storedJSON) decode(raw []byte) error {
	if len(raw) == 0 {
		return nil
	}
	return json.Unmarshal(raw, j.to)
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
