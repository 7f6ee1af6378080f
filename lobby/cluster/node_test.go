package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/bus"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/match"
)

// testStore is a store that can fail. Its matches are those that a test says have changed.
type testStore struct {
	rows.Memory
	fails    atomic.Bool
	readings atomic.Int64
	changed  atomic.Int64 // number of changes of matches, which is the cursor
}

func (s *testStore) Changes(ctx context.Context, since rows.Cursor) ([]rows.Row, rows.Cursor, error) {
	s.readings.Add(1)
	if s.fails.Load() {
		return nil, since, errors.New("the store is gone")
	}
	return s.Memory.Changes(ctx, since)
}

func (s *testStore) ChangedMatches(_ context.Context, since rows.Cursor) (changed []ChangedMatch, next rows.Cursor, err error) {
	n := s.changed.Load()
	next = rows.Cursor(fmt.Sprint(n))
	for i := int64(1); since != "" && i <= n; i++ {
		if cursor := rows.Cursor(fmt.Sprint(i)); cursor > since {
			changed = append(changed, ChangedMatch{ID: "m" + string(cursor)})
		}
	}
	return changed, next, nil
}

func (*testStore) LogAfter(context.Context, string, int) (match.LogEnd, []match.Entry, error) {
	return match.LogEnd{}, nil, nil
}

// testFollower records its calls.
type testFollower struct {
	fails   atomic.Bool // of FollowMatch and apply
	matches []string
	rows    []string
}

func (f *testFollower) FollowMatch(_ context.Context, m ChangedMatch) error {
	f.matches = append(f.matches, m.ID)
	if f.fails.Load() {
		return errors.New("the match could not be read")
	}
	return nil
}

// apply is Apply of rows of a test.
func (f *testFollower) apply(_ context.Context, id string, _ rows.State[string]) error {
	f.rows = append(f.rows, id)
	if f.fails.Load() {
		return errors.New("what the row is about could not be read")
	}
	return nil
}

func (*testFollower) FollowNodes()        {}
func (*testFollower) FollowDegraded(bool) {}

// noBus is a bus that passes nothing on.
type noBus struct{}

func (noBus) Publish([]byte)   {}
func (noBus) Stats() bus.Stats { return bus.Stats{IsConnected: true} }
func (noBus) Close()           {}

// withNode runs a test with a node, to which receive passes the message of another.
func withNode(t *testing.T, test func(t *testing.T, n *Node, s *testStore, f *testFollower, receive bus.Handler)) {
	synctest.Test(t, func(t *testing.T) {
		s, f := new(testStore), new(testFollower)
		var receive bus.Handler
		c := Config{Name: "a", Store: s, OpenBus: func(h bus.Handler) (bus.Bus, error) {
			receive = h
			return noBus{}, nil
		}}
		ks := rows.NewKinds(rows.Config{Store: s, Node: c.Name})
		ks.Add(&rows.Shared[string]{Name: "test", Apply: f.apply})
		n, err := Open(t.Context(), c, ks, f, func(msg string, err error) { t.Error(msg, err) })
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go n.Run(ctx)
		synctest.Wait()
		test(t, n, s, f, receive)
	})
}

func wait(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// TestLagOfAFailedReading: a change of which the node was notified counts until it has been read, also if the first
// readings fail and others are announced meanwhile.
func TestLagOfAFailedReading(t *testing.T) {
	withNode(t, func(t *testing.T, n *Node, s *testStore, _ *testFollower, receive bus.Handler) {
		s.fails.Store(true)
		receive(message(n.Now()))
		wait(1500 * time.Millisecond)
		receive(message(n.Now()))
		wait(900 * time.Millisecond)
		s.fails.Store(false)
		wait(time.Second)
		if lag := n.traffic.takeLag(n.started, true); lag < 2400*time.Millisecond || lag > 3500*time.Millisecond {
			t.Errorf("the lag is %v", lag)
		}
	})
}

// TestMessagesCostReadings: whatever a message says, and however often it comes, the node reads the store once after
// it, or as often as minPollPause allows, and takes nothing else from it. Without messages it reads at every interval.
func TestMessagesCostReadings(t *testing.T) {
	withNode(t, func(t *testing.T, n *Node, s *testStore, f *testFollower, receive bus.Handler) {
		wait(minPollPause)
		readings := func(do func()) int64 {
			before := s.readings.Load()
			do()
			synctest.Wait()
			return s.readings.Load() - before
		}
		for what, data := range map[string][]byte{
			"of another node": message(time.Now()), "from the past": make([]byte, 8), "empty": nil, "long": make([]byte, bus.MaxMessage),
			"that names a match": []byte("match m1 ended"),
		} {
			if got := readings(func() { receive(data) }); got != 1 {
				t.Errorf("a message %s causes %d readings", what, got)
			}
			wait(2 * minPollPause)
			if got := readings(func() {
				for range 1000 {
					receive(data)
					wait(minPollPause / 100)
				}
			}); got < 5 || got > 11 {
				t.Errorf("1,000 messages %s cause %d readings in %v", what, got, 10*minPollPause)
			}
			wait(2 * minPollPause)
		}
		if got := readings(func() { wait(10 * pollInterval) }); got < 9 || got > 10 {
			t.Errorf("without messages there are %d readings in %v", got, 10*pollInterval)
		}
		if len(f.matches) > 0 {
			t.Errorf("matches are followed that have not changed: %q", f.matches)
		}
	})
}

// TestRetryMatch: a match that the follower has passed over is taken over, again after a failure, and then no more.
func TestRetryMatch(t *testing.T) {
	withNode(t, func(t *testing.T, n *Node, _ *testStore, f *testFollower, _ bus.Handler) {
		f.fails.Store(true)
		n.RetryMatch("m")
		wait(2500 * time.Millisecond)
		f.fails.Store(false)
		wait(time.Minute)
		if got := fmt.Sprint(f.matches); got != "[m m m m]" {
			t.Errorf("the follower was called for %s", got)
		}
	})
}

// TestWhatCouldNotBeTakenOverIsReadAgain: a change of a match and of a row that the follower could not take over is
// read again until it could, and then no more.
func TestWhatCouldNotBeTakenOverIsReadAgain(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(s *testStore) error
		got    func(f *testFollower) []string
		want   string
	}{
		{"a match", func(s *testStore) error { s.changed.Add(1); return nil }, func(f *testFollower) []string { return f.matches }, "[m1 m1 m1]"},
		{"a row", func(s *testStore) error {
			_, err := s.Write(context.Background(), rows.Write{Key: rows.Key{Kind: "test", ID: "r"}, Data: []byte(`"x"`)})
			return err
		}, func(f *testFollower) []string { return f.rows }, "[r r r]"},
	} {
		withNode(t, func(t *testing.T, _ *Node, s *testStore, f *testFollower, _ bus.Handler) {
			wait(pollInterval / 2)
			f.fails.Store(true)
			if err := c.change(s); err != nil {
				t.Fatal(err)
			}
			wait(2 * pollInterval)
			f.fails.Store(false)
			wait(time.Minute)
			if got := fmt.Sprint(c.got(f)); got != c.want {
				t.Errorf("after two failures to take over %s the follower was called for %s, want %s", c.what, got, c.want)
			}
		})
	}
}

