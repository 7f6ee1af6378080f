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

// Table is a table that every SQL database has.
type Table struct {
	Name    string
	Columns []Column
	Keys    int // the first columns, that many, are the key
	where   string
}

// Column is a column of a table.
type Column struct {
	Name string
	Kind ColumnKind
}

// ColumnKind is the kind of the values of a column that are not null.
type ColumnKind string

// The kinds of columns, and the types of their values.
const (
	KindInt   ColumnKind = "int"   // int64
	KindFloat ColumnKind = "float" // float64
	KindText  ColumnKind = "text"  // string
	KindBytes ColumnKind = "bytes" // []byte
	KindBool  ColumnKind = "bool"  // bool
)

// Row is a row of a table.
type Row struct {
	Table  *Table
	Values []any // by column; nil: null
}

// Tables are the tables with the content of a store, each after those that it refers to. What a database has
// besides follows from them.
var Tables = []*Table{
	table("accounts", 1, "id int, name text, look text, bot bool, created int, renamed int, settings bytes"),
	table("keys", 1, "id int, account int, wire bytes, added int"),
	table("ratings", 2, "account int, pool text, value float, deviation float, volatility float, games int, settled bool"),
	table("matches", 1, `id text, game text, options text, initial int, increment int, days int, rated bool, private bool,
		code text, prior text, delay int, started int, ended int, turns int, result text, unrated text`),
	table("seats", 2, `match text, seat int, account int, name text, bot bool, before text, return text, game text,
		options text, ended int, side text, outcome text, pool text, after text, fault bool`),
	table("log", 2, "match text, version int, body bytes, append bytes"),
	table("invites", 1, "id int, hash bytes, uses int, until int, issuer text, created int"),
	table("members", 1, "wire bytes, invite int, joined int"),
	table("sanctions", 1, "id int, kind text, subject text, shown text, reason text, issuer text, created int, until int, account int, issuer_role text"),
	table("sanctioned_keys", 2, "sanction int, digest bytes"),
	table("audit", 1, "id int, at int, actor text, deed text"),
	table("reports", 1, "id int, at int, actor text, about text, text text, closed int, origin text, evidence text"),
	table("blocks", 2, "account int, other int, at int"),
	table("reserved", 1, "look text, until int"),
	table("puzzles", 1, "id text, value float, deviation float, volatility float, games int, body bytes, added int"),
	table("puzzle_players", 2, "account int, game text, value float, deviation float, volatility float, games int, streak int"),
	table("puzzle_tries", 2, "account int, puzzle text, tried int, solved bool, step int, due int"),
	table("announcements", 1, "id int, created int, author text, title text, text text, begins int, ends int"),
	table("announcements_read", 1, "account int, until int"),
	table("roles", 1, "account int, role text"),
	table("visits", 1, "account int, at int"),
	table("club_texts", 1, "name text, text text"),
	table("conditions", 2, "match text, seat int, version int, data bytes"),
	table("receivers", 1, `account int, settings text, events int, since int, failing int, off int, attempts int, error text,
		delivered int, due int, lease int, claims int, kind text, speed int, destination text`),
	table("notifications", 2, "account int, id text, event text, at int, facts text, batch text, deferred bool, done int"),
	table("shared", 2, "kind text, id text, version int, data bytes, durable bool").only("durable AND data IS NOT NULL"),
}

func table(name string, keys int, columns string) *Table {
	t := &Table{Name: name, Keys: keys}
	for _, c := range strings.Split(columns, ",") {
		name, kind, _ := strings.Cut(strings.TrimSpace(c), " ")
		t.Columns = append(t.Columns, Column{name, ColumnKind(kind)})
	}
	return t
}

// only has the table stand for the rows under a condition: the others are of one server, and are not copied.
func (t *Table) only(condition string) *Table {
	t.where = condition
	return t
}

// Rows returns the name of the table with the condition under which its rows are content, for a query.
func (t *Table) Rows() string {
	if t.where == "" {
		return t.Name
	}
	return t.Name + " WHERE " + t.where
}

// Names returns the names of the first n columns.
func (t *Table) Names(n int) []string {
	var names []string
	for _, c := range t.Columns[:n] {
		names = append(names, c.Name)
	}
	return names
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
					strings.Join(t.Names(len(t.Columns)), ", "), t.Rows(), strings.Join(t.Names(t.Keys), ", "))
				err := Scan(ctx, q, query, nil, func(rows *sql.Rows) error {
					row, err := t.scanRow(rows)
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

// scanRow reads a row of a table.
func (t *Table) scanRow(rows *sql.Rows) (Row, error) {
	targets := make([]any, len(t.Columns))
	for i, c := range t.Columns {
		switch c.Kind {
		case KindInt:
			targets[i] = new(sql.NullInt64)
		case KindFloat:
			targets[i] = new(sql.NullFloat64)
		case KindText:
			targets[i] = new(sql.NullString)
		case KindBytes:
			targets[i] = new(sql.Null[[]byte])
		case KindBool:
			targets[i] = new(sql.NullBool)
		}
	}
	row := Row{t, make([]any, len(t.Columns))}
	if err := rows.Scan(targets...); err != nil {
		return row, err
	}
	for i, target := range targets {
		v, err := target.(interface{ Value() (driver.Value, error) }).Value()
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
		n := 0
		err := Scan(ctx, e.db, "SELECT count(*) FROM "+t.Rows(), nil, func(rows *sql.Rows) error { return rows.Scan(&n) })
		if err != nil {
			return nil, e.db.Describe("counting the rows of", err)
		}
		counts = append(counts, n)
	}
	return counts, nil
}
