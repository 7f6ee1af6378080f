package postgres

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/cluster"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/store/storetest"
	"ayumu/lobby/table"
)

// trouble is a fault of a database that runs and answers.
type trouble struct {
	begin  func(t *testing.T, server *postgrestest.Server, url string) (end func())
	advice string // for the operator
}

// fullDisk refuses new entries of logs, as a full disk does that has room for the changes of existing rows.
func fullDisk(t *testing.T, _ *postgrestest.Server, url string) (end func()) {
	const full = `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN RAISE EXCEPTION 'could not extend file "base/5/16400": No space left on device' USING ERRCODE = 'disk_full'; END $$;
		CREATE TRIGGER full_disk BEFORE INSERT ON log EXECUTE FUNCTION full_disk()`
	storetest.Want(t, "fill the disk", postgrestest.Exec(url, full), nil)
	return func() {
		storetest.Want(t, "free the disk", postgrestest.Exec(url, "DROP FUNCTION full_disk CASCADE"), nil)
	}
}

// maxConnections is the number of connections that the database of a trouble has.
const maxConnections = 30

// noConnections ends the connections of the store and takes all that the server has. One that begins takes a place
// before it can be seen and ended.
func noConnections(t *testing.T, _ *postgrestest.Server, url string) (end func()) {
	var taken []*pgx.Conn
	for len(taken) < maxConnections {
		if len(taken) > 0 {
			storetest.Want(t, "end the connections of stores", endConnections(t, taken[0]), nil)
		}
		for {
			c, err := pgx.Connect(t.Context(), url)
			if code(err) == "53300" {
				break
			}
			taken = append(taken, must[*pgx.Conn](t)(c, err))
		}
	}
	return func() {
		for _, c := range taken {
			c.Close(t.Context())
		}
	}
}

// endConnections ends the connections of stores.
func endConnections(t *testing.T, c *pgx.Conn) error {
	_, err := c.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ayumu'`)
	return err
}

// TestPlayResumesAfterTrouble: while the database refuses to record turns, the players get the error unavailable, and
// the operator one report with advice. When the trouble is over the match goes on by itself: the player to move gets
// the time back, and the log has each acknowledged turn once.
func TestPlayResumesAfterTrouble(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for databases")
	}
	for name, tr := range map[string]trouble{
		"disk full":      {fullDisk, "its disk is full"},
		"no connections": {noConnections, "it has no free connections"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := postgrestest.Start(t, fmt.Sprint("max_connections=", maxConnections))
			g := startGame(t, server.URL(t))
			for range 4 {
				g.mustPlay(t)
			}
			began := time.Now()
			end := tr.begin(t, server, g.url)
			left := g.left() // until now the clock runs
			await(t, "a turn that is not recorded", func() bool {
				err := g.play(t)
				if !isUnavailable(err) {
					t.Fatalf("during the trouble: %v", err)
				}
				return !strings.Contains(err.Error(), "cannot reach") // by a degraded node, which does not try
			})
			refused := time.Now()
			await(t, "the report of "+tr.advice, func() bool { return strings.Contains(g.reported(), tr.advice) })
			await(t, "some attempts", func() bool { return time.Since(refused) > 4*time.Second })
			if n := strings.Count(g.reported(), tr.advice); n > 1 {
				t.Errorf("%d reports:\n%s", n, g.reported())
			}
			end()
			await(t, "the credit", func() bool { return g.log()[len(g.log())-1].Kind == match.EntryCredit })
			away := time.Since(began)
			credit := g.log()[len(g.log())-1]
			if credit.Credit < 4*time.Second || credit.Credit > away+time.Second {
				t.Errorf("after %v the credit is %v", away, credit.Credit)
			}
			if now := g.left(); now < left-time.Since(credit.At)-time.Second {
				t.Errorf("the player to move had %v, and has %v", left, now)
			}
			for range 4 {
				g.mustPlay(t)
			}
			g.check(t)
		})
	}
}

