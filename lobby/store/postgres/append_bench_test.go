package postgres

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/store/storetest"
)

const (
	writers       = 64 // that append at once, each to a match of its own
	turnsPerMatch = 60
)

// BenchmarkAppends appends single turns to the logs of 64 matches at once, each of which waits for its
// acknowledgement, on a disk, through one to three stores, as nodes have them. Then it writes the same bodies in a
// plain group commit over the connections of one, without conditions, ids and matches, and compares.
func BenchmarkAppends(b *testing.B) {
	for n := 1; n <= 3; n++ {
		b.Run(fmt.Sprintf("stores=%d", n), func(b *testing.B) { benchmarkAppends(b, n) })
	}
}

func benchmarkAppends(b *testing.B, n int) {
	url := postgrestest.StartOnDisk(b).URL(b)
	stores := make([]*Store, n)
	for i := range stores {
		stores[i] = openURL(b, url)
	}
	s := stores[0]
	ana, bob := storetest.Account(b, s, "ana"), storetest.Account(b, s, "bob")
	info := storetest.Match(b, "", "", ana, bob)
	turns := storetest.Log(b, info, turnsPerMatch, storetest.NewChance())
	matches := b.N/len(turns) + writers
	for i := range matches {
		one := *info
		one.ID = matchID(i)
		if err := s.CreateMatch(b.Context(), &one, lobby.MatchStart{}); err != nil {
			b.Fatal(err)
		}
	}
	if err := postgrestest.Exec(url, "VACUUM ANALYZE"); err != nil {
		b.Fatal(err)
	}
	var left, next atomic.Int64
	left.Store(int64(b.N))
	b.ResetTimer()
	took, waits := storetest.RunWriters(writers, func(w int) (waits []time.Duration) {
		s := stores[w%n]
		for id := matchID(int(next.Add(1) - 1)); ; id = matchID(int(next.Add(1) - 1)) {
			var end match.LogEnd
			for v, e := range turns {
				if left.Add(-1) < 0 {
					return waits
				}
				e.AppendID = match.AppendID{byte(v), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
				began := time.Now()
				if err := s.Append(b.Context(), id, end, e); err != nil {
					b.Error(err)
					return waits
				}
				waits = append(waits, time.Since(began))
				end = match.LogEnd{Version: v + 1, Last: e.AppendID}
			}
		}
	})
	b.StopTimer()
	bareTook, bareWaits := writeDirectly(b, s.appends.pool, turns, len(waits))

	rate, bareRate := float64(len(waits))/took.Seconds(), float64(len(bareWaits))/bareTook.Seconds()
	b.ReportMetric(rate, "appends/s")
	b.ReportMetric(bareRate, "bare/s")
	b.ReportMetric(100*rate/bareRate, "%-of-bare")
	b.ReportMetric(float64(storetest.Percentile(waits, 99).Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(storetest.Percentile(bareWaits, 99).Microseconds())/1000, "bare-p99-ms")
}

// matchID returns an id that is scattered, as the lobby's are.
func matchID(i int) string { return fmt.Sprintf("%07d", i*7_654_321%10_000_000) }

// bareRow is an entry for a plain group commit.
type bareRow struct {
	match   string
	version int32
	body    []byte
	done    chan error
}

// writeDirectly writes n bodies of a log, of one match after the other by each writer, with a plain group
// commit.
func writeDirectly(b *testing.B, pool *pgxpool.Pool, turns []match.Entry, n int) (time.Duration, []time.Duration) {
	ctx := b.Context()
	if _, err := pool.Exec(ctx, `CREATE TABLE bare (match TEXT COLLATE "C", version INTEGER, body BYTEA, PRIMARY KEY (match, version))`); err != nil {
		b.Fatal(err)
	}
	bodies, err := store.EncodeEntries("", 0, turns)
	if err != nil {
		b.Fatal(err)
	}
	queue := make(chan bareRow, writers)
	var committers sync.WaitGroup
	for range appendConnections {
		committers.Go(func() { commitBare(ctx, pool, queue) })
	}
	defer committers.Wait()
	defer close(queue)
	var left, next atomic.Int64
	left.Store(int64(n))
	return storetest.RunWriters(writers, func(int) (waits []time.Duration) {
		done := make(chan error, 1)
		for {
			match := matchID(int(next.Add(1) - 1))
			for v, body := range bodies {
				if left.Add(-1) < 0 {
					return waits
				}
				began := time.Now()
				queue <- bareRow{match, int32(v + 1), body, done}
				if err := <-done; err != nil {
					b.Error(err)
					return waits
				}
				waits = append(waits, time.Since(began))
			}
		}
	})
}

// commitBare commits all rows that wait in the queue with one statement, until it is closed.
func commitBare(ctx context.Context, pool *pgxpool.Pool, queue chan bareRow) {
	for first := range queue {
		batch := []bareRow{first}
		for more := true; more; {
			select {
			case r, open := <-queue:
				if more = open; open {
					batch = append(batch, r)
				}
			default:
				more = false
			}
		}
		var matches []string
		var versions []int32
		var bodies [][]byte
		for _, r := range batch {
			matches, versions, bodies = append(matches, r.match), append(versions, r.version), append(bodies, r.body)
		}
		b := &pgx.Batch{}
		b.Queue("INSERT INTO bare SELECT * FROM unnest($1::text[], $2::int[], $3::bytea[])", matches, versions, bodies)
		err := pool.SendBatch(ctx, b).Close()
		for _, r := range batch {
			r.done <- err
		}
	}
}
