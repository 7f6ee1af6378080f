package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby/cluster"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
)

// Cluster returns what several nodes need of the database. It is valid until the store is closed.
func (s *Store) Cluster() cluster.Store { return clusterStore{s} }

// Now returns the time by the database's clock.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	now, err := store.One(ctx, database{s}, "SELECT clock_timestamp()", nil, store.Value[time.Time])
	return now, s.explainError("reading the clock of", err)
}

// clusterStore is the cluster.Store of a Store.
//
// A cursor is the number of a transaction and the start of the database. The number is that below which every
// transaction had ended when the changes were read: those that were still running have this number or a higher
// one, and are found the next time. A database that was started since may have lost transactions and use their
// numbers again, or be another one: then everything that may concern running matches is read.
type clusterStore struct{ s *Store }

// Write implements rows.Store. The rows are locked in the order of their keys.
func (c clusterStore) Write(ctx context.Context, changes ...rows.Write) ([]rows.Row, error) {
	const op = "changing what nodes share in"
	if err := rows.Check(changes); err != nil {
		return nil, c.s.explainError(op, err)
	}
	var found []rows.Row
	err := c.s.update(ctx, false, func(t store.Tx) (err error) {
		// What is lost with the database's machine is who was online and which live tables were open.
		if !slices.ContainsFunc(changes, func(w rows.Write) bool { return w.Durable }) {
			if _, err := t.Exec("SET LOCAL synchronous_commit = off"); err != nil {
				return err
			}
		}
		if found, err = writeRows(t, changes); err != nil {
			return err
		}
		_, err = t.Exec(`DELETE FROM shared_rows WHERE (kind, id) IN (SELECT kind, id FROM shared_rows
			WHERE data IS NULL AND at < now() - ?1 * interval '1 second' ORDER BY at LIMIT 10 FOR UPDATE SKIP LOCKED)`,
			rows.KeepDeleted.Seconds())
		return err
	})
	if err != nil {
		return nil, c.s.explainError(op, err)
	}
	return found, nil
}

