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

	"ayumu/lobby/store"
)

// firstSchema makes the tables of schema store.FirstSchema in an empty file.
const firstSchema = `
CREATE TABLE accounts (
	id       INTEGER PRIMARY KEY, -- rows stay for ever, so an id is never given again
	name     TEXT NOT NULL,
	look     TEXT UNIQUE,         -- account.Skeleton of the name; null once the account is deleted
	bot      BOOLEAN NOT NULL DEFAULT FALSE,
	created  BIGINT NOT NULL,
	renamed  BIGINT,
	settings BLOB
);

CREATE TABLE keys (
	id      INTEGER PRIMARY KEY, -- in the order in which they were added
	account BIGINT NOT NULL REFERENCES accounts (id),
	wire    BLOB NOT NULL UNIQUE,
	added   BIGINT NOT NULL
);
CREATE INDEX keys_account ON keys (account);

CREATE TABLE ratings (
	account    BIGINT NOT NULL REFERENCES accounts (id),
	pool       TEXT NOT NULL,
	value      DOUBLE PRECISION NOT NULL,
	deviation  DOUBLE PRECISION NOT NULL,
	volatility DOUBLE PRECISION NOT NULL,
	games      INTEGER NOT NULL,
	settled    BOOLEAN NOT NULL, -- rating.Rating.IsEstablished
	PRIMARY KEY (account, pool)
) WITHOUT ROWID;
CREATE INDEX ratings_top ON ratings (pool, value DESC, account) WHERE settled;

CREATE TABLE matches (
	id         TEXT PRIMARY KEY,
	game       TEXT NOT NULL,
	options    TEXT NOT NULL,   -- JSON, as the game reads them
	initial    BIGINT NOT NULL, -- the clock, in nanoseconds and days
	increment  BIGINT NOT NULL,
	days       INTEGER NOT NULL,
	rated      BOOLEAN NOT NULL,
	private    BOOLEAN NOT NULL,
	code       TEXT NOT NULL,   -- '' once the match has ended
	prior      TEXT NOT NULL,
	delay      INTEGER NOT NULL,
	started    BIGINT NOT NULL,
	-- What follows comes with the end; null before.
	ended      BIGINT,
	turns      INTEGER,         -- that were not taken back
	result     TEXT,            -- JSON (encoding.go of package store)
	unrated    TEXT NOT NULL DEFAULT '', -- match.UnratedReason
	-- match.StoredConditions.Version, which an append of a turn names.
	conditions BIGINT NOT NULL DEFAULT 1
) WITHOUT ROWID;
CREATE INDEX matches_unfinished ON matches (id) WHERE ended IS NULL;
CREATE INDEX matches_ended ON matches (ended, id) WHERE ended IS NOT NULL;
CREATE UNIQUE INDEX matches_prior ON matches (prior) WHERE prior <> ''; -- a match has one rematch

CREATE TABLE seats (
	match   TEXT NOT NULL REFERENCES matches (id),
	seat    INTEGER NOT NULL,
	account BIGINT REFERENCES accounts (id), -- null: a guest's
	name    TEXT NOT NULL,
	bot     BOOLEAN NOT NULL,
	before  TEXT,                            -- the rating when the match began, JSON
	game    TEXT NOT NULL,                   -- these two as in matches, for the tallies
	options TEXT NOT NULL,
	-- What follows comes with the end; null before.
	ended   BIGINT,
	side    TEXT,                            -- that the seat had at the end; '' where there are none
	outcome TEXT,                            -- won, drawn or lost; null after an abort
	pool    TEXT,                            -- in which the match was rated; null if it was not
	after   TEXT,                            -- the rating that this made, JSON
	return  TEXT NOT NULL DEFAULT '',        -- match.Seat.ReturnDigest
	PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE INDEX seats_played ON seats (account, ended, match);
CREATE INDEX seats_tally ON seats (account, game, side, options, outcome) WHERE outcome IS NOT NULL;
CREATE INDEX seats_rated ON seats (account, pool, ended, match) WHERE pool IS NOT NULL;

-- The logs. Rows are only ever added, with versions that follow each other from 1 on; whoever adds
-- one has seen to it that the match is there and goes on (match.go).
CREATE TABLE entries (
	match   TEXT NOT NULL,
	version INTEGER NOT NULL, -- that the entry made: 1 for the first
	body    BLOB NOT NULL,    -- codec.go of package store
	append  BLOB,             -- match.Entry.AppendID; null: none
	PRIMARY KEY (match, version)
) WITHOUT ROWID;

-- New entries stand here, one behind the other whatever their match, so that a commit of many turns
-- writes a page or two instead of one for each match. Many at once they go to entries, where each
-- log is together (match.go).
CREATE TABLE fresh (
	id      INTEGER PRIMARY KEY, -- in the order in which they were added
	match   TEXT NOT NULL,
	version INTEGER NOT NULL,
	body    BLOB NOT NULL,
	append  BLOB
);

-- All that was ever added.
CREATE VIEW log AS
	SELECT match, version, body, append FROM entries UNION ALL SELECT match, version, body, append FROM fresh;

-- The data of moderation. Of invitation codes only hashes are stored.
CREATE TABLE invites (
	id      INTEGER PRIMARY KEY,
	hash    BLOB NOT NULL UNIQUE, -- SHA-256 of the code
	uses    INTEGER NOT NULL,     -- that are left
	until   BIGINT NOT NULL,
	issuer  TEXT NOT NULL,
	created BIGINT NOT NULL
);

CREATE TABLE members (
	wire   BLOB PRIMARY KEY, -- the key that an invitation was used with
	invite BIGINT NOT NULL,
	joined BIGINT NOT NULL
) WITHOUT ROWID;

CREATE TABLE sanctions (
	id      INTEGER PRIMARY KEY,
	kind    TEXT NOT NULL, -- ban or mute
	subject TEXT NOT NULL, -- club.Sanction.Subject
	shown   TEXT NOT NULL, -- how people know the subject
	reason  TEXT NOT NULL,
	issuer  TEXT NOT NULL,
	created BIGINT NOT NULL,
	until   BIGINT,        -- null: for good
	account BIGINT         -- set where the subject is an account
);

-- Keys that a sanctioned account had and has no more. A new account of such a key is sanctioned as well.
CREATE TABLE sanctioned_keys (
	sanction BIGINT NOT NULL REFERENCES sanctions (id),
	digest   BLOB NOT NULL, -- SHA-256 of the key in SSH wire format
	PRIMARY KEY (sanction, digest)
) WITHOUT ROWID;
CREATE INDEX sanctioned_keys_digest ON sanctioned_keys (digest);

CREATE TABLE audit ( -- rows are only ever added
	id    INTEGER PRIMARY KEY,
	at    BIGINT NOT NULL,
	actor TEXT NOT NULL,
	deed  TEXT NOT NULL
);

CREATE TABLE reports (
	id     INTEGER PRIMARY KEY,
	at     BIGINT NOT NULL,
	actor  TEXT NOT NULL,
	about  TEXT NOT NULL,
	text   TEXT NOT NULL,
	closed BIGINT,                  -- when a moderator closed it; null: not yet
	origin TEXT NOT NULL DEFAULT '' -- from which address it came; '' once it is closed
);
CREATE INDEX reports_open ON reports (id) WHERE closed IS NULL;

CREATE TABLE blocks ( -- users whom others have blocked
	account BIGINT NOT NULL REFERENCES accounts (id),
	other   BIGINT NOT NULL REFERENCES accounts (id),
	at      BIGINT NOT NULL,
	PRIMARY KEY (account, other)
) WITHOUT ROWID;

CREATE TABLE reserved ( -- names of deleted accounts
	look  TEXT PRIMARY KEY, -- account.Skeleton of the name
	until BIGINT NOT NULL
) WITHOUT ROWID;

CREATE TABLE shared ( -- durable rows of package lobby/cluster/rows, such as correspondence tables
	kind    TEXT NOT NULL,
	id      TEXT NOT NULL,
	version BIGINT NOT NULL,
	data    BLOB NOT NULL,
	durable BOOLEAN NOT NULL, -- true; other databases also have rows that are not
	PRIMARY KEY (kind, id)
) WITHOUT ROWID;

CREATE TABLE puzzles ( -- ratings of puzzles that were tried, and the puzzles that the server has found
	id         TEXT PRIMARY KEY,
	value      REAL NOT NULL,
	deviation  REAL NOT NULL,
	volatility REAL NOT NULL,
	games      BIGINT NOT NULL, -- rated tries
	body       BLOB,            -- JSON of puzzle.Puzzle; null: it ships with the program
	added      BIGINT NOT NULL
) WITHOUT ROWID;

CREATE TABLE puzzle_players ( -- what an account has reached with the puzzles of a game
	account    BIGINT NOT NULL REFERENCES accounts (id),
	game       TEXT NOT NULL,
	value      REAL NOT NULL,
	deviation  REAL NOT NULL,
	volatility REAL NOT NULL,
	games      BIGINT NOT NULL,
	streak     BIGINT NOT NULL, -- the best
	PRIMARY KEY (account, game)
) WITHOUT ROWID;

CREATE TABLE puzzle_tries ( -- puzzles.TriedPuzzle
	account BIGINT NOT NULL REFERENCES accounts (id),
	puzzle  TEXT NOT NULL,
	tried   BIGINT NOT NULL,
	solved  BOOLEAN NOT NULL,
	step    BIGINT NOT NULL,
	due     BIGINT, -- null: it does not come again
	PRIMARY KEY (account, puzzle)
) WITHOUT ROWID;

CREATE TABLE announcements (
	id      INTEGER PRIMARY KEY,
	created BIGINT NOT NULL,
	author  TEXT NOT NULL,
	title   TEXT NOT NULL,
	text    TEXT NOT NULL,
	begins  BIGINT NOT NULL, -- it is shown on entry from then
	ends    BIGINT           -- until then; null: without an end
);

CREATE TABLE announcements_read ( -- up to which time of appearing an account has read the announcements
	account BIGINT PRIMARY KEY REFERENCES accounts (id),
	until   BIGINT NOT NULL
) WITHOUT ROWID;

CREATE TABLE roles ( -- of accounts, beside the list of keys
	account BIGINT PRIMARY KEY REFERENCES accounts (id),
	role    TEXT NOT NULL -- club.Role
) WITHOUT ROWID;

CREATE TABLE visits ( -- when an account was last online, to within some minutes
	account BIGINT PRIMARY KEY REFERENCES accounts (id),
	at      BIGINT NOT NULL
) WITHOUT ROWID;

CREATE TABLE club_texts ( -- texts of the club that were set from inside
	name TEXT PRIMARY KEY, -- club.TextName
	text TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE conditions ( -- of matches that have not ended
	match   TEXT NOT NULL REFERENCES matches (id),
	seat    INTEGER NOT NULL,
	version BIGINT NOT NULL, -- number of changes
	data    BLOB NOT NULL, -- conditions.go of package lobby/match
	PRIMARY KEY (match, seat)
) WITHOUT ROWID;

CREATE TABLE receivers ( -- where the notifications of accounts are sent
	account   BIGINT PRIMARY KEY REFERENCES accounts (id),
	settings  TEXT NOT NULL,              -- JSON of notify.Settings
	events    INTEGER NOT NULL,           -- a bit for each event that is notified; 0 also while the address is not confirmed
	since     BIGINT NOT NULL,            -- notify.Receiver, as the next five
	failing   BIGINT,
	off       BIGINT,
	attempts  INTEGER NOT NULL DEFAULT 0,
	error     TEXT NOT NULL DEFAULT '',
	delivered BIGINT,
	due       BIGINT,                     -- when something has to be done; null: nothing is pending
	lease     BIGINT NOT NULL DEFAULT 0,  -- until when a node has claimed it
	claims    BIGINT NOT NULL DEFAULT 0   -- the number of claims
);
CREATE INDEX receivers_due ON receivers (due) WHERE due IS NOT NULL;

CREATE TABLE notifications (
	account  BIGINT NOT NULL,
	id       TEXT NOT NULL,
	event    TEXT NOT NULL,
	at       BIGINT NOT NULL,
	facts    TEXT NOT NULL,                 -- JSON of notify.Facts
	batch    TEXT NOT NULL DEFAULT '',
	deferred BOOLEAN NOT NULL DEFAULT FALSE,
	done     BIGINT,                        -- when it was acknowledged or dropped; null: pending
	PRIMARY KEY (account, id)
) WITHOUT ROWID;
CREATE INDEX notifications_pending ON notifications (account, at) WHERE done IS NULL;
CREATE INDEX notifications_done ON notifications (done) WHERE done IS NOT NULL;
`

