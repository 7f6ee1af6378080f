package sqlite

import (
	"context"
	"database/sql"

	"ayumu/lobby/store"
)

// database is the store.Database of a Store: what the statements of package store use.
type database struct{ s *Store }

// QueryContext implements store.Querier, outside of a transaction.
func (d database) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return d.s.readStatements.QueryContext(ctx, query, args...)
}

// ScanDirect implements store.DirectQuerier.
func (d database) ScanDirect(ctx context.Context, query string, args []any, f func(store.RowScanner) error) (ok bool, err error) {
	direct := d.s.direct[query]
	if direct == nil {
		return false, nil
	}
	return direct.scan(ctx, d.s.read, args, f)
}

// Update implements store.Database.
func (d database) Update(ctx context.Context, op string, do func(store.Tx) error) error {
	return d.s.update(ctx, op, func(t *tx) error { return do(t) })
}

// ReadTx implements store.Database.
func (d database) ReadTx(ctx context.Context, do func(store.Querier) error) error {
	tx, err := d.s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return do(tx)
}

// Explain implements store.Database.
func (d database) Explain(op string, err error) error { return d.s.explainError(op, err) }

// Describe implements store.Database.
func (d database) Describe(op string, err error) error { return d.s.describeError(op, err) }
