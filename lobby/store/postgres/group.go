package postgres

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"ayumu/lobby/guard"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
)

const (
	maxQueuedAppends = 1024 // capacity of the queue
	maxGroup         = 256  // appends in one transaction
)

// appender commits appends in groups. newAppender is the constructor.
type appender struct {
	pool    *pgxpool.Pool // of appendConnections
	health  *store.WriteHealth
	queue   chan *appendJob
	running sync.WaitGroup // the goroutines that take jobs from the queue
}

// newAppender returns an appender with a pool of its own, which it closes, and starts its goroutines. report
// reports their panics.
func newAppender(pool *pgxpool.Pool, health *store.WriteHealth, report func(error)) *appender {
	a := &appender{pool: pool, health: health, queue: make(chan *appendJob, maxQueuedAppends)}
	for range appendConnections {
		a.running.Add(1)
		guard.Go(report, a.run)
	}
	return a
}

// close does the queued jobs and closes the pool. No job may be added any more.
func (a *appender) close() {
	close(a.queue)
	a.running.Wait()
	a.pool.Close()
}

// do has a job done in a group commit and returns its result.
func (a *appender) do(j *appendJob) error {
	j.done = make(chan error, 1)
	select {
	case a.queue <- j:
	case <-j.ctx.Done():
		return j.ctx.Err()
	}
	select {
	case err := <-j.done:
		return err
	case <-j.ctx.Done():
		return j.ctx.Err()
	}
}

// run does the jobs of the queue, in one transaction after the other, until the queue is closed and empty.
func (a *appender) run() {
	defer a.running.Done()
	var next []*appendJob
	for {
		if len(next) == 0 {
			j, open := <-a.queue
			if !open {
				return
			}
			next = append(next, j)
		}
		var group []*appendJob
		group, next = a.collect(next)
		if len(group) == 0 {
			continue
		}
		if err := guard.Call(func() { a.appendGroup(group) }); err != nil {
			answerAll(group, err)
		}
	}
}

// collect returns the jobs for the next transaction, sorted by match, each match once: of first, and of the
// queue. It returns the others of first and of the queue as rest. Jobs whose callers no longer wait are left
// out.
func (a *appender) collect(first []*appendJob) (group, rest []*appendJob) {
	matches := make(map[string]bool)
	add := func(j *appendJob) {
		switch {
		case j.ctx.Err() != nil:
		case matches[j.match] || len(group) == maxGroup:
			rest = append(rest, j)
		default:
			matches[j.match] = true
			group = append(group, j)
		}
	}
	for _, j := range first {
		add(j)
	}
	for yielded := false; len(group)+len(rest) < maxGroup; {
		select {
		case j, open := <-a.queue:
			if !open {
				return sorted(group), rest
			}
			add(j)
			continue
		default:
		}
		if yielded {
			break
		}
		// Others are about to queue a job: fewer and larger transactions are worth more than an early start.
		runtime.Gosched()
		yielded = true
	}
	return sorted(group), rest
}

func sorted(group []*appendJob) []*appendJob {
	slices.SortFunc(group, func(a, b *appendJob) int { return strings.Compare(a.match, b.match) })
	return group
}

// answerAll answers the jobs that have not been answered yet.
func answerAll(group []*appendJob, err error) {
	for _, j := range group {
		select {
		case j.done <- err:
		default:
		}
	}
}

// appendGroup does jobs of different matches in one transaction and answers them. If the database refuses the
// whole, or something else holds one of the matches, each is done on its own.
func (a *appender) appendGroup(group []*appendJob) {
	ctx, cancel := context.WithTimeout(context.Background(), changeTimeout)
	defer cancel()
	var accepted map[string]bool
	unclear := false
	err := repeat(ctx, changeTimeout, func(err error) bool {
		return failureOf(err).Kind == store.FailureConflict || isConnectionError(err) && (!unclear || areRepeatable(group))
	}, func(ctx context.Context) (err error) {
		accepted, err = a.tryGroup(ctx, group)
		unclear = unclear || mayBeCommitted(err)
		return err
	})
	if err != nil && code(err) != "" && len(group) > 1 && !isConnectionError(err) {
		for i := range group {
			a.appendGroup(group[i : i+1])
		}
		return
	}
	var rejected []*appendJob
	for _, j := range group {
		switch {
		case err != nil:
			j.done <- err
		case accepted[j.match]:
			j.done <- nil
		default:
			rejected = append(rejected, j)
		}
	}
	switch {
	case err != nil && isFailure(err):
		a.health.RecordWrite(len(group), err)
	case err == nil && len(rejected) < len(group):
		a.health.RecordWrite(0, nil)
	}
	if len(rejected) > 0 {
		a.answerRejected(ctx, rejected)
	}
}

