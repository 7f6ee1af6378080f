package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"ayumu/lobby/store"
)

// maxDirect is the number of connections for reading that are kept for one of these queries.
const maxDirect = 2

// directQuery runs a query that every connection of a client causes on connections of its own, with a statement of the
// driver: database/sql takes as long for such a query as SQLite. Its methods may be called from any goroutine.
type directQuery struct {
	query string
	free  chan *directStatement // has maxDirect values while none is used; nil: a connection is still to be made
}

// directStatement is a prepared statement on a connection that nothing else uses.
type directStatement struct {
	conn *sql.Conn
	stmt driver.Stmt
	row  directRow
}

func newDirectQuery(query string) *directQuery {
	q := &directQuery{query: query, free: make(chan *directStatement, maxDirect)}
	for range maxDirect {
		q.free <- nil
	}
	return q
}

// close closes the connections once they are not used any more. Then scan uses those of the pool.
func (q *directQuery) close() {
	for range maxDirect {
		if s := <-q.free; s != nil {
			s.close()
		}
	}
}

// scan is store.Scan for the query. ok is false if it has to be run on the pool: there is no free connection, or there
// was an error before the first row.
func (q *directQuery) scan(ctx context.Context, db *sql.DB, args []any, f func(store.RowScanner) error) (ok bool, err error) {
	var s *directStatement
	select {
	case s = <-q.free:
	default:
		return false, nil
	}
	intact := false
	defer func() {
		if s != nil && !intact {
			s.close()
			s = nil
		}
		q.free <- s
	}()
	if s == nil {
		if s, err = prepareDirect(ctx, db, q.query); err != nil {
			return false, err
		}
	}
	err = s.scan(ctx, args, func(r store.RowScanner) error { ok = true; return f(r) })
	intact = err == nil
	return ok || intact, err
}

func prepareDirect(ctx context.Context, db *sql.DB, query string) (*directStatement, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	s := &directStatement{conn: conn}
	err = conn.Raw(func(c any) error {
		s.stmt, err = c.(driver.ConnPrepareContext).PrepareContext(ctx, query)
		return err
	})
	if err != nil {
		conn.Close()
		return nil, err
	}
	return s, nil
}

func (s *directStatement) close() {
	_ = s.conn.Raw(func(any) error { return s.stmt.Close() })
	_ = s.conn.Close()
}

func (s *directStatement) scan(ctx context.Context, args []any, f func(store.RowScanner) error) error {
	return s.conn.Raw(func(any) error {
		values := make([]driver.NamedValue, len(args))
		for i, a := range args {
			values[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
		}
		rows, err := s.stmt.(driver.StmtQueryContext).QueryContext(ctx, values)
		if err != nil {
			return err
		}
		if n := len(rows.Columns()); len(s.row) != n {
			s.row = make(directRow, n)
		}
		for err == nil {
			if err = rows.Next(s.row); err == nil {
				err = f(s.row)
			}
		}
		if err == io.EOF {
			err = nil
		}
		return errors.Join(err, rows.Close())
	})
}

// directRow has the values of a row: nil, int64, float64, string or []byte.
type directRow []driver.Value

// Scan implements store.RowScanner for the types of values that queries have, without conversions.
func (r directRow) Scan(to ...any) error {
	if len(to) != len(r) {
		return fmt.Errorf("%d values for %d columns", len(to), len(r))
	}
	for i, v := range r {
		if !assign(to[i], v) {
			return fmt.Errorf("column %d: a %T cannot be stored in a %T", i, v, to[i])
		}
	}
	return nil
}

// assign stores a value, and reports whether it has the right type.
func assign(to any, v driver.Value) (ok bool) {
	switch to := to.(type) {
	case *int64:
		*to, ok = v.(int64)
	case *bool:
		var n int64
		n, ok = v.(int64)
		*to = n != 0
	case *string:
		*to, ok = v.(string)
	case *[]byte:
		*to, ok = v.([]byte)
		ok = ok || v == nil
	case *sql.NullInt64:
		to.Int64, to.Valid = v.(int64)
		ok = to.Valid || v == nil
	case *sql.NullFloat64:
		to.Float64, to.Valid = v.(float64)
		ok = to.Valid || v == nil
	case *sql.NullString:
		to.String, to.Valid = v.(string)
		ok = to.Valid || v == nil
	case sql.Scanner:
		ok = to.Scan(v) == nil
	}
	return ok
}
