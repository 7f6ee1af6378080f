package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"ayumu/lobby/shared"
	"ayumu/lobby/store"
)

// sharedRows is the shared.Store of a Store. It is in memory; the file has the rows that are durable.
type sharedRows struct {
	shared.Memory
	s *Store
}

// Shared implements lobby.Store.
func (s *Store) Shared() shared.Store { return &s.rows }

// Write implements shared.Store.
func (r *sharedRows) Write(ctx context.Context, changes ...shared.Write) ([]shared.Row, error) {
	if !slices.ContainsFunc(changes, func(w shared.Write) bool { return w.Durable }) {
		return r.Memory.Write(ctx, changes...)
	}
	return r.write(ctx, changes, func(durable []shared.Row) error {
		return r.s.update(ctx, "changing what is shared in", func(t *tx) error { return saveRows(t, durable) })
	})
}

// write makes changes once record has recorded the durable ones.
func (r *sharedRows) write(ctx context.Context, changes []shared.Write, record func(durable []shared.Row) error) ([]shared.Row, error) {
	p, err := r.Prepare(ctx, changes...)
	if err != nil {
		return nil, err
	}
	var durable []shared.Row
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
func saveRows(t *tx, rows []shared.Row) error {
	for _, r := range rows {
		query, args := "DELETE FROM shared WHERE kind = ?1 AND id = ?2", []any{r.Kind, r.ID}
		if !r.IsDeleted() {
			query = `INSERT INTO shared (kind, id, version, data, durable) VALUES (?1, ?2, ?3, ?4, TRUE)
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
	var all []shared.Row
	err := store.Scan(ctx, r.s.read, "SELECT kind, id, version, data FROM shared", nil, func(found *sql.Rows) error {
		row := shared.Row{At: time.Now()}
		err := found.Scan(&row.Kind, &row.ID, &row.Version, &row.Data)
		all = append(all, row)
		return err
	})
	r.Load(all)
	return err
}
