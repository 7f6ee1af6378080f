package store

import (
	"context"
)

// Sizer implements Maintenance.Size.
type Sizer struct {
	db    Database
	query string
}

// NewSizer returns the Sizer of a database. query returns one row with its size in bytes.
func NewSizer(db Database, query string) Sizer { return Sizer{db, query} }

// Size implements Maintenance.
func (s Sizer) Size(ctx context.Context) (int64, error) {
	bytes, err := One(ctx, s.db, s.query, nil, Value[int64])
	if err != nil {
		return 0, s.db.Describe("measuring", err)
	}
	return bytes, nil
}
