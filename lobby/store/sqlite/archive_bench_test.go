package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/store"
)

// The content of an old server: 100,000 finished games of 2,000 players, a fifth of them with the same
// player, and 1,000 running ones.
const (
	archiveFinished = 100_000
	archiveOpen     = 1_000
	archivePeople   = 2_000
	archiveLogs     = 200 // different logs, of games on 9×9, about 55 turns each
)

// BenchmarkOldServer measures the start and the queries of the archive on a file of that size.
func BenchmarkOldServer(b *testing.B) {
	path := filepath.Join(b.TempDir(), FileName)
	began := time.Now()
	bytes := makeLargeArchive(b, path)
	b.Logf("made %d MB in %v", bytes>>20, time.Since(began).Round(time.Second))
	b.Run("start/store", func(b *testing.B) {
		for b.Loop() {
			s := must[*Store](b)(Open(b.Context(), path, enginetest.Games))
			open := 0
			err := s.Unfinished(b.Context(), func(_ *match.Info, log []match.Entry) error {
				open++
				return nil
			})
			if err != nil || open != archiveOpen {
				b.Fatal(open, err)
			}
			s.Close()
		}
	})
	b.Run("start/lobby", func(b *testing.B) {
		for b.Loop() {
			s := must[*Store](b)(Open(b.Context(), path, enginetest.Games))
			l := must[*lobby.Lobby](b)(lobby.New(b.Context(), lobby.Config{Games: enginetest.Games, Store: s}))
			if n := len(l.View().Matches); n != archiveOpen {
				b.Fatal(n, "matches came back")
			}
			b.StopTimer()
			l.Close()
			s.Close()
			b.StartTimer()
		}
	})
	s := openFile(b, path)
	for _, q := range []struct {
		name string
		ask  func(context.Context) (int, error)
		want int
	}{
		{"finished/newest", finishedOf(s, lobby.MatchQuery{Limit: 50}), 50},
		{"finished/middle", finishedOf(s, lobby.MatchQuery{Limit: 50, Before: archiveID(archiveFinished / 2)}), 50},
		{"finished/busy", finishedOf(s, lobby.MatchQuery{Limit: 50, Player: 1}), 50},
		{"finished/busy-middle", finishedOf(s, lobby.MatchQuery{Limit: 50, Player: 1, Before: archiveID(archiveFinished / 2)}), 50},
		{"finished/200", finishedOf(s, lobby.MatchQuery{Limit: 200}), 200},
		{"top", func(ctx context.Context) (int, error) {
			top, err := s.Leaderboard(ctx, "ayu", start, lobby.OpenRequirements, 100)
			return len(top), err
		}, 100},
		{"history", func(ctx context.Context) (int, error) {
			points, err := s.RatingHistory(ctx, 1, "ayu", 200)
			return len(points), err
		}, 200},
		{"record", func(ctx context.Context) (int, error) {
			t, err := s.Tally(ctx, 1, "ayu")
			return t.Won + t.Lost, err
		}, archiveFinished / 5},
		{"account", func(ctx context.Context) (int, error) {
			a, err := s.AccountByKey(ctx, []byte("key of player-7"))
			return len(a.Ratings), err
		}, 1},
		{"match", func(ctx context.Context) (int, error) {
			info, _, err := s.Match(ctx, archiveID(archiveFinished/3))
			return len(info.Seats), err
		}, 2},
	} {
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				if n, err := q.ask(b.Context()); err != nil || n != q.want {
					b.Fatal(n, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms")
		})
	}
}

func finishedOf(s *Store, q lobby.MatchQuery) func(context.Context) (int, error) {
	return func(ctx context.Context) (int, error) {
		found, err := s.FinishedMatches(ctx, q)
		return len(found), err
	}
}

// archiveID returns the id of a match. The order of the ids is unrelated to that of the times.
func archiveID(n int) string { return fmt.Sprintf("%07d", n*7_654_321%10_000_000) }

