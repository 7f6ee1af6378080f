package match

import (
	"fmt"
	"slices"
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
	n.now.StoreFailingSince = n.now.Time
	return n
}

func (n *node) storeWorks() {
	n.log.appends, n.log.unread, n.now.StoreFailingSince = nil, false, time.Time{}
}

// TestOutageIsGivenBack has a turn that is not recorded after 10 s, and a store that works 90 s later.
func TestOutageIsGivenBack(t *testing.T) {
	n := failing(t)
	n.wait(10 * time.Second)
	n.now.StoreFailingSince = n.now.Time
	before, c := n.left(1), n.turn()
	n.want(n.do(c), errcode.Unavailable)
	if n.snapshot.RunningSeat != -1 || n.snapshot.Version != 2 || !n.state.IsSuspended() {
		t.Fatalf("during the outage: %+v", n.snapshot)
	}
	n.wait(20 * time.Minute) // nothing expires
	n.want(n.do(c), errcode.Unavailable)
	n.storeWorks()
	n.wait(2 * time.Second)
	if log := n.log.entries; n.snapshot.Version != 4 || log[2].Kind != EntryTurn || log[3].Kind != EntryCredit || n.state.IsSuspended() {
		t.Fatalf("after the outage: %+v", n.snapshot)
	}
	if left := n.left(1); left > before || left < before-2*time.Second {
		t.Errorf("%v left, before the outage %v", left, before)
	}
	n.want(n.do(c), errcode.StaleVersion)
	c = n.turn()
	c.Version = 3 // it was built before the credit
	n.want(n.do(c), "")
	n.verify()
}

// TestUnclearAppendIsSettledByReading has a turn that was recorded although the store reported a failure.
func TestUnclearAppendIsSettledByReading(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(2)
	n.log.appends, n.now.AppendID = func() outcome { return unclear }, AppendID{1}
	n.want(n.do(n.turn()), "")
	if n.snapshot.Version != 3 || n.snapshot.RunningSeat != 1 || n.state.IsSuspended() {
		t.Errorf("after an unclear append: %+v", n.snapshot)
	}
	n.log.appends, n.now.AppendID = nil, AppendID{2}
	n.play(1)
	n.verify()
}

// TestUnclearAppendIsRepeated has turns of which nothing says that they are recorded, whether they are or not. The
// same append is repeated until there is an answer.
func TestUnclearAppendIsRepeated(t *testing.T) {
	for _, how := range []outcome{unclear, notRecorded} {
		n := start(t, duel(t, live))
		n.play(2)
		n.log.appends, n.log.unread = func() outcome { return how }, true
		c := n.turn()
		n.now.AppendID = AppendID{1}
		n.want(n.do(c), errcode.Unavailable)
		if n.snapshot.Version != 2 || !n.state.IsSuspended() {
			t.Fatalf("%v: before there is an answer: %+v", how, n.snapshot)
		}
		n.now.AppendID = AppendID{2}
		n.storeWorks()
		fx := n.handle(Input{Kind: InputCommand, Command: &Command{Kind: CommandTurn, Seat: c.Seat, At: n.now.Time, Version: 2, Actions: c.Actions}})
		if fx.Err != nil || fx.Made != 3 {
			t.Errorf("%v: the turn again has made version %d: %v", how, fx.Made, fx.Err)
		}
		if log := n.log.entries; len(log) != 4 || log[2].AppendID != (AppendID{1}) || log[3].Kind != EntryCredit || log[3].Seat != 1 {
			t.Errorf("%v: the log has %+v", how, log[2:])
		}
		n.play(1)
		n.verify()
	}
}

// TestUnclearAppendIsRefused has a turn of which the store does not answer that it is not recorded, and another
// node's turn after it.
func TestUnclearAppendIsRefused(t *testing.T) {
	n := failing(t)
	c := n.turn()
	n.want(n.do(c), errcode.Unavailable)
	n.storeWorks()
	other := newNode(t, n.state.Info, n.log)
	other.handle(Input{Kind: InputBegin})
	other.now.AppendID = AppendID{7}
	legal := other.state.position.Legal()
	other.want(other.do(Command{Kind: CommandTurn, Version: 2, Actions: legal[1:2]}), "")
	n.want(n.do(c), errcode.StaleVersion)
	if n.snapshot.Version != 3 || n.snapshot.Log[2].Actions[0] != legal[1] || n.state.IsSuspended() {
		t.Errorf("after the conflict: %+v", n.snapshot)
	}
	n.now.AppendID = AppendID{8}
	n.play(1)
	n.verify()
}

