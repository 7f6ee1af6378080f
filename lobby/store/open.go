package store

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

	"ayumu/lobby"
)

// FileName is what the data file is called in the folder that `ayumu serve --data` names.
const FileName = "ayumu.db"

const (
	readConnections = 8               // connections that read
	busyTimeout     = 5 * time.Second // to wait for another process that writes, such as a restore
	maxWAL          = 64 << 20        // bytes to which the write-ahead log shrinks after it had to grow
)

// SQLite is a lobby.Store in one file. Open or OpenMemory make one.
type SQLite struct {
	name  string  // of the file, for messages
	write *sql.DB // of one connection, which the writer holds during a transaction
	read  *sql.DB // in memory the same one

	writeStatements, readStatements *statements // of write and of read

	queue       chan *job
	queueMu     sync.RWMutex // held for reading while a job is handed to the queue
	queueClosed bool         // the queue is closed; guarded by gate
	closeOnce   sync.Once
	stopped     chan struct{} // closed when the writer has ended
	closeErr    error         // of closing the file; set before Close returns
	health      health
	report      atomic.Pointer[func(msg string, keyvals ...any)]

	// ---- owned by the writer ----
	fatalErr    error          // the failure after which nothing more is written
	unprepared  []string       // queries that it has met and not prepared yet
	logLengths  map[string]int // of logs as the writer left them, of matches that go on
	dataVersion int            // changes whenever another process has changed the file
}

var _ lobby.Store = (*SQLite)(nil)

// Open opens the file, or makes it if there is none in its folder, and brings it to this
// program's schema. Other processes may read it and write it at the same time.
func Open(ctx context.Context, path string) (*SQLite, error) {
	if err := ensureFile(path); err != nil {
		return nil, err
	}
	pragmas := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()),
		"synchronous(FULL)", "foreign_keys(1)", "secure_delete(FAST)",
		fmt.Sprintf("journal_size_limit(%d)", maxWAL), "wal_autocheckpoint(8192)",
	}}
	return open(ctx, path, dsn(path, pragmas), readConnections)
}

// OpenMemory makes an empty store that nobody else sees and that is gone when it is closed.
func OpenMemory() (*SQLite, error) {
	return open(context.Background(), "memory", ":memory:?_txlock=immediate&_pragma=foreign_keys(1)", 0)
}

// dsn returns how the driver is told of a file.
func dsn(path string, settings url.Values) string {
	return (&url.URL{Scheme: "file", Opaque: url.PathEscape(path), RawQuery: settings.Encode()}).String()
}

// ensureFile makes sure that the file is there and can be written, by its owner alone: it holds the
// codes of private tables. SQLite's own complaints would not say which of these failed.
func ensureFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	switch {
	case err == nil:
		return f.Close()
	case os.IsNotExist(err):
		return fmt.Errorf("there is no folder %s for the data file; make it, or choose another with --data", filepath.Dir(path))
	}
	return fmt.Errorf("the data file cannot be written: %w; give the server's user the right to read and write %s and its folder", err, path)
}

// open opens a database with so many connections for reading; with none, the writer's is shared.
func open(ctx context.Context, name, location string, readers int) (*SQLite, error) {
	s := &SQLite{
		name: name, queue: make(chan *job, maxQueuedJobs),
		stopped: make(chan struct{}), logLengths: make(map[string]int),
	}
	var err error
	if s.write, err = openPool(location, 1); err != nil {
		return nil, err
	}
	s.read = s.write
	if readers > 0 {
		if s.read, err = openPool(location, readers); err != nil {
			return nil, err
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

func (s *SQLite) prepare(ctx context.Context) error {
	if err := s.migrate(ctx); err != nil {
		return err
	}
	if s.read != s.write {
		if err := s.enableWAL(ctx); err != nil {
			return err
		}
	}
	return nil
}

// enableWAL puts the file into WAL mode, in which it stays. Not before migrate has found that it is
// ours to change.
func (s *SQLite) enableWAL(ctx context.Context) error {
	var mode string
	err := s.write.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
	if err == nil && mode != "wal" {
		return errors.New("its file system lacks shared memory, as network shares do; put the data on a local disk")
	}
	return err
}

// Close lets the writer finish what was asked of it and closes the file. Later calls of any
// method fail.
func (s *SQLite) Close() error {
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

func (s *SQLite) closeFile() error {
	if s.read != s.write {
		s.read.Close()
	}
	return s.write.Close()
}
