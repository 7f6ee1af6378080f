package postgres

import (
	"context"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"ayumu/lobby/store"
)

// Import implements store.Transfer, in one transaction, with COPY.
func (s *Store) Import(ctx context.Context, rows iter.Seq2[store.Row, error]) error {
	return s.describeError("copying into", s.importRows(ctx, rows))
}

func (s *Store) importRows(ctx context.Context, rows iter.Seq2[store.Row, error]) error {
	c, err := s.others.Acquire(ctx)
	if err != nil {
		return err
	}
	defer c.Release()
	t, err := c.Begin(ctx)
	if err != nil {
		return err
	}
	defer t.Rollback(context.WithoutCancel(ctx))
	if _, err := t.Exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0"); err != nil {
		return err
	}
	for _, table := range store.Tables {
		var found bool
		if err := t.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM "+table.Rows()+")").Scan(&found); err != nil {
			return err
		}
		if found {
			return store.ErrNotEmpty
		}
	}
	next, stop := iter.Pull2(rows)
	defer stop()
	source := &rowSource{next: next}
	source.pull()
	for _, table := range store.Tables {
		source.table = table
		_, err := t.CopyFrom(ctx, pgx.Identifier{table.Name}, table.ColumnNames(), source)
		if source.err != nil {
			return source.err
		}
		if err != nil {
			return fmt.Errorf("table %s: %w", table.Name, err)
		}
	}
	if err := derive(ctx, t); err != nil {
		return err
	}
	if err := t.Commit(ctx); err != nil {
		return err
	}
	_, err = c.Exec(ctx, "ANALYZE")
	return err
}

// rowSource is a pgx.CopyFromSource with the rows of one table after the other.
type rowSource struct {
	next    func() (store.Row, error, bool)
	table   *store.Table // whose rows are wanted
	row     store.Row    // the next one, of this or a later table
	more    bool         // there is a next one
	current store.Row
	err     error
}

func (r *rowSource) pull() {
	r.row, r.err, r.more = r.next()
	r.more = r.more && r.err == nil
}

// Next implements pgx.CopyFromSource.
func (r *rowSource) Next() bool {
	if !r.more || r.row.Table != r.table {
		return false
	}
	r.current = r.row
	r.pull()
	return true
}

// Values implements pgx.CopyFromSource.
func (r *rowSource) Values() ([]any, error) { return r.current.Values, nil }

// Err implements pgx.CopyFromSource.
func (r *rowSource) Err() error { return r.err }

// derive computes what follows from the tables of a store: the ends of the logs, and the next ids.
func derive(ctx context.Context, t pgx.Tx) error {
	_, err := t.Exec(ctx, `UPDATE matches m SET log_version = l.version, last_append_id = l.append_id
		FROM (SELECT DISTINCT ON (match) match, version, append_id FROM log ORDER BY match, version DESC) l
		WHERE l.match = m.id`)
	for _, table := range store.Tables {
		if err == nil && table.HasID() {
			_, err = t.Exec(ctx, fmt.Sprintf("SELECT setval(pg_get_serial_sequence('%[1]s', 'id'), coalesce(max(id), 1), max(id) IS NOT NULL) FROM %[1]s", table.Name))
		}
	}
	return err
}
