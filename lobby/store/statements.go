package store

import (
	"context"
	"database/sql"
	"sync"
)

// statements are the queries of a pool of connections, each prepared once. There are as many as
// the package has texts of queries.
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

// prepare returns a query's statement. It needs a connection, so it must not be called where one
// is held.
func (p *statements) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	if known := p.find(query); known != nil {
		return known, nil
	}
	made, err := p.db.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.prepared[query]; known != nil { // somebody else was faster
		made.Close()
		return known, nil
	}
	p.prepared[query] = made
	return made, nil
}

// QueryContext makes a querier of the statements.
func (p *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := p.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// querier is whatever answers queries: statements, a pool, a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// scan calls f for each row of an answer.
func scan(ctx context.Context, q querier, query string, args []any, f func(*sql.Rows) error) error {
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

// tx is the writer's transaction.
type tx struct {
	*sql.Tx
	statements *statements
	bound      map[string]*sql.Stmt // those of all that it has used
	unprepared *[]string            // queries that are to be prepared before the next one
	logLengths map[string]int       // SQLite.lengths
	staged     []any                // match, version and body of each entry that is still to be added
}

// begin starts a transaction of the writer. What it begins is not interrupted.
func (s *SQLite) begin() (*tx, error) {
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
	own := &tx{Tx: t, statements: s.writeStatements, bound: make(map[string]*sql.Stmt), unprepared: &s.unprepared, logLengths: s.logLengths}
	if err := s.beforeChanges(own); err != nil {
		t.Rollback()
		return nil, err
	}
	return own, nil
}

// beforeChanges does what must be done before the changes of a transaction.
func (s *SQLite) beforeChanges(t *tx) error {
	before := s.dataVersion
	if err := t.row("PRAGMA data_version").Scan(&s.dataVersion); err != nil {
		return err
	}
	if s.dataVersion != before {
		clear(s.logLengths) // since another process may have added to logs as well
	}
	return t.flushStaging()
}

// statement returns a query's statement in the transaction; nil if it is not prepared yet.
func (t *tx) statement(query string) *sql.Stmt {
	if own := t.bound[query]; own != nil {
		return own
	}
	known := t.statements.find(query)
	if known == nil {
		*t.unprepared = append(*t.unprepared, query)
		return nil
	}
	own := t.StmtContext(context.Background(), known)
	t.bound[query] = own
	return own
}

// exec runs a statement and returns how many rows it touched.
func (t *tx) exec(query string, args ...any) (rows int64, err error) {
	var r sql.Result
	if own := t.statement(query); own != nil {
		r, err = own.Exec(args...)
	} else {
		r, err = t.Exec(query, args...)
	}
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// QueryContext makes a querier of the transaction.
func (t *tx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if own := t.statement(query); own != nil {
		return own.QueryContext(ctx, args...)
	}
	return t.Tx.QueryContext(ctx, query, args...)
}

// row runs a query for one row.
func (t *tx) row(query string, args ...any) *sql.Row {
	if own := t.statement(query); own != nil {
		return own.QueryRow(args...)
	}
	return t.QueryRow(query, args...)
}
