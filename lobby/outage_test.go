package lobby_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// What a failingStore does with an append.
const (
	writesWork  = iota
	writesFail  // fails and stores nothing
	answersLost // fails, but stores the entries
)

// failingStore is a store whose writes and reads can be made to fail.
type failingStore struct {
	lobby.Store
	writes  atomic.Int32 // writesWork, writesFail or answersLost
	unread  atomic.Bool  // matches cannot be read
	failing atomic.Int64 // since when, in Unix nanoseconds; 0: writes succeed
	appends atomic.Int32 // number that failed
}

var errDisk = errors.New("the disk is full")

// fail makes writes fail from now on.
func (s *failingStore) fail(how int32) {
	s.writes.Store(how)
	s.failing.Store(time.Now().UnixNano())
}

func (s *failingStore) recover() {
	s.writes.Store(writesWork)
	s.unread.Store(false)
}

func (s *failingStore) Append(ctx context.Context, match string, after match.LogEnd, entries ...match.Entry) error {
	how := s.writes.Load()
	if how != writesFail {
		if err := s.Store.Append(ctx, match, after, entries...); err != nil {
			return err
		}
	}
	if how != writesWork {
		s.appends.Add(1)
		return errDisk
	}
	s.failing.Store(0)
	return nil
}

func (s *failingStore) Match(ctx context.Context, match string) (*match.Info, []match.Entry, error) {
	if s.unread.Load() {
		return nil, nil, errDisk
	}
	return s.Store.Match(ctx, match)
}

func (s *failingStore) WriteFailure() (time.Time, error) {
	if at := s.failing.Load(); at != 0 {
		return time.Unix(0, at), errDisk
	}
	return time.Time{}, nil
}

// withFailingStore runs a test in a bubble on a game of two with 6 s each, in which both have made a turn.
func withFailingStore(t *testing.T, f func(t *testing.T, h harness, s *failingStore, seats [2]*lobby.Player)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &failingStore{Store: memoryStore(t)}
		h := open(t, s)
		defer h.Close()
		seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions, Clock: &clock.Control{Initial: 6 * time.Second}})
		turn(t, seats)
		turn(t, seats)
		f(t, h, s, seats)
	})
}

// left returns the time that the seat to move has left.
func left(s *match.Snapshot) time.Duration {
	d, _ := s.Remaining(s.Position.Turn(), time.Now())
	return d
}

// A program sends one turn again and again while the disk is full, for longer than it has left. The turn is
// recorded once, as it was first sent, as soon as there is space. The time in which the other player could not
// see it is given back.
func TestTimeOfAnOutageIsGivenBack(t *testing.T) {
	withFailingStore(t, func(t *testing.T, h harness, s *failingStore, seats [2]*lobby.Player) {
		p, before := seats[0], seats[0].Snapshot()
		again := func() (int, error) { return p.Act(t.Context(), before.Version, before.Position.Legal()[:1]) }
		advance(time.Second)
		s.fail(writesFail)
		for range 36 { // 9 s
			_, err := again()
			wantCode(t, "while the disk is full", err, errcode.Unavailable)
			advance(250 * time.Millisecond)
		}
		if now := p.Snapshot(); now.IsOver() || now.Version != before.Version || now.RunningSeat >= 0 || left(now) != 5*time.Second {
			t.Errorf("during the outage: version %d, result %v, running %d, left %v", now.Version, now.Result, now.RunningSeat, left(now))
		}
		s.recover()
		version, err := again()
		if err != nil || version != before.Version+1 {
			t.Fatalf("with space again: version %d, %v", version, err)
		}
		now := p.Snapshot()
		made, credit := now.Log[before.Version], now.Log[before.Version+1]
		if credit.Kind != match.EntryCredit || credit.Seat != 1 || credit.Credit != 9*time.Second || made.Kind != match.EntryTurn {
			t.Errorf("recorded are %+v and %+v", made, credit)
		}
		if made.Clocks[0] != 5*time.Second {
			t.Errorf("%v are left of 6 s after 1 s and an outage", made.Clocks[0])
		}
		_, err = again()
		wantCode(t, "the same turn once more", err, errcode.StaleVersion)
		if err := match.VerifyLog(now.Info, now.Log); err != nil {
			t.Error(err)
		}
		advance(7 * time.Second)
		if r := p.Snapshot().Result; r == nil || r.Winners[0] != 0 {
			t.Errorf("the clocks do not run again: %+v", r)
		}
	})
}

