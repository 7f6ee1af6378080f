package sqlite

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"ayumu/lobby/store"
)

// Import implements store.Transfer, in one transaction.
func (s *Store) Import(ctx context.Context, rows iter.Seq2[store.Row, error]) error {
	return s.describeError("copying into", s.submit(ctx, &job{do: func(t *tx) error {
		for _, table := range store.Tables {
			var found bool
			if err := t.Row("SELECT EXISTS (SELECT 1 FROM " + table.Rows() + ")").Scan(&found); err != nil {
				return err
			}
			if found {
				return store.ErrNotEmpty
			}
		}
		insertions := make(map[*store.Table]string)
		for _, table := range store.Tables {
			insertions[table] = rowInsertion(table)
		}
		for row, err := range rows {
			if err == nil {
				_, err = t.Exec(insertions[row.Table], row.Values...)
			}
			if err == nil {
				err = ctx.Err()
			}
			if err != nil && row.Table != nil {
				err = fmt.Errorf("table %s: %w", row.Table.Name, err)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}}))
}

// rowInsertion returns the statement that inserts a row of a table.
func rowInsertion(t *store.Table) string {
	name := t.Name
	if name == "log" { // a view
		name = "entries"
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (?%s)", name, strings.Join(t.ColumnNames(), ", "),
		strings.Repeat(", ?", len(t.Columns)-1))
}
