package cluster

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// TestStoreClock estimates a clock that drifts and is an hour ahead, over a network with random delays.
func TestStoreClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 1))
		began := time.Now()
		ahead := time.Hour
		store := func() time.Time {
			passed := time.Since(began)
			return began.Round(0).Add(ahead + passed + passed/10_000)
		}
		c := newStoreClock(began)
		if c.error(time.Now()) <= maxError {
			t.Error("the clock is known before the first sample")
		}
		for i := range 600 {
			sent := time.Now()
			<-time.After(time.Duration(r.IntN(100)) * time.Millisecond)
			at := store()
			<-time.After(time.Duration(r.IntN(100)) * time.Millisecond)
			c.add(sent, time.Now(), at)
			if i == 400 {
				ahead -= 30 * time.Minute // another machine's clock, after a failover
				continue
			}
			<-time.After(2 * time.Second)
			now := time.Now()
			if off, bound := c.now(now).Sub(store()).Abs(), c.error(now); off > bound || bound > maxError+time.Millisecond {
				t.Fatalf("sample %d: off by %v, the bound is %v", i, off, bound)
			}
		}
		if n := len(c.samples); n > 35 {
			t.Errorf("%d samples are kept", n)
		}
		<-time.After(time.Hour)
		if c.error(time.Now()) <= maxError {
			t.Error("the clock is known an hour after the last sample")
		}
	})
}

func TestFailingSince(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(1000+s), 0) }
	var b beats
	want := func(s int, since time.Time) {
		t.Helper()
		if got := b.storeFailingSince(at(s)); !got.Equal(since) {
			t.Errorf("after %d s: failing since %v, want %v", s, got, since)
		}
	}
	b.succeeded(at(0))
	want(4, time.Time{})
	want(6, at(0)) // no answer yet
	b.failed(at(7))
	b.failed(at(9))
	b.succeeded(at(10))
	want(13, at(0)) // one has failed within 5 s
	want(14, time.Time{})
	b.succeeded(at(20))
	b.failed(at(22))
	want(22, at(20))
}

func TestDeadlineWaitFollowsTheSlowestCommit(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(1000+s), 0) }
	var c commits
	for _, step := range []struct {
		at         int
		took, want time.Duration
	}{
		{0, time.Millisecond, 2 * time.Second},
		{1, time.Second, 3 * time.Second},
		{59, time.Millisecond, 3 * time.Second},
		{61, time.Millisecond, 3 * time.Second},
		{125, time.Millisecond, 2 * time.Second},
		{500, 2 * time.Second, 6 * time.Second},
		{1000, 0, 2 * time.Second},
	} {
		c.add(at(step.at), step.took)
		if got := c.wait(at(step.at)); got != step.want {
			t.Errorf("after %d s: %v, want %v", step.at, got, step.want)
		}
	}
}

// TestDegraded: a node is degraded while it does not know the time well enough, also if it reaches the store, and while
// it does not reach the store, also if it knows the time.
func TestDegraded(t *testing.T) {
	began := time.Unix(1000, 0)
	k := NewTimekeeper(began)
	want := func(after time.Duration, why string, degraded bool) {
		t.Helper()
		if got := k.IsDegraded(began.Add(after)); got != degraded {
			t.Errorf("after %v, %s: degraded %v, want %v", after, why, got, degraded)
		}
	}
	beat := func(at, took time.Duration) {
		sent := began.Add(at)
		k.Beat(sent, sent.Add(took), sent.Add(took/2))
	}
	want(0, "before the first heartbeat", true)
	beat(time.Second, 3*time.Second)
	want(4*time.Second, "with a heartbeat that tells the time to within 1.5 s", true)
	beat(5*time.Second, 20*time.Millisecond)
	want(6*time.Second, "with a quick heartbeat", false)
	want(9900*time.Millisecond, "before a heartbeat is missed", false)
	want(10100*time.Millisecond, "without a heartbeat for 5 s", true)
	beat(11*time.Second, 20*time.Millisecond)
	want(12*time.Second, "with a heartbeat again", false)
}
