package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/store"
	"ayumu/lobby/store/storetest"
	"ayumu/lobby/table"
)

// writers is the number of matches that are played concurrently.
const writers = 64

// BenchmarkDurableTurns plays rated games of Ayu in the lobby, on a file: every turn is checked by the
// engine, recorded and acknowledged before the next. Then it writes the same logs without the lobby and
// without checks, in a plain group commit with the same settings, and compares.
func BenchmarkDurableTurns(b *testing.B) {
	games := randomGames(b, 100)
	s := openFile(b, filepath.Join(b.TempDir(), FileName))
	l, err := lobby.New(b.Context(), lobby.Config{Games: enginetest.Games, Store: s, Report: func(msg string, kv ...any) { b.Error(msg, kv) }})
	if err != nil {
		b.Fatal(err)
	}
	var pairs [writers][2]*lobby.Session
	for i := range pairs {
		for j := range 2 {
			pairs[i][j] = must[*lobby.Session](b)(l.Enter(newAccount(b, s, fmt.Sprintf("player-%d-%d", i, j)), nil))
		}
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ResetTimer()
	took, waits := storetest.RunWriters(writers, func(writer int) (waits []time.Duration) {
		for game := writer; left.Load() > 0; game++ {
			waits = append(waits, play(b, pairs[writer], games[game%len(games)], &left)...)
		}
		return waits
	})
	b.StopTimer()
	l.Close()
	logs := storedLogs(b, s)
	bareTook, bareWaits := writeDirectly(b, logs)

	rate, bareRate := float64(len(waits))/took.Seconds(), float64(len(bareWaits))/bareTook.Seconds()
	b.ReportMetric(rate, "turns/s")
	b.ReportMetric(bareRate, "bare-entries/s")
	b.ReportMetric(100*rate/bareRate, "%-of-bare")
	b.ReportMetric(float64(storetest.Percentile(waits, 99).Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(storetest.Percentile(bareWaits, 99).Microseconds())/1000, "bare-p99-ms")
}

// randomGames returns complete games of Ayu on the default board.
func randomGames(b *testing.B, n int) (all [][]string) {
	game, _ := enginetest.Games.ByName("ayu")
	chance := newChance()
	for range n {
		p := game.New(must[engine.Options](b)(game.ParseOptions(nil)))
		var turns []string
		for legal := p.Legal(); len(legal) > 0; legal = p.Legal() {
			turns = append(turns, legal[chance.IntN(len(legal))])
			p = must[engine.Position](b)(p.Play(turns[len(turns)-1]))
		}
		all = append(all, turns)
	}
	return all
}

// play plays one match until it ends or no turns are left, and returns how long each turn waited for its
// acknowledgement.
func play(b *testing.B, who [2]*lobby.Session, turns []string, left *atomic.Int64) (waits []time.Duration) {
	ctx, leave := context.WithCancel(b.Context()) // of its own, as each session has one
	defer leave()
	yes := true
	table, err := who[0].OpenTable(ctx, table.Proposal{Game: "ayu", Rated: &yes, Clock: &clock.Default, Private: true})
	if err != nil {
		b.Error(err)
		left.Store(0)
		return nil
	}
	id, err := who[1].JoinTable(ctx, table.ID, table.Code(who[0].Account().ID))
	if err != nil {
		b.Error(err)
		left.Store(0)
		return nil
	}
	var seats [2]*lobby.Player
	for _, s := range who {
		p, err := s.AsPlayer(id)
		if err != nil {
			b.Error(err)
			return nil
		}
		seats[p.Seat()] = p
	}
	for v, action := range turns {
		if left.Add(-1) < 0 {
			break
		}
		began := time.Now()
		if _, err := seats[seats[0].Snapshot().Position.Turn()].Act(ctx, v, []string{action}); err != nil {
			b.Error(err)
			left.Store(0)
			return nil
		}
		waits = append(waits, time.Since(began))
	}
	return waits
}

// storedLogs returns the bodies of all logs in a store, by match.
func storedLogs(b *testing.B, s *Store) (logs [][][]byte) {
	last := ""
	err := store.Scan(b.Context(), s.read, "SELECT match, body FROM log ORDER BY match, version", nil, func(row store.RowScanner) error {
		var match string
		var body []byte
		err := row.Scan(&match, &body)
		if match != last {
			logs, last = append(logs, nil), match
		}
		logs[len(logs)-1] = append(logs[len(logs)-1], body)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return logs
}

// writeDirectly writes logs with a plain group commit.
func writeDirectly(b *testing.B, logs [][][]byte) (time.Duration, []time.Duration) {
	s := openFile(b, filepath.Join(b.TempDir(), "bare.db"))
	for _, q := range []string{"DROP TABLE entries", "CREATE TABLE entries (match TEXT, version INTEGER, body BLOB, PRIMARY KEY (match, version)) WITHOUT ROWID"} {
		if _, err := s.write.Exec(q); err != nil {
			b.Fatal(err)
		}
	}
	insert := must[*sql.Stmt](b)(s.write.Prepare("INSERT INTO entries VALUES (?1, ?2, ?3)"))
	type row struct {
		match   string
		version int
		body    []byte
		done    chan error
	}
	queue := make(chan row, writers)
	go func() {
		for r := range queue {
			ctx := context.Background()
			tx, err := s.write.BeginTx(ctx, nil)
			if err != nil {
				r.done <- err
				continue
			}
			own := tx.StmtContext(ctx, insert)
			var batch []row
			for more := true; more && err == nil; {
				_, err = own.Exec(r.match, r.version, r.body)
				batch = append(batch, r)
				select {
				case r = <-queue:
				default:
					more = false
				}
			}
			if err == nil {
				err = tx.Commit()
			} else {
				tx.Rollback()
			}
			for _, r := range batch {
				r.done <- err
			}
		}
	}()
	defer close(queue)
	return storetest.RunWriters(writers, func(writer int) (waits []time.Duration) {
		done := make(chan error, 1)
		for i := writer; i < len(logs); i += writers {
			match := fmt.Sprintf("%07d", i*7_654_321%10_000_000) // scattered, as the lobby's are
			for v, body := range logs[i] {
				began := time.Now()
				queue <- row{match, v + 1, body, done}
				if err := <-done; err != nil {
					b.Error(err)
					return nil
				}
				waits = append(waits, time.Since(began))
			}
		}
		return waits
	})
}