// TestUnreadLogIsReadLater has a turn that conflicts with that of another node, while nothing can be read.
func TestUnreadLogIsReadLater(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(2)
	other := newNode(t, n.state.Info, n.log)
	other.handle(Input{Kind: InputBegin})
	other.now.AppendID = AppendID{7}
	other.play(1)
	n.log.unread, n.now.AppendID = true, AppendID{8}
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
	n.now.AppendID = AppendID{9}
	n.play(1)
	n.verify()
}

// TestUnclearEndIsRepeated has a resignation that was recorded without an answer while nothing could be read.
func TestUnclearEndIsRepeated(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(2)
	n.log.appends, n.log.unread, n.now.AppendID = func() outcome { return unclear }, true, AppendID{1}
	n.want(n.do(Command{Kind: CommandResign}), errcode.Unavailable)
	n.storeWorks()
	n.wait(5 * time.Second)
	n.wantResult(engine.ReasonResign, 1)
	n.want(n.do(n.anyTurn()), errcode.GameOver)
}

// TestUnsureNodeRefuses has a node that loses its database or the time: it refuses commands, nothing expires, and
// the time is given back.
func TestUnsureNodeRefuses(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(2)
	n.wait(time.Minute)
	before := n.left(0)
	n.now.Degraded = true
	n.want(n.do(n.turn()), errcode.Unavailable)
	n.wait(time.Hour)
	if n.snapshot.Version != 2 || n.snapshot.RunningSeat != -1 || n.snapshot.IsOver() {
		t.Fatalf("while the node is degraded: %+v", n.snapshot)
	}
	n.now.Degraded = false
	n.wait(2 * time.Second)
	if left := n.left(0); n.snapshot.Version != 3 || left > before || left < before-2*time.Second {
		t.Errorf("%v left, before %v: %+v", left, before, n.snapshot)
	}
	n.play(1)
}

// TestUnsureNodeEndsNoTurn has limits that pass on a node that loses its database or the time, and the death of a
// player's node: nothing is recorded until it is sure again. Then the limit counts.
func TestUnsureNodeEndsNoTurn(t *testing.T) {
	onVacation := start(t, duel(t, inDays))
	onVacation.goOnVacation(0, 0, 1)
	for _, c := range []struct {
		what  string
		node  *node
		turns int
	}{
		{"the deadline after a vacation", onVacation, 2},
		{"the clock", start(t, duel(t, live)), 2},
		{"the limit of the first turn", start(t, duel(t, live)), 0},
		{"the deadline in days", start(t, duel(t, inDays)), 2},
		{"the limit without a clock", start(t, duel(t, untimed)), 2},
	} {
		n := c.node
		n.play(c.turns)
		n.now.Degraded = true
		deadline, _ := n.state.deadline(n.now)
		n.wait(deadline.Sub(n.now.Time) - time.Minute)
		n.now.Presence[0].NodeDied = true
		n.handle(Input{Kind: InputCheck})
		n.wait(2 * time.Minute)
		if len(n.log.entries) != c.turns || n.snapshot.IsOver() {
			t.Errorf("%s: a degraded node has recorded an entry, %+v", c.what, n.log.entries[c.turns])
		}
		n.now.Degraded = false
		n.handle(Input{Kind: InputCheck})
		if !n.snapshot.IsOver() {
			t.Errorf("%s: a node that is sure again does not end the match", c.what)
		}
		n.verify()
	}
}

// TestNothingIsCreditedWhileTheStoreFails has the death of a player's node and a vacation that ends, while the store
// fails: no credit is asked for.
func TestNothingIsCreditedWhileTheStoreFails(t *testing.T) {
	died, onVacation := start(t, duel(t, live)), start(t, duel(t, inDays))
	died.play(2)
	onVacation.play(2)
	onVacation.goOnVacation(0, 0, 1)
	onVacation.now.Time = began.Add(2 * day)
	died.now.Presence[0].NodeDied = true
	for what, n := range map[string]*node{"a lost node": died, "a vacation": onVacation} {
		n.now.StoreFailingSince = n.now.Time
		n.handle(Input{Kind: InputCheck})
		if len(n.log.entries) != 2 {
			t.Errorf("%s is credited while the store fails", what)
		}
	}
}

