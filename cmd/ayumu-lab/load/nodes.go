package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// schema is a schema in a PostgreSQL database, which nodes take for a database of their own.
type schema struct {
	database string // its connection string
	name     string
}

// newSchema makes an empty schema in the database of a connection string.
func newSchema(ctx context.Context, database string) (*schema, error) {
	s := &schema{database, fmt.Sprintf("ayumu_load_%d_%d", os.Getpid(), time.Now().UnixNano())}
	return s, s.exec(ctx, "CREATE SCHEMA "+s.name)
}

// drop deletes the schema with everything in it.
func (s *schema) drop() error {
	ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
	defer cancel()
	return s.exec(ctx, "DROP SCHEMA IF EXISTS "+s.name+" CASCADE")
}

// url returns the connection string of the schema.
func (s *schema) url() (string, error) {
	u, err := url.Parse(s.database)
	if err != nil {
		return "", err
	}
	query := u.Query()
	query.Set("search_path", s.name)
	u.RawQuery = query.Encode()
	return u.String(), nil
}

func (s *schema) exec(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, s.database)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

// nodeDelay is how long a node takes at most to notice what another has changed.
const nodeDelay = 2 * time.Second

// awaitNodes waits until all nodes have noticed what one has changed before, such as a match that has started.
func (s *schema) awaitNodes(ctx context.Context) error {
	if s == nil {
		return nil
	}
	return sleep(ctx, nodeDelay)
}

// nodeFlags returns the flags of node n, which keeps its files below a folder and uses a NATS server if nats is not
// empty; of a server with a data file if s is nil.
func (s *schema) nodeFlags(n int, folder, nats string) ([]string, error) {
	if s == nil {
		return []string{"--data", folder}, nil
	}
	store, err := s.url()
	if err != nil {
		return nil, err
	}
	name := "load" + strconv.Itoa(n+1)
	dir := filepath.Join(folder, name)
	flags := []string{"--data", dir, "--store", store, "--node", name}
	if nats != "" {
		flags = append(flags, "--nats", nats)
	}
	return flags, os.MkdirAll(dir, 0o700)
}

// runningPerPair is how many running matches two players have at most.
const runningPerPair = 40

// RunningFigures are the costs of running matches in which nobody plays.
type RunningFigures struct {
	Matches       int
	Before, After float64 // shares of a core, of all nodes together, without the matches and with them
	Memory        int     // bytes for each match, of all nodes together
}

func (f RunningFigures) print(w io.Writer, nodes int) error {
	if f.Matches == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n%d running matches without a turn on %d nodes\n"+
		"CPU of all nodes: %.2f %% of a core before, %.2f %% with them; memory for each match: %.1f KiB\n",
		f.Matches, max(nodes, 1), f.Before*100, f.After*100, float64(f.Memory)/1024)
	return err
}

// measureRunning starts r.Running matches, and compares the costs of the idle server before and after.
func (r *run) measureRunning(ctx context.Context) error {
	if r.Running == 0 || r.bare {
		return nil
	}
	f := &r.RunningMatches
	before, share, err := r.idleCost(ctx)
	if err != nil {
		return err
	}
	f.Before = share
	pairs := (r.Running + runningPerPair - 1) / runningPerPair
	r.logf("starting %d matches of %d pairs", r.Running, pairs)
	err = forEach(ctx, pairs, r.AtOnce, 0, func(ctx context.Context, n int) error {
		g, err := r.startGame(ctx, n)
		if err != nil {
			return err
		}
		defer g.close()
		for range min(runningPerPair, r.Running-n*runningPerPair) - 1 {
			if _, err := startGame(ctx, g.players[0], g.players[1], r.Options, r.Clock, g.rng); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.Matches = r.Running
	after, share, err := r.idleCost(ctx)
	f.After, f.Memory = share, (after.memory-before.memory)/r.Running
	return err
}

// idleCost waits for r.Settle, and returns the costs then and the share of a core that the server takes during
// r.Idle.
func (r *run) idleCost(ctx context.Context) (c processCost, share float64, err error) {
	if err := sleep(ctx, r.Settle); err != nil {
		return c, 0, err
	}
	began, err := r.processes.cost(ctx)
	if err != nil {
		return c, 0, err
	}
	if err := sleep(ctx, r.Idle); err != nil {
		return c, 0, err
	}
	c, err = r.processes.cost(ctx)
	return c, float64(c.cpu-began.cpu) / float64(max(r.Idle, time.Nanosecond)), err
}

// Commits of the database without a server.
const (
	commitWriters     = 64 // that wait for the commits of their rows
	commitConnections = 2  // as many as a node uses for turns
	commitTime        = 5 * time.Second
)

// measureCommits measures how many rows, of the size of those of the turns played, the database commits a second
// in a plain group commit, without conditions and matches.
func (r *run) measureCommits(ctx context.Context) error {
	if r.schema == nil || !r.Baseline || len(r.Ack) == 0 {
		return nil
	}
	r.logf("the database alone, for %v", commitTime)
	url, err := r.schema.url()
	if err != nil {
		return err
	}
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return err
	}
	defer pool.Close()
	var size int
	if err := pool.QueryRow(ctx, "SELECT coalesce(avg(length(body)), 0)::int FROM log").Scan(&size); err != nil {
		return err
	}
	if _, err := pool.Exec(ctx, `CREATE TABLE bare (match TEXT COLLATE "C", version INTEGER, body BYTEA, PRIMARY KEY (match, version))`); err != nil {
		return err
	}
	queue := make(chan commitRow, commitWriters)
	var all, committers sync.WaitGroup
	for range commitConnections {
		committers.Go(func() { commitRows(ctx, pool, queue) })
	}
	end := time.Now().Add(commitTime)
	for n := range commitWriters {
		all.Go(func() {
			row := commitRow{match: fmt.Sprintf("m%06d", n*7919), body: []byte(strings.Repeat("x", size)), done: make(chan error, 1)}
			var own Times
			var failed error
			for row.version = 1; failed == nil && time.Now().Before(end); row.version++ {
				began := time.Now()
				queue <- row
				if failed = <-row.done; failed == nil {
					own = append(own, time.Since(began))
				}
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			r.Commits, err = append(r.Commits, own...), errors.Join(err, failed)
		})
	}
	all.Wait()
	close(queue)
	committers.Wait()
	return err
}

// commitRow is a row for a plain group commit.
type commitRow struct {
	match   string
	version int32
	body    []byte
	done    chan error
}

// commitRows commits all rows that wait in the queue with one statement, until it is closed.
func commitRows(ctx context.Context, pool *pgxpool.Pool, queue chan commitRow) {
	for first := range queue {
		batch := []commitRow{first}
		for range len(queue) {
			select {
			case row := <-queue:
				batch = append(batch, row)
			default:
			}
		}
		var matches []string
		var versions []int32
		var bodies [][]byte
		for _, row := range batch {
			matches, versions, bodies = append(matches, row.match), append(versions, row.version), append(bodies, row.body)
		}
		_, err := pool.Exec(ctx, "INSERT INTO bare SELECT * FROM unnest($1::text[], $2::int[], $3::bytea[])", matches, versions, bodies)
		for _, row := range batch {
			row.done <- err
		}
	}
}
