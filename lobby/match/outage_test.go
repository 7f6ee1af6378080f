package match

import (
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby/errcode"
)

// failing returns a node whose store does not record.
func failing(t *testing.T) *node {
	n := start(t, duel(t, live))
	n.play(2)
	n.log.appends = func() outcome { return notRecorded }
	n.now.FailingSince = n.now.Time
	return n
}

func (n *node) storeWorks() {
	n.log.appends, n.log.unread, n.now.FailingSince = nil, false, time.Time{}
}

// TestOutageIsGivenBack has a turn that is not recorded after 10 s, and a store that works 90 s later.
func TestOutageIsGivenBack(t *testing.T) {
	n := failing(t)
	n.wait(10 * time.Second)
	n.now.FailingSince = n.now.Time
	before := n.left(0)
	n.want(n.do(n.turn()), errcode.Unavailable)
	if n.snapshot.RunningSeat != -1 || n.snapshot.Version != 2 || !n.state.IsSuspended() {
		t.Fatalf("during the outage: %+v", n.snapshot)
	}
	n.wait(20 * time.Minute) // nothing expires
	n.want(n.do(n.turn()), errcode.Unavailable)
	n.storeWorks()
	n.wait(2 * time.Second)
	if n.snapshot.Version != 3 || n.log.entries[2].Kind != EntryCredit || n.state.IsSuspended() {
		t.Fatalf("after the outage: %+v", n.snapshot)
	}
	if left := n.left(0); left > before || left < before-2*time.Second {
		t.Errorf("%v left, before the outage %v", left, before)
	}
	c := n.turn()
	c.Version = 2 // it was built before the credit
	n.want(n.do(c), "")
	n.verify()
}

// TestUnclearAppendIsSettledByReading has a turn that was recorded although the store reported a failure.
func TestUnclearAppendIsSettledByReading(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(2)
	n.log.appends = func() outcome { return unclear }
	n.want(n.do(n.turn()), errcode.StaleVersion)
	if n.snapshot.Version != 3 || n.snapshot.RunningSeat != 1 || n.state.IsSuspended() {
		t.Errorf("after an unclear append: %+v", n.snapshot)
	}
	n.log.appends = nil
	n.play(1)
	n.verify()
}

// TestUnreadLogIsReadLater has a turn that was recorded while nothing could be read.
func TestUnreadLogIsReadLater(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(2)
	n.log.appends, n.log.unread = func() outcome { return unclear }, true
	n.want(n.do(n.turn()), errcode.Unavailable)
	if n.snapshot.Version != 2 || !n.state.IsSuspended() {
		t.Fatalf("with an unread log: %+v", n.snapshot)
	}
	n.wait(10 * time.Second)
	n.storeWorks()
	c := n.turn()
	n.want(n.do(c), errcode.StaleVersion) // the command ends the outage first
	if n.state.IsSuspended() || n.snapshot.Version != 4 || n.log.entries[3].Kind != EntryCredit || n.log.entries[3].Seat != 1 {
		t.Fatalf("after the outage: %+v", n.snapshot.Log[2:])
	}
	n.play(1)
	n.verify()
}

// TestUnreadEndIsReadLater is the same with a resignation.
func TestUnreadEndIsReadLater(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(2)
	n.log.appends, n.log.unread = func() outcome { return unclear }, true
	n.want(n.do(Command{Kind: CommandResign}), errcode.Unavailable)
	n.storeWorks()
	n.wait(5 * time.Second)
	n.wantResult(engine.ReasonResign, 1)
	n.want(n.do(n.anyTurn()), errcode.GameOver)
}

// TestTimeThatRanOutBeforeAnOutageStaysLost has a deadline that passes before the store fails, and is
// recorded afterwards.
func TestTimeThatRanOutBeforeAnOutageStaysLost(t *testing.T) {
	n := failing(t)
	n.now.FailingSince = n.now.Time.Add(time.Hour)
	n.wait(30 * time.Minute)
	if n.snapshot.IsOver() || !n.state.IsSuspended() {
		t.Fatal("the end was recorded")
	}
	n.storeWorks()
	n.wait(time.Minute)
	n.wantResult(engine.ReasonTime, 1)
}

// TestRetryIntervals counts the attempts of a match to end an outage while only it fails, and while all
// writes fail.
func TestRetryIntervals(t *testing.T) {
	for _, c := range []struct {
		what     string
		all      bool
		attempts int // in five minutes
	}{
		{"only this match", false, 13}, // after 1, 2, 4, 8, 16, and then every 30 s
		{"all matches", true, 299},
	} {
		n := failing(t)
		if !c.all {
			n.now.FailingSince = time.Time{}
		}
		n.want(n.do(n.turn()), errcode.Unavailable)
		attempts := 0
		n.log.appends = func() outcome { attempts++; return notRecorded }
		n.wait(5 * time.Minute)
		if attempts < c.attempts-2 || attempts > c.attempts+2 {
			t.Errorf("%s: %d attempts, want about %d", c.what, attempts, c.attempts)
		}
	}
}

// TestCommandsDoNotHammerAFailingStore sends 100 commands within 10 s of an outage of the store.
func TestCommandsDoNotHammerAFailingStore(t *testing.T) {
	n := failing(t)
	n.want(n.do(n.turn()), errcode.Unavailable)
	attempts := 0
	n.log.appends = func() outcome { attempts++; return notRecorded }
	for range 100 {
		n.now.Time = n.now.Time.Add(100 * time.Millisecond)
		n.want(n.do(n.turn()), errcode.Unavailable)
	}
	if attempts != 50 {
		t.Errorf("%d attempts, want one in 200 ms", attempts)
	}
}

func TestCorruptLogFreezes(t *testing.T) {
	n := failing(t)
	n.log.corrupt = true
	n.want(n.do(n.turn()), errcode.Unavailable)
	if !n.snapshot.Frozen || len(n.reports) != 1 {
		t.Errorf("frozen is %v after %v", n.snapshot.Frozen, n.reports)
	}
}
