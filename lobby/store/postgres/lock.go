package postgres

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"ayumu/lobby/guard"
)

const (
	lockWait   = 2 * time.Second // for the lock of a process that has just ended
	lockChecks = 5 * time.Second // interval between checks that the connection with the lock is there
)

// Errors of locks.
var (
	// ErrInUse is the error of Lock while a node uses the database.
	ErrInUse = errors.New("a server is using it; stop all its nodes, which `ayumu status` lists")
	// ErrLocked is the error of LockNode while another process has the lock of Lock.
	ErrLocked = errors.New("a tool such as `ayumu db copy` is using it; start again when that has ended")
	// ErrNameTaken is the error of LockNode while another node has the name.
	ErrNameTaken = errors.New("another of its nodes has this name; give each a name of its own with --node")
)

// keepalive has the database find out within half a minute that the machine of a process with a lock is gone.
const keepalive = "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3"

// lockName begins the application_name of the connections with which this process locks names.
var lockName = "ayumu lock " + rand.Text()[:8]

// Lock reserves a database for a tool that must not run beside a node, until unlock is called or the process
// ends, or returns ErrInUse. url is that of Open.
func Lock(ctx context.Context, url string) (unlock func(), err error) {
	l, err := newLock(url, func(ctx context.Context, c *pgx.Conn) error {
		var taken bool
		err := c.QueryRow(ctx, "SELECT pg_try_advisory_lock($1, hashtext(current_schema()))", serverLock).Scan(&taken)
		if err == nil && !taken {
			err = ErrInUse
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := l.await(ctx); err != nil {
		return nil, describe("locking", l.database, err)
	}
	return l.drop, nil
}

// LockNode reserves the name of a node in a database until unlock is called or the process ends, or returns
// ErrNameTaken or ErrLocked. The lock is that of a connection, which is made anew when it breaks. If another
// process has the name then, lost is called once, from another goroutine, with an error that says so. url is
// that of Open.
func LockNode(ctx context.Context, url, name string, lost func(error)) (unlock func(), err error) {
	return lockNode(ctx, url, name, lockChecks, lost)
}

// lockNode is LockNode with an interval between checks of the connection.
func lockNode(ctx context.Context, url, name string, interval time.Duration, lost func(error)) (unlock func(), err error) {
	id := lockName + rand.Text()[:8]
	l, err := newLock(url, func(ctx context.Context, c *pgx.Conn) error { return takeName(ctx, c, name, id) })
	if err != nil {
		return nil, err
	}
	op := fmt.Sprintf("starting the node %q on", name)
	if err := l.await(ctx); err != nil {
		return nil, describe(op, l.database, err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	guard.Go(lost, func() {
		defer close(done)
		defer l.drop()
		if err := l.hold(ctx, interval); err != nil {
			lost(fmt.Errorf("%s %s: it had no connection for a while, and now %w", op, l.database, err))
		}
	})
	return func() {
		cancel()
		<-done
	}, nil
}

// takeName locks the name of a node, and beside others of its kind the whole database. id identifies the process
// in the list of connections: one of its own that broke, but of which the database does not know that yet, is
// ended.
func takeName(ctx context.Context, c *pgx.Conn, name, id string) error {
	const holders = `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
		WHERE l.locktype = 'advisory' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND l.classid = $1 AND a.application_name = $2 AND l.pid <> pg_backend_pid()`
	if _, err := c.Exec(ctx, "SELECT set_config('application_name', $1, false)", id); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, holders, nodeLock, id); err != nil {
		return err
	}
	var shared, own bool
	err := c.QueryRow(ctx, `SELECT pg_try_advisory_lock_shared($1, hashtext(current_schema())),
		pg_try_advisory_lock($2, hashtext(current_schema() || ' ' || $3))`, serverLock, nodeLock, name).Scan(&shared, &own)
	switch {
	case err == nil && !shared:
		err = ErrLocked
	case err == nil && !own:
		err = ErrNameTaken
	}
	return err
}

// checkNoNode returns an error if a node of another process uses the database of a transaction.
func checkNoNode(ctx context.Context, t *sql.Tx) error {
	const others = `SELECT count(*) FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
		WHERE l.locktype = 'advisory' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND l.classid = $1 AND l.objid::bigint = hashtext(current_schema())::bigint & 4294967295
		AND l.mode = 'ShareLock' AND NOT starts_with(coalesce(a.application_name, ''), $2)`
	var n int
	err := t.QueryRowContext(ctx, others, serverLock, lockName).Scan(&n)
	if err == nil && n > 0 {
		err = fmt.Errorf("its tables are those of an older version of ayumu, whose nodes still run (%d); stop them all, and then start one of this version", n)
	}
	return err
}

// lock is a lock that is held on one connection. One goroutine at a time uses it.
type lock struct {
	config   *pgx.ConnConfig
	database string    // for messages
	conn     *pgx.Conn // with the lock; nil: it has to be made anew
	// lock takes the lock on a connection, or returns one of the errors above.
	lock func(ctx context.Context, c *pgx.Conn) error
}

func newLock(url string, take func(context.Context, *pgx.Conn) error) (*lock, error) {
	config, err := parseURL(url)
	if err != nil {
		return nil, err
	}
	return &lock{config: config.ConnConfig, database: nameOf(config.ConnConfig), lock: take}, nil
}

// isHeld reports whether another process has the lock.
func isHeld(err error) bool {
	return errors.Is(err, ErrInUse) || errors.Is(err, ErrLocked) || errors.Is(err, ErrNameTaken)
}

// await takes the lock, and waits a little for a process, or a broken connection, that is just ending.
func (l *lock) await(ctx context.Context) (err error) {
	deadline := time.Now().Add(lockWait)
	for err = l.take(ctx); isHeld(err) && time.Now().Before(deadline); err = l.take(ctx) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return err
}

// take connects and takes the lock.
func (l *lock) take(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	c, err := pgx.ConnectConfig(ctx, l.config)
	if err != nil {
		return err
	}
	if _, err = c.Exec(ctx, keepalive); err == nil {
		err = checkSchema(ctx, c)
	}
	if err == nil {
		err = l.lock(ctx, c)
	}
	if err != nil {
		c.Close(ctx)
		return err
	}
	l.conn = c
	return nil
}

// checkSchema returns an error if the user may use no schema of the search path: the numbers of locks are made from it.
func checkSchema(ctx context.Context, c *pgx.Conn) error {
	var usable bool
	err := c.QueryRow(ctx, "SELECT current_schema() IS NOT NULL").Scan(&usable)
	if err == nil && !usable {
		err = errors.New(rightsAdvice)
	}
	return err
}

// hold checks the connection from time to time, and takes the lock again after it has broken, until ctx ends. It
// returns an error if another process has it then.
func (l *lock) hold(ctx context.Context, interval time.Duration) error {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if l.conn != nil && l.ping(ctx) == nil {
			continue
		}
		l.drop()
		if err := l.await(ctx); isHeld(err) {
			return err
		}
	}
}

func (l *lock) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	return l.conn.Ping(ctx)
}

// drop closes the connection, which releases the lock.
func (l *lock) drop() {
	if l.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	l.conn.Close(ctx)
	l.conn = nil
}
