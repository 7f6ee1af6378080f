package postgres

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"ayumu/lobby/match"
	"ayumu/lobby/store"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/store/storetest"
)

// loadSchema13 makes a database of testdata/schema13.sql, which pg_dump wrote of one with schema 13 and rows in every
// table.
func loadSchema13(t *testing.T) (url string) {
	t.Helper()
	url = postgrestest.URL(t)
	storetest.Want(t, "load", postgrestest.Exec(url, string(must[[]byte](t)(os.ReadFile("testdata/schema13.sql")))), nil)
	return url
}

// query returns the rows of a query, which has one column, without the store.
func query(t *testing.T, url, query string) (rows []string) {
	t.Helper()
	found, err := connect(t, url).Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	for found.Next() {
		var row string
		storetest.Want(t, "scan", found.Scan(&row), nil)
		rows = append(rows, row)
	}
	storetest.Want(t, "rows", found.Err(), nil)
	return rows
}

// columns returns the names of the columns of every table.
func columns(t *testing.T, url string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for _, row := range query(t, url, `SELECT table_name || ':' || string_agg('"' || column_name || '"', ', ') FROM information_schema.columns
		WHERE table_schema = current_schema() AND table_name <> 'schema' GROUP BY table_name`) {
		table, names, _ := strings.Cut(row, ":")
		all[table] = names
	}
	return all
}

// content returns the rows of every table, with columns that it has by the name of the table.
func content(t *testing.T, url string, columns map[string]string) map[string][]string {
	t.Helper()
	all := make(map[string][]string)
	for table, c := range columns {
		all[table] = query(t, url, fmt.Sprintf("SELECT ROW(%s)::text FROM %s ORDER BY 1", c, table))
	}
	return all
}

// describeSchema returns what a database has: columns, keys and indexes.
func describeSchema(t *testing.T, url string) (all []string) {
	t.Helper()
	_, schema, _ := strings.Cut(url, "search_path=")
	for _, q := range []string{
		`SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default, collation_name, identity_generation) FROM information_schema.columns
			WHERE table_schema = current_schema()`,
		`SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = current_schema()::regnamespace`,
		`SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()`,
		`SELECT concat_ws(' ', relname, relkind, reloptions::text) FROM pg_class WHERE relnamespace = current_schema()::regnamespace`,
	} {
		rows := query(t, url, q)
		slices.Sort(rows)
		all = append(all, rows...)
	}
	for i, line := range all {
		all[i] = strings.ReplaceAll(line, schema+".", "")
	}
	return all
}

func TestDatabaseOfSchema13IsUpgraded(t *testing.T) {
	url := loadSchema13(t)
	old := columns(t, url)
	before := content(t, url, old)
	for table, rows := range before {
		if len(rows) == 0 {
			t.Errorf("the database has no rows of %s", table)
		}
	}
	s := openURL(t, url)
	if u := s.Upgraded(); u == nil || *u != (store.Upgrade{From: 13, To: newestSchema()}) {
		t.Errorf("the upgrade is %+v", u)
	}
	for table, columns := range old {
		renamed, columns := storetest.SinceSchema13(table, columns)
		if after := content(t, url, map[string]string{renamed: columns})[renamed]; !slices.Equal(before[table], after) {
			t.Errorf("%s had\n%q\nand has\n%q", table, before[table], after)
		}
	}
	if found, err := s.Check(t.Context()); err != nil || found != nil {
		t.Errorf("check: %v, %v", found, err)
	}
	entries := make(map[string]int)
	storetest.Want(t, "all matches", s.AllMatches(t.Context(), func(info *match.Info, log []match.Entry) error {
		entries[info.ID] = len(log)
		return nil
	}), nil)
	if !maps.Equal(entries, map[string]int{"aborted": 1, "finished": 5, "running": 4}) {
		t.Errorf("the logs have %v entries", entries)
	}
	populated := openURL(t, postgrestest.URL(t))
	storetest.Populate(t, populated)
	storetest.CheckUpgraded(t, s, populated)
	_, log, err := s.Match(t.Context(), "running")
	storetest.Want(t, "the running match", err, nil)
	storetest.Want(t, "append", s.Append(t.Context(), "running", match.NewLogEnd(log), match.Entry{Kind: match.EntryCredit, At: log[len(log)-1].At}), nil)

	checkIsNewest(t, url)
	if u := openURL(t, url).Upgraded(); u != nil {
		t.Errorf("the upgraded database is upgraded: %+v", u)
	}
}

// checkIsNewest checks that an upgraded database has the same schema as a new one.
func checkIsNewest(t *testing.T, url string) {
	t.Helper()
	empty := postgrestest.URL(t)
	if openURL(t, empty).Upgraded() != nil {
		t.Error("a new database was upgraded")
	}
	upgraded, made := describeSchema(t, url), describeSchema(t, empty)
	if !slices.Equal(upgraded, made) {
		without := func(lines, other []string) []string {
			return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(other, line) })
		}
		t.Errorf("only the upgraded database has\n%q\nonly a new one has\n%q", without(upgraded, made), without(made, upgraded))
	}
}

// TestDatabaseOfSchema14IsUpgraded: development versions had it.
func TestDatabaseOfSchema14IsUpgraded(t *testing.T) {
	url := loadSchema13(t)
	storetest.Want(t, "to schema 14", postgrestest.Exec(url, store.ToSchema14+"UPDATE schema SET version = 14"), nil)
	if u := openURL(t, url).Upgraded(); u == nil || *u != (store.Upgrade{From: 14, To: newestSchema()}) {
		t.Errorf("the upgrade is %+v", u)
	}
	checkIsNewest(t, url)
}

// TestFailedUpgradeChangesNothing: the next start upgrades the database.
func TestFailedUpgradeChangesNothing(t *testing.T) {
	for step, says := range map[string]string{
		"UPDATE accounts SET name = 'changed'; this is no SQL":                                "syntax error",
		"UPDATE accounts SET name = 'changed'; SELECT pg_terminate_backend(pg_backend_pid())": "cannot be reached", // as if it was killed
	} {
		url := loadSchema13(t)
		old := columns(t, url)
		before := content(t, url, old)
		func() {
			defer func(steps []string) { upgrades = steps }(upgrades)
			upgrades = append(slices.Clip(upgrades), step)
			checkRefused(t, url, says)
		}()
		if after := content(t, url, columns(t, url)); !maps.EqualFunc(before, after, slices.Equal) {
			t.Errorf("%s: the database had\n%q\nand has\n%q", says, before, after)
		}
		if u := openURL(t, url).Upgraded(); u == nil {
			t.Errorf("%s: afterwards there is no upgrade", says)
		}
	}
}
