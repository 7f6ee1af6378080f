package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"ayumu/lobby/store"
)

// typeNames are the types of SQLite for the type words of store.Tables.
var typeNames = map[string]string{
	"id":    "INTEGER PRIMARY KEY",
	"time":  "BIGINT",
	"int":   "INTEGER",
	"long":  "BIGINT",
	"float": "DOUBLE PRECISION",
	"text":  "TEXT",
	"bytes": "BLOB",
	"bool":  "BOOLEAN",
}

// ownTables stand for the table log, which is a view of them.
var ownTables = store.ParseTables(`
-- The logs, each with its entries together.
table entries (match, version)
	match      text
	version    int
	body       bytes
	append_id  bytes null

-- New entries stand here, one behind the other whatever their match, so that a commit of many turns writes a page or two
-- instead of one for each match. Many at once they go to entries (match.go).
table staged_entries (id)
	id         id               -- in the order in which they were added
	match      text
	version    int
	body       bytes
	append_id  bytes null
`)

const logView = `CREATE VIEW log AS
	SELECT match, version, body, append_id FROM entries UNION ALL SELECT match, version, body, append_id FROM staged_entries`

// newSchema returns the statements that make the tables in an empty file.
func newSchema() string {
	isLog := func(t *store.Table) bool { return t.Name == "log" }
	tables := slices.Concat(slices.DeleteFunc(slices.Clone(store.Tables), isLog), ownTables)
	return store.Create(tables, typeNames, func(t *store.Table) string {
		if t.HasID() {
			return ""
		}
		return " WITHOUT ROWID"
	}) + logView
}

// upgrades are the steps from each schema to the next, from store.FirstSchema on. A step never changes.
var upgrades = []string{
	store.ToSchema14,
	`DROP VIEW log;` + store.ToSchema15 + `
ALTER TABLE entries RENAME COLUMN append TO append_id;
ALTER TABLE fresh RENAME COLUMN append TO append_id;
ALTER TABLE fresh RENAME TO staged_entries;
CREATE VIEW log AS
	SELECT match, version, body, append_id FROM entries UNION ALL SELECT match, version, body, append_id FROM staged_entries;
CREATE INDEX blocks_other ON blocks (other);

-- These differed from the tables of other databases in more than names.
CREATE TABLE shared_rows (kind TEXT NOT NULL, id TEXT NOT NULL, version BIGINT NOT NULL, data BLOB,
	durable BOOLEAN NOT NULL DEFAULT FALSE, PRIMARY KEY (kind, id)) WITHOUT ROWID;
INSERT INTO shared_rows (kind, id, version, data, durable) SELECT kind, id, version, data, durable FROM shared;
DROP TABLE shared;
CREATE TABLE puzzle_progress (account BIGINT NOT NULL REFERENCES accounts (id), game TEXT NOT NULL,
	value DOUBLE PRECISION NOT NULL, deviation DOUBLE PRECISION NOT NULL, volatility DOUBLE PRECISION NOT NULL,
	games BIGINT NOT NULL, best_streak BIGINT NOT NULL, PRIMARY KEY (account, game)) WITHOUT ROWID;
INSERT INTO puzzle_progress (account, game, value, deviation, volatility, games, best_streak)
	SELECT account, game, value, deviation, volatility, games, streak FROM puzzle_players;
DROP TABLE puzzle_players;
ALTER TABLE puzzles RENAME TO puzzles14;
CREATE TABLE puzzles (id TEXT NOT NULL, value DOUBLE PRECISION NOT NULL, deviation DOUBLE PRECISION NOT NULL,
	volatility DOUBLE PRECISION NOT NULL, games BIGINT NOT NULL, body BLOB, added BIGINT NOT NULL, PRIMARY KEY (id)) WITHOUT ROWID;
INSERT INTO puzzles (id, value, deviation, volatility, games, body, added)
	SELECT id, value, deviation, volatility, games, body, added FROM puzzles14;
DROP TABLE puzzles14;
DROP INDEX receivers_due;
ALTER TABLE receivers RENAME TO receivers14;
CREATE TABLE receivers (account BIGINT NOT NULL REFERENCES accounts (id), settings TEXT NOT NULL, events INTEGER NOT NULL,
	since BIGINT NOT NULL, failing BIGINT, off BIGINT, attempts INTEGER NOT NULL DEFAULT 0, error TEXT NOT NULL DEFAULT '',
	delivered BIGINT, due BIGINT, leased_until BIGINT NOT NULL DEFAULT 0, lease_token BIGINT NOT NULL DEFAULT 0,
	kind TEXT NOT NULL DEFAULT 'webhook', speed INTEGER NOT NULL DEFAULT 0, destination TEXT NOT NULL DEFAULT '',
	PRIMARY KEY (account)) WITHOUT ROWID;
INSERT INTO receivers (account, settings, events, since, failing, off, attempts, error, delivered, due, leased_until, lease_token, kind, speed, destination)
	SELECT account, settings, events, since, failing, off, attempts, error, delivered, due, leased_until, lease_token, kind, speed, destination FROM receivers14;
DROP TABLE receivers14;
CREATE INDEX receivers_due ON receivers (kind, speed, due) WHERE due IS NOT NULL;
`,
	store.ToSchema16 + `
ALTER TABLE matches ADD COLUMN tournament TEXT NOT NULL DEFAULT '';
CREATE TABLE tournaments (id TEXT NOT NULL, version INTEGER NOT NULL, created BIGINT NOT NULL, phase TEXT NOT NULL,
	listing TEXT NOT NULL, settled BOOLEAN NOT NULL DEFAULT FALSE, PRIMARY KEY (id)) WITHOUT ROWID;
CREATE TABLE tournament_entries (tournament TEXT NOT NULL REFERENCES tournaments (id), version INTEGER NOT NULL, body BLOB NOT NULL,
	PRIMARY KEY (tournament, version)) WITHOUT ROWID;
CREATE TABLE tournament_attendance (account BIGINT NOT NULL REFERENCES accounts (id), tournament TEXT NOT NULL REFERENCES tournaments (id),
	at BIGINT NOT NULL, no_show BOOLEAN NOT NULL, PRIMARY KEY (account, tournament)) WITHOUT ROWID;
` + store.ToSchema16Indexes,
}