// TestOnlyOtherNodesAreWaitedFor: a node leaves it to others to end turns, if there are any.
func TestOnlyOtherNodesAreWaitedFor(t *testing.T) {
	withNode(t, func(t *testing.T, n *Node, s *testStore, _ *testFollower, _ bus.Handler) {
		if wait := n.DeadlineWait(); wait != 0 {
			t.Errorf("a node that is alone waits %v for others", wait)
		}
		other := rows.Write{Key: rows.Key{Kind: kindNode, ID: "b"}, Data: []byte("{}")}
		if _, err := s.Write(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		wait(2 * pollInterval)
		if wait := n.DeadlineWait(); wait < minDeadlineWait {
			t.Errorf("a node waits %v for another, want %v", wait, minDeadlineWait)
		}
	})
}

// TestNodeOutOfTouch: a node whose heartbeats do not arrive takes none for dead, and knows nothing of the time without
// them. It comes back also if another has deleted its row meanwhile.
func TestNodeOutOfTouch(t *testing.T) {
	withNode(t, func(t *testing.T, n *Node, s *testStore, _ *testFollower, _ bus.Handler) {
		other := rows.Write{Key: rows.Key{Kind: kindNode, ID: "b"}, Data: []byte("{}")}
		if _, err := s.Write(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		wait(2 * beatLimit)
		if !n.IsAlive("b") {
			t.Error("a node without heartbeats of its own takes another for dead")
		}
		if since := n.InTouchSince(); !since.Equal(n.Now()) {
			t.Errorf("without heartbeats the node is in touch since %v, want now, %v", since, n.Now())
		}
		own := rows.Write{Key: rows.Key{Kind: kindNode, ID: n.Name}, Replaces: n.beats.Get(n.Name).Version}
		if _, err := s.Write(t.Context(), own); err != nil {
			t.Fatal(err)
		}
		if err := n.beat(t.Context()); err != nil {
			t.Fatalf("a heartbeat after the row was deleted: %v", err)
		}
		back := n.Now()
		wait(2 * pollInterval)
		if since := n.InTouchSince(); since.Before(back) {
			t.Errorf("the node is in touch since %v, want since its heartbeats came back, %v", since, back)
		}
		if n.IsAlive("b") {
			t.Error("a node that is in touch again takes one without heartbeats for alive")
		}
	})
}

// TestNodesPruneAtTimes: at the start, and every ten minutes.
func TestNodesPruneAtTimes(t *testing.T) {
	withNode(t, func(t *testing.T, n *Node, s *testStore, _ *testFollower, _ bus.Handler) {
		wait(time.Second)
		for i := range 6 {
			old := rows.Write{Key: rows.Key{Kind: "presence", ID: fmt.Sprint("gone/", i)}, Data: []byte("{}")}
			if _, err := s.Write(t.Context(), old); err != nil {
				t.Fatal(err)
			}
			wait(pruneEvery - 10*time.Second)
			if found, err := s.Read(t.Context(), old.Key); err != nil || len(found) != 1 {
				t.Errorf("the row of an unknown node is deleted early: %v, %v", found, err)
			}
			wait(10 * time.Second)
			if found, err := s.Read(t.Context(), old.Key); err != nil || len(found) != 0 {
				t.Errorf("the row of an unknown node: %v, %v", found, err)
			}
		}
	})
}
