package store

import (
	"strings"
	"testing"
)

// types are types of a database for tests.
var types = map[string]string{"id": "SERIAL", "text": "TEXT", "time": "BIGINT"}

func TestCreate(t *testing.T) {
	tables := ParseTables(`
table people (id)            -- a comment
	id      id
	name    text null UNIQUE -- another
	index people_name (name) WHERE name <> ''

table visits (person, at)
	person  text REFERENCES people (id)
	at      time DEFAULT 0
	only at > 0
`)
	further := ParseTables(`
table people
	born  time
	unique index people_born (born)
`)
	const want = `CREATE TABLE people (
	id SERIAL,
	name TEXT UNIQUE,
	born BIGINT NOT NULL
) OPTIONS people;
CREATE INDEX people_name ON people (name) WHERE name <> '';
CREATE UNIQUE INDEX people_born ON people (born);
CREATE TABLE visits (
	person TEXT NOT NULL REFERENCES people (id),
	at BIGINT NOT NULL DEFAULT 0,
	PRIMARY KEY (person, at)
) OPTIONS visits;
`
	options := func(t *Table) string { return " OPTIONS " + t.Name }
	if got := Create(Extend(tables, further), types, options); got != want {
		t.Errorf("the statements are\n%s\nwant\n%s", got, want)
	}
	if len(tables[0].Columns) != 2 {
		t.Errorf("extending a table has changed it: %v", tables[0])
	}
	if rows := tables[1].Rows(); rows != "visits WHERE at > 0" {
		t.Errorf("the content is %s", rows)
	}
}

// TestKeysAreTheFirstColumns: exports are sorted by them.
func TestKeysAreTheFirstColumns(t *testing.T) {
	for _, table := range Tables {
		if names := table.ColumnNames(); len(table.Key) == 0 || !strings.HasPrefix(strings.Join(names, " ")+" ", strings.Join(table.Key, " ")+" ") {
			t.Errorf("the key of %s is %q, and its columns are %q", table.Name, table.Key, names)
		}
	}
}
