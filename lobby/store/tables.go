package store

import (
	"fmt"
	"slices"
	"strings"
)

// Tables are the tables with the content of a store, each after those that it refers to. Every database has them, or
// views of their names, and may have more columns and tables, which follow from them.
//
// Columns are declared with a type word, "null" if they can be null, and SQL that all databases understand. The words:
//
//	id     a number that the database gives to a new row
//	time   nanoseconds since 1970 in UTC
//	int    a number of 32 bits
//	long   a number of 64 bits
//	float  a number of 64 bits
//	text   compared and sorted by its bytes
//	bytes
//	bool
//
// Other lines: "index" and "unique index" with a name and what follows the name of the table in a statement; "only" with
// the condition under which a row is content. "--" begins a comment, also within SQL. A line that begins with one of the
// words table, index, unique and only is never a column, so no column can have such a name.
var Tables = ParseTables(`
table accounts (id) -- rows stay for ever, so that an id is never given again
	id        id
	name      text
	skeleton  text null UNIQUE -- account.Skeleton of the name; null once the account is deleted
	bot       bool DEFAULT FALSE
	created   time
	renamed   time null
	settings  bytes null

table keys (id)
	id       id -- in the order in which they were added
	account  long REFERENCES accounts (id)
	wire     bytes UNIQUE
	added    time
	index keys_account (account)

table ratings (account, pool)
	account      long REFERENCES accounts (id)
	pool         text
	value        float
	deviation    float
	volatility   float
	games        int
	established  bool -- rating.Rating.IsEstablished
	index ratings_top (pool, value DESC, account) WHERE established

table matches (id)
	id                  text
	game                text
	options             text            -- JSON, as the game reads them
	initial             long            -- the time control, in nanoseconds and days
	increment           long
	days                int
	rated               bool
	private             bool
	code                text            -- '' once the match has ended
	rematch_of          text            -- the match before; '' for none
	delay               int
	started             time
	conditions_version  long DEFAULT 1  -- match.StoredConditions.Version, which an append of a turn names
	-- What follows comes with the end; null before.
	ended               time null
	turns               int null        -- that were not taken back
	result              text null       -- JSON (encoding.go)
	unrated_reason      text DEFAULT '' -- match.UnratedReason
	-- match.Tournament; '' and zero: it is no game of one. They never change.
	tournament          text DEFAULT ''
	tournament_round    int DEFAULT 0
	tournament_table    int DEFAULT 0
	first_turn          long DEFAULT 0
	no_vacation         bool DEFAULT FALSE
	index matches_unfinished (id) WHERE ended IS NULL
	index matches_ended (ended, id) WHERE ended IS NOT NULL
	unique index matches_rematch_of (rematch_of) WHERE rematch_of <> '' -- a match has one rematch

table seats (match, seat)
	match          text REFERENCES matches (id)
	seat           int
	account        long null REFERENCES accounts (id) -- null: a guest's
	name           text
	bot            bool
	rating_before  text null                          -- when the match began, JSON
	return_digest  text DEFAULT ''                    -- match.Seat.ReturnDigest
	game           text                               -- these two as in matches, for the tallies
	options        text
	-- What follows comes with the end; null before.
	ended          time null
	side           text null                          -- that the seat had at the end; '' where there are none
	outcome        text null                          -- an Outcome; null after an abort
	pool           text null                          -- in which the match was rated; null if it was not
	rating_after   text null                          -- that the match made, JSON
	fault          bool DEFAULT FALSE                 -- of the player (match.Entry.Fault). Guests are found by their return_digest
	index seats_played (account, ended, match)
	index seats_tally (account, game, side, options, outcome) WHERE outcome IS NOT NULL
	index seats_rated (account, pool, ended, match) WHERE pool IS NOT NULL
	index seats_faults (account, return_digest, ended) WHERE fault

-- Rows are only ever added, with versions that follow each other from 1 on. There is no foreign key: whoever adds an
-- entry has seen to it that the match is there and goes on.
table log (match, version)
	match      text
	version    int        -- that the entry made: 1 for the first
	body       bytes      -- codec.go
	append_id  bytes null -- match.Entry.AppendID; null: none

table invitations (id)
	id         id
	hash       bytes UNIQUE -- SHA-256 of the code, which is not stored
	uses_left  int
	until      time
	issuer     text
	created    time

table members (wire)
	wire        bytes -- the key that an invitation was used with
	invitation  long
	joined      time

table sanctions (id)
	id            id
	kind          text            -- club.Kind
	subject       text            -- club.Sanction.Subject
	subject_name  text            -- club.Sanction.OriginalName
	reason        text
	issuer        text
	created       time
	until         time null       -- null: permanent
	account       long null       -- set where the subject is an account
	issuer_role   text DEFAULT '' -- club.Role; '' in sanctions from before schema 14

-- Keys that a sanctioned account had and has no more. A new account of one is sanctioned as well.
table sanctioned_keys (sanction, digest)
	sanction  long REFERENCES sanctions (id)
	digest    bytes -- SHA-256 of the key in SSH wire format
	index sanctioned_keys_digest (digest)

table audit (id) -- rows are only ever added
	id      id
	at      time
	actor   text
	action  text

table reports (id)
	id        id
	at        time
	reporter  text
	about     text
	text      text
	closed    time null       -- when a moderator closed it; null: not yet
	origin    text DEFAULT '' -- from which address it came; '' once it is closed
	evidence  text DEFAULT '' -- JSON of club.Evidence; '' once it is closed, and in reports from before schema 14
	index reports_open (id) WHERE closed IS NULL

table blocks (account, other) -- users whom others have blocked
	account  long REFERENCES accounts (id)
	other    long REFERENCES accounts (id)
	at       time
	index blocks_other (other)

table reserved_names (skeleton) -- of deleted accounts
	skeleton  text -- account.Skeleton of the name
	until     time

table puzzles (id) -- ratings of puzzles that were tried, and the puzzles that the server has found
	id          text
	value       float
	deviation   float
	volatility  float
	games       long       -- rated tries
	body        bytes null -- JSON of puzzle.Puzzle; null: it ships with the program
	added       time

table puzzle_progress (account, game) -- of puzzles.Progress the ratings and best streaks
	account      long REFERENCES accounts (id)
	game         text
	value        float
	deviation    float
	volatility   float
	games        long
	best_streak  long

table puzzle_tries (account, puzzle) -- puzzles.TriedPuzzle
	account  long REFERENCES accounts (id)
	puzzle   text
	tried    time
	solved   bool
	step     long
	due      time null -- null: it does not come again

table announcements (id)
	id       id
	created  time
	author   text
	title    text
	text     text
	begins   time      -- it is shown on entry from then
	ends     time null -- until then; null: without an end

table announcements_read (account) -- up to which time of appearing an account has read the announcements
	account  long REFERENCES accounts (id)
	until    time

table roles (account) -- of accounts, beside the list of keys
	account  long REFERENCES accounts (id)
	role     text -- club.Role

table visits (account) -- when an account was last online, to within some minutes
	account  long REFERENCES accounts (id)
	at       time

table club_texts (name) -- texts of the club that were set from inside
	name  text -- club.TextName
	text  text

table conditions (match, seat) -- of matches that have not ended
	match    text REFERENCES matches (id)
	seat     int
	version  long  -- number of changes
	data     bytes -- conditions.go of package lobby/match

table receivers (account) -- notify.Receiver
	account       long REFERENCES accounts (id)
	settings      text                   -- JSON of notify.Settings
	events        int                    -- a bit for each event that is notified; 0 also while the address is not confirmed
	since         time
	failing       time null
	off           time null
	attempts      int DEFAULT 0
	error         text DEFAULT ''
	delivered     time null
	due           time null              -- when something has to be done; null: nothing is pending
	leased_until  time DEFAULT 0
	lease_token   long DEFAULT 0         -- notify.Lease.Token of the last lease
	kind          text DEFAULT 'webhook' -- notify.ReceiverKind, as in settings
	speed         int DEFAULT 0          -- notify.Speed
	destination   text DEFAULT ''
	index receivers_due (kind, speed, due) WHERE due IS NOT NULL

table notifications (account, id)
	account   long
	id        text
	event     text
	at        time
	facts     text      -- JSON of notify.Facts
	batch     text DEFAULT ''
	deferred  bool DEFAULT FALSE
	done      time null -- when it was acknowledged or dropped; null: pending
	index notifications_pending (account, at) WHERE done IS NULL
	index notifications_done (done) WHERE done IS NOT NULL

-- What the log of a tournament says (package lobby/tournament), for lists. The entries decide.
table tournaments (id)
	id       text
	version  int                -- number of entries, on which an append is conditional
	created  time
	phase    text               -- tournament.Phase
	listing  text               -- JSON of lobby.TournamentListing
	settled  bool DEFAULT FALSE -- it is over, and all that follows from that has been done
	index tournaments_created (created, id)
	index tournaments_unsettled (id) WHERE NOT settled

table tournament_entries (tournament, version) -- rows are only ever added
	tournament  text REFERENCES tournaments (id)
	version     int
	body        bytes -- tournament.Encode

table tournament_attendance (account, tournament) -- tournament.Attendance; the first one of each tournament counts
	account     long REFERENCES accounts (id)
	tournament  text REFERENCES tournaments (id)
	at          time
	no_show     bool

table shared_rows (kind, id) -- rows.Row of package lobby/cluster/rows
	kind     text
	id       text
	version  long
	data     bytes null         -- null: deleted
	durable  bool DEFAULT FALSE -- the others are of running nodes, and are not copied
	only durable AND data IS NOT NULL
`)

