package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"ayumu/engine"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
)

// FileName is the name of the data file in the folder given with `ayumu serve --data`.
const FileName = "ayumu.db"

const (
	readConnections = 8               // connections for reading, beside those of direct queries
	busyTimeout     = 5 * time.Second // how long to wait for another process that writes, such as a restore
	maxWAL          = 64 << 20        // size to which the write-ahead log shrinks after it has grown, in bytes
)

// Store is a store.Store in one file. Open and OpenMemory are the constructors. Its methods may be called
// from any goroutine.
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

	name  string  // of the file, for messages
	write *sql.DB // one connection, used by the writer only
	read  *sql.DB // for all reads; in memory the same pool as write
	games engine.Games

	rows sharedRows // what the lobby has beside its accounts and matches

	writeStatements, readStatements *statements             // of write and of read
	direct                          map[string]*directQuery // by their queries; nil in memory, where there is one connection

	queue       chan *job
	queueMu     sync.RWMutex   // held for reading while a job is put into the queue, for writing while the queue is closed
	queueClosed bool           // guarded by queueMu
	upgrade     *store.Upgrade // that Open made; nil: none
	closeOnce   sync.Once
	stopped     chan struct{} // closed when the writer has ended
	closeErr    error         // set before Close returns
	outage      outage
	report      atomic.Pointer[func(msg string, keyvals ...any)]

	// ---- owned by the writer ----
	fatalErr    error                   // after this failure nothing more is written
	unprepared  []string                // queries to prepare before the next transaction
	logEnds     map[string]match.LogEnd // of the logs of running matches, as the writer left them
	dataVersion int                     // PRAGMA data_version, which changes when another process changes the file
}

var _ store.Store = (*Store)(nil)

// Open opens the file, or creates it in an existing folder, and upgrades it to the current schema. Other
// processes may read and write it at the same time. A match of a game that is not in games is corrupt. The
// caller must Close the store.
func Open(ctx context.Context, path string, games engine.Games) (*Store, error) {
	if err := ensureFile(path); err != nil {
		return nil, err
	}
	pragmas := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()),
		"synchronous(FULL)", "foreign_keys(1)", "secure_delete(FAST)",
		fmt.Sprintf("journal_size_limit(%d)", maxWAL), "wal_autocheckpoint(8192)",
	}}
	return open(ctx, path, dsn(path, pragmas), readConnections, games)
}

// OpenMemory returns an empty store in memory. The caller must Close it. Only tests of many packages use it; it stands here
// because it opens a database that is no file.
func OpenMemory(games engine.Games) (*Store, error) {
	return open(context.Background(), "memory", ":memory:?_txlock=immediate&_pragma=foreign_keys(1)", 0, games)
}

// dsn returns the driver's name of a file with settings.
func dsn(path string, settings url.Values) string {
	return (&url.URL{Scheme: "file", Opaque: url.PathEscape(path), RawQuery: settings.Encode()}).String()
}

// ensureFile makes sure that the file exists and can be written, by its owner alone, because it holds the
// codes of private tables. SQLite's own errors do not name the step that failed.
func ensureFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	switch {
	case err == nil:
		return f.Close()
	case os.IsNotExist(err):
		return fmt.Errorf("there is no folder %s for the data file; create it, or choose another with --data", filepath.Dir(path))
	}
	return fmt.Errorf("the data file cannot be written: %w; give the server's user the right to read and write %s and its folder", err, path)
}

// open opens a database with a number of connections for reading; with none, reads use the writer's.
func open(ctx context.Context, name, location string, readers int, games engine.Games) (*Store, error) {
	s := &Store{
		name: name, games: games, queue: make(chan *job, maxQueuedJobs),
		stopped: make(chan struct{}), logEnds: make(map[string]match.LogEnd),
	}
	s.Accounts, s.Club = store.NewAccounts(database{s}), store.NewClub(database{s})
	s.AnnouncementTable, s.MemberTable = store.NewAnnouncementTable(database{s}), store.NewMemberTable(database{s}, games)
	s.Notifications = store.NewNotifications(database{s}, "")
	s.Sizer = store.NewSizer(database{s}, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
	s.rows.s = s
	s.Puzzles, s.TournamentTable, s.Exporter = store.NewPuzzles(database{s}), store.NewTournamentTable(database{s}, games), store.NewExporter(database{s})
	s.ConditionalTurns = store.NewConditionalTurns(database{s})
	s.Matches, s.Archive = store.NewMatches(database{s}, games), store.NewArchive(database{s}, games)
	var err error
	if s.write, err = openPool(location, 1); err != nil {
		return nil, err
	}
	s.read = s.write
	if readers > 0 {
		if s.read, err = openPool(location, readers+maxDirect*len(store.DirectQueries)); err != nil {
			return nil, err
		}
		s.direct = make(map[string]*directQuery)
		for _, query := range store.DirectQueries {
			s.direct[query] = newDirectQuery(query)
		}
	}
	s.writeStatements, s.readStatements = newStatements(s.write), newStatements(s.read)
	if err := s.prepare(ctx); err != nil {
		s.closeFile()
		return nil, s.describeError("opening", err)
	}
	go s.writer()
	return s, nil
}

func openPool(location string, connections int) (*sql.DB, error) {
	db, err := sql.Open("sqlite", location)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

func (s *Store) prepare(ctx context.Context) error {
	if err := s.migrate(ctx); err != nil {
		return err
	}
	if s.read != s.write {
		if err := s.enableWAL(ctx); err != nil {
			return err
		}
	}
	return s.rows.load(ctx)
}

// enableWAL sets WAL mode, which the file keeps. It is called after migrate, which checks that the file is
// a data file of this program.
func (s *Store) enableWAL(ctx context.Context) error {
	var mode string
	err := s.write.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
	if err == nil && mode != "wal" {
		return errors.New("its file system lacks shared memory, as network shares do; put the data on a local disk")
	}
	return err
}

// Close implements store.Maintenance.
func (s *Store) Close() error {
	s.closeOnce.Do(func() {
		s.queueMu.Lock()
		s.queueClosed = true
		close(s.queue)
		s.queueMu.Unlock()
		<-s.stopped
		s.closeErr = s.closeFile()
	})
	return s.closeErr
}

func (s *Store) closeFile() error {
	for _, q := range s.direct {
		q.close()
	}
	if s.read != s.write {
		s.read.Close()
	}
	return s.write.Close()
}