// TestOtherNodesWait has a deadline that passes on a node where the player of the seat is not.
func TestOtherNodesWait(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(2)
	n.now.Presence[0].Wait = 3 * time.Second
	n.wait(n.left(0) + 2*time.Second)
	if n.snapshot.IsOver() {
		t.Fatal("ended without waiting for the player's node")
	}
	n.want(n.do(n.turn()), errcode.GameOver) // it is late, wherever it arrives
	n.wait(2 * time.Second)
	n.wantResult(engine.ReasonTime, 1)
}

// TestDeathOfANodeIsCredited has a player whose node dies: the seat gets some time, once a turn.
func TestDeathOfANodeIsCredited(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(2)
	before := n.left(0)
	n.now.Presence[0].NodeDied = true
	n.handle(Input{Kind: InputCheck})
	n.handle(Input{Kind: InputCheck})
	if left := n.left(0); n.snapshot.Version != 3 || left != before+nodeCredit || n.snapshot.Log[2].Reason != CreditNodeDied {
		t.Errorf("%v left, before %v: %+v", left, before, n.snapshot.Log[2:])
	}
	n.now.Presence[0].NodeDied = false
	n.play(2)
	n.now.Presence[0].NodeDied = true
	n.handle(Input{Kind: InputCheck})
	if n.snapshot.Version != 6 {
		t.Errorf("no credit in the next turn: %+v", n.snapshot)
	}
	n.verify()
}

// TestTurnWhileAnotherNodeCredits has a turn on a version after which another node has recorded a credit: it fits, and
// is recorded. After another turn it is stale.
func TestTurnWhileAnotherNodeCredits(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(2)
	other := newNode(t, n.state.Info, n.log)
	other.handle(Input{Kind: InputBegin})
	other.now.AppendID, other.now.Presence[0].NodeDied = AppendID{7}, true
	other.handle(Input{Kind: InputCheck})
	n.now.AppendID = AppendID{8}
	n.want(n.do(n.turn()), "")
	if s := n.snapshot; s.Version != 4 || s.Log[2].Kind != EntryCredit || s.Log[3].Kind != EntryTurn {
		t.Errorf("the log is %+v", s.Log)
	}
	other.now.AppendID = AppendID{9}
	other.want(other.do(other.turn()), errcode.StaleVersion)
	n.verify()
}

// TestAgreementsOnALongerLog has an offer of another node that comes before the turn after which it was made, while
// the log cannot be read.
func TestAgreementsOnALongerLog(t *testing.T) {
	other := start(t, duel(t, live))
	n := newNode(t, other.state.Info, other.log)
	n.handle(Input{Kind: InputBegin})
	other.now.AppendID = AppendID{7}
	other.play(1)
	other.want(other.do(Command{Kind: CommandOffer, Offer: OfferDraw}), "")
	n.log.unread = true
	n.handle(Input{Kind: InputAgreementsFollowed, Agreements: other.row.data, AgreementsVersion: other.row.version})
	n.log.unread = false
	if n.snapshot.Version != 0 || len(n.snapshot.Offers) != 0 {
		t.Fatalf("before the log is read: %+v", n.snapshot)
	}
	n.handle(Input{Kind: InputLogFollowed, Entries: slices.Clone(other.log.entries)})
	if n.snapshot.Version != 1 || len(n.snapshot.Offers) != 1 {
		t.Errorf("with the log: %+v", n.snapshot)
	}
}

