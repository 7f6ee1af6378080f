package tui_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ayumu/engine/ayu"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/table"
	"ayumu/tui"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/screentest"
)

// loadTest runs many sessions in real time.
type loadTest struct {
	*lobby.Lobby
	players [2]*lobby.Player
	frames  atomic.Int64 // number of writes to all terminals
	target  atomic.Int64 // value of frames that sends to reached
	reached chan struct{}
	written chan struct{} // capacity 1: something was written
	done    sync.WaitGroup
	stop    context.CancelFunc
	shared  screen.Shared
}

// Write implements io.Writer for all terminals.
func (c *loadTest) Write(p []byte) (int, error) {
	select {
	case c.written <- struct{}{}:
	default:
	}
	if c.frames.Add(1) == c.target.Load() {
		c.reached <- struct{}{}
	}
	return len(p), nil
}

// startSessions opens n sessions of 80×24, all watching one match or all in the lobby, while others
// matches are running whose players are offline.
func startSessions(b *testing.B, n int, watching bool, others int) *loadTest {
	b.Helper()
	s, err := sqlite.OpenMemory(enginetest.Games)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	options, err := ayu.Game{}.ParseOptions([]byte(`{"size":11}`))
	if err != nil {
		b.Fatal(err)
	}
	for i := range others {
		seats := []match.Seat{{Name: fmt.Sprintf("guest-%da", i)}, {Name: fmt.Sprintf("guest-%db", i)}}
		info := &match.Info{ID: fmt.Sprintf("other%d", i), Game: "ayu", Options: options, Started: time.Now(), Seats: seats}
		if err := s.CreateMatch(b.Context(), info, lobby.MatchStart{}); err != nil {
			b.Fatal(err)
		}
	}
	l, err := lobby.New(b.Context(), lobby.Config{Games: enginetest.Games, Store: s})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(l.Close)
	c := &loadTest{Lobby: l, reached: make(chan struct{}, 1), written: make(chan struct{}, 1)}
	var seats [2]*lobby.Session
	for i, name := range []string{"ana", "bob"} {
		a, err := l.Accounts.Register(b.Context(), name, []byte(name), netip.Addr{})
		if err != nil {
			b.Fatal(err)
		}
		if seats[i], err = l.Enter(a, nil); err != nil {
			b.Fatal(err)
		}
	}
	var none clock.Control
	table, err := seats[0].OpenTable(b.Context(), table.Proposal{Game: "ayu", Options: json.RawMessage(`{"size":15,"pie":false}`), Clock: &none})
	if err != nil {
		b.Fatal(err)
	}
	id, err := seats[1].JoinTable(b.Context(), table.ID, "")
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range seats {
		p, err := s.AsPlayer(id)
		if err != nil {
			b.Fatal(err)
		}
		c.players[p.Seat()] = p
	}
	var open op.StartPoint
	if watching {
		open = op.StartPoint{Kind: op.ToMatch, ID: id}
	}
	ctx, stop := context.WithCancel(b.Context())
	c.stop = stop
	for i := range n {
		in, out := io.Pipe()
		if _, err := l.Accounts.Register(b.Context(), fmt.Sprintf("watcher%d", i), fmt.Appendf(nil, "w%d", i), netip.Addr{}); err != nil {
			b.Fatal(err)
		}
		c.done.Go(func() {
			tui.Run(ctx, &tui.Terminal{In: in, Out: c, Width: 80, Height: 24, Profile: paint.Profile{Colors: paint.TrueColor, Term: "xterm"}},
				&tui.Config{Shared: &c.shared, Config: op.Config{Games: gametest.Games, Lobby: l, Key: fmt.Appendf(nil, "w%d", i), StartPoint: open}})
			out.Close()
		})
	}
	c.quiet()
	return c
}

// quiet waits until nothing has been written for 50 ms.
func (c *loadTest) quiet() {
	const while = 50 * time.Millisecond
	rest := time.NewTimer(while)
	defer rest.Stop()
	for {
		select {
		case <-c.written:
			rest.Reset(while)
		case <-rest.C:
			return
		}
	}
}

func memory() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

// BenchmarkSessionMemory reports the memory of one more session that shows a match, or the lobby.
func BenchmarkSessionMemory(b *testing.B) {
	const sessions = 200
	for _, watching := range []bool{true, false} {
		b.Run(map[bool]string{true: "watching", false: "lobby"}[watching], func(b *testing.B) {
			for b.Loop() {
				before := memory()
				c := startSessions(b, sessions, watching, 0)
				screentest.Advance(time.Second) // until Bubble Tea's start-up goroutines have ended
				b.ReportMetric(float64(memory()-before)/sessions/1024, "KiB/session")
				b.ReportMetric(float64(runtime.NumGoroutine())/sessions, "goroutines/session")
				c.stop()
				c.done.Wait()
			}
		})
	}
}

// BenchmarkTurnToWatchers reports the time of a turn for each session that watches, from the turn to
// the bytes of the frame.
func BenchmarkTurnToWatchers(b *testing.B) {
	const sessions = 200
	c := startSessions(b, sessions, true, 0)
	defer func() {
		c.stop()
		c.done.Wait()
	}()
	for b.Loop() {
		c.turn(b, sessions)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/sessions, "µs/session")
}

// turn plays a turn and waits until that many spectators have received its frame.
func (c *loadTest) turn(b *testing.B, spectators int64) {
	b.Helper()
	s := c.players[0].Match().Snapshot()
	if s.IsOver() {
		b.Fatal("the game is over")
	}
	c.target.Store(c.frames.Load() + spectators)
	if _, err := c.players[s.Position.Turn()].Act(b.Context(), s.Version, s.Position.Legal()[:1]); err != nil {
		b.Fatal(err)
	}
	<-c.reached
}

// BenchmarkTurnBesideOtherMatches reports the median time of a turn with eight spectators while 20 and
// while 2,000 other matches are running, and the ratio of the two.
func BenchmarkTurnBesideOtherMatches(b *testing.B) {
	const spectators, turns = 8, 60
	for b.Loop() {
		var took [2][]time.Duration
		few, many := startSessions(b, spectators, true, 20), startSessions(b, spectators, true, 2000)
		for range turns {
			for i, c := range []*loadTest{few, many} {
				began := time.Now()
				c.turn(b, spectators)
				took[i] = append(took[i], time.Since(began))
			}
		}
		slices.Sort(took[0])
		slices.Sort(took[1])
		beside20, beside2000 := took[0][turns/2], took[1][turns/2]
		b.ReportMetric(float64(beside20.Microseconds()), "µs/turn-beside-20")
		b.ReportMetric(float64(beside2000.Microseconds()), "µs/turn-beside-2000")
		b.ReportMetric(float64(beside2000)/float64(beside20), "ratio")
		for _, c := range []*loadTest{few, many} {
			c.stop()
			c.done.Wait()
		}
	}
}