// Nobody sends anything while the disk is full, and the clock of the seat to move runs out.
func TestNothingExpiresDuringAnOutage(t *testing.T) {
	withFailingStore(t, func(t *testing.T, h harness, s *failingStore, seats [2]*lobby.Player) {
		before := seats[0].Snapshot()
		advance(2 * time.Second)
		s.fail(writesFail)
		advance(time.Minute)
		if now := seats[0].Snapshot(); now.IsOver() || now.Version != before.Version {
			t.Fatalf("during the outage: version %d, result %v", now.Version, now.Result)
		}
		if n := s.appends.Load(); n > 70 {
			t.Errorf("%d appends were tried in a minute", n)
		}
		s.recover()
		advance(2 * time.Second)
		now := seats[0].Snapshot()
		if now.IsOver() || now.Version != before.Version+1 || now.Log[before.Version].Kind != match.EntryCredit {
			t.Fatalf("after the outage: version %d, result %v", now.Version, now.Result)
		}
		if d := left(now); d > 4*time.Second || d < 2*time.Second {
			t.Errorf("%v are left; there were 4 s when the outage began", d)
		}
		// The program does not know of the credit, which does not change the position.
		if v, err := seats[0].Act(t.Context(), before.Version, before.Position.Legal()[:1]); err != nil || v != before.Version+2 {
			t.Errorf("a turn built before the credit: version %d, %v", v, err)
		}
	})
}

func TestTimeThatRanOutBeforeAnOutageStaysLost(t *testing.T) {
	withFailingStore(t, func(t *testing.T, h harness, s *failingStore, seats [2]*lobby.Player) {
		advance(6*time.Second - time.Millisecond)
		s.writes.Store(writesFail) // no write has failed yet
		advance(30 * time.Second)
		s.recover()
		advance(10 * time.Second)
		if r := seats[0].Snapshot().Result; r == nil || r.Reason != "time" || r.Winners[0] != 1 {
			t.Errorf("got %+v", r)
		}
	})
}

// The outcome of a turn is unclear, and the log cannot be read. The turn is repeated until it is recorded.
func TestUnclearTurnIsRepeatedUntilTheStoreWorks(t *testing.T) {
	for _, how := range []int32{writesFail, answersLost} {
		withFailingStore(t, func(t *testing.T, h harness, s *failingStore, seats [2]*lobby.Player) {
			p, before := seats[0], seats[0].Snapshot()
			s.fail(how)
			s.unread.Store(true)
			_, err := p.Act(t.Context(), before.Version, before.Position.Legal()[:1])
			wantCode(t, "while nothing works", err, errcode.Unavailable)
			advance(20 * time.Second)
			if now := p.Snapshot(); now.IsOver() || now.Frozen {
				t.Fatalf("the match is over (%v) or frozen (%v)", now.Result, now.Frozen)
			}
			s.recover()
			advance(2 * time.Second)
			_, err = p.Act(t.Context(), before.Version, before.Position.Legal()[:1])
			wantCode(t, "the same turn", err, errcode.StaleVersion)
			now := p.Snapshot()
			if _, log, err := s.Match(t.Context(), now.Info.ID); err != nil || len(log) != now.Version || now.Turns != 3 {
				t.Errorf("%d entries are kept, the match has %d, %d turns; %v", len(log), now.Version, now.Turns, err)
			}
			turn(t, seats)
		})
	}
}

// No match can write; only one of them tries whether the store works.
func TestOneMatchTriesForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &failingStore{Store: memoryStore(t)}
		h := open(t, s)
		defer h.Close()
		ana, bob := h.member("ana"), h.member("bob")
		var all [][2]*lobby.Player
		for range 20 {
			seats := h.pair(ana, bob, table.Proposal{Options: smallOptions, Clock: &clock.Control{Initial: time.Minute}})
			turn(t, seats)
			turn(t, seats)
			all = append(all, seats)
		}
		s.fail(writesFail)
		for _, seats := range all {
			snap := seats[0].Snapshot()
			if _, err := seats[0].Act(t.Context(), snap.Version, snap.Position.Legal()[:1]); err == nil {
				t.Fatal("a turn was taken")
			}
		}
		tried := s.appends.Load()
		advance(30 * time.Second)
		if n := s.appends.Load() - tried; n < 10 || n > 31 {
			t.Errorf("%d appends were tried in 30 s", n)
		}
		s.recover()
		advance(3 * time.Second)
		for _, seats := range all {
			if now := seats[0].Snapshot(); now.RunningSeat != 1 || now.Version != 4 {
				t.Errorf("3 s after the outage: running %d, version %d", now.RunningSeat, now.Version)
			}
		}
	})
}

func TestRestartDuringAnOutage(t *testing.T) {
	withFailingStore(t, func(t *testing.T, h harness, s *failingStore, seats [2]*lobby.Player) {
		id := seats[0].Match().Info.ID
		h.Close()
		s.fail(writesFail)
		again := open(t, s)
		defer again.Close()
		advance(time.Minute)
		m, err := again.Match(id)
		if err != nil {
			t.Fatal(err)
		}
		if now := m.Snapshot(); now.IsOver() || now.RunningSeat >= 0 {
			t.Fatalf("during the outage: result %v, running %d", now.Result, now.RunningSeat)
		}
		s.recover()
		advance(2 * time.Second)
		now := m.Snapshot()
		if last := now.Log[len(now.Log)-1]; now.IsOver() || last.Kind != match.EntryCredit || last.Clocks[0] != 26*time.Second {
			t.Errorf("after the outage: result %v, last entry %+v", now.Result, last)
		}
	})
}