// TestOfferWhileTheRowIsOfALongerLog: an offer meets a row that was written after entries that the store has not, or has
// lost. It is not recorded, and says so. A rematch that has started by then is told all the same.
func TestOfferWhileTheRowIsOfALongerLog(t *testing.T) {
	ahead := (&agreements{lastSeq: 9}).encode(100)
	n := start(t, duel(t, live))
	n.play(2)
	*n.row = simulatedRow{data: ahead, version: 1}
	n.want(n.do(Command{Kind: CommandOffer, Offer: OfferDraw}), errcode.Unavailable)
	if len(n.snapshot.Offers) != 0 || n.row.version != 1 || n.state.IsSuspended() {
		t.Errorf("offers %v, row %d", n.snapshot.Offers, n.row.version)
	}

	n = start(t, duel(t, live))
	n.play(2)
	n.want(n.do(Command{Kind: CommandResign}), "")
	n.want(n.do(Command{Kind: CommandOffer, Offer: OfferRematch}), "")
	var fx Effects
	for i, in := range []Input{
		{Kind: InputCommand, Command: &Command{Kind: CommandOffer, Seat: 1, Offer: OfferRematch, At: n.now.Time}},
		{Kind: InputAgreementsRecorded, AgreementsVersion: 2},
		{Kind: InputRematchStarted, Rematch: "next"},
		{Kind: InputAgreementsConflict, Agreements: ahead, AgreementsVersion: 3, Cause: errStore},
	} {
		if n.state, fx = Step(n.state, in, n.now); fx.Answered != (i == 3) {
			t.Fatalf("input %d leads to %+v", i, fx)
		}
	}
	if fx.Err != nil || fx.Publish.Rematch != "next" {
		t.Errorf("a rematch that has started: %q, %v", fx.Publish.Rematch, fx.Err)
	}
}

// TestLostEntriesAreTold has a database that has lost the last entries: the match goes on without them, and who has
// read them hears of it.
func TestLostEntriesAreTold(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(1)
	n.now.AppendID = AppendID{1}
	n.play(1)
	n.now.AppendID = AppendID{2}
	n.play(2)
	f, err := NewFeed(n.snapshot, 0)
	if err != nil {
		t.Fatal(err)
	}
	read := func() (text string) {
		t.Helper()
		if err := f.Read(n.snapshot, func(i FeedItem) error { text += fmt.Sprintf("%d %v; ", i.Version, i.Lost); return nil }); err != nil {
			t.Fatal(err)
		}
		return text
	}
	read()
	n.log.entries = n.log.entries[:2:2]
	n.handle(Input{Kind: InputLogFollowed, After: NewLogEnd(n.log.entries)})
	if s := n.snapshot; s.Version != 2 || s.Lost != 1 || s.LostAfter != 2 || s.RunningSeat != 0 {
		t.Errorf("after the loss: %+v", s)
	}
	if got := read(); got != "2 true; " {
		t.Errorf("read %q", got)
	}
	n.now.AppendID = AppendID{3}
	n.play(1)
	if got := read(); got != "3 false; " {
		t.Errorf("read %q", got)
	}
	n.verify()
}

// TestLostAgreementsAreTakenBack has a store that has lost the last writes of the row, because its machine failed.
func TestLostAgreementsAreTakenBack(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(2)
	n.want(n.do(Command{Kind: CommandOffer, Seat: 0, Offer: OfferDraw}), "")
	old := *n.row
	n.want(n.do(Command{Kind: CommandRefuse, Seat: 1, Offer: OfferDraw}), "")
	n.want(n.do(Command{Kind: CommandOffer, Seat: 1, Offer: OfferDraw}), "")
	*n.row = old
	n.want(n.do(Command{Kind: CommandRefuse, Seat: 1, Offer: OfferDraw}), "") // of the offer that is open again
	events := n.snapshot.Events
	if last := events[len(events)-1]; n.row.version != old.version+1 || last.Kind != EventRefused || last.Seat != 1 {
		t.Errorf("version %d after %d, events %+v", n.row.version, old.version, events)
	}
	n.row.data, n.row.version = nil, 0 // the database has lost the row
	n.want(n.do(Command{Kind: CommandOffer, Seat: 0, Offer: OfferUndo}), "")
	if n.row.version != 1 {
		t.Errorf("the row has version %d after it was lost", n.row.version)
	}
}

// TestTimeThatRanOutBeforeAnOutageStaysLost has a deadline that passes before the store fails, and is
// recorded afterwards.
func TestTimeThatRanOutBeforeAnOutageStaysLost(t *testing.T) {
	n := failing(t)
	n.now.StoreFailingSince = n.now.Time.Add(time.Hour)
	n.wait(30 * time.Minute)
	if n.snapshot.IsOver() || n.snapshot.RunningSeat != -1 {
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
			n.now.StoreFailingSince = time.Time{}
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
	n := start(t, duel(t, live))
	n.log.corrupt = true
	n.handle(Input{Kind: InputLogFollowed, After: LogEnd{Version: 3}})
	if !n.snapshot.Frozen || len(n.reports) != 1 {
		t.Errorf("frozen is %v after %v", n.snapshot.Frozen, n.reports)
	}
}
