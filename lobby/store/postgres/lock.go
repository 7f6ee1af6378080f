package postgres

import (
	"context"
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

// ErrInUse is the error of Lock while another process has the lock.
var ErrInUse = errors.New("another server uses it; stop that one, or give each a database of its own")

// Lock reserves a database for one server, or for a tool that must not run beside one, until unlock is called or
// the process ends. The lock is that of a connection, which is made anew when it breaks. report reports, from
// another goroutine, that the lock could not be taken again; it may be nil. url is that of Open.
func Lock(ctx context.Context, url string, report func(error)) (unlock func(), err error) {
	config, err := parseURL(url)
	if err != nil {
		return nil, err
	}
	l := &lock{config: config.ConnConfig, report: report, name: nameOf(config.ConnConfig)}
	deadline := time.Now().Add(lockWait)
	for err = l.take(ctx); errors.Is(err, ErrInUse) && time.Now().Before(deadline); err = l.take(ctx) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	if err != nil {
		return nil, describe("locking", l.name, err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	guard.Go(l.notify, func() {
		defer close(done)
		l.hold(ctx)
	})
	return func() {
		cancel()
		<-done
	}, nil
}

// lock is a lock that is held on one connection. Its goroutine owns it.
type lock struct {
	config *pgx.ConnConfig
	name   string
	conn   *pgx.Conn // with the lock; nil: it has to be made anew
	report func(error)
}

// take connects and takes the lock, or returns ErrInUse.
func (l *lock) take(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	c, err := pgx.ConnectConfig(ctx, l.config)
	if err != nil {
		return err
	}
	var taken bool
	err = c.QueryRow(ctx, "SELECT pg_try_advisory_lock($1, hashtext(current_schema()))", serverLock).Scan(&taken)
	if err == nil && !taken {
		err = ErrInUse
	}
	if err != nil {
		c.Close(ctx)
		return err
	}
	l.conn = c
	return nil
}

// hold checks the connection from time to time, and takes the lock again after it has broken, until ctx ends.
func (l *lock) hold(ctx context.Context) {
	ticker := time.NewTicker(lockChecks)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			l.drop()
			return
		case <-ticker.C:
		}
		if l.conn != nil && l.ping(ctx) == nil || ctx.Err() != nil {
			continue
		}
		l.drop()
		if err := l.take(ctx); errors.Is(err, ErrInUse) {
			l.notify(fmt.Errorf("this server lost its lock on %s, and another process has it now; stop one of them", l.name))
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

func (l *lock) notify(err error) {
	if l.report != nil {
		l.report(err)
	}
}