// IsNull reports whether the column can be null.
func (c Column) IsNull() bool { return c.null }

// Table is a table of a database.
type Table struct {
	Name    string
	Columns []Column
	Key     []string // the first columns, which are the primary key
	indexes []string // the statements that make them
	where   string   // the condition under which rows are content; "" for all
}

// Column is a column of a table.
type Column struct {
	Name string
	Type string // a type word
	null bool
	sql  string // what follows the type in a statement
}

// ParseTables reads declarations in the form of Tables: a line for each table with the columns of its primary key, and
// below it those with its columns, its indexes, and the condition under which its rows are content.
func ParseTables(declarations string) (all []*Table) {
	for line := range strings.Lines(declarations) {
		line, _, _ = strings.Cut(line, "--")
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimSpace(rest)
		switch word {
		case "":
		case "table":
			name, key, _ := strings.Cut(strings.TrimSuffix(rest, ")"), " (")
			t := &Table{Name: name}
			if key != "" {
				t.Key = strings.Split(key, ", ")
			}
			all = append(all, t)
		default:
			all[len(all)-1].add(word, rest)
		}
	}
	return all
}

// add adds the declaration of a line below that of a table.
func (t *Table) add(word, rest string) {
	switch word {
	case "only":
		t.where = rest
	case "unique":
		t.addIndex("CREATE UNIQUE INDEX", strings.TrimPrefix(rest, "index "))
	case "index":
		t.addIndex("CREATE INDEX", rest)
	default:
		kind, sql, _ := strings.Cut(rest, " ")
		sql, null := strings.CutPrefix(sql, "null")
		t.Columns = append(t.Columns, Column{word, kind, null, strings.TrimSpace(sql)})
	}
}

