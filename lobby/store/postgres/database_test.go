package postgres

import (
	"context"
	"database/sql"
	"testing"

	"ayumu/lobby/store"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/store/storetest"
)

// TestOnlyPlaceholdersAreNumbered: question marks in texts and operators stay.
func TestOnlyPlaceholdersAreNumbered(t *testing.T) {
	for in, want := range map[string]string{
		"SELECT 1":                       "SELECT 1",
		"?1":                             "$1",
		"SELECT ?2, '?1 it''s ?2', ?12":  "SELECT $2, '?1 it''s ?2', $12",
		"SELECT data ? 'a', data ?| ?1":  "SELECT data ? 'a', data ?| $1",
		"SELECT id FROM t WHERE id = ?1": "SELECT id FROM t WHERE id = $1",
	} {
		if got := numbered(in); got != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
	s := openURL(t, postgrestest.URL(t))
	var has bool
	var text string
	storetest.Want(t, "query", store.Scan(t.Context(), database{s}, `SELECT '{"a":1}'::jsonb ? ?1, 'what?1'`, []any{"a"},
		func(row store.RowScanner) error { return row.Scan(&has, &text) }), nil)
	if !has || text != "what?1" {
		t.Errorf("got %v %q", has, text)
	}
}

// recorder is the database with the context of the last query.
type recorder struct {
	database
	ctx *context.Context
}

func (r recorder) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	*r.ctx = ctx
	return r.database.QueryContext(ctx, query, args...)
}

// TestAReadKeepsNothing: a query has a time limit, of which nothing is left after its last row.
func TestAReadKeepsNothing(t *testing.T) {
	var ctx context.Context
	r := recorder{database{openURL(t, postgrestest.URL(t))}, &ctx}
	rows := 0
	err := store.Scan(t.Context(), r, "SELECT generate_series(1, 3)", nil, func(store.RowScanner) error {
		if _, ok := ctx.Deadline(); !ok || ctx.Err() != nil {
			t.Errorf("while rows are read the context has a deadline: %v, %v", ok, ctx.Err())
		}
		rows++
		return nil
	})
	if storetest.Want(t, "query", err, nil); rows != 3 || ctx.Err() != context.Canceled {
		t.Errorf("after %d rows the context is %v", rows, ctx.Err())
	}
}
