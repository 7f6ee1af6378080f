package lobby_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/table"
)

func TestRestartGoesOnWhereItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := memoryStore(t)
		h := open(t, db)
		control := &clock.Control{Initial: 100 * time.Second}
		seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions, Clock: control})
		id := seats[0].Match().Info.ID
		advance(10 * time.Second)
		turn(t, seats)
		advance(10 * time.Second)
		turn(t, seats)
		advance(30 * time.Second)
		before := seats[0].Snapshot()
		h.Close()
		advance(time.Hour)
		h = open(t, db)
		defer h.Close()
		synctest.Wait()
		m, err := h.Match(id)
		if err != nil {
			t.Fatal(err)
		}
		after := m.Snapshot()
		if after.Position.String() != before.Position.String() || after.Turns != 2 || after.Version != 3 {
			t.Errorf("came back at version %d as %s", after.Version, after.Position)
		}
		// As at the last entry (90 s each), and 20 s more for the seat to move.
		for seat, want := range []time.Duration{110 * time.Second, 90 * time.Second} {
			if left, _ := after.Remaining(seat, time.Now()); left != want {
				t.Errorf("seat %d has %v left, want %v", seat, left, want)
			}
		}
		advance(111 * time.Second)
		if r := m.Snapshot().Result; r == nil || r.Reason != engine.ReasonTime {
			t.Errorf("the clock does not run: %+v", r)
		}
	})
}

// TestMatchesAreListedAfterARestart at once, and not when the first entry has been recorded.
func TestMatchesAreListedAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slowStore{Store: memoryStore(t)}
		h := open(t, s)
		turn(t, h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions, Clock: &clock.Default}))
		h.Close()
		s.delay = time.Second
		h = open(t, s)
		defer h.Close()
		if n := len(h.View().Matches); n != 1 {
			t.Errorf("%d matches are listed", n)
		}
	})
}

func TestDeadlineInDaysMovesOnlyIfItPassed(t *testing.T) {
	for _, c := range []struct{ down, left time.Duration }{
		{time.Hour, 23 * time.Hour},
		{30 * time.Hour, 12 * time.Hour},
	} {
		synctest.Test(t, func(t *testing.T) {
			db := memoryStore(t)
			h := open(t, db)
			seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions, Clock: &clock.Control{Days: 1}})
			turn(t, seats)
			h.Close()
			advance(c.down)
			h = open(t, db)
			defer h.Close()
			synctest.Wait()
			m, err := h.Match(seats[0].Match().Info.ID)
			if err != nil {
				t.Fatal(err)
			}
			if left, _ := m.Snapshot().Remaining(1, time.Now()); left != c.left {
				t.Errorf("down for %v: %v left, want %v", c.down, left, c.left)
			}
		})
	}
}

func TestDelayHoldsForEverybodyButThePlayers(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob, eve := h.member("ana"), h.member("bob"), h.member("eve")
		seats := h.pair(ana, bob, table.Proposal{Options: smallOptions, Delay: 2})
		w, err := eve.Watch(seats[0].Match().Info.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		for made := 1; made <= 4; made++ {
			turn(t, seats)
			s := w.Snapshot()
			if live := seats[1].Snapshot(); live.Turns != made {
				t.Fatalf("a player sees %d of %d turns", live.Turns, made)
			}
			if want := max(made-2, 0); s.Turns != want || len(s.Log) != want || w.Match().Snapshot() != s {
				t.Errorf("after %d turns a spectator sees %d", made, s.Turns)
			}
			advance(2 * time.Second)
			if li := h.View().Matches[0]; li.Turns != s.Turns || li.Version != s.Version {
				t.Errorf("after %d turns the list has %d", made, li.Turns)
			}
		}
		if err := seats[0].Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s := w.Snapshot(); !s.IsOver() || s.Turns != 4 {
			t.Errorf("at the end a spectator sees %d turns", s.Turns)
		}
	})
}

func TestGuestReturnsWithTheirCode(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		guest := h.enter(h.Accounts.NewGuest())
		seats := h.pair(h.member("ana"), guest, table.Proposal{Options: smallOptions})
		code := guest.ReturnCode()
		if code == "" || h.member("ana").ReturnCode() != "" {
			t.Fatalf("code %q", code)
		}
		if _, ok := h.Accounts.GuestByCode("0000000000", addr1); ok {
			t.Error("a wrong code has a guest")
		}
		guest.Close(true)
		a, ok := h.Accounts.GuestByCode(code, addr1)
		if !ok || a.Name != guest.Account().Name {
			t.Fatalf("the code is %+v, %v", a, ok)
		}
		if _, err := h.enter(a).AsPlayer(seats[0].Match().Info.ID); err != nil {
			t.Error(err)
		}
	})
}

func TestGuestComesBackAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := memoryStore(t)
		h := open(t, db)
		guest := h.enter(h.Accounts.NewGuest())
		name, code := guest.Account().Name, guest.ReturnCode()
		var ids []string
		for _, other := range []string{"ana", "bob"} {
			ids = append(ids, h.pair(guest, h.member(other), table.Proposal{Options: smallOptions})[0].Match().Info.ID)
		}
		h.Close()
		h = open(t, db)
		defer h.Close()
		other := h.enter(h.Accounts.NewGuest())
		a, ok := h.Accounts.GuestByCode(code, addr1)
		if !ok || a.Name != name || a.ID == other.Account().ID {
			t.Fatalf("the code is %+v, %v", a, ok)
		}
		back := h.enter(a)
		for _, id := range ids {
			if _, err := back.AsPlayer(id); err != nil {
				t.Error(err)
			}
			if _, err := other.AsPlayer(id); err == nil {
				t.Error("another guest takes the seat")
			}
		}
		if back.ReturnCode() != code {
			t.Errorf("the code has become %q", back.ReturnCode())
		}
	})
}