// makeLargeArchive creates the file in one transaction without the writer, and returns its size.
func makeLargeArchive(b *testing.B, path string) (bytes int64) {
	s := must[*Store](b)(Open(b.Context(), path, enginetest.Games))
	chance := newChance()
	tx := must[*sql.Tx](b)(s.write.Begin())
	run := func(query string, args ...any) {
		if _, err := tx.Exec(query, args...); err != nil {
			b.Fatal(err)
		}
	}
	people := must[*sql.Stmt](b)(tx.Prepare("INSERT INTO accounts (id, name, skeleton, created) VALUES (?1, ?2, ?2, 0)"))
	keys := must[*sql.Stmt](b)(tx.Prepare("INSERT INTO keys (account, wire, added) VALUES (?1, ?2, 0)"))
	strengths := must[*sql.Stmt](b)(tx.Prepare("INSERT INTO ratings VALUES (?1, 'ayu', ?2, ?3, 0.06, 50, ?4)"))
	insert := func(stmt *sql.Stmt, args ...any) {
		if _, err := stmt.Exec(args...); err != nil {
			b.Fatal(err)
		}
	}
	for id := 1; id <= archivePeople; id++ {
		insert(people, id, fmt.Sprint("player-", id))
		insert(keys, id, []byte(fmt.Sprint("key of player-", id)))
		r := rating.Rating{Value: 1500 + 300*chance.NormFloat64(), Deviation: 50 + 100*chance.Float64()}
		insert(strengths, id, r.Value, r.Deviation, r.IsEstablished())
	}
	run("CREATE TEMP TABLE logs (kind INTEGER, version INTEGER, body BLOB, last BOOLEAN, PRIMARY KEY (kind, version))")
	for kind := range archiveLogs {
		entries := append(log(b, newMatch(b, "", `{"size":9}`), 1000, chance), end(time.Hour, engine.ReasonImmobile, 0))
		for i, e := range entries {
			run("INSERT INTO logs VALUES (?1, ?2, ?3, ?4)", kind, i+1, must[[]byte](b)(store.EncodeEntry(e)), e.Kind == match.EntryEnd)
		}
	}
	run("CREATE TEMP TABLE kinds (match TEXT PRIMARY KEY, kind INTEGER)")
	writeArchiveMatches(b, tx, insert, chance)
	run(`INSERT INTO entries (match, version, body) SELECT k.match, l.version, l.body FROM kinds k JOIN logs l ON l.kind = k.kind
		JOIN matches m ON m.id = k.match WHERE m.ended IS NOT NULL OR l.version <= 30 AND NOT l.last ORDER BY k.match, l.version`)
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
	if err := s.write.QueryRow("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").Scan(&bytes); err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	return bytes
}

func writeArchiveMatches(b *testing.B, tx *sql.Tx, insert func(*sql.Stmt, ...any), chance *rand.Rand) {
	matches := must[*sql.Stmt](b)(tx.Prepare(`INSERT INTO matches (id, game, options, initial, increment, days, rated, private, code, rematch_of, delay, started, ended, turns, result)
		VALUES (?1, 'ayu', ?2, 0, 0, 0, TRUE, FALSE, '', '', 0, ?3, ?4, 55, ?5)`))
	seats := must[*sql.Stmt](b)(tx.Prepare(`INSERT INTO seats (match, seat, account, name, bot, rating_before, game, options, ended, side, outcome, pool, rating_after)
		VALUES (?1, ?2, ?3, ?4, FALSE, ?5, 'ayu', ?6, ?7, ?8, ?9, ?10, ?11)`))
	kinds := must[*sql.Stmt](b)(tx.Prepare("INSERT INTO kinds VALUES (?1, ?2)"))
	const result = `{"winners":[0],"reason":"immobile"}`
	ratingJSON := func(r rating.Rating) string {
		return fmt.Sprintf(`{"value":%v,"deviation":%v,"volatility":%v,"games":%d}`, r.Value, r.Deviation, r.Volatility, r.Games)
	}
	newRating := rating.Rating{Value: 1500, Deviation: 350, Volatility: 0.06}
	for n := range archiveFinished + archiveOpen {
		id, started := archiveID(n), start.Add(time.Duration(n)*time.Minute)
		options := []string{`{"size":9,"pie":true}`, `{"size":11,"pie":true}`, `{"size":11,"pie":false}`}[min(n, archiveFinished)%3]
		over := n < archiveFinished
		if !over {
			options = `{"size":9,"pie":true}` // of the logs
		}
		null := func(v any) any {
			if over {
				return v
			}
			return nil
		}
		ended := null(started.Add(time.Hour).UnixNano())
		insert(matches, id, options, started.UnixNano(), ended, null(result))
		first := 2 + chance.IntN(archivePeople-1)
		if n%5 == 0 {
			first = 1
		}
		second := 2 + (first+chance.IntN(archivePeople-3))%(archivePeople-1)
		for seat, who := range [2]int{first, second} {
			r := newRating
			r.Value += float64(n % 700)
			insert(seats, id, seat, who, fmt.Sprint("player-", who), ratingJSON(newRating), options, ended,
				null([]string{"b", "w"}[seat]), null([]string{"won", "lost"}[seat]), null("ayu"), null(ratingJSON(r)))
		}
		insert(kinds, id, n%archiveLogs)
	}
}
