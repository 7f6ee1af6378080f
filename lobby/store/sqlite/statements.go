package sqlite

import (
	"context"
	"database/sql"
	"sync"

	"ayumu/lobby/match"
)

// statements holds the prepared queries of a pool of connections. Their number is bounded by that of the
// query texts in this package. mu guards prepared, is a leaf, and is not held while a query is prepared.
type statements struct {
	db       *sql.DB
	mu       sync.Mutex
	prepared map[string]*sql.Stmt
}

func newStatements(db *sql.DB) *statements {
	return &statements{db: db, prepared: make(map[string]*sql.Stmt)}
}

func (p *statements) find(query string) *sql.Stmt {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.prepared[query]
}

// prepare returns a query's statement, and prepares it if necessary. It needs a connection of the pool, so
// that it must not be called while the caller holds the only one.
func (p *statements) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	if known := p.find(query); known != nil {
		return known, nil
	}
	stmt, err := p.db.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.prepared[query]; known != nil { // prepared concurrently
		stmt.Close()
		return known, nil
	}
	p.prepared[query] = stmt
	return stmt, nil
}

// QueryContext implements store.Querier.
func (p *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := p.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// tx is a transaction of the writer, a store.Tx. Only the writer's goroutine uses it.
type tx struct {
	sql        *sql.Tx
	statements *statements
	bound      map[string]*sql.Stmt    // the statements used in this transaction
	unprepared *[]string               // Store.unprepared
	logEnds    map[string]match.LogEnd // Store.logEnds
	staged     []any                   // match, version, body and id of each entry that has not been inserted yet
}

// begin starts a transaction of the writer. It is not interrupted by a context.
func (s *Store) begin() (*tx, error) {
	ctx := context.Background()
	for _, query := range s.unprepared {
		if _, err := s.writeStatements.prepare(ctx, query); err != nil {
			return nil, err
		}
	}
	s.unprepared = nil
	t, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	wrapped := &tx{sql: t, statements: s.writeStatements, bound: make(map[string]*sql.Stmt), unprepared: &s.unprepared, logEnds: s.logEnds}
	if err := s.beforeChanges(wrapped); err != nil {
		t.Rollback()
		return nil, err
	}
	return wrapped, nil
}

// beforeChanges prepares a new transaction: it drops cached ends if another process has changed the
// file, and moves staged entries.
func (s *Store) beforeChanges(t *tx) error {
	before := s.dataVersion
	if err := t.Row("PRAGMA data_version").Scan(&s.dataVersion); err != nil {
		return err
	}
	if s.dataVersion != before {
		clear(s.logEnds) // another process may have appended to logs
	}
	return t.flushStaging()
}

// statement returns a query's statement in the transaction; nil if it has not been prepared yet. Then it is
// prepared before the next transaction.
func (t *tx) statement(query string) *sql.Stmt {
	if stmt := t.bound[query]; stmt != nil {
		return stmt
	}
	known := t.statements.find(query)
	if known == nil {
		*t.unprepared = append(*t.unprepared, query)
		return nil
	}
	stmt := t.sql.StmtContext(context.Background(), known)
	t.bound[query] = stmt
	return stmt
}

// LockAccount implements store.Tx. There is one writer.
func (t *tx) LockAccount(int64) error { return nil }

// Lock implements store.Tx. There is one writer.
func (t *tx) Lock(string) error { return nil }

// Exec implements store.Tx.
func (t *tx) Exec(query string, args ...any) (rows int64, err error) {
	var r sql.Result
	if stmt := t.statement(query); stmt != nil {
		r, err = stmt.Exec(args...)
	} else {
		r, err = t.sql.Exec(query, args...)
	}
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// QueryContext implements store.Querier.
func (t *tx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if stmt := t.statement(query); stmt != nil {
		return stmt.QueryContext(ctx, args...)
	}
	return t.sql.QueryContext(ctx, query, args...)
}

// Row implements store.Tx.
func (t *tx) Row(query string, args ...any) *sql.Row {
	if stmt := t.statement(query); stmt != nil {
		return stmt.QueryRow(args...)
	}
	return t.sql.QueryRow(query, args...)
}
