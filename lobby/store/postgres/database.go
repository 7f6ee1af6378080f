package postgres

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/store"
)

const (
	// changeTimeout bounds a change, with its repetitions. It is shorter than the time that the lobby waits, and
	// longer than a restart of the database.
	changeTimeout = 6 * time.Second
	// readTimeout bounds the repetitions of a read. It is short, because the lobby reads a log when it could not
	// be changed, and only then answers the player.
	readTimeout = time.Second
)

// database is the store.Database of a Store: what the statements of package store use.
type database struct{ s *Store }

// numbered returns a query with the placeholders of PostgreSQL: $1 for ?1. A question mark in a text is none, nor is one
// without a number, such as the operator of JSON.
func numbered(query string) string {
	var b strings.Builder
	quoted, copied := false, 0
	for i := range len(query) {
		switch c := query[i]; {
		case c == '\'':
			quoted = !quoted
		case c == '?' && !quoted && i+1 < len(query) && '1' <= query[i+1] && query[i+1] <= '9':
			b.WriteString(query[copied:i])
			b.WriteByte('$')
			copied = i + 1
		}
	}
	if copied == 0 {
		return query
	}
	b.WriteString(query[copied:])
	return b.String()
}

// QueryTimeout implements store.BoundedQuerier.
func (d database) QueryTimeout() time.Duration { return changeTimeout }

// QueryContext implements store.Querier, outside of a transaction. It is repeated after a broken connection,
// because the pool can have others from before a restart of the database.
func (d database) QueryContext(ctx context.Context, query string, args ...any) (rows *sql.Rows, err error) {
	err = repeat(ctx, readTimeout, isConnectionError, func(ctx context.Context) error {
		rows, err = d.s.db.QueryContext(ctx, numbered(query), args...)
		return err
	})
	return rows, err
}

// ReadTx implements store.Database.
func (d database) ReadTx(ctx context.Context, do func(store.Querier) error) error {
	t, err := d.s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return err
	}
	defer t.Rollback()
	return do(tx{ctx, t})
}

// Update implements store.Database. The end of ctx ends waiting for a connection; what has begun is completed.
func (d database) Update(ctx context.Context, op string, do func(store.Tx) error) error {
	return d.s.explainError(op, d.s.update(ctx, false, do))
}

// update has do change the database in a transaction. If do is repeatable, it can be called again after a
// transaction of which it is unclear whether it was committed.
func (s *Store) update(ctx context.Context, repeatable bool, do func(store.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !s.begin() {
		return errcode.ErrClosed
	}
	defer s.changes.Done()
	unclear := false
	err := repeat(ctx, changeTimeout, func(err error) bool {
		return isConflict(err) || isConnectionError(err) && (repeatable || !unclear)
	}, func(ctx context.Context) error {
		return s.transact(ctx, &unclear, do)
	})
	s.recordChange(err)
	return err
}

// transact runs do in a transaction. It sets unclear if the outcome of the commit is.
func (s *Store) transact(ctx context.Context, unclear *bool, do func(store.Tx) error) error {
	c, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	ctx = context.WithoutCancel(ctx) // of its caller; changeTimeout still holds
	ctx, cancel := context.WithTimeout(ctx, changeTimeout)
	defer cancel()
	t, err := c.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer t.Rollback()
	if err := recoverPanic(func() error { return do(tx{ctx, t}) }); err != nil {
		return err
	}
	if err := t.Commit(); err != nil {
		*unclear = true
		return err
	}
	return nil
}

// recordChange records whether the database could be changed.
func (s *Store) recordChange(err error) {
	failed := 0
	if err != nil {
		if !isFailure(err) {
			return
		}
		failed = 1
	} else {
		s.awayReported.reset()
	}
	s.RecordWrite(failed, err)
}

// tx is a transaction, a store.Tx.
type tx struct {
	ctx context.Context // of the whole transaction, whose end ends each statement
	sql *sql.Tx
}

// QueryContext implements store.Querier. The context of the transaction counts.
func (t tx) QueryContext(_ context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.sql.QueryContext(t.ctx, numbered(query), args...)
}

// Exec implements store.Tx.
func (t tx) Exec(query string, args ...any) (rows int64, err error) {
	r, err := t.sql.ExecContext(t.ctx, numbered(query), args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// Row implements store.Tx.
func (t tx) Row(query string, args ...any) *sql.Row {
	return t.sql.QueryRowContext(t.ctx, numbered(query), args...)
}

// LockAccount implements store.Tx.
func (t tx) LockAccount(id int64) error {
	_, err := t.Exec("SELECT FROM accounts WHERE id = ?1 FOR NO KEY UPDATE", id)
	return err
}

// Lock implements store.Tx.
func (t tx) Lock(name string) error {
	_, err := t.Exec("SELECT pg_advisory_xact_lock(?1, hashtext(current_schema() || ?2))", namedLocks, name)
	return err
}

// The classes of advisory locks. Their numbers within a class come from the schema, because a database can have
// several.
const (
	namedLocks    = 0x41797501 // those of store.Tx.Lock
	migrationLock = 0x41797502
	serverLock    = 0x41797503 // all nodes share it; tools that must not run beside them have it alone
	nodeLock      = 0x41797504 // the names of nodes
)
