package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"strings"
)

// Transfer copies the whole content of one store to another. It is for tools that run while no server does. Its
// errors name the store.
type Transfer interface {
	// Export returns all rows of all of Tables, in their order and then in that of their keys, in one state of the
	// store. After an error there are no more.
	Export(ctx context.Context) iter.Seq2[Row, error]
	// Import stores the rows of another store, in the order of Export, all or none, or returns ErrNotEmpty.
	Import(ctx context.Context, rows iter.Seq2[Row, error]) error
	// CountRows returns the number of rows of each of Tables.
	CountRows(ctx context.Context) ([]int, error)
}

// ErrNotEmpty is the error of an import into a store that has content.
var ErrNotEmpty = errors.New("it is not empty; copy into a new one")

// Row is a row of a table.
type Row struct {
	Table  *Table
	Values []any // by column; nil: null
}

// Exporter implements Transfer except Import, whose cost depends on how a database takes many rows. NewExporter
// is the constructor.
type Exporter struct{ db Database }

// NewExporter returns the exporter of a database.
func NewExporter(db Database) Exporter { return Exporter{db} }

// errStopped ends a query whose further rows nobody wants.
var errStopped = errors.New("stopped")

// Export implements Transfer.
func (e Exporter) Export(ctx context.Context) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		err := e.db.ReadTx(ctx, func(q Querier) error {
			for _, t := range Tables {
				query := fmt.Sprintf("SELECT %s FROM %s ORDER BY %s",
					strings.Join(t.ColumnNames(), ", "), t.Rows(), strings.Join(t.Key, ", "))
				err := Scan(ctx, q, query, nil, func(from RowScanner) error {
					row, err := t.scanRow(from)
					if err == nil && !yield(row, nil) {
						err = errStopped
					}
					return err
				})
				if err != nil {
					return fmt.Errorf("table %s: %w", t.Name, err)
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(Row{}, e.db.Describe("reading", err))
		}
	}
}

// scanRow reads a row of a table. The values are int64, float64, string, []byte and bool, by the types of the columns.
func (t *Table) scanRow(from RowScanner) (Row, error) {
	targets := make([]any, len(t.Columns))
	for i, c := range t.Columns {
		switch c.Type {
		case "float":
			targets[i] = new(sql.NullFloat64)
		case "text":
			targets[i] = new(sql.NullString)
		case "bytes":
			targets[i] = new(sql.Null[[]byte])
		case "bool":
			targets[i] = new(sql.NullBool)
		default: // a number
			targets[i] = new(sql.NullInt64)
		}
	}
	row := Row{t, make([]any, len(t.Columns))}
	if err := from.Scan(targets...); err != nil {
		return row, err
	}
	for i, target := range targets {
		v, err := target.(driver.Valuer).Value()
		if err != nil {
			return row, err
		}
		row.Values[i] = v
	}
	return row, nil
}

// CountRows implements Transfer.
func (e Exporter) CountRows(ctx context.Context) (counts []int, err error) {
	for _, t := range Tables {
		n, err := One(ctx, e.db, "SELECT count(*) FROM "+t.Rows(), nil, Value[int])
		if err != nil {
			return nil, e.db.Describe("counting the rows of", err)
		}
		counts = append(counts, n)
	}
	return counts, nil
}
