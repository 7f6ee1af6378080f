package store

import (
	"context"
	"database/sql"
)

// Sizer implements Maintenance.Size.
type Sizer struct {
	db    Database
	query string
}

// NewSizer returns the Sizer of a database. query returns one row with its size in bytes.
func NewSizer(db Database, query string) Sizer { return Sizer{db, query} }

// Size implements Maintenance.
func (s Sizer) Size(ctx context.Context) (bytes int64, err error) {
	err = Scan(ctx, s.db, s.query, nil, func(rows *sql.Rows) error { return rows.Scan(&bytes) })
	if err != nil {
		return 0, s.db.Describe("measuring", err)
	}
	return bytes, nil
}
