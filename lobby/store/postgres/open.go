package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
)

const (
	// appendConnections is the number of connections for group commits: while one commits, the other
	// collects. More make the groups smaller and are slower.
	appendConnections = 2
	// otherConnections is the number of connections for everything else, unless the URL has pool_max_conns.
	otherConnections = 12
	connectTimeout   = 5 * time.Second
)

// sessionSettings are the settings of each connection. A process that stalls in a transaction must not block
// those of other processes for long.
const sessionSettings = `SET synchronous_commit = on; SET lock_timeout = '3s'; SET idle_in_transaction_session_timeout = '10s'`

// Store is a store.Store in a PostgreSQL database. Open is the constructor. Its methods may be called from any
// goroutine.
type Store struct {
	store.Accounts
	store.Matches
	store.Archive
	store.Club
	store.Puzzles
	store.TournamentTable
	store.AnnouncementTable
	store.MemberTable
	store.Notifications
	store.Sizer
	store.Exporter
	store.ConditionalTurns
	store.WriteHealth

	name    string // of the database, for messages
	appends *appender
	others  *pgxpool.Pool // for everything but appends
	db      *sql.DB       // on others
	games   engine.Games

	changesMu sync.Mutex     // guards closed, and adding to changes
	closed    bool           // no change begins any more
	changes   sync.WaitGroup // the changes that have begun
	upgrade   *store.Upgrade // that Open made; nil: none
	closeOnce sync.Once
	report    atomic.Pointer[func(msg string, keyvals ...any)]

	awayReported   lastReport // that the database cannot be reached or does not answer
	outageReported lastReport // that it lacks space or connections
}

var _ store.Store = (*Store)(nil)

// Open connects to a database, which must exist, and upgrades it to the current schema. url is a connection
// string of PostgreSQL, such as postgres://user@host/name; what it lacks comes from the environment (PGPASSWORD,
// PGPASSFILE and so on). A match of a game that is not in games is corrupt. The caller must Close the store.
func Open(ctx context.Context, url string, games engine.Games) (*Store, error) {
	config, err := parseURL(url)
	if err != nil {
		return nil, err
	}
	s := &Store{name: nameOf(config.ConnConfig), games: games}
	s.Accounts, s.Club = store.NewAccounts(database{s}), store.NewClub(database{s})
	s.Puzzles, s.TournamentTable, s.Exporter = store.NewPuzzles(database{s}), store.NewTournamentTable(database{s}, games), store.NewExporter(database{s})
	s.AnnouncementTable, s.MemberTable = store.NewAnnouncementTable(database{s}), store.NewMemberTable(database{s}, games)
	s.ConditionalTurns = store.NewConditionalTurns(database{s})
	s.Notifications = store.NewNotifications(database{s}, " FOR UPDATE SKIP LOCKED")
	s.Sizer = store.NewSizer(database{s}, "SELECT pg_database_size(current_database())")
	s.Matches, s.Archive = store.NewMatches(database{s}, games), store.NewArchive(database{s}, games)
	if s.others, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, s.describeError("opening", err)
	}
	forAppends := config.Copy()
	forAppends.MaxConns, forAppends.MinConns, forAppends.MinIdleConns = appendConnections, 0, 0
	s.db = stdlib.OpenDBFromPool(s.others)
	if err := s.prepare(ctx); err != nil {
		s.closePool()
		return nil, s.describeError("opening", err)
	}
	pool, err := pgxpool.NewWithConfig(ctx, forAppends)
	if err != nil {
		s.closePool()
		return nil, s.describeError("opening", err)
	}
	s.appends = newAppender(pool, &s.WriteHealth, s.reportPanic)
	return s, nil
}

// parseURL reads a connection string. The error does not contain it, because it can have a password.
func parseURL(url string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("the URL of the database cannot be read: %w; write postgres://USER@HOST/NAME", withoutURL(err))
	}
	if !strings.Contains(url, "pool_max_conns") {
		config.MaxConns = otherConnections
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "ayumu"
	}
	config.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		_, err := c.Exec(ctx, sessionSettings)
		return err
	}
	return config, nil
}

// withoutURL returns the cause of an error of the parser, whose own text contains the URL.
func withoutURL(err error) error {
	if cause := errors.Unwrap(err); cause != nil {
		return cause
	}
	return errors.New("it has the wrong form")
}

// nameOf returns what messages call a database.
func nameOf(c *pgx.ConnConfig) string {
	return fmt.Sprintf("the database %s at %s", c.Database, c.Host)
}

// begin reports whether a change may begin. Its end must be reported to changes.
func (s *Store) begin() bool {
	s.changesMu.Lock()
	defer s.changesMu.Unlock()
	if s.closed {
		return false
	}
	s.changes.Add(1)
	return true
}

// Close implements store.Maintenance.
func (s *Store) Close() error {
	s.closeOnce.Do(func() {
		s.refuseChanges()
		s.changes.Wait()
		s.appends.close()
		s.closePool()
	})
	return nil
}

func (s *Store) refuseChanges() {
	s.changesMu.Lock()
	defer s.changesMu.Unlock()
	s.closed = true
}

func (s *Store) closePool() {
	s.db.Close()
	s.others.Close()
}

// checkRecorded returns nil if an earlier attempt, whose outcome was unclear, has recorded this match, or
// errcode.ErrTaken.
func checkRecorded(t store.Tx, info *match.Info) error {
	recorded := false
	err := t.Row("SELECT started = ?2 AND rematch_of = ?3 FROM matches WHERE id = ?1", info.ID, info.Started.UnixNano(), info.RematchOf).Scan(&recorded)
	if err == nil && !recorded {
		err = errcode.ErrTaken
	}
	return err
}

// Shared implements lobby.Store.
func (s *Store) Shared() rows.Store { return s.Cluster() }

// CreateMatch implements lobby.MatchStore.
func (s *Store) CreateMatch(ctx context.Context, info *match.Info, with lobby.MatchStart) error {
	const op = "recording a match in"
	options, err := store.EncodeOptions(info)
	if err != nil {
		return s.explainError(op, err)
	}
	if err := rows.Check(with.Rows); err != nil {
		return s.explainError(op, err)
	}
	attempts := 0
	return s.explainError(op, s.update(ctx, true, func(t store.Tx) error {
		attempts++
		err := store.InsertMatch(t, info, options, with.MaxUnfinished)
		switch {
		case err == nil:
			_, err = writeRows(t, with.Rows)
		case attempts > 1 && errors.Is(err, errcode.ErrTaken):
			return checkRecorded(t, info)
		}
		return err
	}))
}
