package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// migrations are the steps from one schema to the next. A file's schema version is the number of steps
// applied to it. A released step never changes.
var migrations = []string{`
CREATE TABLE accounts (
	id       INTEGER PRIMARY KEY, -- rows stay for ever, so an id is never given again
	name     TEXT NOT NULL,
	look     TEXT UNIQUE,         -- lobby.Skeleton of the name; null once the account is deleted
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
	settled    BOOLEAN NOT NULL, -- rating.Rating.Settled
	PRIMARY KEY (account, pool)
) WITHOUT ROWID;
CREATE INDEX ratings_top ON ratings (pool, value DESC, account) WHERE settled;

CREATE TABLE matches (
	id        TEXT PRIMARY KEY,
	game      TEXT NOT NULL,
	options   TEXT NOT NULL,   -- JSON, as the game reads them
	initial   BIGINT NOT NULL, -- the clock, in nanoseconds and days
	increment BIGINT NOT NULL,
	days      INTEGER NOT NULL,
	rated     BOOLEAN NOT NULL,
	private   BOOLEAN NOT NULL,
	code      TEXT NOT NULL,
	prior     TEXT NOT NULL,
	delay     INTEGER NOT NULL,
	started   BIGINT NOT NULL,
	-- What follows comes with the end; null before.
	ended     BIGINT,
	turns     INTEGER,         -- that stand
	result    TEXT             -- JSON (entry.go)
) WITHOUT ROWID;
CREATE INDEX matches_unfinished ON matches (id) WHERE ended IS NULL;
CREATE INDEX matches_ended ON matches (ended, id) WHERE ended IS NOT NULL;

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
	body    BLOB NOT NULL,    -- entry.go
	PRIMARY KEY (match, version)
) WITHOUT ROWID;
`, `
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
	kind    TEXT NOT NULL,    -- ban or mute
	subject TEXT NOT NULL,    -- access.Subject
	shown   TEXT NOT NULL,    -- how people know the subject
	reason  TEXT NOT NULL,
	issuer  TEXT NOT NULL,
	created BIGINT NOT NULL,
	until   BIGINT            -- null: for good
);

CREATE TABLE audit ( -- rows are only ever added
	id     INTEGER PRIMARY KEY,
	at     BIGINT NOT NULL,
	actor  TEXT NOT NULL,
	deed   TEXT NOT NULL
);

CREATE TABLE reports (
	id    INTEGER PRIMARY KEY,
	at    BIGINT NOT NULL,
	actor TEXT NOT NULL,
	about TEXT NOT NULL,
	text  TEXT NOT NULL
);
`, `
CREATE TABLE blocks ( -- users whom others have blocked
	account BIGINT NOT NULL REFERENCES accounts (id),
	other   BIGINT NOT NULL REFERENCES accounts (id),
	at      BIGINT NOT NULL,
	PRIMARY KEY (account, other)
) WITHOUT ROWID;

ALTER TABLE reports ADD COLUMN closed BIGINT; -- when a moderator was done with it; null: not yet
`, `
-- New entries stand here, one behind the other whatever their match, so that a commit of many turns
-- writes a page or two instead of one for each match. Many at once they go to entries, where each
-- log is together (file in match.go).
CREATE TABLE fresh (
	id      INTEGER PRIMARY KEY, -- in the order in which they were added
	match   TEXT NOT NULL,
	version INTEGER NOT NULL,
	body    BLOB NOT NULL
);

CREATE VIEW log AS -- all that was ever added
	SELECT match, version, body FROM entries UNION ALL SELECT match, version, body FROM fresh;

ALTER TABLE seats ADD COLUMN return TEXT NOT NULL DEFAULT ''; -- lobby.Seat.Return
`, `
ALTER TABLE matches ADD COLUMN unrated TEXT NOT NULL DEFAULT ''; -- lobby.Unrated
`, `
CREATE TABLE reserved ( -- names of deleted accounts
	look  TEXT PRIMARY KEY,  -- lobby.Skeleton of the name
	until BIGINT NOT NULL
) WITHOUT ROWID;

-- Set where the subject is an account.
ALTER TABLE sanctions ADD COLUMN account BIGINT;
UPDATE sanctions SET account = CAST(substr(subject, 9) AS INTEGER) WHERE subject LIKE 'account %';

-- Keys that a sanctioned account had and has no more. A new account of such a key is sanctioned as well.
CREATE TABLE sanctioned_keys (
	sanction BIGINT NOT NULL REFERENCES sanctions (id),
	digest   BLOB NOT NULL,  -- SHA-256 of the key in SSH wire format
	PRIMARY KEY (sanction, digest)
) WITHOUT ROWID;
CREATE INDEX sanctioned_keys_digest ON sanctioned_keys (digest);

ALTER TABLE reports ADD COLUMN origin TEXT NOT NULL DEFAULT ''; -- from which address it came; '' once it is closed
CREATE INDEX reports_open ON reports (id) WHERE closed IS NULL;
`, `
-- The code of a private match is kept only until its end.
UPDATE matches SET code = '' WHERE ended IS NOT NULL AND code <> '';
`, `
ALTER TABLE entries ADD COLUMN append BLOB; -- lobby.Entry.AppendID; null: none
ALTER TABLE fresh ADD COLUMN append BLOB;
DROP VIEW log;
CREATE VIEW log AS
	SELECT match, version, body, append FROM entries UNION ALL SELECT match, version, body, append FROM fresh;
`, `
CREATE TABLE shared ( -- durable rows of package lobby/shared, such as correspondence tables
	kind    TEXT NOT NULL,
	id      TEXT NOT NULL,
	version BIGINT NOT NULL,
	data    BLOB NOT NULL,
	durable BOOLEAN NOT NULL, -- true; other databases also have rows that are not
	PRIMARY KEY (kind, id)
) WITHOUT ROWID;

-- A match has one rematch. Of several, which could be recorded after a failure, the first is that.
UPDATE matches SET prior = '' WHERE id IN (SELECT id FROM
	(SELECT id, row_number() OVER (PARTITION BY prior ORDER BY started, id) AS n FROM matches WHERE prior <> '') AS rematches
	WHERE n > 1);
CREATE UNIQUE INDEX matches_prior ON matches (prior) WHERE prior <> '';
`, `
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

CREATE TABLE puzzle_tries ( -- puzzles.Attempt
	account BIGINT NOT NULL REFERENCES accounts (id),
	puzzle  TEXT NOT NULL,
	tried   BIGINT NOT NULL,
	solved  BOOLEAN NOT NULL,
	step    BIGINT NOT NULL,
	due     BIGINT, -- null: it does not come again
	PRIMARY KEY (account, puzzle)
) WITHOUT ROWID;
`, `
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
`, `
-- Conditional turns. matches.conditions grows with each change, and an append of a turn names it.
ALTER TABLE matches ADD COLUMN conditions BIGINT NOT NULL DEFAULT 1;
CREATE TABLE conditions ( -- of matches that have not ended
	match   TEXT NOT NULL REFERENCES matches (id),
	seat    INTEGER NOT NULL,
	version BIGINT NOT NULL, -- number of changes
	data    BLOB NOT NULL, -- conditions.go of package lobby/match
	PRIMARY KEY (match, seat)
) WITHOUT ROWID;
`, `
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
`}

// migrate applies the missing migrations, all or none.
func (s *Store) migrate(ctx context.Context) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	version, err := schemaVersion(ctx, tx)
	if err != nil {
		return err
	}
	switch {
	case version == len(migrations):
		return nil
	case version > len(migrations):
		return fmt.Errorf("it was written by a newer version of ayumu (its schema is %d, this program knows %d); start that version, or restore a backup made before the update", version, len(migrations))
	}
	for _, step := range migrations[version:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "UPDATE schema SET version = ?1", len(migrations)); err != nil {
		return err
	}
	return tx.Commit()
}

// schemaVersion returns the number of migrations applied to the file. In an empty file it creates the table
// of that number.
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