// upgrades are the steps from each schema to the next, from store.FirstSchema on. A released step never changes.
var upgrades = []string{`
ALTER TABLE sanctions ADD COLUMN issuer_role TEXT NOT NULL DEFAULT ''; -- club.Role; '' before there was the column
ALTER TABLE reports ADD COLUMN evidence TEXT NOT NULL DEFAULT ''; -- JSON of club.Evidence; '' once the report is closed
ALTER TABLE receivers ADD COLUMN kind TEXT NOT NULL DEFAULT 'webhook'; -- notify.ReceiverKind, as in settings
ALTER TABLE receivers ADD COLUMN speed INTEGER NOT NULL DEFAULT 0; -- notify.Speed
ALTER TABLE receivers ADD COLUMN destination TEXT NOT NULL DEFAULT ''; -- notify.Receiver
UPDATE receivers SET kind = 'mail' WHERE settings LIKE '{"kind":"mail"%';
DROP INDEX receivers_due;
CREATE INDEX receivers_due ON receivers (kind, speed, due) WHERE due IS NOT NULL;
-- The player of the seat was at fault (match.Entry.Fault). Guests are found by the digest of their return code.
ALTER TABLE seats ADD COLUMN fault BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX seats_faults ON seats (account, return, ended) WHERE fault;
`}

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
	newest := newestSchema()
	var steps []string
	var kept *keptCopy
	switch {
	case version == newest:
		return nil
	case version == 0: // an empty file
		steps = append([]string{firstSchema}, upgrades...)
	default:
		if err := store.CheckSchema(version, newest); err != nil {
			return err
		}
		steps = upgrades[version-store.FirstSchema:]
		if kept, err = s.keepCopy(ctx, version); err != nil {
			return err
		}
		defer kept.discard()
	}
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
