// Package sqlitetest helps tests of packages that store data in a file of lobby/store/sqlite.
package sqlitetest

import (
	"context"
	"database/sql"
	"fmt"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// DropTables drops every table of a data file, so that each method of a store that has it open fails from
// then on. No transaction may be open.
func DropTables(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY type DESC")
	if err != nil {
		return err
	}
	defer rows.Close()
	var drops []string
	for rows.Next() {
		var kind, name string
		if err := rows.Scan(&kind, &name); err != nil {
			return err
		}
		drops = append(drops, fmt.Sprintf("DROP %s %q", kind, name))
	}
	if err := rows.Err(); err != nil {
		return err
	}
	rows.Close()
	for _, drop := range drops {
		if _, err := db.ExecContext(ctx, drop); err != nil {
			return fmt.Errorf("%s: %w", drop, err)
		}
	}
	return nil
}
