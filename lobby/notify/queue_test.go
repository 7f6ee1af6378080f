package notify

import (
	"slices"
	"testing"
)

// TestSlowMessageGivesUpItsPlace checks that a message that takes long counts as one to a slow receiver from then on, so that
// its place is free for another, and no longer once it has been released.
func TestSlowMessageGivesUpItsPlace(t *testing.T) {
	for _, q := range []Queue{{KindWebhook, SpeedNew}, {KindWebhook, SpeedQuick}, {KindMail, SpeedNew}, {KindMail, SpeedQuick}} {
		all, slow := newPlaces(), Queue{q.Kind, SpeedSlow}
		want := func(when string, here, there int) {
			t.Helper()
			if got := all.queues[q].taken; got != here {
				t.Errorf("%v, %s: %d places of the queue are taken, want %d", q, when, got, here)
			}
			if got := all.queues[q].to["host"]; got != here {
				t.Errorf("%v, %s: %d places of the queue are taken for the destination, want %d", q, when, got, here)
			}
			if got := all.queues[slow].taken; got != there {
				t.Errorf("%v, %s: %d places of the slow queue are taken, want %d", q, when, got, there)
			}
			if got := all.queues[slow].to["host"]; got != there {
				t.Errorf("%v, %s: %d places of the slow queue are taken for the destination, want %d", q, when, got, there)
			}
		}
		p := all.take(q, "host")
		want("taken", 1, 0)
		if !p.giveUp() {
			t.Errorf("%v: no place was free in the slow queue", q)
		}
		want("given up", 0, 1)
		if p.giveUp() {
			t.Errorf("%v: the place was given up twice", q)
		}
		want("given up twice", 0, 1)
		p.release()
		want("released", 0, 0)
		if n := len(all.queues[q].to) + len(all.queues[slow].to); n != 0 {
			t.Errorf("%v: %d destinations without a message are kept", q, n)
		}
	}
}

// TestSlowMessagesAreBounded checks that no message moves to the slow queue above its bounds, and that one that does not is
// released where it was.
func TestSlowMessagesAreBounded(t *testing.T) {
	fast, slow := Queue{KindMail, SpeedQuick}, Queue{KindMail, SpeedSlow}
	for _, c := range []struct {
		name, destination string
		most              int
	}{
		{"in all", "", movedFactor * queueLimits[slow]},
		{"to one destination", "host", destinationShare},
	} {
		all := newPlaces()
		for i := range c.most {
			if p := all.take(fast, c.destination); !p.giveUp() {
				t.Errorf("%s: message %d of %d does not give up its place", c.name, i+1, c.most)
			}
		}
		p := all.take(fast, c.destination)
		if p.giveUp() {
			t.Errorf("%s: %d slow messages, want at most %d", c.name, c.most+1, c.most)
		}
		p.release()
		if all.queues[fast].taken != 0 || all.queues[slow].taken != c.most {
			t.Errorf("%s: %d and %d places are taken after the release, want 0 and %d", c.name, all.queues[fast].taken, all.queues[slow].taken, c.most)
		}
	}
}

// TestFreePlaces checks how many messages may leave at once: no more than the queue has, nor than any destination has left of
// its share, unless it is named as full.
func TestFreePlaces(t *testing.T) {
	q := Queue{KindWebhook, SpeedNew}
	all := newPlaces()
	want := func(when string, n int, full ...string) {
		t.Helper()
		if got, gotFull := all.free(q); got != n || !slices.Equal(gotFull, full) {
			t.Errorf("%s: %d places are free and full are %q, want %d and %q", when, got, gotFull, n, full)
		}
	}
	want("none taken", destinationShare)
	for range destinationShare - 1 {
		all.take(q, "a")
	}
	want("one left to a destination", 1)
	all.take(q, "a")
	want("none left to a destination", destinationShare, "a")
	for range queueLimits[q] - destinationShare - 3 {
		all.take(q, "")
	}
	want("three left in the queue", 3, "a")
	if n, full := all.free(Queue{"pigeon", SpeedNew}); n != 0 || full != nil {
		t.Errorf("of an unknown kind %d places are free", n)
	}
}