// TestSlowCommitsDelayTurns: with commits that take 2 s every turn is recorded once, and acknowledged when it is.
func TestSlowCommitsDelayTurns(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a database")
	}
	proxy, url := throughProxy(t, postgrestest.URL(t))
	g := startGame(t, url)
	g.mustPlay(t)
	const slow = 2 * time.Second
	proxy.delay.Store(int64(slow))
	for range 3 {
		began := time.Now()
		g.mustPlay(t)
		if took := time.Since(began); took < slow {
			t.Errorf("a turn is acknowledged after %v, before its commit", took)
		}
	}
	proxy.delay.Store(0)
	g.mustPlay(t)
	g.check(t)
}

func isUnavailable(err error) bool {
	e, ok := errors.AsType[*errcode.Error](err)
	return ok && e.Code == errcode.Unavailable
}

// testGame is a match of two players in a lobby on a database.
type testGame struct {
	url, id string
	store   *Store
	seats   [2]*lobby.Player
	played  int // turns that were acknowledged
	unclear int // turns of which it was not known at first whether they are recorded: they are when it goes on

	mu      sync.Mutex
	reports strings.Builder
}

// startGame starts a match with a clock, in a lobby that is a node on the database of url, until the test ends.
func startGame(t *testing.T, url string) *testGame {
	t.Helper()
	g := &testGame{url: url, store: openURL(t, url)}
	report := func(msg string, keyvals ...any) {
		g.mu.Lock()
		defer g.mu.Unlock()
		fmt.Fprintln(&g.reports, msg, keyvals)
	}
	g.store.ReportFailures(report)
	l := must[*lobby.Lobby](t)(lobby.New(t.Context(), lobby.Config{
		Games: enginetest.Games, Store: g.store, Cluster: &cluster.Config{Name: "a", Store: g.store.Cluster()}, Report: report,
	}))
	t.Cleanup(l.Close)
	ana, bob := enter(t, l, "ana"), enter(t, l, "bob")
	terms := table.Proposal{Game: "ayu", Options: []byte(`{"size":9,"pie":false}`), Clock: &clock.Control{Initial: 10 * time.Minute}}
	g.id = must[string](t)(ana.StartAgainst(t.Context(), terms, bob))
	for _, s := range []*lobby.Session{ana, bob} {
		p := must[*lobby.Player](t)(s.AsPlayer(g.id))
		g.seats[p.Seat()] = p
	}
	return g
}

// play plays a turn for the seat to move.
func (g *testGame) play(t *testing.T) error {
	s := g.seats[0].Snapshot()
	_, err := g.seats[s.Position.Turn()].Act(t.Context(), s.Version, s.Position.Legal()[:1])
	switch {
	case err == nil:
		g.played++
	case strings.Contains(err.Error(), "keeps trying"):
		g.unclear = 1
	}
	return err
}

// mustPlay plays a turn as soon as the node is not degraded.
func (g *testGame) mustPlay(t *testing.T) {
	t.Helper()
	try(t, "a turn", func() error { return g.play(t) })
}

func (g *testGame) log() []match.Entry { return g.seats[0].Snapshot().Log }

// left returns the time that the seat to move has.
func (g *testGame) left() time.Duration {
	s := g.seats[0].Snapshot()
	left, _ := s.Remaining(s.Position.Turn(), time.Now())
	return left
}

func (g *testGame) reported() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.reports.String()
}

// check compares the log in the store with the acknowledged turns.
func (g *testGame) check(t *testing.T) {
	t.Helper()
	_, log, err := g.store.Match(t.Context(), g.id)
	turns := 0
	for _, e := range log {
		if e.Kind == match.EntryTurn {
			turns++
		}
	}
	if err != nil || turns != g.played+g.unclear || len(log) != len(g.log()) {
		t.Errorf("%d entries in the store, of which %d are turns, and %d in memory; %d were acknowledged, and %d unclear: %v", len(log), turns, len(g.log()), g.played, g.unclear, err)
	}
	if found, err := g.store.Check(t.Context()); err != nil || found != nil {
		t.Errorf("check: %q, %v", found, err)
	}
}