func TestLinkedKeyIsTheSameAccount(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ctx, ana := t.Context(), h.member("ana")
		code, err := ana.LinkCode(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.Accounts.Link(ctx, "wrong", []byte("key 2"), addr1)
		wantCode(t, "wrong code", err, errcode.NotAllowed)
		if a, err := h.Accounts.Link(ctx, code, []byte("key 2"), addr1); err != nil || a.ID != ana.Account().ID {
			t.Fatalf("linked to %+v, %v", a, err)
		}
		_, err = h.Accounts.Link(ctx, code, []byte("key 3"), addr1)
		wantCode(t, "used code", err, errcode.NotAllowed)
		if a, known, err := h.Accounts.ByKey(ctx, []byte("key 2")); err != nil || !known || a.Name != "ana" {
			t.Errorf("the new key is %+v, %v", a, err)
		}
		code, _ = ana.LinkCode(t.Context())
		advance(11 * time.Minute)
		_, err = h.Accounts.Link(ctx, code, []byte("key 3"), addr1)
		wantCode(t, "old code", err, errcode.NotAllowed)
		wantCode(t, "remove a key", ana.RemoveKey(ctx, []byte("key of ana")), "")
		wantCode(t, "remove the last key", ana.RemoveKey(ctx, []byte("key 2")), errcode.NotAllowed)
		wantCode(t, "first rename", ana.RenameAccount(ctx, "anna"), "")
		wantCode(t, "second rename", ana.RenameAccount(ctx, "annika"), errcode.NotAllowed)
		advance(25 * time.Hour)
		wantCode(t, "rename a day later", ana.RenameAccount(ctx, "annika"), "")
	})
}

func TestFinishedMatchGoesOnceBothHaveFinishedAnother(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob, eve := h.member("ana"), h.member("bob"), h.member("eve")
		over := func(a, b *lobby.Session) *lobby.Match {
			seats := h.pair(a, b, table.Proposal{Options: smallOptions})
			advance(time.Second)
			if err := seats[0].Resign(t.Context()); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			return seats[0].Match()
		}
		first := over(ana, bob)
		second := over(ana, eve)
		if first.IsForgotten() {
			t.Error("bob cannot ask for a rematch any more")
		}
		w, err := h.member("joe").Watch(second.Info.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		over(bob, eve)
		over(ana, eve)
		if !first.IsForgotten() {
			t.Error("a superseded match is still in memory")
		}
		if second.IsForgotten() {
			t.Error("a match with a spectator was forgotten")
		}
		w.Close()
		over(ana, eve)
		if !second.IsForgotten() {
			t.Error("the match is kept that nobody looks at any more")
		}
	})
}

// TestADelayedMatchHasItsClocksFromTheStart reads a match of which no turn is public yet.
func TestADelayedMatchHasItsClocksFromTheStart(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		clocks := table.Proposal{Options: smallOptions, Delay: 2, Clock: &clock.Control{Initial: 5 * time.Minute}}
		seats := h.pair(h.member("ana"), h.member("bob"), clocks)
		for made := range 4 {
			s := seats[0].Match().Snapshot()
			for seat := range 2 {
				if left, ok := s.Remaining(seat, time.Now()); !ok || left != 5*time.Minute {
					t.Errorf("after %d turns a spectator sees %v on clock %d, %v", made, left, seat, ok)
				}
			}
			turn(t, seats)
		}
		untimed := h.pair(h.member("cleo"), h.member("dora"), table.Proposal{Options: smallOptions, Delay: 2})
		if _, ok := untimed[0].Match().Snapshot().Remaining(0, time.Now()); ok {
			t.Error("an untimed match has a clock")
		}
	})
}

// TestRestartOfAllNodes: the time in which no node was alive is given back, however short it was, once. While one is
// alive the clocks run.
func TestRestartOfAllNodes(t *testing.T) {
	withClusterOf(t, func(t *testing.T, c *sharedStore) {
		a, b := c.node("a"), c.node("b")
		ana, bob := b.member("ana"), b.member("bob")
		seats := b.pair(ana, bob, table.Proposal{Options: smallOptions, Clock: &clock.Control{Initial: 100 * time.Second}})
		id := seats[0].Match().Info.ID
		turn(t, seats)
		turn(t, seats)
		want := func(what string, h harness, version int, left time.Duration) {
			t.Helper()
			m, err := h.Match(id)
			if err != nil {
				t.Fatal(err)
			}
			s := m.Snapshot()
			if got, _ := s.Remaining(0, time.Now()); s.Version != version || (got-left).Abs() > time.Second {
				t.Errorf("%s: version %d, %v left; want %d, %v", what, s.Version, got, version, left)
			}
		}
		before, _ := seats[0].Snapshot().Remaining(0, time.Now())
		advance(10 * time.Second)
		a.Close()
		advance(3 * time.Second)
		a = c.node("a")
		advance(3 * time.Second)
		want("after the restart of one node", a, 2, before-16*time.Second)
		a.Close()
		advance(3 * time.Second)
		ana.Close(true)
		bob.Close(true)
		b.Close()
		advance(5 * time.Second)
		a = c.node("a")
		defer a.Close()
		advance(time.Second)
		b = c.node("b")
		defer b.Close()
		advance(3 * time.Second)
		want("after the restart of all nodes", a, 3, before+20*time.Second-4*time.Second)
		want("after the restart of all nodes", b, 3, before+20*time.Second-4*time.Second)
	})
}