// areRepeatable reports whether each job has an id, by which it is found in the log if it was recorded.
func areRepeatable(group []*appendJob) bool {
	return !slices.ContainsFunc(group, func(j *appendJob) bool { return j.id == match.AppendID{} })
}

// appendSQL appends to the logs that have the expected ends, and returns their matches. $1 to $5 and $10 have an
// element for each append, $6 to $9 one for each entry.
const appendSQL = `WITH accepted AS (
	UPDATE matches m SET log_version = m.log_version + r.entries, last_append_id = r.id
	FROM unnest($1::text[], $2::int[], $3::bytea[], $4::int[], $5::bytea[], $10::bigint[]) AS r (match, version, last, entries, id, conditions)
	WHERE m.id = r.match AND m.log_version = r.version AND m.last_append_id IS NOT DISTINCT FROM r.last AND m.ended IS NULL
		AND (r.conditions = 0 OR m.conditions_version = r.conditions)
	RETURNING m.id
), recorded AS (
	INSERT INTO log (match, version, body, append_id)
	SELECT e.match, e.version, e.body, e.append
	FROM unnest($6::text[], $7::int[], $8::bytea[], $9::bytea[]) AS e (match, version, body, append)
	WHERE e.match IN (SELECT id FROM accepted)
)
SELECT id FROM accepted`

// tryGroup does jobs in one transaction, in one round trip, and returns the matches whose logs had the expected
// ends.
func (a *appender) tryGroup(ctx context.Context, group []*appendJob) (accepted map[string]bool, err error) {
	args := groupArgs(group)
	c, err := a.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer c.Release() // closes a connection that is still in a transaction
	b := &pgx.Batch{}
	b.Queue("BEGIN")
	b.Queue("SET LOCAL synchronous_commit = on")
	b.Queue(appendSQL, args...)
	b.Queue("COMMIT")
	results := c.SendBatch(ctx, b)
	defer func() {
		if closed := results.Close(); err == nil {
			err = closed
		}
	}()
	for range 2 {
		if _, err := results.Exec(); err != nil {
			return nil, err
		}
	}
	rows, err := results.Query()
	if err != nil {
		return nil, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	tag, err := results.Exec()
	if err == nil && tag.String() != "COMMIT" {
		err = fmt.Errorf("the database has answered a commit with %s", tag)
	}
	accepted = make(map[string]bool, len(ids))
	for _, id := range ids {
		accepted[id] = true
	}
	return accepted, err
}

// groupArgs returns the arguments of appendSQL.
func groupArgs(group []*appendJob) []any {
	n := len(group)
	matches, lengths, entries := make([]string, n), make([]int32, n), make([]int32, n)
	lasts, ids, conditions := make([][]byte, n), make([][]byte, n), make([]int64, n)
	ofMatch, versions := make([]string, 0, n), make([]int32, 0, n)
	bodies, entryIDs := make([][]byte, 0, n), make([][]byte, 0, n)
	for i, j := range group {
		matches[i], lengths[i], entries[i] = j.match, int32(j.after.Version), int32(len(j.bodies))
		lasts[i], ids[i] = store.EncodeAppendID(j.after.Last), store.EncodeAppendID(j.id)
		conditions[i] = j.conditions
		for k, body := range j.bodies {
			ofMatch, versions = append(ofMatch, j.match), append(versions, int32(j.after.Version+k+1))
			bodies, entryIDs = append(bodies, body), append(entryIDs, j.appendID(k))
		}
	}
	return []any{matches, lengths, lasts, entries, ids, ofMatch, versions, bodies, entryIDs, conditions}
}

// answerRejected answers jobs whose logs had other ends: the log may have the entries of the job, from an
// earlier attempt.
func (a *appender) answerRejected(ctx context.Context, rejected []*appendJob) {
	var matches []string
	var ids [][]byte
	for _, j := range rejected {
		matches, ids = append(matches, j.match), append(ids, store.EncodeAppendID(j.id))
	}
	type state struct {
		Match            string
		Exists, Recorded bool
	}
	found := make(map[string]state)
	err := repeat(ctx, changeTimeout, isConnectionError, func(ctx context.Context) error {
		rows, err := a.pool.Query(ctx, `SELECT r.match, EXISTS (SELECT 1 FROM matches WHERE id = r.match),
				EXISTS (SELECT 1 FROM log l WHERE l.match = r.match AND l.append_id = r.id)
			FROM unnest($1::text[], $2::bytea[]) AS r (match, id)`, matches, ids)
		if err != nil {
			return err
		}
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[state])
		for _, st := range all {
			found[st.Match] = st
		}
		return err
	})
	for _, j := range rejected {
		st := found[j.match]
		if err != nil {
			j.done <- err
		} else {
			j.done <- reason(st.Exists, st.Recorded)
		}
	}
}
