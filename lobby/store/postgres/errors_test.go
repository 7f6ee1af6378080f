package postgres

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestWhatErrorsMean: which errors have a change repeated, count as failures of the database, and leave it open whether a
// transaction was committed.
func TestWhatErrorsMean(t *testing.T) {
	type meaning struct{ conflict, connection, failure, unclear bool }
	for name, c := range map[string]struct {
		err  error
		want meaning
	}{
		"none":                  {nil, meaning{}},
		"serialization failure": {&pgconn.PgError{Code: "40001"}, meaning{conflict: true, failure: true}},
		"deadlock":              {&pgconn.PgError{Code: "40P01"}, meaning{conflict: true, failure: true}},
		"unique violation":      {&pgconn.PgError{Code: "23505"}, meaning{conflict: true}},
		"foreign key violation": {&pgconn.PgError{Code: "23503"}, meaning{conflict: true}},
		"check violation":       {&pgconn.PgError{Code: "23514"}, meaning{}},
		"a text with U+0000":    {&pgconn.PgError{Code: "22021"}, meaning{}},
		"connection failure":    {&pgconn.PgError{Code: "08006"}, meaning{connection: true, failure: true, unclear: true}},
		"shutdown":              {&pgconn.PgError{Code: "57P01"}, meaning{connection: true, failure: true, unclear: true}},
		"query cancelled":       {&pgconn.PgError{Code: "57014"}, meaning{failure: true}},
		"disk full":             {&pgconn.PgError{Code: "53100"}, meaning{failure: true}},
		"a lock held too long":  {&pgconn.PgError{Code: "55P03"}, meaning{failure: true}},
		"syntax error":          {&pgconn.PgError{Code: "42601"}, meaning{failure: true}},
		"broken connection":     {io.ErrUnexpectedEOF, meaning{connection: true, failure: true, unclear: true}},
		"no answer in time":     {context.DeadlineExceeded, meaning{failure: true, unclear: true}},
		"the caller has left":   {context.Canceled, meaning{unclear: true}},
	} {
		err := c.err
		if err != nil {
			err = fmt.Errorf("changing: %w", err)
		}
		got := meaning{isConflict(err), isConnectionError(err), isFailure(err), mayBeCommitted(err)}
		if got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}