// writeRows makes changes in the order of their keys, and returns the new rows in that of the changes, or
// rows.ErrConflict.
func writeRows(t store.Tx, changes []rows.Write) ([]rows.Row, error) {
	order := make([]int, len(changes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(changes[a].Kind, changes[b].Kind), cmp.Compare(changes[a].ID, changes[b].ID))
	})
	found := make([]rows.Row, len(changes))
	for _, i := range order {
		var err error
		if found[i], err = write(t, changes[i]); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// write makes one change, or returns rows.ErrConflict.
func write(t store.Tx, w rows.Write) (rows.Row, error) {
	query := `UPDATE shared_rows SET version = version + 1, data = ?3, durable = ?5, at = clock_timestamp(), xact = pg_current_xact_id()
		WHERE kind = ?1 AND id = ?2 AND version = ?4 RETURNING version, at`
	if w.Replaces == 0 {
		query = `INSERT INTO shared_rows (kind, id, version, data, durable) VALUES (?1, ?2, ?4 + 1, ?3, ?5)
			ON CONFLICT (kind, id) DO UPDATE SET version = shared_rows.version + 1, data = ?3, durable = ?5, at = clock_timestamp(), xact = pg_current_xact_id()
			WHERE shared_rows.data IS NULL RETURNING version, at`
	}
	r := rows.Row{Key: w.Key, Data: w.Data}
	err := t.Row(query, w.Kind, w.ID, w.Data, w.Replaces, w.Durable).Scan(&r.Version, &r.At)
	if err == sql.ErrNoRows {
		err = rows.ErrConflict
	}
	return r, err
}

// Changes implements rows.Store.
func (c clusterStore) Changes(ctx context.Context, since rows.Cursor) (found []rows.Row, next rows.Cursor, err error) {
	err = c.since(ctx, since, &next, func(q store.Querier, xact string) (err error) {
		query, args := selectRows+"WHERE xact >= ?1::text::xid8 ORDER BY xact", []any{xact}
		switch {
		case since == "":
			query, args = selectRows+"WHERE data IS NOT NULL", nil
		case xact == "":
			query, args = selectRows, nil
		}
		found, err = store.All(ctx, q, query, args, readRow)
		return err
	})
	return found, next, c.s.explainError("reading what nodes share in", err)
}

// Read implements rows.Store.
func (c clusterStore) Read(ctx context.Context, keys ...rows.Key) (found []rows.Row, err error) {
	for _, k := range keys {
		read, err := store.All(ctx, database(c), selectRows+"WHERE kind = ?1 AND id = ?2 AND data IS NOT NULL", []any{k.Kind, k.ID}, readRow)
		if err != nil {
			return nil, c.s.explainError("reading what nodes share in", err)
		}
		found = append(found, read...)
	}
	return found, nil
}

// selectRows selects shared rows, for readRow.
const selectRows = "SELECT kind, id, version, data, at FROM shared_rows "

func readRow(from store.RowScanner) (r rows.Row, err error) {
	err = from.Scan(&r.Kind, &r.ID, &r.Version, &r.Data, &r.At)
	return r, err
}

// since reads what has changed since a cursor in one state of the database, and sets the next cursor. xact is "" if the
// number of the cursor does not count any more, or if there is no cursor.
func (c clusterStore) since(ctx context.Context, since rows.Cursor, next *rows.Cursor, read func(q store.Querier, xact string) error) error {
	xact, start, _ := strings.Cut(string(since), "@")
	if _, err := strconv.ParseUint(xact, 10, 64); since != "" && err != nil {
		return fmt.Errorf("the cursor %q is not one of this store", since)
	}
	return database(c).ReadTx(ctx, func(q store.Querier) error {
		var current, started string
		err := store.Scan(ctx, q, "SELECT pg_snapshot_xmin(pg_current_snapshot())::text, extract(epoch FROM pg_postmaster_start_time())::text",
			nil, func(row store.RowScanner) error { return row.Scan(&current, &started) })
		if err != nil {
			return err
		}
		*next = rows.Cursor(current + "@" + started)
		if start != started {
			xact = ""
		}
		return read(q, xact)
	})
}

// ChangedMatches implements cluster.Store.
func (c clusterStore) ChangedMatches(ctx context.Context, since rows.Cursor) (all []cluster.ChangedMatch, next rows.Cursor, err error) {
	err = c.since(ctx, since, &next, func(q store.Querier, xact string) (err error) {
		const columns = "SELECT id, log_version, last_append_id, ended IS NOT NULL FROM matches WHERE "
		query, args := columns+`id IN
			(SELECT match FROM log WHERE xact >= ?1::text::xid8 UNION SELECT id FROM matches WHERE xact >= ?1::text::xid8) ORDER BY id`, []any{xact}
		switch {
		case since == "":
			return nil
		case xact == "": // those that nodes have in memory
			query, args = columns+"ended IS NULL OR ended > (extract(epoch FROM now()) - 7200) * 1000000000 ORDER BY id", nil
		}
		all, err = store.All(ctx, q, query, args, func(row store.RowScanner) (m cluster.ChangedMatch, err error) {
			var last sql.RawBytes
			err = row.Scan(&m.ID, &m.End.Version, &last, &m.Ended)
			copy(m.End.Last[:], last)
			return m, err
		})
		return err
	})
	return all, next, c.s.explainError("reading the matches in", err)
}

// LogAfter implements cluster.Store.
func (c clusterStore) LogAfter(ctx context.Context, id string, version int) (after match.LogEnd, entries []match.Entry, err error) {
	const op = "reading a match in"
	known := false
	err = store.Scan(ctx, database(c), `SELECT m.log_version, l.version, l.body, l.append_id FROM matches m
		LEFT JOIN log l ON l.match = m.id AND l.version >= least(?2, m.log_version) WHERE m.id = ?1 ORDER BY l.version`,
		[]any{id, version}, func(row store.RowScanner) error {
			known = true
			return scanEntry(row, version, &after, &entries)
		})
	if err == nil && !known {
		err = errcode.ErrNotFound
	}
	if err != nil {
		return match.LogEnd{}, nil, c.s.explainError(op, err)
	}
	return after, entries, nil
}

// scanEntry reads a row of LogAfter: an entry, or the last one before those, or none in an empty log.
func scanEntry(row store.RowScanner, version int, after *match.LogEnd, entries *[]match.Entry) error {
	var length int
	var number sql.NullInt64
	var body, appendID []byte
	if err := row.Scan(&length, &number, &body, &appendID); err != nil || !number.Valid {
		return err
	}
	e, err := store.DecodeEntry(body)
	if err != nil {
		return fmt.Errorf("entry %d is %w: %w", number.Int64, errcode.ErrCorrupt, err)
	}
	copy(e.AppendID[:], appendID)
	if int(number.Int64) <= version {
		*after = match.LogEnd{Version: int(number.Int64), Last: e.AppendID}
		return nil
	}
	*entries = append(*entries, e)
	return nil
}