func (t *Table) addIndex(create, declaration string) {
	name, columns, _ := strings.Cut(declaration, " ")
	t.indexes = append(t.indexes, fmt.Sprintf("%s %s ON %s %s", create, name, t.Name, columns))
}

// Extend returns tables in which those that have the name of one of further, which has no key, have also its columns and
// indexes.
func Extend(tables, further []*Table) []*Table {
	all := slices.Clone(tables)
	for _, f := range further {
		i := slices.IndexFunc(all, func(t *Table) bool { return t.Name == f.Name })
		extended := *all[i]
		extended.Columns = slices.Concat(extended.Columns, f.Columns)
		extended.indexes = slices.Concat(extended.indexes, f.indexes)
		all[i] = &extended
	}
	return all
}

// Create returns the statements that make tables and their indexes in an empty database. types has the type of the
// database for each type word, and options returns what the database has behind the columns of a table.
func Create(tables []*Table, types map[string]string, options func(*Table) string) string {
	var b strings.Builder
	for _, t := range tables {
		var lines []string
		for _, c := range t.Columns {
			lines = append(lines, c.declaration(types))
		}
		if !t.HasID() {
			lines = append(lines, "PRIMARY KEY ("+strings.Join(t.Key, ", ")+")")
		}
		fmt.Fprintf(&b, "CREATE TABLE %s (\n\t%s\n)%s;\n", t.Name, strings.Join(lines, ",\n\t"), options(t))
		for _, index := range t.indexes {
			b.WriteString(index + ";\n")
		}
	}
	return b.String()
}

// declaration returns the column as a line of CREATE TABLE. It panics if types lack its type.
func (c Column) declaration(types map[string]string) string {
	words := []string{c.Name, types[c.Type]}
	if words[1] == "" {
		panic(fmt.Sprintf("column %s has the unknown type %q", c.Name, c.Type))
	}
	if !c.null && c.Type != "id" {
		words = append(words, "NOT NULL")
	}
	if c.sql != "" {
		words = append(words, c.sql)
	}
	return strings.Join(words, " ")
}

// HasID reports whether the database numbers the rows of the table.
func (t *Table) HasID() bool { return t.Columns[0].Type == "id" }

// Rows returns the name of the table with the condition under which its rows are content, for a query.
func (t *Table) Rows() string {
	if t.where == "" {
		return t.Name
	}
	return t.Name + " WHERE " + t.where
}

// ColumnNames returns the names of all columns.
func (t *Table) ColumnNames() (names []string) {
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	return names
}
