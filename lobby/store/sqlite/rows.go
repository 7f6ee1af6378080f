package sqlite

import (
	"context"
	"slices"
	"time"

	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/store"
)

// sharedRows is the rows.Store of a Store. It is in memory; the file has the rows that are durable.
type sharedRows struct {
	rows.Memory
	s *Store
}

// Shared implements lobby.Store.
func (s *Store) Shared() rows.Store { return &s.rows }

// Write implements rows.Store.
func (r *sharedRows) Write(ctx context.Context, changes ...rows.Write) ([]rows.Row, error) {
	if !slices.ContainsFunc(changes, func(w rows.Write) bool { return w.Durable }) {
		return r.Memory.Write(ctx, changes...)
	}
	return r.write(ctx, changes, func(durable []rows.Row) error {
		return r.s.update(ctx, "changing what is shared in", func(t *tx) error { return t.saveRows(durable) })
	})
}

// write makes changes once record has recorded the durable ones.
func (r *sharedRows) write(ctx context.Context, changes []rows.Write, record func(durable []rows.Row) error) ([]rows.Row, error) {
	p, err := r.Prepare(ctx, changes...)
	if err != nil {
		return nil, err
	}
	var durable []rows.Row
	for i, w := range changes {
		if w.Durable {
			durable = append(durable, p.Rows[i])
		}
	}
	err = record(durable)
	p.End(err == nil)
	if err != nil {
		return nil, err
	}
	return p.Rows, nil
}

// saveRows stores rows in the file, or removes those that have been deleted.
func (t *tx) saveRows(all []rows.Row) error {
	for _, r := range all {
		query, args := "DELETE FROM shared_rows WHERE kind = ?1 AND id = ?2", []any{r.Kind, r.ID}
		if !r.IsDeleted() {
			query = `INSERT INTO shared_rows (kind, id, version, data, durable) VALUES (?1, ?2, ?3, ?4, TRUE)
				ON CONFLICT (kind, id) DO UPDATE SET version = excluded.version, data = excluded.data`
			args = append(args, r.Version, r.Data)
		}
		if _, err := t.Exec(query, args...); err != nil {
			return err
		}
	}
	return nil
}

// load reads the rows of the file.
func (r *sharedRows) load(ctx context.Context) error {
	all, err := store.All(ctx, r.s.read, "SELECT kind, id, version, data FROM shared_rows", nil, func(from store.RowScanner) (row rows.Row, err error) {
		row.At = time.Now()
		err = from.Scan(&row.Kind, &row.ID, &row.Version, &row.Data)
		return row, err
	})
	r.Load(all)
	return err
}