// newestSchema returns the number of the schema that this program uses.
func newestSchema() int { return store.FirstSchema + len(upgrades) }

// migrate makes the tables in an empty file, or upgrades those of an older schema and keeps a copy of the file as it
// was. It does all or nothing.
func (s *Store) migrate(ctx context.Context) error {
	tx, err := s.write.BeginTx(ctx, nil) // from here on no other process changes the file
	if err != nil {
		return err
	}
	defer tx.Rollback()
	version, err := schemaVersion(ctx, tx)
	if err != nil {
		return err
	}
	steps, err := store.Steps(version, newSchema(), upgrades)
	if err != nil || len(steps) == 0 {
		return err
	}
	var kept *keptCopy
	if version > 0 { // the file is not empty
		if kept, err = s.keepCopy(ctx, version); err != nil {
			return err
		}
		defer kept.discard()
	}
	newest := newestSchema()
	for _, step := range steps {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "UPDATE schema SET version = ?1", newest); err != nil {
		return err
	}
	var upgrade *store.Upgrade
	if kept != nil {
		name, err := kept.publish()
		if err != nil {
			return err
		}
		upgrade = &store.Upgrade{From: version, To: newest, Copy: name}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	s.upgrade = upgrade
	return nil
}

// Upgraded implements store.Maintenance.
func (s *Store) Upgraded() *store.Upgrade { return s.upgrade }

// NeedsUpgrade reports whether Open would upgrade a file. It changes nothing, and is false if that cannot be read.
func NeedsUpgrade(ctx context.Context, path string) bool {
	db, err := sql.Open("sqlite", dsn(path, url.Values{"mode": {"ro"}}))
	if err != nil {
		return false
	}
	defer db.Close()
	version := 0
	err = db.QueryRowContext(ctx, "SELECT version FROM schema").Scan(&version)
	return err == nil && version >= store.FirstSchema && version < newestSchema()
}

// keptCopy is the copy of a data file that is kept before an upgrade. It has another name until the upgrade is ready
// to be committed, so that one that fails or is interrupted leaves at most a file that the next one replaces.
type keptCopy struct{ temporary, final string }

// keepCopy copies the file as it is before the transaction of the writer, which keeps others from changing it.
func (s *Store) keepCopy(ctx context.Context, version int) (*keptCopy, error) {
	final := fmt.Sprintf("%s.schema%d", s.name, version)
	c := &keptCopy{temporary: final + ".tmp", final: final}
	c.discard()
	file, err := os.OpenFile(c.temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		defer file.Close()
		err = copyDatabase(ctx, s.read, file)
	}
	if err != nil {
		c.discard()
		return nil, fmt.Errorf("the copy %s, which is made before the upgrade from schema %d, failed: %v; nothing was changed; free as much space as the file takes, and start again", final, version, err)
	}
	return c, nil
}

// discard removes the copy unless it was published.
func (c *keptCopy) discard() { removeDatabase(c.temporary) }

// publish gives the copy its name, or that with a number behind it if there is such a file from an earlier upgrade,
// and returns the name.
func (c *keptCopy) publish() (name string, err error) {
	name = c.final
	for n := 2; ; n++ {
		err = os.Link(c.temporary, name)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
		name = fmt.Sprintf("%s.%d", c.final, n)
	}
	if err == nil {
		err = syncDir(filepath.Dir(name))
	}
	return name, err
}

// schemaVersion returns the schema of the file. In an empty file it makes the table of that number, with 0.
func schemaVersion(ctx context.Context, tx *sql.Tx) (version int, err error) {
	var tables, own int
	err = tx.QueryRowContext(ctx, "SELECT count(*), count(CASE name WHEN 'schema' THEN 1 END) FROM sqlite_master").Scan(&tables, &own)
	switch {
	case err != nil:
		return 0, err
	case tables == 0:
		_, err = tx.ExecContext(ctx, "CREATE TABLE schema (version INTEGER NOT NULL); INSERT INTO schema (version) VALUES (0)")
		return 0, err
	case own == 0:
		return 0, errors.New("it is another program's database; choose another folder with --data")
	}
	err = tx.QueryRowContext(ctx, "SELECT version FROM schema").Scan(&version)
	return version, err
}
